"""beta-VAE (Higgins et al. 2017); beta = 1 is the VAE of Kingma and Welling."""

from torch import Tensor

from latents.models.objective import Objective, RunFacts, reconstruction
from latents.models.prior import Prior
from latents.models.vae import ForwardPass


class BetaVae(Objective):
    """reconstruction + beta * KL(q(z|x) || p(z)). Over an Lp-nested prior this is ISA-VAE."""

    def __init__(self, *, prior: Prior, facts: RunFacts, beta: float) -> None:
        super().__init__(prior, facts)
        self.beta = beta

    def forward(self, batch: ForwardPass, step: int) -> dict[str, Tensor]:
        reconstructed, kl = reconstruction(batch), self.mean_kl(batch)
        return {"loss": reconstructed + self.beta * kl, "reconstruction": reconstructed, "kl": kl}
