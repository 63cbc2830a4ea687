"""Model-steps per second of our training loop, side by side with two others, in one run.

    python benchmarks/training.py                 the whole table (about ten minutes)
    python benchmarks/training.py --rounds 1      a quick look

Contenders, all over the same network, batch 64 and beta-VAE loss, on 20,000 dSprites images:
  ours    the loop of latents/models/training.py, with the memory settings of rules/common.smk
  plain   the obvious PyTorch loop: float images, a shuffling DataLoader, Adam, loss.item()
  pythae  BetaVAE and trainer of pythae (pip install pythae tqdm; left out where it is missing)

Every measurement is a process of its own; contenders take turns, and the median over rounds
counts, so that a busy machine troubles all alike. "2 x 1" are two processes at once, of one thread
each: what a workflow does with two cores; their rates add up.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

IMAGES = 20_000
BATCH = 64
WARM_UP = 5
MEMORY = {
    "MALLOC_MMAP_THRESHOLD_": str(2**30),
    "MALLOC_TRIM_THRESHOLD_": str(2**30),
    "MALLOC_TOP_PAD_": str(2**28),
}
STEPS = {"conv": 40, "mlp": 80}
LAYOUTS = {"1": (1, 1), "2": (1, 2), "2 x 1": (2, 1)}  # processes, threads


def some_images():
    """Packed sprites of every shape, drawn once."""
    import numpy as np

    from latents.data.twins import dsprites

    sprites = [dsprites.render_sprite(dsprites.outline(i % 3, i % 6, i)) for i in range(20)]
    return np.stack(sprites).astype(">u8").view(np.uint8).reshape(-1, 512)[:IMAGES]


def network(name: str, layout: str = "channels_last"):
    from latents.models.vae import build_vae

    return build_vae(
        name,
        image_shape=(1, 64, 64),
        latents=10,
        width=1,
        initialisation="glorot_uniform",
        memory_layout=layout,
    )


def plain_network(name):
    """The same layers and layout as torch has them by default."""
    from torch import nn

    vae = network(name, "contiguous")
    for layer in vae.modules():
        if isinstance(layer, nn.ReLU):
            layer.inplace = False
    if name == "conv":
        vae.decoder[-1] = nn.ConvTranspose2d(32, 1, 4, stride=2, padding=1)
    return vae


def time_ours(name: str, steps: int) -> float:
    import torch

    from latents.data.batches import ImageSource, StoredImages
    from latents.data.factors import FactorGrid
    from latents.data.images import ImageSet
    from latents.models.objective import RunFacts, build_objective
    from latents.models.training import Budget, Hooks, start_training, train

    bits = some_images()
    grid = FactorGrid(("image",), (len(bits),), (0,))
    facts = RunFacts(latents=10, steps=steps, images=len(bits))
    loss = build_objective(
        "beta_vae",
        options={"beta": 4},
        prior={"name": "standard_normal", "options": {}},
        facts=facts,
    )
    about = ImageSet("sprites", (1, 64, 64), grid, binary=True)
    images = ImageSource(StoredImages(about, bits, torch.device("cpu")))
    hooks = Hooks(lambda t: None, lambda t: None, lambda t: None)
    budgets = [Budget(n, BATCH, 1e-4, (0.9, 0.999), 1e-8) for n in (WARM_UP, WARM_UP + steps)]
    training = start_training(network(name), loss, budgets[0], 0)
    train(training, budgets[0], images, hooks)
    started = time.perf_counter()
    train(training, budgets[1], images, hooks)
    return steps / (time.perf_counter() - started)


def float_images():
    import numpy as np
    import torch

    bits = some_images()[:6400]
    return torch.from_numpy(np.unpackbits(bits, axis=1).reshape(-1, 1, 64, 64)).float()


def time_plain(name: str, steps: int) -> float:
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits
    from torch.utils.data import DataLoader, TensorDataset

    vae = plain_network(name)
    optimizer = torch.optim.Adam(vae.parameters(), lr=1e-4)
    loader = DataLoader(TensorDataset(float_images()), batch_size=BATCH, shuffle=True)
    done, started = 0, 0.0
    while True:
        for (images,) in loader:
            if done == WARM_UP:
                started = time.perf_counter()
            if done == WARM_UP + steps:
                return steps / (time.perf_counter() - started)
            mean, logvar = vae.encode(images)
            code = mean + torch.exp(0.5 * logvar) * torch.randn_like(mean)
            logits = vae.decoder(code)
            recon = binary_cross_entropy_with_logits(logits, images, reduction="sum") / len(images)
            kl = 0.5 * (mean.pow(2) + logvar.exp() - logvar - 1).sum(1).mean()
            loss = recon + 4 * kl
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            loss.item()
            done += 1


def time_pythae(name: str, steps: int) -> float:
    import tempfile

    import torch
    from pythae.data.datasets import BaseDataset
    from pythae.models import BetaVAE, BetaVAEConfig
    from pythae.models.base.base_utils import ModelOutput
    from pythae.models.nn import BaseDecoder, BaseEncoder
    from pythae.trainers import BaseTrainer, BaseTrainerConfig

    vae = plain_network(name)

    class Encoder(BaseEncoder):
        def __init__(self):
            super().__init__()
            self.inner = vae.encoder

        def forward(self, x):
            mean, logvar = self.inner(x)
            return ModelOutput(embedding=mean, log_covariance=logvar)

    class Decoder(BaseDecoder):
        def __init__(self):
            super().__init__()
            self.inner = vae.decoder

        def forward(self, z):
            return ModelOutput(reconstruction=torch.sigmoid(self.inner(z)))

    config = BetaVAEConfig(
        input_dim=(1, 64, 64), latent_dim=10, reconstruction_loss="bce", beta=4.0
    )
    model = BetaVAE(config, encoder=Encoder(), decoder=Decoder())

    def trainer(count: int) -> BaseTrainer:
        images = float_images()[: count * BATCH]
        settings = BaseTrainerConfig(
            output_dir=tempfile.mkdtemp(),
            num_epochs=1,
            per_device_train_batch_size=BATCH,
            learning_rate=1e-4,
            no_cuda=True,
        )
        made = BaseTrainer(model, BaseDataset(images, torch.zeros(len(images))), None, settings)
        made.prepare_training()
        return made

    trainer(WARM_UP).train_step(1)
    timed = trainer(steps)
    started = time.perf_counter()
    timed.train_step(1)
    return steps / (time.perf_counter() - started)


def time_peak(_: str, steps: int) -> float:
    """GFLOP/s of torch's own large channels-last convolution: what the cores can give."""
    import torch

    images = torch.randn(32, 64, 64, 64).to(memory_format=torch.channels_last)
    layer = torch.nn.Conv2d(64, 64, 3, padding=1).to(memory_format=torch.channels_last)
    with torch.no_grad():
        for _ in range(3):
            layer(images)
        started = time.perf_counter()
        for _ in range(steps):
            layer(images)
    work = 2 * 32 * 64 * 64 * 64 * 64 * 9 * steps
    return work / (time.perf_counter() - started) / 1e9


def flops_per_step(name: str) -> float:
    """Counted by torch over one forward and backward pass of a batch."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    vae = network(name)
    with FlopCounterMode(display=False) as counter:
        seen = vae(torch.rand(BATCH, 1, 64, 64), torch.Generator())
        (seen.logits.sum() + seen.mean.sum()).backward()
    return float(counter.get_total_flops())


TIMERS = {"ours": time_ours, "plain": time_plain, "pythae": time_pythae, "peak": time_peak}


def measure(contender: str, name: str, processes: int, threads: int) -> float:
    """Sum of the rates of `processes` workers that run at the same time."""
    environment = {**os.environ, **(MEMORY if contender == "ours" else {})}
    command = [sys.executable, __file__, "--worker", contender, name, str(threads)]
    workers = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(processes)
    ]
    rates = []
    for worker in workers:
        out, err = worker.communicate()
        if worker.returncode:
            sys.exit(f"{contender} failed:\n{err.decode()}")
        rates.append(json.loads(out.decode().splitlines()[-1]))
    return sum(rates)


def work(contender: str, name: str, threads: int) -> None:
    from latents.models.training import fix_rounding

    if contender == "ours":
        fix_rounding(threads)
    else:
        import torch

        torch.set_num_threads(threads)
    print(json.dumps(TIMERS[contender](name, STEPS.get(name, 20))))


def main(rounds: int) -> None:
    contenders = ["ours", "plain"] + (["pythae"] if find_spec("pythae") else [])
    rates: dict[tuple[str, str, str], list[float]] = {}
    peaks: dict[str, list[float]] = {layout: [] for layout in LAYOUTS}
    for _ in range(rounds):
        for layout, (processes, threads) in LAYOUTS.items():
            peaks[layout].append(measure("peak", "peak", processes, threads))
            for name in STEPS:
                for contender in contenders:
                    rate = measure(contender, name, processes, threads)
                    rates.setdefault((name, layout, contender), []).append(rate)
                    print(f"{name:5} {layout:6} {contender:7} {rate:8.2f}", file=sys.stderr)
    print_table(rates, peaks, contenders)


def print_table(rates, peaks, contenders: list[str]) -> None:
    middle = {key: statistics.median(values) for key, values in rates.items()}
    print(
        f"{'network':8} {'threads':8}" + "".join(f"{c + ' steps/s':>16}" for c in contenders),
        end="",
    )
    print("".join(f"{'ours / ' + c:>15}" for c in contenders[1:]) + f"{'share of peak':>15}")
    for name in STEPS:
        flops = flops_per_step(name)
        for layout in LAYOUTS:
            ours = middle[name, layout, "ours"]
            print(f"{name:8} {layout:8}", end="")
            print("".join(f"{middle[name, layout, c]:16.2f}" for c in contenders), end="")
            ratios = (ours / middle[name, layout, c] for c in contenders[1:])
            share = ours * flops / 1e9 / statistics.median(peaks[layout])
            print("".join(f"{ratio:15.2f}" for ratio in ratios) + f"{share:15.0%}")
    machine = middle["conv", "2 x 1", "ours"]
    for c in contenders[1:]:
        best = max(middle["conv", layout, c] for layout in LAYOUTS if layout != "2 x 1")
        print(
            f"conv, both cores: ours {machine:.1f}, {c} in one process {best:.1f}: "
            f"{machine / best:.2f} times as many"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", nargs=3)
    arguments = parser.parse_args()
    if arguments.worker:
        work(arguments.worker[0], arguments.worker[1], int(arguments.worker[2]))
    else:
        main(arguments.rounds)
