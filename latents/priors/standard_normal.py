"""The standard normal prior N(0, I)."""

import torch
from torch import Tensor, nn


class StandardNormal(nn.Module):
    """KL(q(z|x) || N(0, I)) in closed form."""

    def kl(self, mean: Tensor, logvar: Tensor, sample: Tensor) -> Tensor:
        """Per image, in nats: 1/2 sum_j (mu_j^2 + sigma_j^2 - log sigma_j^2 - 1), (B, d) -> (B,).

        `sample` is what priors without a closed form need; this one has no use for it.
        """
        return 0.5 * (mean**2 + torch.exp(logvar) - logvar - 1).sum(dim=1)
