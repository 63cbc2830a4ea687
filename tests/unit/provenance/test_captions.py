"""Which claims stand in which caption, and texts that no markup can garble."""

import re

from docutils.core import publish_parts

from latents.provenance.captions import claims_about
from latents.provenance.report_directives import bullets, define, paragraphs, table
from latents.workflow import settings as config

SETTINGS = config.load({})


def test_a_panel_belongs_to_its_figure_and_to_no_other():
    claims = {
        "panel": {"paper": "Figure 1b", "cell": "a"},
        "whole": {"paper": "Figure 1", "cell": "a"},
        "eleventh": {"paper": "Figure 11", "cell": "a"},
        "other_models": {"paper": "Figure 1", "cell": "b"},
    }
    assert claims_about({"paper": "P, Figure 1", "cells": ["a"]}, claims) == ["panel", "whole"]
    assert claims_about({"paper": "P, Figure 11", "cells": ["a"]}, claims) == ["eleventh"]


def test_every_claim_about_a_figure_stands_in_one_caption():
    figures, claims = SETTINGS.figures, SETTINGS.claims
    said = [claim for row in figures.values() for claim in claims_about(row, claims)]
    numbered = [c for c, row in claims.items() if re.match(r"Figure \d", row["paper"])]
    assert sorted(c for c in said if claims[c]["paper"] != "Poster") == sorted(numbered)


def test_what_a_directive_says_is_no_markup():
    hostile = "|mean - sampled| of `a`_ *b* <script> {{ c }} \\d"
    define(
        "hostile", lambda: [*paragraphs([hostile]), *bullets([hostile]), table(["x"], [[hostile]])]
    )
    body = publish_parts(".. latents-hostile::\n", writer="html")["body"]
    assert body.count("|mean - sampled| of `a`_ *b* &lt;script&gt; {{ c }} \\d") == 3
