#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Figure 6 of MC Mutants (Levine et al., ASPLOS 2023), on a device of your own.

How many mutants can be killed again and again, with one environment for each, if a test may take so long? The paper
compares many instances of a test at once (PTE) with one at a time (SITE). This program does the same with the same 32
mutants, and draws the curves.

  mutation_scores.py figure.svg                              on the CPU, in about a minute
  mutation_scores.py figure.svg --device cuda:0 --seconds 1  on a GPU
  mutation_scores.py figure.svg --data "Four GPUs=results"   from recorded results with studies called pte and site
"""
import argparse
import html
import random
import sys
import tempfile
from pathlib import Path

import weakspot

STUDIES = {"pte": ("PTE", "#1f6fb4"), "site": ("SITE", "#c8551b")}
TARGETS = {0.95: ("95 %", ""), 0.99999: ("99.999 %", "6 4")}


def mutants_of_the_paper():
    """The mutants, after a look at what the model of the paper says: tests forbidden, mutants allowed."""
    judge = weakspot.Judge("rel-acq")
    mutants = weakspot.find(folder="mutants")
    for tests, verdict in ((weakspot.find(folder="conformance"), "forbidden"), (mutants, "allowed")):
        wrong = [test.name for test, found in zip(tests, judge.verdicts(tests)) if found != verdict]
        if wrong:
            sys.exit(f"not {verdict} by {judge.model}: {', '.join(wrong)}")
    return mutants


def environments(mode, count, seed=1):
    """Environments drawn at random, the same for both modes, as the paper drew 150 of them."""
    draw = random.Random(seed)
    return [",".join([mode, f"memory_stride={draw.choice([1, 2, 4, 8])}", f"barrier={draw.choice(['grid', 'partner'])}",
                      f"workgroup_size={draw.choice([32, 64, 256])}", f"shuffle_percent={draw.choice([0, 100])}",
                      f"pre_stress_percent={draw.choice([0, 50, 100])}"])
            for _ in range(count)]


def measure(folder, device, seconds, count):
    """Runs the mutants on a device, `seconds` for each in each mode, and keeps the records."""
    mutants = mutants_of_the_paper()
    for mode in STUDIES:
        seen = weakspot.runs(mutants, device, environments=environments(mode, count), seconds=seconds,
                             out=folder / f"{mode}.jsonl")
        weak = sum(int(run.weak) for run in seen)
        print(f"{mode}: {len(mutants)} mutants in {count} environments on {device}, {weak:,} weak outcomes")


def curves(*paths):
    """{(study, target): [(budget in seconds, score in per cent)]} from the figure `merge` of the analysis."""
    found = {}
    for row in weakspot.analyse(*paths, figures="merge")["merge"]:
        if row["study"] in STUDIES and row["target"] in TARGETS:
            found.setdefault((row["study"], row["target"]), []).append((row["budget_seconds"], row["score_percent"]))
    if not found:
        sys.exit(f"no study called {' or '.join(STUDIES)} in {', '.join(str(path) for path in paths)}")
    return found


def as_text(title, panel):
    lines = [title]
    for (study, target), points in panel.items():
        scores = " ".join(f"{score:3.0f}" for _, score in points)
        lines.append(f"  {STUDIES[study][0]:<5}{TARGETS[target][0]:>9}  {scores}")
    return "\n".join(lines)


class Panel:
    """One diagram: budgets from left to right on a logarithmic scale, scores from 0 to 100 %."""

    WIDTH, HEIGHT, LEFT, TOP = 300, 250, 52, 44

    def __init__(self, number, title, lines):
        self.left = self.LEFT + number * (self.WIDTH + 36)
        self.title, self.lines = title, lines
        self.budgets = sorted({budget for points in lines.values() for budget, _ in points})

    def place(self, budget, score):
        across = self.budgets.index(budget) / max(1, len(self.budgets) - 1)
        return self.left + across * self.WIDTH, self.TOP + (1 - score / 100) * self.HEIGHT

    def svg(self, with_scale):
        bottom = self.TOP + self.HEIGHT
        parts = [f'<text x="{self.left}" y="{self.TOP - 16}" font-weight="600">{html.escape(self.title)}</text>']
        for score in range(0, 101, 20):
            y = self.place(self.budgets[0], score)[1]
            parts.append(f'<line x1="{self.left}" y1="{y:.1f}" x2="{self.left + self.WIDTH}" y2="{y:.1f}" stroke="#e3e3e3"/>')
            if with_scale:
                parts.append(f'<text x="{self.left - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#555">{score}</text>')
        for budget in self.budgets[::2]:
            x = self.place(budget, 0)[0]
            word = f"{budget:g}" if budget >= 1 else f"1/{round(1 / budget)}"
            parts.append(f'<line x1="{x:.1f}" y1="{bottom}" x2="{x:.1f}" y2="{bottom + 4}" stroke="#999"/>')
            parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle" font-size="10" fill="#555">{word}</text>')
        for (study, target), points in self.lines.items():
            _, colour = STUDIES[study]
            corners = " ".join("{:.1f},{:.1f}".format(*self.place(*point)) for point in sorted(points))
            dashes = f' stroke-dasharray="{TARGETS[target][1]}"' if TARGETS[target][1] else ""
            parts.append(f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        return parts


def legend(x, y, width):
    """The lines' names from (x, y) on, in as many rows as the width needs; also where the last row is."""
    parts, left, step = [], x, 140
    for name, colour in STUDIES.values():
        for target, dashes in TARGETS.values():
            if x + step > width:
                x, y = left, y + 20
            dash = f' stroke-dasharray="{dashes}"' if dashes else ""
            parts.append(f'<line x1="{x}" y1="{y - 4}" x2="{x + 28}" y2="{y - 4}" stroke="{colour}" stroke-width="2"{dash}/>')
            parts.append(f'<text x="{x + 34}" y="{y}">{name}, {target}</text>')
            x += step
    return parts, y


def figure(panels):
    drawn = [Panel(number, title, lines) for number, (title, lines) in enumerate(panels)]
    width = drawn[-1].left + Panel.WIDTH + 24
    bottom = Panel.TOP + Panel.HEIGHT
    names, last = legend(Panel.LEFT, bottom + 66, width)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {last + 18}" width="{width}" '
             f'font-family="sans-serif" font-size="12">', f'<rect width="{width}" height="{last + 18}" fill="#fff"/>',
             f'<text x="16" y="{Panel.TOP + Panel.HEIGHT / 2}" text-anchor="middle" fill="#555" '
             f'transform="rotate(-90 16 {Panel.TOP + Panel.HEIGHT / 2})">mutation score, %</text>',
             f'<text x="{(Panel.LEFT + width - 24) / 2}" y="{bottom + 38}" text-anchor="middle" fill="#555">'
             'time budget of a test, seconds</text>']
    for number, panel in enumerate(drawn):
        parts += panel.svg(with_scale=number == 0)
    return "\n".join([*parts, *names, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figure", type=Path, help="the file to write, SVG")
    parser.add_argument("--device", default="cpu", help="where the mutants run (default cpu)")
    parser.add_argument("--seconds", type=float, default=0.4, help="for each mutant in each mode (default 0.4)")
    parser.add_argument("--environments", type=int, default=8, help="drawn at random (default 8; the paper had 150)")
    parser.add_argument("--data", action="append", metavar="TITLE=PATH",
                        help="recorded results instead of a device; each gives a diagram of its own")
    options = parser.parse_args()
    panels = []
    if options.data:
        for title, _, path in (word.partition("=") for word in options.data):
            panels.append((title, curves(path)))
    else:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), options.device, options.seconds, options.environments)
            panels.append((options.device, curves(folder)))
    for title, panel in panels:
        print(as_text(title, panel))
    options.figure.write_text(figure(panels), encoding="utf-8")


if __name__ == "__main__":
    main()
