"""AnnealedVAE (Burgess et al. 2018): a capacity for the KL that grows during training."""

from torch import Tensor

from latents.models.objective import Objective, RunFacts, reconstruction
from latents.models.prior import Prior
from latents.models.vae import ForwardPass

THRESHOLD = 1 / 3  # of the budget: 100,000 of the paper's 300,000 steps


class AnnealedVae(Objective):
    """reconstruction + gamma * |KL - C(t)|, C(t) = min(c_max, c_max * t / threshold).

    The absolute value is of the batch's mean KL. A larger c_max regularises less.
    """

    def __init__(self, *, prior: Prior, facts: RunFacts, c_max: float, gamma: float) -> None:
        super().__init__(prior, facts)
        self.c_max = c_max
        self.gamma = gamma

    def forward(self, batch: ForwardPass, step: int) -> dict[str, Tensor]:
        reconstructed, kl = reconstruction(batch), self.mean_kl(batch)
        loss = reconstructed + self.gamma * (kl - self.capacity(step)).abs()
        return {"loss": loss, "reconstruction": reconstructed, "kl": kl}

    def capacity(self, step: int) -> float:
        """Return C(t), in nats."""
        return self.c_max * min(1.0, step / (THRESHOLD * self.facts.steps))
