"""Reads the annotations of a kernel file: how to run it and what must be found. README.md describes the format."""
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

RACES = ("E1", "W1", "E2", "P1", "P2", "W2", "W3", "I1", "U1")
DIVERGENCES = ("D1", "D2", "D3", "D4", "U1")
SPACES = ("shared", "global", "tensor")
FILLS = ("zero", "one", "iota", "random", "sorted", "permutation", "duplicates", "special")
TYPES = ("char", "uchar", "short", "ushort", "int", "uint", "llong", "ullong", "float", "double")
MODELS = ("its", "lockstep")

LINE = re.compile(r"^// (weakspot|expect|allow)(?:\((\w+)\))?: (.*)$")
ARG = re.compile(r"^([\w.]+)=(?:(\w+)\[(\d+)\](?: (fill|values)=(\S+))?|(-?[\d.]+))$")
FILL = re.compile(r"^(\w+)(?::(-?\d+):(-?\d+))?$")
MARKER = re.compile(r"// @(\w+)$")
MAIN = re.compile(r"^int main\(")
BOUNDS = r"(?:__(?:launch_bounds|cluster_dims)__\([^)]*\)\s*)*"
KERNEL = re.compile(r"(?:__global__\s+" + BOUNDS + r"void\s+" + BOUNDS + r"|\.entry )(\w+)\s*\(")


@dataclass
class Launch:
    kernel: str
    grid: tuple
    block: tuple
    shared: int = 0
    args: dict = field(default_factory=dict)  # name -> a number, or (type, length, fill or tuple of values)


@dataclass(frozen=True)
class Finding:
    kind: str  # race, divergence, invalid, redundant, stale, unmodelled, unexercised
    klass: str  # E1, D2, ...; empty for redundant
    space: str  # of a race: shared, global or tensor
    variable: str  # of a race
    lines: tuple  # ascending: the lines of a race's two sides, or of one or two barriers


@dataclass
class Annotations:
    about: str = ""
    program: bool = False
    search: bool = False
    weak: bool = False
    launches: list = field(default_factory=list)
    expected: dict = field(default_factory=dict)  # warp model -> set of Finding
    allowed: set = field(default_factory=set)
    kernels: list = field(default_factory=list)  # the __global__ functions, in order


class Malformed(Exception):
    pass


def strip(text):
    """The text of a kernel without its launches and main(); line numbers stay the same."""
    lines = []
    in_main = False
    for line in text.splitlines():
        in_main = in_main or bool(MAIN.match(line))
        keep = not in_main and not line.startswith("// weakspot:")
        in_main = in_main and line != "}"
        lines.append(line if keep else "//")
    return "\n".join(lines) + "\n"


def assembly_lines(text):
    """Line -> first line, for the lines of inline assembly: nvcc names the line of an operand, clang the first."""
    first, lines = 0, {}
    for number, line in enumerate(text.splitlines(), 1):
        first = first or number * ("asm volatile(" in line)
        if first:
            lines[number] = first
        if line.partition("//")[0].rstrip().endswith((";", "}")):
            first = 0
    return lines


def dimensions(text):
    sizes = tuple(int(size) for size in text.split(","))
    return sizes + (1,) * (3 - len(sizes))


def read_launch(text, kernel):
    options = dict(word.split("=") for word in text.split())
    unknown = set(options) - {"grid", "block", "cluster", "shared"}
    if unknown or not {"grid", "block"} <= set(options):
        raise Malformed("expected launch grid=X[,Y[,Z]] block=X[,Y[,Z]] [cluster=X[,Y[,Z]]] [shared=BYTES]")
    return Launch(kernel, dimensions(options["grid"]), dimensions(options["block"]), int(options.get("shared", 0)))


def read_arg(text):
    match = ARG.match(text)
    if not match:
        raise Malformed("expected arg NAME=NUMBER or NAME=TYPE[LENGTH] with fill=... or values=...")
    name, kind, length, how, what, number = match.groups()
    if number is not None:
        return name, float(number) if "." in number else int(number)
    if kind not in TYPES:
        raise Malformed(f"unknown type '{kind}'")
    if how == "values":
        values = tuple(float(v) if "." in v else int(v) for v in what.split(","))
        if len(values) != int(length):
            raise Malformed(f"{length} values expected, {len(values)} given")
        return name, (kind, int(length), values)
    fill = what or "zero"
    if not FILL.match(fill) or FILL.match(fill)[1] not in FILLS:
        raise Malformed(f"unknown fill '{fill}'")
    return name, (kind, int(length), fill)


def read_finding(text, markers):
    words = text.split()
    names = [word[1:] for word in words if word.startswith("@")]
    for name in names:
        if name not in markers:
            raise Malformed(f"no line is marked @{name}")
    lines = tuple(sorted(markers[name] for name in names))
    shape = words[: len(words) - len(names)]
    if len(shape) == 4 and shape[0] == "race" and shape[1] in RACES and shape[2] in SPACES and len(lines) == 2:
        return Finding("race", shape[1], shape[2], shape[3], lines)
    if len(shape) == 2 and shape[0] == "divergence" and shape[1] in DIVERGENCES and len(lines) in (1, 2):
        return Finding("divergence", shape[1], "", "", lines)
    if shape == ["invalid"] and len(lines) == 1:
        return Finding("invalid", "A1", "", "", lines)
    if shape == ["stale"] and len(lines) == 2:
        return Finding("stale", "V1", "", "", lines)
    if shape in (["redundant"], ["unmodelled"], ["unexercised"]) and len(lines) == 1:
        return Finding(shape[0], "", "", "", lines)
    raise Malformed("expected race CLASS SPACE VARIABLE @a @b, divergence CLASS @a [@b], invalid @a, redundant @a, "
                    "stale @a @b, unmodelled @a, unexercised @a or none")


def read_markers(lines):
    markers = {}
    for number, line in enumerate(lines, 1):
        match = MARKER.search(line)
        if match and match[1] in markers:
            raise Malformed(f"two lines are marked @{match[1]}")
        if match:
            markers[match[1]] = number
    return markers


def apply(result, verb, model, text, markers, kernel):
    """Adds one annotation line to the result; gives the kernel that following launches start."""
    if verb == "weakspot" and text == "program":
        result.program = True
    elif verb == "weakspot" and text == "search":
        result.search = True
    elif verb == "weakspot" and text == "weak":
        result.weak = True
    elif verb == "weakspot" and text.startswith("kernel "):
        return text.removeprefix("kernel ")
    elif verb == "weakspot" and text.startswith("launch "):
        result.launches.append(read_launch(text.removeprefix("launch "), kernel))
    elif verb == "weakspot" and text.startswith("arg ") and result.launches:
        name, value = read_arg(text.removeprefix("arg "))
        result.launches[-1].args[name] = value
    elif verb == "expect" and (model or "its") in MODELS:
        expected = result.expected.setdefault(model or "its", set())
        if text != "none":
            expected.add(read_finding(text, markers))
    elif verb == "allow" and not model:
        result.allowed.add(read_finding(text, markers))
    else:
        raise Malformed("unknown annotation")
    return kernel


def parse(text):
    lines = text.splitlines()
    result = Annotations(kernels=KERNEL.findall(text))
    markers = read_markers(lines)
    kernel = result.kernels[0] if result.kernels else ""
    about = []
    for line in lines:
        if not line.startswith("//"):
            break
        match = LINE.match(line)
        if match:
            kernel = apply(result, match[1], match[2], match[3], markers, kernel)
        else:
            about.append(line.removeprefix("//").strip())
    result.about = " ".join(about)
    if "its" not in result.expected:
        raise Malformed("nothing is said about what to expect")
    result.expected.setdefault("lockstep", set(result.expected["its"]))
    return result


def main(paths):
    """Prints what is read from the files, one line per launch and finding."""
    for path in paths:
        read = parse(Path(path).read_text())
        for launch in read.launches or ["search" if read.search else "program"]:
            print(f"{path}: {launch}")
        for finding in sorted(read.expected["its"], key=lambda f: (f.kind, f.lines)):
            print(f"{path}: {finding}")


if __name__ == "__main__":
    main(sys.argv[1:])
