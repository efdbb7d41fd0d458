# SPDX-License-Identifier: MIT
"""Runs on devices and analyses of results, by the program ``weakspot``."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Iterable, Sequence

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
    return runs([test], device, seconds=seconds, environments=() if env is None else (env,), model=model, seed=seed)[0]


def runs(tests: Sequence[_weakspot.Test | str], device: str = "cpu", *, seconds: float = 1.0,
         environments: Iterable[str] = (), model: str | None = None, seed: int | None = None,
         out: str | Path | None = None) -> list[Run]:
    """Runs tests in environments, each test for ``seconds`` in all; ``out`` keeps the records for analyse()."""
    names = [test for test in tests if isinstance(test, str)]
    given = [test for test in tests if not isinstance(test, str)]
    words = ["run", *names, *(["-"] if given else []), "--device", device, "--seconds", f"{seconds:g}"]
    for environment in environments:
        words += ["--env", environment]
    for option, value in (("--model", model), ("--seed", seed), ("--out", out)):
        if value is not None:
            words += [option, str(value)]
    text = "[" + ",".join(test.text("json") for test in given) + "]" if given else None
    return [Run(record) for record in _call(*words, text=text, fine=(0, 1))]


def analyse(*paths: str | Path, figures: str = "all", **options: Any) -> Analysis:
    """Scores, rates, correlations and clusters of recorded results. Options are those of `weakspot analyze`."""
    words = ["analyze", *(str(path) for path in paths), "--figures", figures]
    for name, value in options.items():
        if value is not False:
            words += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
    return Analysis(_call(*words))
