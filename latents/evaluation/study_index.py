"""Model numbers of unsupervised_study_v1 (Locatello et al. 2019), for finding a run's original.

index = 1800 d + 300 m + 50 r + s: dataset, method, rank of the strength, seed; 0 ... 12,599.
"""

DATASETS = (
    "dsprites",
    "color_dsprites",
    "noisy_dsprites",
    "scream_dsprites",
    "smallnorb",
    "cars3d",
    "shapes3d",
)
METHODS = {
    "beta_vae": (1, 2, 4, 6, 8, 16),
    "factor_vae": (10, 20, 30, 40, 50, 100),
    "dip_vae_i": (1, 2, 5, 10, 20, 50),
    "dip_vae_ii": (1, 2, 5, 10, 20, 50),
    "beta_tcvae": (1, 2, 4, 6, 8, 10),
    "annealed_vae": (5, 10, 25, 50, 75, 100),
}
SEEDS = 50


def model_index(dataset: str, method: str, strength: float, seed: int) -> int:
    """Return the study's number of a run; raise ValueError if the study has no such run."""
    strengths = METHODS[method]
    if not 0 <= seed < SEEDS:
        raise ValueError(f"the study has seeds 0 to {SEEDS - 1}, not {seed}")
    cell = DATASETS.index(dataset) * len(METHODS) + list(METHODS).index(method)
    return (cell * len(strengths) + strengths.index(strength)) * SEEDS + seed


def find_index(dataset: str, method: str | None, strength: float, seed: int) -> int | None:
    """Return the study's number of a run, or None if it is no run of the study."""
    if method is None or dataset not in DATASETS or strength not in METHODS[method]:
        return None
    return model_index(dataset, method, strength, seed) if seed < SEEDS else None


def model_of_index(index: int) -> tuple[str, str, int, int]:
    """Return (dataset, method, strength, seed) of one of the study's numbers."""
    cell_and_rank, seed = divmod(index, SEEDS)
    cell, rank = divmod(cell_and_rank, len(METHODS["beta_vae"]))
    dataset, method = divmod(cell, len(METHODS))
    name = list(METHODS)[method]
    return DATASETS[dataset], name, METHODS[name][rank], seed
