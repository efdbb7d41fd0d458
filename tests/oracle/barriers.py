#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the judge with an independent reading of the specifications on random tests with barriers.

For each test the answers to "is there a data race" must be the same. Without a race, so must the sets of outcomes; the
behaviour of a program with a race is undefined.
"""
import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from oracle.models import decide  # noqa: E402
from oracle.program import LEVELS, generate  # noqa: E402

MODELS = tuple(LEVELS)


def make(arch, seed, index):
    """The program and text of one test; a seed and an index repeat it."""
    rng = random.Random(f"{arch} {seed} {index}")
    while True:
        program = generate(arch, rng)
        answer = decide(program)
        # Races hide what else a program tells.
        if not answer.race or rng.random() < 0.5:
            break
    registers = program.registers()
    values = [sorted({outcome[i] for outcome in answer.outcomes} | {0, 1}) for i in range(len(registers))]
    asked = tuple(rng.choice(options) for options in values)
    question = " /\\ ".join(f"{t}:{reg}={value}" for (t, reg), value in zip(registers, asked))
    return program, program.text(f"{arch}-{seed}-{index}", question), answer, asked in answer.outcomes


def ask(weakspot, arch, text):
    """The judge's entries for the tests of one text, by name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tests.litmus"
        path.write_text(text)
        run = subprocess.run([weakspot, "check", "--json", "--model", arch, path], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, check=False)
    entries = json.loads(run.stdout) if run.stdout else []
    mistakes = [entry for entry in entries if "errors" in entry]
    if mistakes or not entries:
        raise SystemExit(f"the judge reads no tests: {mistakes or run.stderr.decode()}")
    return {entry["test"]: entry for entry in entries}


def read_outcomes(entry, registers):
    found = set()
    for outcome in entry["outcomes"]:
        values = {(int(t), reg): int(value) for t, reg, value in re.findall(r"(\d+):(\w+)=(-?\d+);", outcome)}
        found.add(tuple(values.get(register, 0) for register in registers))
    return found


def judge(program, answer, reached, entry):
    """How the two answers differ: a word for the class, or nothing."""
    if entry["verdict"] == "unknown":
        return "unknown"
    if answer.race != ("data-race" in entry["flags"]):
        return "race"
    if answer.race:
        return ""
    if entry["verdict"] != ("allowed" if reached else "forbidden"):
        return "verdict"
    return "outcomes" if read_outcomes(entry, program.registers()) != answer.outcomes else ""


def describe(program, answer, entry):
    registers = program.registers()
    theirs = read_outcomes(entry, registers)

    def show(outcomes):
        return ["; ".join(f"{t}:{reg}={value}" for (t, reg), value in zip(registers, outcome))
                for outcome in sorted(outcomes)]

    lines = [f"// specification: race {'yes' if answer.race else 'no'}, outcomes {len(answer.outcomes)}",
             f"// judge: race {'yes' if 'data-race' in entry['flags'] else 'no'}, outcomes {len(theirs)}"]
    lines += [f"// only the specification allows {outcome}" for outcome in show(answer.outcomes - theirs)]
    lines += [f"// only the judge allows {outcome}" for outcome in show(theirs - answer.outcomes)]
    return "\n".join(lines) + "\n"


def compare(weakspot, arch, seed, count, out=None, batch=200):
    """Judges tests in batches; returns how many fell into each class, and the names of those that differ."""
    classes, differing = Counter(), []
    for start in range(0, count, batch):
        tests = [(index, *make(arch, seed, index)) for index in range(start, min(start + batch, count))]
        entries = ask(weakspot, arch, "\n".join(text for _, _, text, _, _ in tests))
        for index, program, text, answer, reached in tests:
            entry = entries[f"{arch}-{seed}-{index}"]
            differs = judge(program, answer, reached, entry)
            classes["tests"] += 1
            classes["with a race"] += answer.race
            classes["with missing threads"] += program.partial
            classes[differs or "agree"] += 1
            if differs:
                differing.append((f"{arch}-{seed}-{index}", differs + (", missing threads" if program.partial else "")))
                if out:
                    Path(out).mkdir(parents=True, exist_ok=True)
                    (Path(out) / f"{arch}-{seed}-{index}.litmus").write_text(
                        f"// {differs}\n" + describe(program, answer, entry) + text)
    return classes, differing


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--weakspot", default=Path(__file__).resolve().parents[2] / "build" / "weakspot",
                        help="the program to compare with; default build/weakspot")
    parser.add_argument("--model", choices=MODELS, action="append", help="one of the models; default all")
    parser.add_argument("--count", type=int, default=2000, help="tests per model, default 2000")
    parser.add_argument("--seed", type=int, default=1, help="which tests, default 1")
    parser.add_argument("--out", help="a folder for the tests that differ, with both answers")
    parser.add_argument("--print", type=int, metavar="INDEX", help="print one test instead")
    options = parser.parse_args()
    failed = False
    for arch in options.model or MODELS:
        if options.print is not None:
            print(make(arch, options.seed, options.print)[1])
            continue
        classes, differing = compare(options.weakspot, arch, options.seed, options.count, options.out)
        failed |= bool(differing)
        print(f"{arch}: " + ", ".join(f"{what} {number}" for what, number in classes.items()))
        for name, differs in differing[:20]:
            print(f"  {name}: {differs}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
