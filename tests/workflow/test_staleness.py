"""Only what is stale runs again: proven on dry runs of the real workflow."""

import ast
import os
import random
import shutil
from collections import Counter

import pytest

from latents.runtime.record import forget, is_record, record_path
from tests.workflow.clones import OTHER_SCORES, SMALL, Clone

RUNS = 6  # six strengths, one seed
DIP_CHAIN = Counter(
    train_model=RUNS,
    encode_representation=RUNS,
    classify_variables=1,
    score_metric=1,
    draw_figure=1,
    publish_figure=1,
)
NOTHING: Counter = Counter()


@pytest.fixture(params=[False, True], ids=["", "without .snakemake"])
def any_clone(request, clone: Clone) -> Clone:
    """With and without Snakemake's own memory: the promise is the same."""
    if request.param:
        clone.forget()
    return clone


def touch_everything(clone: Clone) -> None:
    """In random order, so that no order of times can be right by accident."""
    paths = [p for p in clone.folder.rglob("*") if p.is_file() and ".snakemake" not in p.parts]
    random.Random(0).shuffle(paths)
    for number, path in enumerate(paths):
        os.utime(path, (1.7e9 + number, 1.7e9 + number))


def library(clone: Clone):
    return sorted((clone.folder / "latents").rglob("*.py"))


# What must change nothing


def test_the_same_command_twice(any_clone):
    assert any_clone.plan() == NOTHING


def test_touch_on_every_file(any_clone):
    touch_everything(any_clone)
    assert any_clone.plan() == NOTHING


def test_checkout_of_another_branch_and_back(any_clone):
    clone = any_clone
    clone.git("init", "-q", "-b", "main")
    clone.git("add", "-A")
    clone.git("commit", "-qm", "as built")
    clone.git("checkout", "-qb", "other")
    clone.edit("latents/models/objectives/dip_vae.py", "+ kl + penalty", "+ kl + 2 * penalty")
    clone.git("commit", "-qam", "another loss")
    assert clone.plan() == DIP_CHAIN
    clone.git("checkout", "-q", "main")
    assert clone.plan() == NOTHING


def test_comments_and_docstrings_in_every_file_of_the_library(any_clone):
    for path in library(any_clone):
        tree = ast.parse(path.read_text())
        documented = ast.get_docstring(tree) is not None
        text = path.read_text() + "\n# a comment\n"
        path.write_text(text if documented else '"""A docstring."""\n' + text)
    assert any_clone.plan() == NOTHING


def test_docstrings_changed_everywhere(any_clone):
    for path in library(any_clone):
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                if ast.get_docstring(node) is not None:
                    node.body.pop(0)
                node.body.insert(0, ast.Expr(ast.Constant("Another text.")))
        path.write_text(ast.unparse(tree))
    assert any_clone.plan() == NOTHING


def test_everything_reformatted(any_clone):
    for path in library(any_clone):
        path.write_text(ast.unparse(ast.parse(path.read_text())))
    assert any_clone.plan() == NOTHING


def test_readme_and_comments_in_the_configuration(any_clone):
    for name in ("README.md", "config/sweeps.yaml", "config/scales/smoke.yaml"):
        path = any_clone.folder / name
        path.write_text(path.read_text() + "\n# a remark\n")
    assert any_clone.plan() == NOTHING


def test_spaces_in_the_command_of_a_rule(any_clone):
    any_clone.edit("rules/train.smk", "{params.job:q} --in", "{params.job:q}   --in")
    assert any_clone.plan() == NOTHING


def test_the_clone_moved_elsewhere(any_clone, tmp_path):
    shutil.move(any_clone.folder, tmp_path / "elsewhere")
    assert Clone(tmp_path / "elsewhere").plan() == NOTHING


def test_new_rows_and_new_modules(any_clone):
    folder = any_clone.folder
    text = (folder / "config/figures.yaml").read_text()
    (folder / "config/figures.yaml").write_text(text + "\nfig9_again: {<<: *truncated}\n")
    new = 'TAKES = "codes"\nCOST = "cheap"\nMINIMUM_VARIABLES = 1\ndef score(codes): return 0.0\n'
    (folder / "latents/evaluation/metrics/new.py").write_text(new)
    assert any_clone.plan() == NOTHING


def test_where_and_how_often_a_run_saves_itself(any_clone):
    assert any_clone.plan(*SMALL, "device=cpu", "state_every=7") == NOTHING


# What must change exactly this much


def test_the_arithmetic_of_a_loss(any_clone):
    any_clone.edit("latents/models/objectives/dip_vae.py", "+ kl + penalty", "+ kl + 2 * penalty")
    assert any_clone.plan() == DIP_CHAIN


def test_an_edit_with_an_old_modification_time(any_clone):
    path = any_clone.folder / "latents/models/objectives/dip_vae.py"
    any_clone.edit("latents/models/objectives/dip_vae.py", "+ kl + penalty", "+ kl + 2 * penalty")
    os.utime(path, (1e9, 1e9))
    assert any_clone.plan() == DIP_CHAIN


def test_a_plot_module(any_clone):
    any_clone.edit("latents/figures/plots/truncated_scores.py", "fontsize=10", "fontsize=11")
    assert any_clone.plan() == Counter(draw_figure=1, publish_figure=1)


def test_the_lines_of_a_metric(any_clone):
    any_clone.edit(
        "latents/evaluation/metrics/averaged_mutual_information.py", "BINS = 20", "BINS = 30"
    )
    assert any_clone.plan() == Counter(score_metric=1, draw_figure=1, publish_figure=1)


def test_a_metric_that_only_another_target_uses(any_clone):
    any_clone.edit("latents/evaluation/metrics/total_correlation.py", "/ 2)", "/ 3)")
    assert any_clone.plan(targets=("figures/fig9.pdf",)) == NOTHING
    assert any_clone.plan(targets=(OTHER_SCORES,)) == Counter(score_metric=1)


def test_another_seed(any_clone):
    assert any_clone.plan("scale=smoke", "seeds=2", "steps=40") == Counter(
        train_model=2 * RUNS,
        encode_representation=2 * RUNS,
        classify_variables=2,
        score_metric=2,
        draw_figure=1,
        publish_figure=1,
    )


def test_another_value_for_training(any_clone):
    planned = any_clone.plan(*SMALL, "learning_rate=0.002", targets=("figures/fig9.pdf",))
    assert planned == DIP_CHAIN


def test_two_values_swapped(any_clone):
    """Snakemake compares parameters as a set; ours are one text."""
    swapped = any_clone.plan(*SMALL, "adam_betas=[0.999,0.9]", targets=("figures/fig9.pdf",))
    assert swapped == DIP_CHAIN


def test_an_option_of_the_objective(any_clone):
    row = "options: {variant: ii, diagonal_ratio: 1}"
    any_clone.edit("config/sweeps.yaml", row, "options: {variant: i, diagonal_ratio: 1}")
    assert any_clone.plan() == DIP_CHAIN


def test_a_number_written_in_another_way(any_clone):
    any_clone.edit("config/sweeps.yaml", "strengths: [1, 2, 5", "strengths: [1.0, 2.0, 5")
    assert any_clone.plan(*SMALL, "learning_rate=1e-3") == NOTHING


def test_the_rule_for_variable_types(any_clone):
    assert any_clone.plan(*SMALL, "type_tolerance=0.2", targets=("figures/fig9.pdf",)) == Counter(
        classify_variables=1, score_metric=1, draw_figure=1, publish_figure=1
    )


def test_a_real_change_to_the_command_of_a_rule(any_clone):
    any_clone.edit("rules/train.smk", "--with device={params.device} ", "--with device=cpu ")
    assert any_clone.plan(targets=("figures/fig9.pdf",)) == DIP_CHAIN


def test_the_label_of_an_axis(any_clone):
    any_clone.edit("config/sweeps.yaml", "axis: Lambda od", "axis: Lambda")
    assert any_clone.plan() == Counter(draw_figure=1, publish_figure=1)


def test_a_sibling_of_the_target_that_is_gone(any_clone):
    (any_clone.folder / "figures/fig9.csv").unlink()
    assert any_clone.plan() == Counter(publish_figure=1)


def test_what_was_made_from_a_file_that_is_gone(any_clone):
    """Fresh as long as the file would come out the same, and no longer."""
    for name in ("models", "representations"):
        for path in (any_clone.folder / "results/smoke" / name / "dsprites_dip_vae_ii").rglob("*"):
            if path.is_file() and not is_record(str(path)):
                path.unlink()
    assert any_clone.plan() == NOTHING
    assert any_clone.plan("scale=smoke", "seeds=1", "steps=41")["train_model"] == 2 * RUNS
    any_clone.edit("latents/models/objectives/dip_vae.py", "+ kl + penalty", "+ kl + 2 * penalty")
    assert any_clone.plan() == DIP_CHAIN


def test_an_input_replaced_together_with_its_record(any_clone):
    """As unpacking or copying would do; the times are old, the content is another."""
    folder = any_clone.folder / "results/smoke/representations/dsprites_dip_vae_ii"
    codes = [folder / f"strength_{strength}" / "seed_0.h5" for strength in (1, 2)]
    for source, target in (codes, map(record_path, codes)):
        times = (target.stat().st_atime, target.stat().st_mtime)
        text = source.read_bytes().replace(b"strength_1/seed_0.h5", b"strength_2/seed_0.h5")
        target.write_bytes(text)
        os.utime(target, times)
    planned = any_clone.plan(targets=("results/smoke/variables/dsprites_dip_vae_ii.csv",))
    assert planned["classify_variables"] == 1


def test_an_artefact_whose_record_is_gone(any_clone):
    forget(any_clone.folder / "results/smoke/variables/dsprites_dip_vae_ii.csv")
    assert any_clone.plan() == Counter(
        classify_variables=1, score_metric=1, draw_figure=1, publish_figure=1
    )


def test_another_scale_leaves_this_one_alone(any_clone):
    before = {p: p.stat().st_mtime_ns for p in (any_clone.folder / "results/smoke").rglob("*.csv")}
    assert any_clone.plan("scale=laptop", targets=("figures/fig9.pdf",))["train_model"] == 2 * RUNS
    assert any_clone.plan() == NOTHING
    assert before == {p: p.stat().st_mtime_ns for p in before}


# What a rebuild does


def test_a_figure_rebuilt_from_the_same_results_is_the_same_file(clone):
    figure = clone.folder / "figures/fig9.pdf"
    before = {p.name: p.read_bytes() for p in figure.parent.iterdir() if p.is_file()}
    shutil.rmtree(figure.parent)
    shutil.rmtree(clone.folder / "results/smoke/figures")
    clone.build()
    after = {p.name: p.read_bytes() for p in figure.parent.iterdir() if p.is_file()}
    assert set(before) == {"fig9.pdf", "fig9.png", "fig9.csv", "fig9.txt"}
    assert before == after
    assert {p.name for p in (clone.folder / "results").rglob(".*")} == {".records"}
    assert clone.plan() == NOTHING


def test_a_byte_identical_rebuild_stops_there(clone):
    """A metric rewritten to the same numbers: the scores run, the figure does not."""
    path = "latents/evaluation/metrics/averaged_mutual_information.py"
    clone.edit(
        path, "return float(np.mean(pairs))", "average = np.mean(pairs)\n    return float(average)"
    )
    scores = "results/smoke/scores/dsprites_dip_vae_ii/averaged_mutual_information.csv"
    clone.build(targets=(scores,))
    assert clone.plan() == NOTHING


def test_what_is_published_says_its_scale(clone):
    assert "smoke scale" in (clone.folder / "figures/fig9.txt").read_text()
    header, first = (clone.folder / "figures/fig9.csv").read_text().splitlines()[:2]
    assert dict(zip(header.split(","), first.split(","), strict=True))["scale"] == "smoke"


def test_paper_scale_is_planned_in_full(clone):
    planned = clone.plan("scale=paper", targets=("figures/fig9.pdf",))
    assert planned["train_model"] == 300
    assert planned["encode_representation"] == 300
    assert planned.total() == 300 + 300 + 4
