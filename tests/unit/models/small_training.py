"""Trainings of seconds on pictures of bars: what several tests share."""

import numpy as np
import torch

from latents.data.batches import ImageSource, StoredImages
from latents.data.factors import FactorGrid
from latents.data.images import ImageSet
from latents.models.determinism import fix_rounding
from latents.models.objective import RunFacts, build_objective
from latents.models.training import Budget, Hooks, Training, start_training
from latents.models.vae import build_vae

GRID = FactorGrid(names=("a", "b"), sizes=(6, 8), latent=(0, 1))
SHAPE = (1, 64, 64)
OBJECTIVES = {
    "beta_vae": {"beta": 2.0},
    "annealed_vae": {"c_max": 10.0, "gamma": 10.0},
    "dip_vae": {"lambda_od": 5.0, "variant": "ii", "diagonal_ratio": 1.0},
    "beta_tcvae": {"beta": 2.0, "sampling": "weighted"},
    "factor_vae": {
        "gamma": 5.0,
        "layers": 2,
        "discriminator_rate": 1e-4,
        "double_step_counter": False,
    },
}
PRIORS = {
    "standard_normal": {},
    "generalised_gaussian": {"p": 1.5, "scale": 2.0},
    "lp_nested": {
        "tree": [2.1, [2.0, 2], [2.0, 2]],
        "scale": 1.0,
        "learned": True,
        "learning_rate": 5e-4,
    },
}


def bars() -> ImageSource:
    """Bars whose position and height are the two factors."""
    pictures = np.zeros((GRID.images, 64, 64), dtype=np.uint8)
    for row, (a, b) in enumerate(GRID.values_at(np.arange(GRID.images))):
        pictures[row, 8 * b : 8 * b + 8, : 10 * (a + 1)] = 1
    bits = np.packbits(pictures.reshape(GRID.images, -1), axis=1)
    about = ImageSet("bars", SHAPE, GRID, binary=True)
    return ImageSource(StoredImages(about, bits, torch.device("cpu")))


def budget(steps: int = 60, rate: float = 1e-3) -> Budget:
    return Budget(steps, 8, rate, (0.9, 0.999), 1e-8)


def begin(
    objective: str = "dip_vae",
    plan: Budget | None = None,
    seed: int = 0,
    prior: str = "standard_normal",
    network: str = "conv",
    channels: int = 1,
) -> Training:
    fix_rounding(1)
    torch.manual_seed(seed)
    vae = build_vae(
        network,
        image_shape=(channels, *SHAPE[1:]),
        latents=4,
        width=0.1,
        initialisation="glorot_uniform",
    )
    plan = plan or budget()
    over = {"name": prior, "options": PRIORS[prior]}
    facts = RunFacts(latents=4, steps=plan.steps, images=GRID.images)
    loss = build_objective(objective, options=OBJECTIVES[objective], prior=over, facts=facts)
    return start_training(vae, loss, plan, seed)


def nothing(_: Training) -> None:
    pass


def hooks(**given) -> Hooks:
    return Hooks(**{"report": nothing, "save_state": nothing, **given})


def weights(training: Training) -> list[bytes]:
    return [tensor.numpy().tobytes() for tensor in training.vae.state_dict().values()]
