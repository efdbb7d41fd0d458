# SPDX-License-Identifier: MIT
"""Litmus tests, memory models and runs on devices as Python objects.

    >>> import weakspot
    >>> weakspot.check("MP+rel+acq", "ptx").verdict
    'forbidden'

Wherever a test is taken, the name of a test of the corpus, the text of a test, a path and a Test will do.
Tests are read, judged, generated and mutated in this process. Runs, analyses and races are the work of the program
``weakspot``: the one that was installed with this package, or the one on the path, or what the variable WEAKSPOT names.
"""
from ._weakspot import Core, Error, Test, parse, version as __version__
from .asking import check, convert, explain, fences, generate, models, mutate, verdicts
from .judging import Judge
from .names import TestLike, find, read
from .results import Analysis, Run, Verdict, Verdicts
from .running import ProgramError, analyse, compare, conform, devices, race, run, runs

analyze = analyse

__all__ = [
    "Analysis", "Core", "Error", "Judge", "ProgramError", "Run", "Test", "TestLike", "Verdict", "Verdicts",
    "__version__", "analyse", "analyze", "check", "compare", "conform", "convert", "devices", "explain", "fences",
    "find", "generate", "models", "mutate", "parse", "race", "read", "run", "runs", "verdicts",
]
