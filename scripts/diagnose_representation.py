"""Diagnose a user representation: types, scores, heat map and advice."""

from pathlib import Path

import pandas as pd

from latents.evaluation.covariance import correlation, covariance
from latents.evaluation.diagnosis import advise, score_own
from latents.evaluation.tables import write_table
from latents.evaluation.user_representation import read_own
from latents.evaluation.variable_types import classify, summarise
from latents.figures.heatmap import draw_heatmap
from latents.figures.style import add_footer, paper_style, save_pdf
from latents.runtime.step import run


def diagnose_representation(
    *,
    representation: Path,
    scores: Path,
    variables: Path,
    heatmap: Path,
    advice: Path,
    metrics: list[str],
    pairs: str,
    tolerance: float,
    trees: int,
    key: str,
) -> None:
    """Write the types, the scores, the heat map of the mean codes, and the advice."""
    given, names, notes = read_own(representation)
    types = classify(given.variance, tolerance)
    means, variances = summarise(given.variance)
    latents = range(len(types))
    columns = {"latent": latents, "type": types, "mean_variance": means}
    write_table(variables, pd.DataFrame({**columns, "variance_of_variance": variances}))
    scored = score_own(given, types, metrics=metrics, pairs=pairs, trees=trees)
    write_table(scores, scored)
    title = f"Mean representation, {representation.name}"
    footer = f"{len(given.mean):,} examples of {representation.name}"
    footer += f"; factors: {', '.join(names)}" if names else "; no factors"
    with paper_style():
        drawn = draw_heatmap(correlation(covariance(given.mean)), types, title)
        add_footer(drawn, [footer])
        save_pdf(drawn, heatmap, title=title, key=key)
    words = advise(types, scored, notes)
    advice.write_text(f"{representation.name}, {len(given.mean):,} examples\n{words}\n")


if __name__ == "__main__":
    run(diagnose_representation)
