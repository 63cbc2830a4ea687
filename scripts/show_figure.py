"""Say where a figure is and what it shows."""

import sys
from pathlib import Path


def show_figure(figure: Path) -> None:
    print(f"\n{figure}  (numbers: {figure.with_suffix('.csv')})")
    print(figure.with_suffix(".txt").read_text(), end="")


if __name__ == "__main__":
    show_figure(Path(sys.argv[1]))
