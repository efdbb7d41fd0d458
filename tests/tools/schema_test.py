# SPDX-License-Identifier: MIT
"""Validates what the program prints and writes against docs/schemas, and tests the validator."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from json_schema import SchemaError, Schemas  # noqa: E402
from support import PROGRAM, ROOT, needs_program  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

FOLDER = ROOT / "docs" / "schemas"

# Recorded rates: a device without hardware for tune and score, and a study for analyze.
TABLE = {
    str(number): {
        **{test: {"seq": 100, "interleaved": 10, "weak": weak * (number + 1), "durationSeconds": 1}
           for test, weak in {"Message Passing Default": 50, "Store Mutations": 3, "Coherency": 2000}.items()},
        "params": {"testingWorkgroups": 4 << number, "memStride": 1},
    }
    for number in range(4)
}


class Validator(unittest.TestCase):
    def problems(self, schema, value, **others):
        with tempfile.TemporaryDirectory() as folder:
            for name, one in {"main": schema, **others}.items():
                Path(folder, name).write_text(json.dumps(one))
            return Schemas(folder).problems(value, "main")

    def assert_fits(self, schema, *values):
        for value in values:
            self.assertEqual(self.problems(schema, value), [], value)

    def assert_differs(self, schema, *values):
        for value in values:
            self.assertNotEqual(self.problems(schema, value), [], value)

    def test_types(self):
        self.assert_fits({"type": "integer"}, 1, -3, 2.0, 1 << 62)
        self.assert_differs({"type": "integer"}, 1.5, True, "1", None)
        self.assert_fits({"type": ["number", "null"]}, 1.5, None)
        self.assert_differs({"type": ["number", "null"]}, False, [])
        self.assert_fits({"type": "boolean"}, True)
        self.assert_fits({"type": "object"}, {})
        self.assert_differs({"type": "array"}, {})

    def test_values(self):
        self.assert_fits({"enum": ["a", 1]}, "a", 1)
        self.assert_differs({"enum": ["a", 1]}, "b", True)
        self.assert_differs({"const": 1}, True, 2)
        self.assert_fits({"minimum": 1, "maximum": 3}, 1, 3, "text")
        self.assert_differs({"minimum": 1, "maximum": 3}, 0, 4)
        self.assert_fits({"pattern": "^a+$"}, "aa", 5)
        self.assert_differs({"pattern": "^a+$"}, "ab")

    def test_arrays(self):
        schema = {"items": {"type": "string"}, "minItems": 1, "maxItems": 2}
        self.assert_fits(schema, ["a"], ["a", "b"])
        self.assert_differs(schema, [], ["a", "b", "c"], [1])
        self.assertEqual(self.problems(schema, ["a", 1]), ["$[1]: expected string, found 1"])

    def test_objects(self):
        schema = {"properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
        self.assert_fits(schema, {"a": "x"})
        self.assert_differs(schema, {}, {"a": 1}, {"a": "x", "b": 1})
        self.assert_fits({"additionalProperties": {"type": "string"}}, {"b": "x"})
        self.assert_differs({"additionalProperties": {"type": "string"}}, {"b": 1})

    def test_alternatives(self):
        schema = {"oneOf": [{"type": "string"}, {"type": "number"}, {"minimum": 10}]}
        self.assert_fits(schema, 5)
        self.assert_differs(schema, "a", 11)  # each fits two of them
        self.assert_fits({"anyOf": [{"type": "string"}, {"type": "number"}]}, 5, "a")
        self.assert_differs({"anyOf": [{"type": "string"}, {"type": "number"}]}, None)

    def test_references(self):
        schema = {"items": {"$ref": "#/$defs/tree"},
                  "$defs": {"tree": {"properties": {"next": {"$ref": "#/$defs/tree"}}, "additionalProperties": False}}}
        self.assert_fits(schema, [{"next": {"next": {}}}])
        self.assert_differs(schema, [{"next": {"other": {}}}])
        other = {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"const": 1}}}
        self.assertEqual(self.problems({"$ref": "other#/$defs/a"}, 1, other=other), [])
        self.assertNotEqual(self.problems({"$ref": "other#/$defs/a"}, 2, other=other), [])

    def test_wrong_schemas(self):
        for schema in ({"typ": "string"}, {"$anchor": "a"}, {"type": "text"}, {"$ref": "#/$defs/none"}, {"items": 1},
                       {"prefixItems": []}):
            with self.assertRaises(SchemaError):
                self.problems(schema, [1])


class Files(unittest.TestCase):
    @unittest.skipUnless(jsonschema, "python3-jsonschema is not installed")
    def test_schemas_are_schemas(self):
        for path in sorted(FOLDER.glob("*.schema.json")):
            jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text()))

    def test_suites(self):
        schemas = Schemas(FOLDER)
        for path in sorted((ROOT / "configs" / "suites").glob("*.json")):
            self.assertEqual(schemas.problems(json.loads(path.read_text()), "suite.schema.json"), [], path)

    def test_every_schema_is_listed(self):
        page = (ROOT / "docs" / "results-format.md").read_text()
        for path in sorted(FOLDER.glob("*.schema.json")):
            self.assertIn(f"](schemas/{path.name})", page)


@needs_program
class Output(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schemas = Schemas(FOLDER)
        cls.folder = Path(tempfile.mkdtemp(prefix="weakspot-schema-"))
        (cls.folder / "study").mkdir()
        for name in ("one", "two", "three"):
            (cls.folder / "study" / f"{name}.json").write_text(json.dumps({**TABLE, "randomSeed": "x"}))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def run_program(self, *words, exits=(0,)):
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                              env={**os.environ, "HOME": str(self.folder)})
        self.assertIn(done.returncode, exits, done.stderr.decode())
        return done.stdout.decode()

    def assert_fits(self, value, schema):
        problems = self.schemas.problems(value, schema + ".schema.json")
        self.assertEqual(problems[:10], [], f"{schema}, {len(problems)} problems")
        return value

    def output(self, schema, *words, exits=(0,), least=1):
        """What a command prints, checked; a list must have `least` entries, so that there was something to check."""
        value = self.assert_fits(json.loads(self.run_program(*words, exits=exits)), schema)
        if isinstance(value, list):
            self.assertGreaterEqual(len(value), least)
        return value

    def lines(self, schema, file):
        return [self.assert_fits(json.loads(line), schema)
                for line in (self.folder / file).read_text().splitlines()]

    def test_reading_and_judging(self):
        self.output("check", "check", "classic", "--json", least=50)
        self.output("check", "check", "vulkan", "--model", "vulkan", "--json", least=10)
        self.output("emit", "emit", "MP", "SB", "--target", "ptx", "--json", least=2)
        [binary] = self.output("emit", "emit", "MP", "--target", "spirv", "--json")
        self.assertEqual(binary["words"][0], 0x07230203)
        self.output("fences", "fences", "MP", "SB", "MP+rel+acq", "--model", "ptx", "--places", "2", "--json", least=3)
        self.output("fences", "fences", "scoped/MP-dev-same-wg", "--model", "webgpu", "--json", least=1)
        unknown = self.output("check", "check", "IRIW", "--json", "--memory", "1", "--model", "c11")
        self.assertEqual([one["verdict"] for one in unknown], ["unknown"])
        self.output("check-progress", "check", "TAS-lock", "MP", "--progress", "all", "--model", "sc", "--json", least=12)
        replay = 'python3 "%s" aarch64 acquire' % (Path(__file__).with_name("wrong_compiler.py"))
        self.output("compile-check", "compile-check", "MP+rel+acq", "SB", "scoped/MP-dev-same-wg", "--compiler", replay,
                    "--json", exits=(1,), least=3)
        self.output("show", "show", "@all", "--json", least=400)
        self.output("convert", "convert", "--to", "ptx", "MP", "--json")
        self.output("list", "list", "--json", least=400)
        self.output("models", "models", "--json", least=12)
        self.output("models-compare", "models", "compare", "sc", "tso", "classic", "--json")
        self.output("models-compare", "models", "compare", "sc", "tso", "--events", "4", "--json")
        self.output("devices", "devices", "--json", least=0)

    def test_tests_as_json(self):
        self.output("test", "convert", "--to", "json", "@all", least=400)
        self.output("test", "convert", "--to", "json", "MP")

    def test_generating(self):
        self.output("tests", "gen", "--edges", "Rfe Fre Pod**", "--json", least=2)
        self.output("tests", "mutate", "MP+rel+acq", "--json")
        self.output("tests", "suite", "mc-mutants", "--json", least=52)
        self.output("suites", "suite", "--json", least=5)

    def test_running(self):
        names = ["MP", "SB", "MP+rel+acq"]
        results = self.output("run", "run", *names, "--device", "testing:one,testing:all,testing:closed", "--instances",
                              "1000", "--json", "--out", "a.jsonl", exits=(1,), least=9)
        self.assertTrue(any(one["witnesses"] for one in results))
        self.run_program("run", *names, "--device", "testing:all", "--instances", "3000", "--env", "basic", "--env",
                         "weaken=release", "--out", "b.jsonl", exits=(1,))
        records = self.lines("record", "a.jsonl") + self.lines("record", "b.jsonl")
        self.assertTrue(any(record.get("deliberately_broken") for record in records))
        checked = self.output("run", "run", "MP", "--device", "testing:one", "--instances", "1000", "--optcheck", "--json",
                              "--out", "c.jsonl")
        self.assertEqual([one["code"]["verdict"] for one in checked + self.lines("record", "c.jsonl")], ["unknown"] * 2)
        self.assertEqual(len(self.output("run", "report", "a.jsonl", "--json")), len(results))
        replayed = self.output("replay", "replay", "a.jsonl", "--json", "--no-isolation", exits=(0, 1))
        self.assertTrue(replayed["outcomes"])
        self.output("optcheck", "optcheck", "MP", "SB", "--device", "testing:all", "--json", least=2)
        # The schema of an environment has every parameter.
        known = self.schemas.load("environment.schema.json")["properties"]
        self.assertEqual(list(known), list(records[0]["parameters"]))
        compared = self.output("compare", "compare", "a.jsonl", "--devices", "testing:one,testing:all", "--json")
        self.assertTrue(compared["outcomes"])
        self.output("compare", "compare", "a.jsonl", "b.jsonl", "--devices", "testing:all", "--env", "basic", "--json",
                    exits=(0, 2))
        self.assertEqual(self.output("store-import", "store", "import", "s.db", "a.jsonl", "b.jsonl", "--json")["records"],
                         {"added": len(records), "known": 0, "grown": 0})
        merged = self.output("store-merge", "store", "merge", "t.db", "s.db", "--json")
        self.assertEqual(merged["records"]["added"], len(records))
        self.assertEqual(self.output("store-verify", "store", "verify", "t.db", "--json")["problems"], [])
        self.output("store-vacuum", "store", "vacuum", "t.db", "--json")
        self.assertEqual(self.output("store", "store", "info", "s.db", "--json")["records"], {"run": len(records)})
        self.output("store-submissions", "store", "submissions", "s.db", "--json", least=0)
        analysed = self.output("analyze", "analyze", "a.jsonl", "b.jsonl", "--json")
        self.assertTrue(analysed["studies"])

    def test_campaigns(self):
        store = ["--store", "campaign.db"]
        self.output("campaign-init", "campaign", "init", "MP", "SB", *store, "--devices", "testing", "--environments",
                    "workgroup_size=32", "--instances", "1000", "--json")
        self.output("campaign-status", "campaign", "status", *store, "--json")
        self.assertEqual(self.output("campaign-pause", "campaign", "pause", *store, "--json")["paused"], True)
        self.assertEqual(self.output("campaign-pause", "campaign", "resume", *store, "--json")["paused"], False)
        self.output("campaign-pardon", "campaign", "pardon", *store, "--json")
        worked = self.output("agent", "agent", *store, "--device", "testing:all", "--until-done", "--no-isolation",
                             "--json")
        self.assertEqual(worked["devices"][0]["shards"], 2)
        status = self.output("campaign-status", "campaign", "status", *store, "--json")
        self.assertTrue(status[0]["over"])
        report = self.output("campaign-report", "campaign", "report", *store, "--json", exits=(0, 1))
        self.assertEqual(len(report["cells"]), 2)
        self.run_program("campaign", "export", *store, "--out", "campaign.jsonl")
        self.assertEqual(len(self.lines("record", "campaign.jsonl")), 2)

    def test_conforming(self):
        self.output("conform", "conform", "--device", "testing:one", "--budget", "100ms", "--json", "--out", "c.json",
                    "--save-suite", "s.json", exits=(0, 1, 3))
        for file, schema in {"c.json": "conform", "s.json": "suite"}.items():
            if (self.folder / file).exists():
                self.assert_fits(json.loads((self.folder / file).read_text()), schema)

    def test_tuning(self):
        device = ["--device", "recorded:study/one.json"]
        self.output("tune", "tune", *device, "--budget", "2s", "--json", "--out", "tuned.json")
        self.assert_fits(json.loads((self.folder / "tuned.json").read_text()), "tune")
        self.assertGreater(len(self.lines("tune-journal", "tuned.json.journal")), 1)
        self.output("score", "score", *device, "--json", "--out", "score.json")
        self.assert_fits(json.loads((self.folder / "score.json").read_text()), "score")

    def test_tables(self):
        device = ["--device", "testing:all", "--seconds", "2ms", "--json"]
        self.output("assumptions", "assumptions", *device, exits=(1,), least=14)
        self.output("locks", "locks", *device, least=33)
        devices = json.loads(self.run_program("devices", "--json"))
        if any(one["id"] == "cpu" and one["multiprocessors"] > 1 for one in devices):
            self.output("locks", "locks", "no-lock", "cas", "--device", "cpu", "--seconds", "20ms", "--json", least=5)

    def test_analysing(self):
        value = self.output("analyze", "analyze", "study", "--json")
        filled = {name for name, rows in value.items() if rows}
        self.assertLessEqual({"studies", "mutation", "death_rates", "merge", "portability", "similarity"}, filled)

    def test_racing(self):
        if not PROGRAM.with_name("weakspot-race").exists():
            self.skipTest("weakspot race was not built")
        kernels = ROOT / "tests" / "kernels"
        for name, exits in {"reduction/argmax_pair_bug.cu": (1,), "data/*.cu": (0, 1), "redundant/*_bug.cu": (0, 1)}.items():
            for path in sorted(kernels.glob(name))[:3]:
                self.output("race", "race", path, "--json", exits=exits)
        found = self.output("race", "race", kernels / "flags" / "no_release_bug.cu", "--json", "--distil", "tests",
                            "--mutants", exits=(1,))
        self.assertIn("distilled", found["findings"][0])
        self.assertTrue(found["mutants"]["list"])

    def test_confirming(self):
        if not PROGRAM.with_name("weakspot-race").exists():
            self.skipTest("weakspot race was not built")
        # A race that no run can show needs no device; confirm_test.py has the others.
        (self.folder / "same.cu").write_text("__global__ void same(int* out) { *out = 5; }\n")
        report = self.run_program("race", "same.cu", "--launch", "grid=1 block=64", "--arg", "out=int[1]", "--front",
                                  "clang", "--json", "--capture", "kept", exits=(1,))
        self.assert_fits(json.loads((self.folder / "kept" / "capture.json").read_text()), "capture")
        (self.folder / "same.json").write_text(report)
        self.assertEqual(self.output("confirm", "confirm", "same.json", "--json")["findings"][0]["verdict"], "same")

    def test_proving(self):
        if not PROGRAM.with_name("weakspot-race").exists():
            self.skipTest("weakspot race was not built")
        protocols = ROOT / "examples" / "protocols"
        right = self.output("prove", "prove", protocols / "flag.cu", "--json")
        self.assertEqual(right["verdict"], "proved")
        wrong = self.output("prove", "prove", protocols / "flag-broken.cu", "--json", exits=(1,))
        late = self.output("prove", "prove", protocols / "flag.cu", "--json", "--seconds", "1ms", exits=(3,))
        self.assertEqual((late["verdict"], late["kernel"]), ("unknown", ""))
        self.assertTrue(wrong["properties"][0]["witness"])
        needed = self.output("prove", "prove", protocols / "flag.cu", "--json", "--fences")
        self.assertTrue(needed["fences"]["present"][0]["refuted"]["witness"])
        repaired = self.output("prove", "prove", protocols / "flag-broken.cu", "--json", "--fences", exits=(1,))
        self.assertTrue(repaired["fences"]["repairs"][0]["patch"])


def commands(words=()):
    """Every command that completion offers, those below others as (name, name)."""
    done = subprocess.run([PROGRAM, "complete", "--", *words, ""], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=True)
    # A line is a word, a tab and its help.
    names = [line.split("\t")[0] for line in done.stdout.splitlines()]
    return [name for name in names if re.fullmatch(r"[a-z][a-z-]*", name)]


def fields(schemas, file, schema=None, path="$", within=()):
    """What a script can rely on: {path of a field: 'types, required or optional'}; a form within itself once."""
    schema = schemas.load(file) if schema is None else schema
    if "$ref" in schema:
        schema, file = schemas.resolve(schema["$ref"], file)
        if any(schema is outer for outer in within):
            return {}
        within = (*within, schema)
    found = {}
    for inner in schema.get("anyOf", []) + schema.get("oneOf", []):
        for place, kind in fields(schemas, file, inner, path, within).items():
            found[place] = either(found.get(place, kind), kind)
    if isinstance(schema.get("items"), dict):
        found.update(fields(schemas, file, schema["items"], path + "[]", within))
    for name, inner in schema.get("properties", {}).items():
        place = f"{path}.{name}"
        whole = schemas.resolve(inner["$ref"], file)[0] if "$ref" in inner else inner
        kinds = whole.get("type", "any")
        kinds = kinds if isinstance(kinds, str) else " ".join(sorted(kinds))
        found[place] = f"{kinds}, {'required' if name in schema.get('required', []) else 'optional'}"
        found.update(fields(schemas, file, inner, place, within))
    return found


def either(a, b):
    """A field of two alternatives: all types of both, and optional, since another alternative may come."""
    kinds = " ".join(sorted({*a.split(", ")[0].split(), *b.split(", ")[0].split()}))
    return f"{kinds}, optional"


PROMISES = ROOT / "tests" / "data" / "contract.json"


class Promises(unittest.TestCase):
    """A field that was there once is there until its form has another version (docs/json.md).

    WEAKSPOT_BLESS=1 writes the fields of today; read the difference before committing it.
    """

    def test_no_field_is_lost(self):
        schemas = Schemas(FOLDER)
        today = {path.name.removesuffix(".schema.json"):
                     {"version": schemas.load(path.name)["x-version"], "fields": fields(schemas, path.name)}
                 for path in sorted(FOLDER.glob("*.schema.json"))}
        if os.environ.get("WEAKSPOT_BLESS"):
            PROMISES.write_text(json.dumps(today, indent=1, sort_keys=True) + "\n")
        promised = json.loads(PROMISES.read_text())
        self.assertEqual(sorted(set(promised) - set(today)), [], "forms that are gone")
        self.assertEqual(sorted(set(today) - set(promised)), [], "forms without a promise: WEAKSPOT_BLESS=1 adds it")
        for name, form in promised.items():
            if today[name]["version"] != form["version"]:
                self.assertGreater(today[name]["version"], form["version"], name)
                continue
            for place, kind in form["fields"].items():
                now = today[name]["fields"].get(place)
                self.assertIn(now, (kind, kind.replace(", optional", ", required")),
                              f"{name}: {place} was '{kind}'; such a change needs another x-version")


@needs_program
class Contract(unittest.TestCase):
    def forms(self):
        done = subprocess.run([PROGRAM, "schema", "--json"], stdin=subprocess.DEVNULL, capture_output=True, check=True)
        return json.loads(done.stdout)

    def help_of(self, command):
        return subprocess.run([PROGRAM, *command.split(), "--help"], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=True).stdout

    def test_every_command_has_a_form_or_a_reason(self):
        forms = self.forms()
        self.assertEqual(Schemas(FOLDER).problems(forms, "schema.schema.json"), [])
        known = {form["command"] for form in forms}
        there = set()
        for name in commands():
            inner = commands([name]) if name in ("store", "campaign", "models", "launch") else []
            there |= {f"{name} {one}" for one in inner}
            if name not in ("store", "campaign", "launch"):  # these do nothing by themselves
                there.add(name)
        self.assertGreater(len(there), 40)
        self.assertEqual(sorted(there - known), [], "commands without a form: name one in src/faces/cli/help/schema.cpp")
        self.assertEqual(sorted(known - there), [], "forms of commands that are gone")

    def test_commands_have_the_option_that_their_form_needs(self):
        with_json = {form["command"] for form in self.forms() if "--json" in form.get("options", "")}
        for form in self.forms():
            has = re.search(r"(?m)^  --json ", self.help_of(form["command"])) is not None
            self.assertEqual(has, form["command"] in with_json, form["command"])

    def test_the_program_prints_the_schemas_of_the_documentation(self):
        for path in sorted(FOLDER.glob("*.schema.json")):
            name = path.name.removesuffix(".schema.json")
            done = subprocess.run([PROGRAM, "schema", name], stdin=subprocess.DEVNULL, capture_output=True, check=True)
            self.assertEqual(done.stdout, path.read_bytes())
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, "schema", "--out", folder], stdin=subprocess.DEVNULL, check=True)
            self.assertEqual(sorted(path.name for path in Path(folder).iterdir()),
                             sorted(path.name for path in FOLDER.glob("*.schema.json")))

    def test_every_form_is_checked(self):
        """Each schema of a command is used by a test above, or is written by a server."""
        source = Path(__file__).read_text(encoding="utf-8")
        elsewhere = {"runs", "work", "submission", "capture"}  # serve_test, serve_agents_test and capture_test
        for path in sorted(FOLDER.glob("*.schema.json")):
            name = path.name.removesuffix(".schema.json")
            self.assertTrue(name in elsewhere or f'"{name}"' in source or path.name in source, name)

    def test_errors(self):
        schemas = Schemas(FOLDER)
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "bad.litmus").write_text("weakspot bad\n P0 ;\n oops ;\n more ;\n")
            for words, count, expected in (
                    (["check", "bad.litmus"], 2, {"kind": "input", "file": "bad.litmus", "line": 3, "column": 2}),
                    (["check", "MP", "--model", "nonsense"], 1, {"kind": "input"}),
                    (["check", "missing.litmus"], 1, {"kind": "input"}),
                    (["check", "--nonsense"], 1, {"kind": "input"}),
                    (["nonsense"], 1, {"kind": "input"}),
                    (["store", "info", "missing.db"], 1, {})):
                for form in (["--errors", "json"], ["--errors=json"]):
                    done = subprocess.run([PROGRAM, *words, *form], cwd=folder, stdin=subprocess.DEVNULL,
                                          capture_output=True, text=True, check=False)
                    errors = [json.loads(line) for line in done.stderr.splitlines()]
                    self.assertEqual(len(errors), count, done.stderr)
                    for error in errors:
                        self.assertEqual(schemas.problems(error, "error.schema.json"), [])
                        self.assertEqual(done.returncode, 2 if error["kind"] == "input" else 3)
                    self.assertEqual({key: errors[0][key] for key in expected}, expected)
            wrong = subprocess.run([PROGRAM, "list", "--errors", "yaml"], stdin=subprocess.DEVNULL, capture_output=True,
                                   text=True, check=False)
            self.assertEqual(wrong.returncode, 2)
            self.assertIn("'yaml' is not text or json", wrong.stderr)


if __name__ == "__main__":
    unittest.main()
