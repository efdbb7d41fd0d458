# SPDX-License-Identifier: MIT
"""Runs on devices and analyses of results, by the program ``weakspot``."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from . import _weakspot
from .results import Analysis, Run


class ProgramError(RuntimeError):
    """The program is missing, or said why it could not do what was asked."""


def _program() -> str:
    named = os.environ.get("WEAKSPOT") or shutil.which("weakspot")
    if not named:
        raise ProgramError("the program weakspot is not on the path; the variable WEAKSPOT can name it")
    return named


def _call(*words: str, text: str | None = None, fine: tuple[int, ...] = (0,)) -> Any:
    done = subprocess.run([_program(), *words, "--json"], input=text if text is not None else "", text=True,
                          capture_output=True, check=False)
    if done.returncode not in fine:
        raise ProgramError(done.stderr.strip() or f"weakspot ended with status {done.returncode}")
    return json.loads(done.stdout)


def devices() -> list[dict[str, Any]]:
    """The devices of this machine, as `weakspot devices --json` lists them."""
    return _call("devices")


def run(test: _weakspot.Test | str, device: str = "cpu", *, seconds: float = 1.0, env: str | None = None,
        model: str | None = None, seed: int | None = None) -> Run:
    """Runs a test, or one of the corpus by its name. Forbidden outcomes are a result, not an error."""
    words = ["run", test if isinstance(test, str) else "-", "--device", device, "--seconds", f"{seconds:g}"]
    for option, value in (("--env", env), ("--model", model), ("--seed", seed)):
        if value is not None:
            words += [option, str(value)]
    text = None if isinstance(test, str) else test.text("json")
    return Run(_call(*words, text=text, fine=(0, 1))[0])


def analyse(*paths: str | Path, figures: str = "all", **options: Any) -> Analysis:
    """Scores, rates, correlations and clusters of recorded results. Options are those of `weakspot analyze`."""
    words = ["analyze", *(str(path) for path in paths), "--figures", figures]
    for name, value in options.items():
        words += [f"--{name.replace('_', '-')}", str(value)]
    return Analysis(_call(*words))
