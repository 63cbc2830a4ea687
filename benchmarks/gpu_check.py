"""Is this machine's GPU fit for paper scale? One line at the end says so.

    make gpu-check          or: python benchmarks/gpu_check.py [--device cuda:1]

For every objective and prior of config/sweeps.yaml: loss and gradients in float64 on the CPU and on
the GPU agree. For every objective: two short trainings under deterministic algorithms end with the
same bytes, and nothing inside the loop makes the host wait for the device. Then model-steps per
second at paper scale. `--device cpu` runs the same checks without a GPU, to see that they run.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from latents.data.batches import ImageSource, StoredImages
from latents.data.factors import FactorGrid
from latents.data.images import ImageSet
from latents.models.determinism import fix_rounding
from latents.models.objective import Objective, RunFacts, build_objective
from latents.models.training import Budget, Hooks, Training, optimise, start_training, train
from latents.models.vae import VAE, ForwardPass, build_vae
from latents.workflow import settings as config

SHAPE = (1, 64, 64)
BATCH = 64
LAYOUTS = ("channels_last", "contiguous")
TOLERANCE = 1e-8  # relative, in float64
GRID = FactorGrid(("image",), (4096,), (0,))
HOOKS = Hooks(lambda t: None, lambda t: None, lambda t: None)


def cases() -> dict[str, dict]:
    """Every distinct objective over every distinct prior of the sweeps."""
    found = {}
    settings = config.load({})
    for cell, row in settings.sweeps.items():
        options = {**row.get("options", {}), row["strength"]: row["strengths"][-1]}
        prior = {"name": row["prior"], "options": row.get("prior_options", {})}
        latents = settings.scale_of(cell)["latents"]
        name = f"{row['objective']} {options.get('variant', '')} over {row['prior']}"
        name += " (learned)" if prior["options"].get("learned") else ""
        arguments = {"name": row["objective"], "options": options, "prior": prior}
        found.setdefault(name, {"latents": latents, "objective": arguments})
    return found


def build(
    case: dict, device: torch.device, dtype: torch.dtype, layout: str = "channels_last"
) -> tuple[VAE, Objective]:
    """The same weights on every device: drawn on the CPU."""
    torch.manual_seed(0)
    latents = case["latents"]
    vae = build_vae(
        "conv",
        image_shape=SHAPE,
        latents=latents,
        width=1,
        initialisation="glorot_uniform",
        memory_layout=layout,
    )
    facts = RunFacts(latents=latents, steps=300_000, images=GRID.images)
    loss = build_objective(**case["objective"], facts=facts)
    return vae.to(device, dtype), loss.to(device, dtype)


def loss_and_gradients(case: dict, device: torch.device) -> tuple[float, torch.Tensor]:
    """Of one fixed batch with fixed noise, in float64."""
    vae, objective = build(case, device, torch.float64)
    generator = torch.Generator().manual_seed(1)
    images = (torch.rand(BATCH, *SHAPE, generator=generator) > 0.9).double().to(device)
    noise = torch.randn(BATCH, case["latents"], generator=generator).double().to(device)
    mean, logvar = vae.encode(images)
    sample = mean + torch.exp(logvar / 2) * noise
    loss = objective(ForwardPass(images, vae.decoder(sample), mean, logvar, sample), 1000)["loss"]
    loss.backward()
    gradients = torch.cat([p.grad.flatten().cpu() for p in vae.parameters()])
    return loss.item(), gradients


def agrees(case: dict, device: torch.device) -> bool:
    ours, theirs = loss_and_gradients(case, torch.device("cpu")), loss_and_gradients(case, device)
    loss = abs(ours[0] - theirs[0]) / abs(ours[0])
    gradients = ((ours[1] - theirs[1]).norm() / ours[1].norm()).item()
    return max(loss, gradients) < TOLERANCE


def short_training(
    case: dict, device: torch.device, steps: int, layout: str = "channels_last"
) -> tuple[Training, Budget]:
    vae, objective = build(case, device, torch.float32, layout)
    budget = Budget(steps, BATCH, 1e-4, (0.9, 0.999), 1e-8)
    return start_training(vae, objective, budget, 0), budget


def some_images(device: torch.device) -> ImageSource:
    bits = np.random.RandomState(0).randint(256, size=(GRID.images, 512)).astype(np.uint8)
    about = ImageSet("random bits", SHAPE, GRID, binary=True)
    return ImageSource(StoredImages(about, bits, device))


def repeats_itself(case: dict, device: torch.device) -> bool:
    ends = []
    for _ in range(2):
        training, budget = short_training(case, device, 10)
        train(training, budget, some_images(device), HOOKS)
        ends.append([tensor.cpu() for tensor in training.vae.state_dict().values()])
    return all(torch.equal(a, b) for a, b in zip(*ends, strict=True))


def never_waits(case: dict, device: torch.device) -> bool:
    """Steps between two reports of the loss, with every synchronisation made an error."""
    training, _ = short_training(case, device, 10)
    images = some_images(device)
    rows = torch.arange(BATCH, device=device)
    # What happens once, such as making moments, may wait.
    optimise(training, images.read(rows, training.noise))
    if device.type == "cuda":
        torch.cuda.synchronize()
        torch.cuda.set_sync_debug_mode("error")
    try:
        for _ in range(3):
            optimise(training, images.read(rows, training.noise))
    except RuntimeError as error:
        print(f"    {error}")
        return False
    finally:
        if device.type == "cuda":
            torch.cuda.set_sync_debug_mode("default")
    return True


def steps_per_second(case: dict, device: torch.device, steps: int, layout: str) -> float:
    training, budget = short_training(case, device, steps, layout)
    images = some_images(device)
    optimise(training, images.read(torch.arange(BATCH, device=device), training.noise))
    started = time.perf_counter()
    train(training, budget, images, HOOKS)  # ends by waiting for the losses
    return steps / (time.perf_counter() - started)


def main(name: str, steps: int) -> None:
    if name.startswith("cuda") and not torch.cuda.is_available():
        sys.exit("gpu-check: this PyTorch sees no CUDA device, so nothing was checked")
    device = torch.device(name)
    fix_rounding(1)
    failed = []
    checks = {"CPU = GPU": agrees, "repeats itself": repeats_itself, "never waits": never_waits}
    for label, case in cases().items():
        results = {check: run(case, device) for check, run in checks.items()}
        failed += [f"{label}: {check}" for check, passed in results.items() if not passed]
        shown = "  ".join(f"{check}: {'yes' if ok else 'NO'}" for check, ok in results.items())
        print(f"{label:45} {shown}", flush=True)
    first = next(iter(cases().values()))
    rates = {layout: steps_per_second(first, device, steps, layout) for layout in LAYOUTS}
    layout, rate = max(rates.items(), key=lambda item: item[1])
    print("  ".join(f"memory_layout {name}: {r:.0f} steps/s" for name, r in rates.items()))
    hours = 300_000 / rate / 3600
    where = torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"
    verdict = "NOT FIT for paper scale" if failed else "fit for paper scale"
    print(f"{where}: {verdict}; {hours:.1f} hours for 300,000 steps with memory_layout {layout}")
    if failed:
        sys.exit("failed: " + "; ".join(failed))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--steps", type=int, default=2000, help="of the speed measurement")
    arguments = parser.parse_args()
    main(arguments.device, arguments.steps)
