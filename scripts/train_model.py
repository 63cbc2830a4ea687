"""Train one model; a killed training resumes from its last state."""

from pathlib import Path
from typing import Any

import pandas as pd
import torch

from latents.data.batches import open_source
from latents.evaluation.tables import write_table
from latents.models.determinism import choose_device, fix_rounding
from latents.models.objective import RunFacts, build_objective
from latents.models.trained_model import write_model
from latents.models.training import Budget, Hooks, start_training, train
from latents.models.training_state import StateFolder
from latents.models.vae import build_vae, initialise
from latents.runtime.plugins import load
from latents.runtime.progress import Progress
from latents.runtime.step import Outcome, run


def train_model(
    *,
    images: Path,
    background: Path | None,
    model: Path,
    history: Path,
    snapshots: Path | None,
    name: str,
    dataset: str,
    variation: str | None,
    variation_order: str,
    network: dict[str, Any],
    objective: dict[str, Any],
    budget: dict[str, Any],
    seed: int,
    threads: int,
    snapshots_of: dict[str, Any] | None,
    key: str,
    device: str,
    states: str,
    state_every: str,
) -> Outcome:
    """Write the trained weights, the loss history and the snapshots that were asked for.

    The resume state is removed when all of this is safely in place.
    """
    fix_rounding(threads)
    chosen = choose_device(device)
    plan = Budget(**{**budget, "adam_betas": tuple(budget["adam_betas"])})
    data = open_source(images, chosen, variation=variation, background=background)
    torch.manual_seed(seed)
    vae = build_vae(image_shape=data.image_shape, **network).to(chosen)
    facts = RunFacts(network["latents"], plan.steps, data.factors.images)
    loss = build_objective(**objective, facts=facts)
    initialise(loss, network["initialisation"])
    training = start_training(vae, loss.to(chosen), plan, seed)
    folder = StateFolder(Path(states), key, chosen.type, every=int(state_every))
    folder.resume(training, name)
    # Only trainings with snapshots depend on the module that takes them.
    shots = None
    if snapshots_of is not None:
        shots = load("encoding", "snapshots").Snapshots(folder.folder, data, **snapshots_of)
    progress = Progress(name, plan.steps, training.step)
    hooks = Hooks(
        report=lambda t: progress.show(t.step, **t.history[-1]),
        save_state=folder.save,
        take_snapshot=shots.take if shots else None,
        snapshots=frozenset(shots.steps if shots else []),
    )
    train(training, plan, data, hooks, variation_order=variation_order)
    description: dict[str, Any] = {"name": name, "source": data.source, "network": network}
    description |= {"dataset": dataset}
    description |= {"objective": objective, "budget": budget, "seed": seed, "record": key}
    write_model(model, vae, training.objective.prior, description)
    write_table(history, pd.DataFrame(training.history))
    if shots and snapshots is not None:
        write_table(snapshots, shots.table())
    return Outcome(seeds=(seed,), finish=folder.clear)


if __name__ == "__main__":
    run(train_model)
