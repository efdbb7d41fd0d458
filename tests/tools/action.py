# SPDX-License-Identifier: MIT
"""Runs the steps of a composite action of GitHub as a runner does, as far as ci/action.yml needs it."""
import os
import re
import subprocess
import tempfile
from pathlib import Path

import yaml


def evaluated(text, contexts):
    """A text with ${{ name }} replaced; what is not known is empty, as on GitHub."""
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: contexts.get(found[1], ""), str(text))


def holds(condition, contexts):
    """Conditions of the form NAME != '' and none."""
    if condition is None:
        return True
    [name] = re.fullmatch(r"([\w.-]+) != ''", condition).groups()
    return contexts.get(name, "") != ""


def run_action(folder, repository, given, event=None, environment=None):
    """Runs the action in `folder` in a checked-out repository, with the given inputs and values of the event.

    Returns the exit status of the first step that failed or 0, all output, and the summary.
    """
    action = yaml.safe_load((Path(folder) / "action.yml").read_text())
    assert action["runs"]["using"] == "composite"
    unknown = set(given) - set(action["inputs"])
    assert not unknown, f"the action has no inputs {unknown}"
    contexts = dict(event or {})
    for name, described in action["inputs"].items():
        contexts[f"inputs.{name}"] = given.get(name, evaluated(described.get("default", ""), contexts))
    output = ""
    with tempfile.TemporaryDirectory() as temporary, tempfile.NamedTemporaryFile("r", suffix=".md") as summary:
        paths = Path(temporary) / "paths"  # a line per folder that a step adds to the path of those after it
        paths.touch()
        environment = {**os.environ, **(environment or {})}
        for step in action["runs"]["steps"]:
            if not holds(step.get("if"), contexts):
                continue
            assert step["shell"] == "bash"
            variables = {name: evaluated(value, contexts) for name, value in step.get("env", {}).items()}
            done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                                  cwd=repository, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, check=False,
                                  env={**environment, **variables, "GITHUB_ACTIONS": "true",
                                       "GITHUB_ACTION_PATH": str(folder), "GITHUB_STEP_SUMMARY": summary.name,
                                       "GITHUB_PATH": str(paths), "RUNNER_TEMP": temporary,
                                       "PATH": ":".join([*paths.read_text().split("\n")[:-1][::-1], environment["PATH"]])})
            output += done.stdout.decode(errors="replace")
            if done.returncode != 0:
                return done.returncode, output, summary.read()
        return 0, output, summary.read()
