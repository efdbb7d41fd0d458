# SPDX-License-Identifier: MIT
"""The tests that bench/prove_litmus and bench/weak_programs take, and their common options."""
import json
import subprocess
from pathlib import Path

from random_litmus import random_test

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ["classic", "coherence", "scoped", "locks", "mutants", "conformance", "assumptions", "dependencies"]


def add_options(parser):
    parser.add_argument("--weakspot", default=str(ROOT / "build" / "weakspot"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", action="append")
    parser.add_argument("--tests", action="append")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("filter", nargs="*")


def tests_of(args):
    """Names and tests as JSON."""
    for seed in range(args.seed, args.seed + args.random):
        test = random_test(seed)
        yield test["testName"], test
    paths = [path for given in args.tests or []
             for path in (sorted(Path(given).glob("*.litmus")) if Path(given).is_dir() else [Path(given)])]
    if not args.random and not paths:
        args.folder = args.folder or FOLDERS
    for folder in args.folder or []:
        paths += sorted((ROOT / "corpus" / folder).glob("*.litmus"))
    paths = [path for path in paths if not args.filter or any(word in path.stem for word in args.filter)]
    for start in range(0, len(paths), 200):
        shown = subprocess.run([args.weakspot, "convert", "--to", "json", *map(str, paths[start:start + 200])],
                               capture_output=True, text=True, check=True)
        read = json.loads(shown.stdout)
        names = paths[start:start + 200]
        for path, test in zip(names, read) if len(read) == len(names) else ((one["testName"], one) for one in read):
            yield f"{path.parent.name}/{path.stem}" if isinstance(path, Path) else path, test
