"""reStructuredText directives for the texts in `report/`.

Snakemake renders these texts when it makes a report, and docutils accepts further directives. What
a directive inserts never passes through markup, so a finding may hold any character.
"""

from collections.abc import Callable, Iterable
from datetime import datetime

from docutils import nodes
from docutils.parsers.rst import Directive, directives

from latents.provenance.captions import AUDITED, Built

# Long pages begin at their top, the audit has room, and a job's parameters, one word, are broken.
STYLE = """<style>
.h-screen.overflow-auto { align-items: safe center }
.max-w-lg { max-width: 44rem }
li.p-1 { max-width: 65ch; overflow-wrap: anywhere; white-space: normal }
</style>"""


def define_words(built: Built) -> None:
    """Define `.. latents-claims:: fig9` and others: what is true of that figure now."""
    define("caption", lambda figure: paragraphs(built.caption(figure)))
    define("claims", lambda figure: bullets(built.claims(figure)))
    define("tested-claims", lambda: bullets(built.tested_claims()))
    define("audit", lambda figure: paragraphs(built.audit(figure)))
    define("audits", lambda: [table(AUDITED, built.audit_rows())])
    define("style", lambda: [nodes.raw("", STYLE, format="html")])
    define("origin", lambda: paragraphs([origin(built)]))


def origin(built: Built) -> str:
    return f"From {built.results}, {datetime.now().astimezone():%d %B %Y, %H:%M %Z}."


def define(word: str, content: Callable[..., list[nodes.Node]]) -> None:
    class Word(Directive):  # type: ignore[misc]
        optional_arguments = 1

        def run(self) -> list[nodes.Node]:
            return content(*self.arguments)

    directives.register_directive(f"latents-{word}", Word)


def paragraphs(lines: Iterable[str]) -> list[nodes.Node]:
    return [nodes.paragraph("", line.strip()) for line in lines]


def bullets(lines: list[str]) -> list[nodes.Node]:
    """Return a list; an empty one says so."""
    items = [nodes.list_item("", nodes.paragraph("", line)) for line in lines]
    return [nodes.bullet_list("", *items)] if items else paragraphs(["None is tested here."])


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> nodes.Node:
    names = list(header)
    head = nodes.thead("", _table_row(names))
    body = nodes.tbody("", *(_table_row(row) for row in rows))
    columns = [nodes.colspec(colwidth=1) for _ in names]
    return nodes.table("", nodes.tgroup("", *columns, head, body, cols=len(names)))


def _table_row(texts: Iterable[str]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", text)) for text in texts))
