"""Compares a report of 'weakspot race --json' with the annotations of its file, by the rules of README.md."""
import json

from annotations import Finding

POSSIBLE = "possible-"
KINDS = {"race": "race", "divergence": "divergence", "invalid-access": "invalid", "redundant-barrier": "redundant",
         "stale-value": "stale"}
# If two lines are an E1, some pairs of threads at these lines may be of these classes.
FACES_OF_E1 = ("E2", "W1")


class Reported(Finding):
    """A finding of a report; `kind` is the report's own word where README.md has none for it."""
    supposes_blocks = False  # needs several blocks, which nothing states


def read_report(text):
    """The findings of a report, those with one cause each for itself; what ran and is not modelled, and kernels that did not run, are findings as well."""
    report = json.loads(text)
    findings = []
    for entry in [each for finding in report["findings"] for each in (finding, *finding.get("also", []))]:
        lines = [entry["line"]] + ([entry["other"]["line"]] if entry["other"] else [])
        kind = entry["kind"].removeprefix(POSSIBLE)
        kind = KINDS.get(kind, kind)
        found = Reported(kind, entry["class"] if kind != "redundant" else "", entry["space"],
                         entry["variable"].split("[")[0].split(" ")[0], tuple(sorted(lines)))
        object.__setattr__(found, "supposes_blocks", entry.get("supposes_blocks", False))
        findings.append(found)
    for entry in report["not_modelled"]:
        if entry["reached"]:
            findings.append(Reported("unmodelled", "", "", "", (entry["line"],)))
    for entry in report["not_exercised"]:
        findings.append(Reported("unexercised", "", "", "", (entry["line"],)))
    return findings


def same(expected, found):
    if (expected.kind, expected.klass) != (found.kind, found.klass):
        return False
    if expected.kind == "race":
        return (expected.space, expected.variable, expected.lines) == (found.space, found.variable, found.lines)
    if expected.kind == "divergence":
        # One line says where threads wait, and leaves open where the others are.
        return expected.lines == found.lines or (len(expected.lines) == 1 and expected.lines[0] in found.lines)
    return expected.lines == found.lines


def is_face(allowed, found):
    return (allowed.kind == found.kind == "race" and allowed.klass == "E1" and found.klass in FACES_OF_E1 and
            (allowed.space, allowed.variable, allowed.lines) == (found.space, found.variable, found.lines))


def judge(annotations, model, findings):
    """What is missing from the findings, and which of them are false."""
    expected = annotations.expected[model]
    diverges = any(finding.kind == "divergence" for finding in expected)
    # Hints are judged if nothing else is wrong and lock step does not order anything.
    hints = model == "its" and not any(finding.kind in ("race", "divergence") for finding in expected)
    missing = [finding for finding in expected
               if (finding.kind != "redundant" or hints) and not any(same(finding, found) for found in findings)]
    allowed = expected | annotations.allowed
    false = []
    for found in findings:
        if found.kind == "redundant" and not hints:
            continue
        if diverges and found.kind in ("race", "divergence"):
            continue
        if not any(same(finding, found) or is_face(finding, found) for finding in allowed):
            false.append(found)
    return missing, false


def describe(finding):
    """A finding in the words of an annotation, with lines as numbers."""
    words = [finding.kind, finding.klass, finding.space, finding.variable, *(f"line {line}" for line in finding.lines)]
    return " ".join(word for word in words if word)
