"""Networks against parameter counts worked out by hand, and the reference's initialisation."""

import pytest
import torch
from torch import nn

from latents.models.layers import LastDeconvolution
from latents.models.vae import build_vae


def build(network="conv", channels=1, width=1.0, initialisation="glorot_uniform"):
    torch.manual_seed(0)
    shape = (channels, 64, 64)
    return build_vae(
        network, image_shape=shape, latents=10, width=width, initialisation=initialisation
    )


def count(module: nn.Module) -> int:
    return sum(parameter.numel() for parameter in module.parameters())


@pytest.mark.parametrize(
    ("network", "channels", "encoder", "decoder"),
    [
        ("conv", 1, 309_204, 381_313),
        ("conv", 3, 310_228, 382_339),
        ("mlp", 1, 6_381_620, 7_814_896),
        ("conv_batchnorm", 1, 651_860, 646_721),
        ("conv_batchnorm", 3, 652_884, 647_747),
    ],
)
def test_parameter_counts_are_the_papers(network, channels, encoder, decoder):
    vae = build(network, channels)
    assert (count(vae.encoder), count(vae.decoder)) == (encoder, decoder)


def test_half_width_conv_has_the_stated_channels():
    encoder = build(width=0.5).encoder
    assert [m.out_channels for m in encoder if isinstance(m, nn.Conv2d)] == [16, 16, 32, 32]
    assert [m.out_features for m in encoder if isinstance(m, nn.Linear)] == [128]


@pytest.mark.parametrize("network", ["conv", "mlp", "conv_batchnorm"])
@pytest.mark.parametrize("channels", [1, 3])
def test_shapes_through_the_model(network, channels):
    vae = build(network, channels, width=0.1)
    images = torch.rand(5, channels, 64, 64)
    seen = vae(images, torch.Generator().manual_seed(0))
    assert seen.logits.shape == images.shape
    assert seen.mean.shape == seen.logvar.shape == seen.sample.shape == (5, 10)


def test_sample_is_mean_plus_standard_deviation_times_noise():
    vae = build(width=0.1)
    seen = vae(torch.rand(4, 1, 64, 64), torch.Generator().manual_seed(7))
    noise = torch.randn(4, 10, generator=torch.Generator().manual_seed(7))
    assert torch.equal(seen.sample, seen.mean + torch.exp(seen.logvar / 2) * noise)


def test_glorot_initialisation_has_zero_biases_and_the_right_spread():
    """Uniform on +-sqrt(6 / (fan in + fan out)): the largest weight of many comes close."""
    for layer in build().modules():
        if isinstance(layer, nn.Linear | nn.Conv2d | nn.ConvTranspose2d):
            field = layer.weight[0, 0].numel() if layer.weight.ndim == 4 else 1
            limit = (6 / (field * (layer.weight.shape[0] + layer.weight.shape[1]))) ** 0.5
            assert layer.bias.abs().max() == 0
            assert 0.95 * limit < layer.weight.abs().max() <= limit


def test_torch_initialisation_is_left_alone():
    biases = [m.bias for m in build(initialisation="torch").modules() if isinstance(m, nn.Linear)]
    assert all(bias.abs().max() > 0 for bias in biases)


@pytest.mark.parametrize("channels", [1, 3])
def test_the_fast_last_layer_is_torchs_own(channels):
    """Values in float64, and gradients of everything it takes by finite differences."""
    torch.manual_seed(0)
    fast = LastDeconvolution(5, channels).double()
    features = torch.randn(2, 5, 4, 6, dtype=torch.float64, requires_grad=True)
    slow = nn.ConvTranspose2d(5, channels, 4, stride=2, padding=1).double()
    slow.load_state_dict(fast.state_dict())
    torch.testing.assert_close(fast(features), slow(features), atol=1e-12, rtol=0)

    def through(features, weight, bias):
        return torch.func.functional_call(fast, {"weight": weight, "bias": bias}, (features,))

    inputs = (features, fast.weight.detach().requires_grad_(), fast.bias.detach().requires_grad_())
    assert torch.autograd.gradcheck(through, inputs)
