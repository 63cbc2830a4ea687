"""Train one model; a killed training resumes from its last state."""

from pathlib import Path
from typing import Any

import pandas as pd
import torch

from latents.data.batches import open_source
from latents.encoding.snapshots import correlations, tabulate_snapshots
from latents.evaluation.tables import write_table
from latents.models.determinism import choose_device, fix_rounding
from latents.models.objective import RunFacts, build_objective
from latents.models.trained_model import write_model
from latents.models.training import Budget, Hooks, Training, read_state, start_training, train
from latents.models.training_state import StateFolder
from latents.models.vae import build_vae, initialise
from latents.runtime.errors import Problem
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
    folder = StateFolder(Path(states), f"{key}-{chosen.type}", every=int(state_every))
    folder.drop_others()
    resume(folder, training, name)
    wanted: dict[str, Any] = snapshots_of or {"steps": [], "examples": {}}
    progress = Progress(name, plan.steps, training.step)
    hooks = Hooks(
        report=lambda t: progress.show(t.step, t.history[-1]),
        save_state=folder.save,
        save_snapshot=lambda t: folder.save_snapshot(
            t.step, correlations(t.vae, data, **wanted["examples"])
        ),
        snapshots=frozenset(wanted["steps"]),
    )
    train(training, plan, data, hooks, variation_order=variation_order)
    description: dict[str, Any] = {"name": name, "source": data.source, "network": network}
    description |= {"dataset": dataset}
    description |= {"objective": objective, "budget": budget, "seed": seed, "record": key}
    write_model(model, vae, training.objective.prior, description)
    write_table(history, pd.DataFrame(training.history))
    if snapshots is not None:
        write_table(snapshots, tabulate_snapshots(folder.snapshots(wanted["steps"])))
    return Outcome(seeds=(seed,), finish=folder.clear)


def resume(folder: StateFolder, training: Training, name: str) -> None:
    """Resume from the last state of the same run, if there is one that can be read."""
    if not folder.state.exists():
        return
    try:
        read_state(folder.state, training)
        folder.saved = training.step
        print(f"{name}: resumed from step {training.step}", flush=True)
    except Problem as problem:
        print(f"{name}: starting again from step 0, because {problem}", flush=True)


if __name__ == "__main__":
    run(train_model)
