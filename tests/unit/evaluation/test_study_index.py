import pytest

from latents.evaluation.runs import list_runs
from latents.evaluation.study_index import find_index, model_index, model_of_index


def test_indices_are_a_bijection():
    models = [model_of_index(i) for i in range(12_600)]
    assert len(set(models)) == 12_600
    assert [model_index(*model) for model in models] == list(range(12_600))


@pytest.mark.parametrize(
    ("index", "model"),
    [
        (7750, ("smallnorb", "factor_vae", 100, 0)),
        (200, ("dsprites", "beta_vae", 8, 0)),
        (2099, ("color_dsprites", "beta_vae", 16, 49)),
        (900, ("dsprites", "dip_vae_ii", 1, 0)),
        (1799, ("dsprites", "annealed_vae", 100, 49)),
        (3000, ("color_dsprites", "beta_tcvae", 1, 0)),
        (4800, ("noisy_dsprites", "beta_tcvae", 1, 0)),
        (6900, ("scream_dsprites", "annealed_vae", 5, 0)),
        (8400, ("smallnorb", "beta_tcvae", 1, 0)),
        (9900, ("cars3d", "dip_vae_ii", 1, 0)),
        (10500, ("cars3d", "annealed_vae", 5, 0)),
    ],
)
def test_known_models_have_their_numbers(index, model):
    assert model_index(*model) == index


def test_a_run_the_study_does_not_have():
    with pytest.raises(ValueError, match="seeds 0 to 49"):
        model_index("dsprites", "beta_vae", 1, 50)
    with pytest.raises(ValueError, match="not in tuple"):
        model_index("dsprites", "beta_vae", 3, 0)


def test_tables_carry_the_number_where_there_is_one():
    runs = list_runs("a cell", "dsprites", "dip_vae_ii", [1, 3, 50.0], 51)
    assert (runs[0]["study_index"], runs[49]["study_index"]) == (900, 949)
    assert runs[50]["study_index"] is None  # the study has fifty seeds
    assert runs[51]["study_index"] is None  # and no such strength
    assert runs[102]["study_index"] == 1150
    assert find_index("faces3d", "beta_vae", 1, 0) is None
    assert find_index("dsprites", None, 1, 0) is None
