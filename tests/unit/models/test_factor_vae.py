"""FactorVAE and its discriminator: formula, size, and who learns from what."""

from math import log

import pytest
import torch

from latents.models.objective import reconstruction
from latents.models.objectives.factor_vae import discriminator, permute
from latents.models.training import optimise, start_training
from latents.models.vae import build_vae
from tests.unit.models.made_up_pass import kl, make_pass, objective
from tests.unit.models.small_training import budget


def test_factor_vae_formula():
    seen, loss_of = make_pass(), objective("factor_vae")
    logits = loss_of.discriminator(seen.sample)
    expected = reconstruction(seen) + kl(seen) + 7 * (logits[:, 0] - logits[:, 1]).mean()
    assert loss_of(seen, 0)["loss"].item() == pytest.approx(expected.item(), rel=1e-12)


def test_discriminator_has_the_papers_size():
    assert sum(p.numel() for p in discriminator(10, 6).parameters()) == 5_018_002


def test_permutation_keeps_each_latent_and_breaks_the_pairs():
    codes = torch.arange(40.0).reshape(20, 2)
    shuffled = permute(codes, torch.Generator().manual_seed(0))
    assert torch.equal(shuffled.sort(dim=0).values, codes)
    assert not torch.equal(shuffled[:, 1] - shuffled[:, 0], torch.ones(20))


def test_discriminator_loss_is_log_two_where_it_cannot_tell():
    loss_of = objective("factor_vae")
    for parameter in loss_of.discriminator[-1].parameters():
        torch.nn.init.zeros_(parameter)
    found = loss_of.discriminator_loss(make_pass().sample, torch.Generator().manual_seed(0))
    assert found.item() == pytest.approx(log(2), rel=1e-12)


def snapshot(module: torch.nn.Module) -> list[torch.Tensor]:
    return [parameter.detach().clone() for parameter in module.parameters()]


def test_each_step_of_factor_vae_touches_its_own_parameters_only():
    torch.manual_seed(0)
    vae = build_vae(
        "mlp", image_shape=(1, 64, 64), latents=4, width=0.02, initialisation="glorot_uniform"
    )
    loss_of = objective("factor_vae").float()
    training = start_training(vae, loss_of, budget(), 0)
    seen = vae(torch.rand(8, 1, 64, 64), training.noise)
    models, critics = snapshot(vae), snapshot(loss_of.discriminator)
    loss_of(seen, 0)["loss"].backward()
    training.optimizer.step()
    assert any(not torch.equal(a, b) for a, b in zip(models, vae.parameters(), strict=True))
    kept = zip(critics, loss_of.discriminator.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in kept)
    models = snapshot(vae)
    gradients = [p.grad.clone() for p in vae.parameters()]
    loss_of.after_update(seen, training.noise)
    assert all(torch.equal(a, b) for a, b in zip(models, vae.parameters(), strict=True))
    assert all(torch.equal(g, p.grad) for g, p in zip(gradients, vae.parameters(), strict=True))
    moved = zip(critics, loss_of.discriminator.parameters(), strict=True)
    assert all(not torch.equal(a, b) for a, b in moved)


def test_the_discriminator_learns_from_its_own_loss_alone():
    """What the model's loss leaves in the discriminator's gradients does not count."""
    runs = []
    for gamma in (0.0, 1e6):
        torch.manual_seed(0)
        vae = build_vae(
            "mlp", image_shape=(1, 64, 64), latents=4, width=0.02, initialisation="torch"
        )
        loss_of = objective("factor_vae").float()
        loss_of.gamma = gamma
        optimise(start_training(vae, loss_of, budget(), 0), torch.ones(8, 1, 64, 64))
        runs.append(snapshot(loss_of.discriminator))
    assert all(torch.equal(a, b) for a, b in zip(*runs, strict=True))
