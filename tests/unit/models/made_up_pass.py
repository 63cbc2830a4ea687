"""Every objective, and a made-up pass through a model for it to judge."""

import numpy as np
import torch

from latents.models.objective import RunFacts, build_objective
from latents.models.vae import ForwardPass

DIP = {"lambda_od": 3.0, "diagonal_ratio": 2.0}
FACTOR = {"gamma": 7.0, "layers": 2, "discriminator_rate": 1e-4, "double_step_counter": False}
CASES = {
    "beta_vae": ("beta_vae", {"beta": 4.0}),
    "annealed_vae": ("annealed_vae", {"c_max": 25.0, "gamma": 10.0}),
    "dip_vae_i": ("dip_vae", {**DIP, "variant": "i"}),
    "dip_vae_ii": ("dip_vae", {**DIP, "variant": "ii"}),
    "beta_tcvae_weighted": ("beta_tcvae", {"beta": 5.0, "sampling": "weighted"}),
    "beta_tcvae_stratified": ("beta_tcvae", {"beta": 5.0, "sampling": "stratified"}),
    "factor_vae": ("factor_vae", FACTOR),
}
PRIORS = {
    "standard_normal": {},
    "generalised_gaussian": {"p": 1.5, "scale": 2.0},
    "lp_nested": {
        "tree": [2.1, [2.2, 2], [1.9, 2]],
        "scale": 1.0,
        "learned": True,
        "learning_rate": 5e-4,
    },
}
IMAGES = 1000


def make_pass(seed: int = 0, batch: int = 6, latents: int = 4) -> ForwardPass:
    generator = torch.Generator().manual_seed(seed)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    images = (normal(batch, 1, 4, 4) > 0).double()
    mean, logvar = normal(batch, latents), normal(batch, latents) - 1
    sample = mean + torch.exp(logvar / 2) * normal(batch, latents)
    return ForwardPass(images, normal(batch, 1, 4, 4), mean, logvar, sample)


def objective(case: str, prior: str = "standard_normal", steps: int = 300, latents: int = 4):
    name, options = CASES[case]
    torch.manual_seed(0)
    over = {"name": prior, "options": PRIORS[prior]}
    facts = RunFacts(latents=latents, steps=steps, images=IMAGES)
    return build_objective(name, options=options, prior=over, facts=facts).double()


def kl(seen: ForwardPass) -> float:
    mean, logvar = seen.mean.numpy(), seen.logvar.numpy()
    return (0.5 * (mean**2 + np.exp(logvar) - logvar - 1).sum(axis=1)).mean()
