# SPDX-License-Identifier: MIT
"""Cases of make_cases.py: how each is run by `weakspot race`, and how its outputs are compared."""
import json
import re
from pathlib import Path

try:
    import numpy
except ImportError:  # only the comparison of outputs needs it
    numpy = None

BOUNDS = {"float32": 2e-6, "float64": 2e-6, "float16": 2e-3, "bfloat16": 2e-2}


def parameters(text, kernel):
    """Names of the kernel's parameters as `weakspot race` has them, without the kernel's, in order."""
    head = re.search(rf"\.entry\s+{re.escape(kernel)}\s*\((.*?)\)\s*[.{{]", text, re.DOTALL)
    found = re.findall(r"\.param\s[^,)]*?(\w+)(?:\[\d+\])?\s*(?:,|$)", head.group(1).strip()) if head else []
    return [name.removeprefix(f"{kernel}_") for name in found]


class Case:
    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self.name = self.folder.name
        about = json.loads((self.folder / "kernel.json").read_text())
        case = json.loads((self.folder / "case.json").read_text())
        self.kernel, self.grid, self.arguments = case["kernel"], case["grid"], case["args"]
        self.outputs = case["outputs"]
        self.text = (self.folder / "kernel.ptx").read_text()
        self.parameters = parameters(self.text, self.kernel)
        self.block = about.get("block") or [about["num_warps"] * 32, 1, 1]
        self.shared = about.get("shared") or 0
        # Memory of the compiler, for the first parameter behind the user's.
        self.scratch = (about.get("global_scratch_size") or 0) * self.grid[0] * self.grid[1] * self.grid[2]

    def words(self, race, ptx, grid=None):
        """The command that runs a file of PTX, this case's or one like it, on the case's grid or another."""
        launch = (f"grid={','.join(map(str, grid or self.grid))} block={','.join(map(str, self.block))} shared={self.shared}")
        words = [race, ptx, "--kernel", self.kernel, "--launch", launch, "--json"]
        for name, argument in zip(self.parameters, self.arguments):
            value = f"@{self.folder / argument['buffer']}" if "buffer" in argument else argument["value"]
            words += ["--arg", f"{name}={value}"]
        for number, name in enumerate(self.parameters[len(self.arguments):]):
            words += ["--arg", f"{name}=char[{self.scratch}]" if self.scratch and number == 0 else f"{name}=0"]
        return [str(word) for word in words]

    def differences(self, values):
        """(output, elements that differ, by how much, whether that is within the bound) in a folder of --out-values;
        None instead of the number where there are no values."""
        by_name = {argument["name"]: (name, argument) for name, argument in zip(self.parameters, self.arguments)}
        coarse = any("float8" in one.get("dtype", "") for one in self.arguments)
        for output, file in self.outputs.items():
            name, argument = by_name[output]
            if not (Path(values) / f"{name}.npy").is_file():
                yield output, None, float("inf"), False
                continue
            dtype = argument["dtype"]
            count, most = difference(numpy.load(Path(values) / f"{name}.npy"), numpy.load(self.folder / file), dtype)
            yield output, count, most, count == 0 or most <= (1e-3 if coarse else BOUNDS.get(dtype, 0.0))


def cases_in(folders):
    return [Case(path.parent) for path in sorted(path for folder in folders for path in Path(folder).rglob("case.json"))]


def as_floats(array, dtype):
    if dtype == "bfloat16":
        return (array.astype(numpy.uint32) << 16).view(numpy.float32).astype(numpy.float64)
    return array.astype(numpy.float64)


def difference(ours, theirs, dtype):
    """(elements that differ, largest difference relative to the largest element), bytes first."""
    ours, theirs = ours.reshape(-1), theirs.reshape(-1)
    if ours.size != theirs.size:
        return max(ours.size, theirs.size), float("inf")
    if ours.tobytes() == theirs.tobytes():
        return 0, 0.0
    a, b = as_floats(ours, dtype), as_floats(theirs, dtype)
    if numpy.any(numpy.isnan(a) != numpy.isnan(b)):
        return int(numpy.sum(numpy.isnan(a) != numpy.isnan(b))), float("inf")
    differ = (a != b) & ~numpy.isnan(a)
    scale = numpy.nanmax(numpy.abs(b)) or 1.0
    return int(numpy.sum(differ)), float(numpy.nanmax(numpy.abs(a - b)[differ])) / scale if differ.any() else 0.0
