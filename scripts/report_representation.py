"""Types, scores, heat map and advice for a representation made elsewhere."""

from pathlib import Path

import pandas as pd

from latents.covariance import correlation, covariance
from latents.heatmap import draw_heatmap
from latents.own_representation import read_own
from latents.report import advise, score_own
from latents.step import run
from latents.style import add_footer, paper_style, save_pdf
from latents.tables import write_table
from latents.variables import classify, summarise


def report_representation(
    *,
    representation: Path,
    report: Path,
    variables: Path,
    heatmap: Path,
    advice: Path,
    metrics: list[str],
    pairs: str,
    tolerance: float,
    trees: int,
    key: str,
) -> None:
    given, names, notes = read_own(representation)
    types = classify(given.variance, tolerance)
    means, variances = summarise(given.variance)
    latents = range(len(types))
    columns = {"latent": latents, "type": types, "mean_variance": means}
    write_table(variables, pd.DataFrame({**columns, "variance_of_variance": variances}))
    scores = score_own(given, types, metrics=metrics, pairs=pairs, trees=trees)
    write_table(report, scores)
    title = f"Mean representation, {representation.name}"
    footer = f"{len(given.mean):,} examples of {representation.name}"
    footer += f"; factors: {', '.join(names)}" if names else "; no factors"
    with paper_style():
        drawn = draw_heatmap(correlation(covariance(given.mean)), types, title)
        add_footer(drawn, [footer])
        save_pdf(drawn, heatmap, title=title, key=key)
    said = advise(types, scores, notes)
    advice.write_text(f"{representation.name}, {len(given.mean):,} examples\n{said}\n")


if __name__ == "__main__":
    run(report_representation)
