# SPDX-License-Identifier: MIT
"""Results: verdicts, tables of them, runs and analyses. Notebooks show them as pictures and tables."""
from __future__ import annotations

import html
import math
from dataclasses import dataclass, field
from typing import Any, Iterator


@dataclass(frozen=True)
class Verdict:
    """What a model says about a test.

    ``outcomes`` has a tuple of values per allowed outcome, in the order of ``observed``; ``satisfying`` says for each
    whether the test's condition holds. A value is a number, or the text of an address.
    """

    test: str
    model: str
    verdict: str  # allowed, forbidden, unknown or refused
    condition: str  # always, sometimes or never, of the allowed outcomes; empty if refused
    reason: str = ""  # of unknown and refused
    observed: list[str] = field(default_factory=list)
    outcomes: list[tuple[Any, ...]] = field(default_factory=list)
    satisfying: list[bool] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    executions: int = 0
    seconds: float = 0.0
    explanation: str = ""  # of explain()
    svg: str = ""  # of explain()

    @property
    def allowed(self) -> bool:
        """Whether the model allows an outcome that satisfies the proposition."""
        return self.verdict == "allowed"

    @property
    def forbidden(self) -> bool:
        """Whether the model forbids all outcomes that satisfy the proposition."""
        return self.verdict == "forbidden"

    @property
    def refused(self) -> bool:
        """Whether the model has no meaning for a part of the test."""
        return self.verdict == "refused"

    def __str__(self) -> str:
        remark = f" ({self.reason})" if self.reason else ""
        return f"{self.test}: {self.verdict} by {self.model}{remark}"

    def _repr_html_(self) -> str:
        heading = f"<p><b>{html.escape(self.test)}</b>: {self.verdict} by {html.escape(self.model)}</p>"
        if self.svg:
            return heading + self.svg
        cells = "".join(f"<th>{html.escape(name)}</th>" for name in self.observed)
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(value))}</td>" for value in outcome)
            + f"<td>{'*' if marked else ''}</td></tr>"
            for outcome, marked in zip(self.outcomes, self.satisfying))
        return f"{heading}<table><tr>{cells}<th></th></tr>{rows}</table>"


@dataclass(frozen=True)
class Verdicts:
    """Verdicts of models on tests: a row for each test, a column for each model.

    ``table["MP", "sc"]`` is a Verdict, ``len(table)`` the number of tests, and a loop goes over all cells, row by row.
    A table for pandas is ``DataFrame(table.words, index=table.tests, columns=table.models)``.
    """

    models: list[str]
    rows: list[list[Verdict]]

    @property
    def tests(self) -> list[str]:
        """The names of the tests."""
        return [row[0].test if row else "" for row in self.rows]

    @property
    def words(self) -> list[list[str]]:
        """The cells as words: allowed, forbidden, unknown and refused."""
        return [[cell.verdict for cell in row] for row in self.rows]

    @property
    def refused(self) -> list[Verdict]:
        """The cells in which a model cannot judge a test, with their reasons."""
        return [cell for cell in self if cell.refused]

    def __getitem__(self, place: tuple[str, str]) -> Verdict:
        test, model = place
        rows = [row for row in self.rows if row[0].test == test]
        if len(rows) != 1:
            raise KeyError(f"{len(rows)} tests of the table are called '{test}'")
        if model not in self.models:
            raise KeyError(f"the table has no model '{model}'")
        return rows[0][self.models.index(model)]

    def __iter__(self) -> Iterator[Verdict]:
        return (cell for row in self.rows for cell in row)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        lines = [["test", *self.models], *([test, *words] for test, words in zip(self.tests, self.words))]
        widths = [max(map(len, column)) for column in zip(*lines)]
        return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in ["test", *self.models])
        rows = "".join(
            f"<tr><td>{html.escape(test)}</td>"
            + "".join(f'<td title="{html.escape(cell.reason)}">{cell.verdict}</td>' for cell in row) + "</tr>"
            for test, row in zip(self.tests, self.rows))
        return f"<table><tr>{head}</tr>{rows}</table>"


@dataclass(frozen=True)
class Run:
    """What a device showed for one test: `weakspot run --json`, with its outcomes as columns.

    The fields of ``record`` are attributes as well: ``run.test``, ``run.device``, ``run.instances``.
    """

    record: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        if name == "record":  # of a copy that is being made
            raise AttributeError(name)
        try:
            return self.record[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def labels(self) -> list[str]:
        """The outcomes: ``"1:r0=1; 1:r1=0;"``."""
        return [entry["outcome"] for entry in self.record["outcomes"]]

    @property
    def counts(self) -> Any:
        """How often each outcome was seen: a numpy array where numpy is installed, else a list."""
        counts = [entry["count"] for entry in self.record["outcomes"]]
        try:
            import numpy
        except ImportError:
            return counts
        return numpy.array(counts, dtype=numpy.uint64)

    @property
    def classes(self) -> list[str]:
        """The class of each outcome: sequential, interleaved, weak, forbidden, unknown or changed."""
        return [entry["class"] for entry in self.record["outcomes"]]

    def total(self, kind: str) -> int:
        """The number of instances of a class."""
        return sum(entry["count"] for entry in self.record["outcomes"] if entry["class"] == kind)

    @property
    def weak(self) -> int:
        """The instances with an outcome that is allowed but not sequentially consistent."""
        return self.total("weak")

    @property
    def forbidden(self) -> int:
        """The instances with an outcome that the model forbids."""
        return self.total("forbidden")

    def __repr__(self) -> str:
        return f"<weakspot.Run {self.test} on {self.device}: {self.weak} weak, {self.forbidden} forbidden of {self.instances}>"

    @property
    def svg(self) -> str:
        """The outcomes as bars. Their lengths are logarithms, so that one in a million is still seen."""
        rows = self.record["outcomes"]
        longest = math.log10(1 + max([entry["count"] for entry in rows], default=1) or 1)
        words = max([len(entry["outcome"]) for entry in rows], default=0) * 8 + 8
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{words + 460}" height="{len(rows) * 22 + 30}" '
                 'font-family="sans-serif" font-size="13">',
                 f'<text x="0" y="14"><tspan font-weight="bold">{html.escape(self.test)}</tspan> on '
                 f'{html.escape(self.device)}, judged by {html.escape(self.model)}: {self.instances:,} instances</text>']
        for number, entry in enumerate(rows):
            y, width = 24 + number * 22, max(1.0, 250 * math.log10(1 + entry["count"]) / longest)
            colour = _COLOURS.get(entry["class"], "#888")
            parts += [f'<text x="0" y="{y + 14}" font-family="monospace">{html.escape(entry["outcome"])}</text>',
                      f'<rect x="{words}" y="{y + 2}" width="{width:.1f}" height="16" fill="{colour}"/>',
                      f'<text x="{words + width + 6:.1f}" y="{y + 14}">{entry["count"]:,} {entry["class"]}</text>']
        return "\n".join([*parts, "</svg>"])

    def _repr_html_(self) -> str:
        return self.svg


_COLOURS = {"sequential": "#8aa", "interleaved": "#58a", "weak": "#c80", "forbidden": "#c22", "unknown": "#999"}


@dataclass(frozen=True)
class Analysis:
    """The figures of `weakspot analyze --json`, by name."""

    figures: dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.figures[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.figures)
