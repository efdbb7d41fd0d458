# SPDX-License-Identifier: MIT
"""Runs on devices, analyses of results and races of kernels, by the program ``weakspot``."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Iterable, Sequence

from .names import TestLike, test_of, tests_of
from .results import Analysis, Run


class ProgramError(RuntimeError):
    """The program is missing, or said why it could not do what was asked."""


def _program() -> str:
    # PREFIX/lib/python3*/*-packages/weakspot and PREFIX/bin: an environment that is not activated has no path to it.
    installed = str(Path(__file__).resolve().parents[4] / "bin" / "weakspot")
    named = os.environ.get("WEAKSPOT") or shutil.which(installed) or shutil.which("weakspot")
    if not named:
        raise ProgramError("the program weakspot is not on the path; the variable WEAKSPOT can name it")
    return named


def _call(command: str, *words: str, text: str = "", fine: tuple[int, ...] = (0,)) -> Any:
    done = subprocess.run([_program(), command, "--json", *words], input=text, text=True, capture_output=True,
                          check=False)
    if done.returncode not in fine:
        raise ProgramError(done.stderr.strip() or f"weakspot ended with status {done.returncode}")
    return json.loads(done.stdout)


def _words(options: dict[str, Any]) -> list[str]:
    """Options by the names of the command line: ``keep_going=True``, ``level=0.05``, ``arg=["n=5", "k=2"]``."""
    words: list[str] = []
    for name, value in options.items():
        option = f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}"
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None and one is not False:
                words += [option, *([] if one is True else [str(one)])]
    return words


def devices() -> list[dict[str, Any]]:
    """The devices of this machine, as `weakspot devices --json` lists them."""
    return _call("devices")


def run(test: TestLike, device: str = "cpu", *, seconds: float = 1.0, env: str | None = None,
        model: str | None = None, seed: int | None = None) -> Run:
    """Runs one test. Forbidden outcomes are a result, not an error."""
    return runs([test_of(test)], device, seconds=seconds, environments=() if env is None else (env,), model=model,
                seed=seed)[0]


def runs(tests: TestLike | Iterable[TestLike], device: str = "cpu", *, seconds: float = 1.0,
         environments: Iterable[str] = (), model: str | None = None, seed: int | None = None,
         out: str | os.PathLike[str] | None = None) -> list[Run]:
    """Runs tests in environments, each test for ``seconds`` in all; ``out`` keeps the records for analyse()."""
    text = "[" + ",".join(test.text("json") for test in tests_of(tests)) + "]"
    words = _words({"device": device, "seconds": f"{seconds:g}", "env": list(environments), "model": model,
                    "seed": seed, "out": out})
    return [Run(record) for record in _call("run", "-", *words, text=text, fine=(0, 1))]


def analyse(*paths: str | os.PathLike[str], figures: str = "all", **options: Any) -> Analysis:
    """Scores, rates, correlations and clusters of recorded results. Options are those of `weakspot analyze`."""
    return Analysis(_call("analyze", *map(os.fspath, paths), "--figures", figures, *_words(options)))


def conform(device: str | None = None, *, suite: str | None = None, budget: str | float = "5s",
            **options: Any) -> dict[str, Any]:
    """Runs a conformance suite: the report of `weakspot conform --json`, with the ``verdict`` and the ``devices``.

    ``budget`` is a time such as ``"2min"``, or seconds. A violation is a result, not an error. Other options are those
    of the command: ``confidence=0.999``, ``optcheck=True``.
    """
    time = budget if isinstance(budget, str) else f"{budget:g}s"
    return _call("conform", *_words({"device": device, "suite": suite, "budget": time, **options}), fine=(0, 1))


def compare(*records: str | os.PathLike[str], **options: Any) -> dict[str, Any]:
    """Whether two sets of runs saw outcomes equally often: the object of `weakspot compare --json`.

    ``records`` are one or two files that ``runs(out=...)`` wrote, or stores. Options are those of the command:
    ``devices="cuda:0,vulkan:0"``, ``level=0.05``, ``ratio=2``, ``pool=True``.
    """
    return _call("compare", *map(os.fspath, records), *_words(options), fine=(0, 1))


def race(*files: str | os.PathLike[str], arguments: Sequence[str] = (), **options: Any) -> dict[str, Any]:
    """Runs the kernels of CUDA files on the CPU: the report of `weakspot race --json`, with its ``findings``.

    ``verdict`` is clean, found, incomplete or not exercised: each is a result, not an error. ``arguments`` are those of
    the file's main(), which runs in a sandbox. Options are those of the command: ``launch="grid=4 block=128"``,
    ``arg=["n=500"]``, ``I="include"``.
    """
    words = [*map(_file, files), "--allow-incomplete", *_words(options), *(["--", *arguments] if arguments else [])]
    return _call("race", *words, fine=(0, 1))


def _file(path: str | os.PathLike[str]) -> str:
    """A path, whatever it starts with."""
    text = os.fspath(path)
    return "./" + text if text.startswith("-") else text
