# SPDX-License-Identifier: MIT
"""Questions that the core answers: one function per request of docs/page-core.md."""
from __future__ import annotations

import json
import threading
from typing import Any, Iterable, Mapping

from . import _weakspot
from .judging import judge_of
from .names import TestLike, test_of, tests_of
from .results import Verdict, Verdicts

_local = threading.local()


def _ask(**request: Any) -> Any:
    """The core's answer; raises Error with the place and the reason."""
    if not hasattr(_local, "core"):
        _local.core = _weakspot.Core()
    reply = json.loads(_local.core.answer(json.dumps(request)))
    if "errors" in reply:
        raise _weakspot.Error("\n".join(_error_text(error) for error in reply["errors"]))
    return reply["ok"]


def _error_text(error: dict[str, Any]) -> str:
    if "line" not in error:
        return f"error: {error['message']}"
    mark = " " * error["caret"] + "^" + "~" * (error["length"] - 1)
    return f"{error['file']}:{error['line']}:{error['column']}: error: {error['message']}\n{error['text']}\n{mark}"


def _own_model(test: _weakspot.Test) -> str:
    return _ask(do="read", text=test.text("json"))[0]["model"]


def check(test: TestLike, model: str | None = None, *, seconds: float = 10.0, memory: int = 512 << 20, unroll: int = 3,
          condition_only: bool = False) -> Verdict:
    """The verdict of a model; without a name, of the model for the test's dialect. Limits are those of Judge.check.

    >>> weakspot.check("MP", "sc").verdict
    'forbidden'

    Raises Error if the model has no meaning for a part of the test.
    """
    one = test_of(test)
    return judge_of(model or _own_model(one)).check(one, seconds=seconds, memory=memory, unroll=unroll,
                                                    condition_only=condition_only)


def verdicts(tests: TestLike | Iterable[TestLike], models: str | Iterable[str], *, seconds: float = 10.0,
             memory: int = 512 << 20, unroll: int = 3, condition_only: bool = True) -> Verdicts:
    """The verdicts of models on tests as a table; limits are for each cell.

    >>> print(weakspot.verdicts(["MP", "SB"], ["sc", "tso"]))
    test  sc         tso
    MP    forbidden  forbidden
    SB    forbidden  allowed

    A test that a model cannot judge is a cell ``refused``, with its reason. ``models`` may be ``"all"``.
    """
    names = [entry["name"] for entry in _ask(do="models")] if models == "all" else _texts(models)
    judges = [judge_of(name) for name in names]
    return Verdicts(names, [[judge.ask(test, seconds=seconds, memory=memory, unroll=unroll,
                                       condition_only=condition_only) for judge in judges]
                            for test in tests_of(tests)])


def explain(test: TestLike, model: str | None = None, *, seconds: float = 10.0) -> Verdict:
    """The verdict with its reason in words (``explanation``) and as a picture (``svg``)."""
    one = test_of(test)
    plain = check(one, model, seconds=seconds)
    request: dict[str, Any] = dict(do="check", text=one.text("json"), models=plain.model, explain=True, picture=True,
                                   limits={"seconds": seconds})
    if plain.model.endswith(".cat"):
        with open(plain.model, encoding="utf-8") as file:
            request["cat"] = {plain.model: file.read()}
    [entry] = _ask(**request)["verdicts"]
    return Verdict(**{**plain.__dict__, "explanation": entry.get("explanation", ""), "svg": entry.get("svg", "")})


def models() -> list[dict[str, str]]:
    """The ``name``, ``title`` and ``description`` of every model."""
    return _ask(do="models")


def convert(test: TestLike, dialect: str) -> str:
    """The text of the test in another dialect; raises Error where it cannot be said."""
    return test_of(test).text(dialect)


def fences(test: TestLike, model: str | None = None, *, places: int = 6, seconds: float = 10.0) -> dict[str, Any]:
    """The weakest changes that forbid the test's outcome, as an entry of `weakspot fences --json`.

    ``places`` is the most places that a way may change, ``seconds`` the time for the whole search. Each of the ``ways``
    also has ``litmus``, the text of the stronger test.
    """
    one = test_of(test)
    reply = _ask(do="fences", text=one.text("json"), models=model or _own_model(one), places=places,
                 limits={"seconds": seconds})
    if reply["refused"]:
        raise _weakspot.Error(f"error: {one.name}: {reply['refused'][0]['message']}")
    return reply["fences"][0]


def _tests(reply: dict[str, Any]) -> list[_weakspot.Test]:
    return [test for entry in reply["tests"] for test in _weakspot.parse(entry["text"], entry["test"])]


def _texts(value: str | Iterable[str] | None) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def _setting(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, (str, int)) else " ".join(value)


def generate(*cycles: str, settings: Mapping[str, Any] | None = None, minimal: str | None = None,
             forbidden_by: str | Iterable[str] | None = None, allowed_by: str | Iterable[str] | None = None,
             limit: int = 1000) -> list[_weakspot.Test]:
    """Tests of cycles (``"Rfe PodRR Fre PodWW"``, ``"MP+fence.sc+addr"``), or of a search by ``settings``.

    >>> weakspot.generate(settings={"edges": "Rfe Fre Coe Pod**", "size": 4, "threads": 2}, allowed_by="tso")
    [<weakspot.Test SB>, <weakspot.Test R>]

    ``settings`` are the keys of `weakspot gen --config`, of which ``edges`` is required:

    ======================  ==========================================================  =======
    key                     value                                                       default
    ======================  ==========================================================  =======
    edges                   edges of cycles; ``*`` stands for either direction
    size                    edges of a cycle: 6, or ``"4..6"``                          2..4
    threads                 threads of a cycle, observers not counted                   2..4
    internal                most edges within one thread                                1
    critical                no communications in a row that amount to a single one      True
    dialect                 generic, ptx-2015, ptx, vulkan, opencl, c, aarch64, x86-64  generic
    scopes                  of external edges: sg wg cluster dev sys                    dev
    annotations             of events: ``-``, ``cg``, ``acq/rel`` (reads / writes)      -
    spaces                  of locations: none global shared                            none
    mixed-scopes            choices may differ within a cycle; mixed-annotations and    False
                            mixed-spaces likewise
    observers               observer threads rather than final values                   False
    ======================  ==========================================================  =======

    A value is a text, a number, a truth value, or several texts. ``minimal`` names a model: of cycles, the
    tests with the weakest orders that it forbids. ``forbidden_by`` and ``allowed_by`` keep the tests of which models
    say so, and ``limit`` is the most tests to return.
    """
    request: dict[str, Any] = {"do": "gen", "limit": limit}
    if cycles:
        request["cycles"] = list(cycles)
    if settings:
        request["settings"] = {key: _setting(value) for key, value in settings.items()}
    if minimal:
        request["minimal"] = minimal
    for key, value in (("forbidden_by", forbidden_by), ("allowed_by", allowed_by)):
        if value is not None:
            request[key] = _texts(value)
    return _tests(_ask(**request))


def mutate(test: TestLike, mutators: str | Iterable[str] | None = None, *,
           keep_forbidden: bool = False) -> list[_weakspot.Test]:
    """The mutants of a test whose outcome becomes allowed; with ``keep_forbidden`` the others as well.

    ``mutators`` are swap, split, scope, order and fence (default: all).
    """
    request: dict[str, Any] = {"do": "mutate", "text": test_of(test).text("json"), "keep_forbidden": keep_forbidden}
    if mutators is not None:
        request["mutators"] = _texts(mutators)
    return _tests(_ask(**request))
