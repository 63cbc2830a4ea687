"""Say where a result is and, of a figure, what it shows."""

import sys
from pathlib import Path


def show_result(result: Path) -> None:
    caption = result.with_suffix(".txt")
    if result.suffix == ".pdf" and caption.exists():
        print(f"\n{result}  (numbers: {result.with_suffix('.csv')})")
        print(caption.read_text(), end="")
    else:
        print(f"\n{result}")


if __name__ == "__main__":
    show_result(Path(sys.argv[1]))
