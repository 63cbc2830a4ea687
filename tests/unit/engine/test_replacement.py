"""What is replaced of Snakemake is what it was when this was written, or one sentence says so."""

from types import SimpleNamespace

import pytest
import snakemake.api  # noqa: F401 - first: its modules import each other in circles
from snakemake import dag, jobs, workflow
from snakemake.persistence import PersistenceBase
from snakemake.persistence.file import FilePersistence

from latents.engine import persistence
from latents.engine.replacement import TESTED, replace, signature_of, source_digest
from latents.runtime.errors import Problem

# Sources that `RecordPersistence` overrides or relies on: read them again when one changes.
RELIED_ON = {
    FilePersistence.__init__: "2bfcbdfcbd1dd636",
    PersistenceBase.metadata: "577378a271d69715",
    PersistenceBase._params: "7134acbde7b460df",
    PersistenceBase.params_changed: "7f12dc9015f5a4b8",
    PersistenceBase.input_checksums: "4f9f793c779c199a",
    PersistenceBase.incomplete: "296794e1d8569dde",
    PersistenceBase.finished: "3f347851a55e2243",
    PersistenceBase.deactivate_cache: "565630d8dc9cac94",
    PersistenceBase.backup_output: "0567435ee10946db",
    PersistenceBase.restore_output: "929db9930db20c0c",
    PersistenceBase.cleanup_backup: "591eacd0c38bc9f1",
    jobs.Job.postprocess: "6c242cdd6b939c33",
    jobs.Job.remove_existing_output: "60336044309b4580",
    dag.DAG.handle_temp: "a0be6d202b9b2891",
    dag.DAG.update_needrun: "2cc7fc0714165cf3",
    workflow.Workflow._prepare_dag: "ebf5bb8da7c83cd4",
}


@pytest.mark.parametrize("function", RELIED_ON, ids=lambda function: function.__qualname__)
def test_sources_that_are_relied_on_are_those_that_were_read(function):
    assert source_digest(function) == RELIED_ON[function], "read it again, then pin it"


def test_the_persistence_is_the_one_name_that_is_replaced(monkeypatch):
    monkeypatch.setattr(workflow, "FilePersistence", FilePersistence)
    persistence.judge_by_records()
    assert workflow.FilePersistence is persistence.RecordPersistence
    persistence.judge_by_records()
    assert workflow.FilePersistence is persistence.RecordPersistence


def owner(**names) -> SimpleNamespace:
    return SimpleNamespace(__name__="owner", **names)


def test_a_name_is_replaced_if_it_is_the_known_one():
    given = owner(judge=lambda job, file=None: None)
    replace(given, "judge", "new", known="(job, file)")
    assert given.judge == "new"


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ({}, r"owner.judge is nothing, not \(job, file\): use Snakemake"),
        ({"judge": lambda job: None}, r"owner.judge is \(job\), not \(job, file\)"),
    ],
)
def test_a_name_that_changed_is_refused_in_one_sentence(names, said):
    given = owner(**names)
    with pytest.raises(Problem, match=said):
        replace(given, "judge", "new", known="(job, file)")
    assert getattr(given, "judge", None) is names.get("judge")


@pytest.mark.parametrize("version", ["9.27.0", TESTED[1], "10.0"])
def test_another_snakemake_is_refused(monkeypatch, version):
    monkeypatch.setattr("snakemake.__version__", version)
    with pytest.raises(Problem, match=f"Snakemake {version} was not tested"):
        replace(owner(judge=lambda: None), "judge", "new", known="()")


def test_signatures_have_names_only():
    def function(first, *others, named: int = 3): ...

    assert signature_of(function) == "(first, others, named)"
