# SPDX-License-Identifier: MIT
"""Litmus tests, memory models and runs on devices as Python objects.

    >>> import weakspot
    >>> [mp] = weakspot.find("MP+rel+acq")
    >>> weakspot.check(mp, "ptx").verdict
    'forbidden'

Tests are read, judged, generated and mutated in this process. Runs and analyses are the work of the program
``weakspot``, which must be on the path (or named by the variable WEAKSPOT).
"""
from ._weakspot import Core, Error, Judge as _Judge, Test, parse, read, version as __version__
from .asking import check, convert, explain, fences, find, generate, models, mutate
from .results import Analysis, Run, Verdict
from .running import ProgramError, analyse, devices, run, runs
from .verdicts import Judge

analyze = analyse

__all__ = [
    "Analysis", "Core", "Error", "Judge", "ProgramError", "Run", "Test", "Verdict", "__version__", "analyse", "analyze",
    "check", "convert", "devices", "explain", "fences", "find", "generate", "models", "mutate", "parse", "read", "run",
    "runs",
]
