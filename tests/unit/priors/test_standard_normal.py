import torch
from torch.distributions import Normal, kl_divergence

from latents.priors.standard_normal import StandardNormal


def test_kl_equals_that_of_torch_distributions():
    torch.manual_seed(0)
    mean, logvar = torch.randn(7, 10).double(), torch.randn(7, 10).double()
    posterior = Normal(mean, torch.exp(logvar / 2))
    expected = kl_divergence(posterior, Normal(0.0, 1.0)).sum(dim=1)
    found = StandardNormal().kl(mean, logvar, mean)
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)


def test_kl_is_zero_only_at_the_prior():
    zero = torch.zeros(1, 3)
    assert StandardNormal().kl(zero, zero, zero).item() == 0
    assert StandardNormal().kl(zero + 0.1, zero, zero).item() > 0
    assert StandardNormal().kl(zero, zero + 0.1, zero).item() > 0
