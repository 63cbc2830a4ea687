"""beta-VAE (Higgins et al. 2017); beta = 1 is the VAE of Kingma and Welling."""

from torch import Tensor, nn

from latents.objective import Objective, reconstruction
from latents.vae import Pass


class BetaVae(Objective):
    """reconstruction + beta * KL(q(z|x) || p(z))."""

    def __init__(self, *, prior: nn.Module, beta: float) -> None:
        super().__init__(prior)
        self.beta = beta

    def forward(self, seen: Pass) -> dict[str, Tensor]:
        reconstructed, kl = reconstruction(seen), self.mean_kl(seen)
        return {"loss": reconstructed + self.beta * kl, "reconstruction": reconstructed, "kl": kl}
