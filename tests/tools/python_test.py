# SPDX-License-Identifier: MIT
"""The Python package: tests, verdicts, pictures, generated tests, runs, analyses, mistakes, wheels."""
import copy
import importlib.util
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, needs_program  # noqa: E402

PACKAGE = ROOT / "build" / "python"
BUILT = any((PACKAGE / "weakspot").glob("_weakspot*.so"))
if BUILT:
    sys.path.insert(0, str(PACKAGE))
    try:
        import weakspot
    except ImportError:  # it was built for another Python
        BUILT = False

MP = """weakspot MP+rel+acq
{ x = 0; y = 0; }
 P0          | P1           ;
 st x, 1     | ld.acq r0, y ;
 st.rel y, 1 | ld r1, x     ;
exists (1:r0=1 /\\ 1:r1=0)
"""

# A test that AMD's model does not judge.
BARRIER = """weakspot MP+barrier
{ x = 0; }
 P0      | P1       ;
 st x, 1 | bar      ;
 bar     | ld r0, x ;
scopes (wg P0 P1)
exists (1:r0=0)
"""


class Results(unittest.TestCase):
    """What comes back, as plain objects: needs neither the program nor the built package."""

    @classmethod
    def setUpClass(cls):
        spec = importlib.util.spec_from_file_location("results_alone", ROOT / "python" / "weakspot" / "results.py")
        cls.results = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = cls.results  # dataclasses look their module up
        spec.loader.exec_module(cls.results)
        outcomes = [{"outcome": "1:r0=0", "count": 2 ** 53 + 1, "class": "sequential"},
                    {"outcome": "1:r0=1", "count": 3, "class": "weak"}]
        cls.run_ = cls.results.Run({"test": "MP", "device": "cpu", "model": "sc", "instances": 2 ** 53 + 4,
                                    "seconds": 0.5, "outcomes": outcomes})

    def test_counts_are_arrays(self):
        """Exact beyond what a double holds, and ready for arithmetic, masks and sorting."""
        if importlib.util.find_spec("numpy") is None:
            self.skipTest("numpy is not installed")
        import numpy
        counts = self.run_.counts
        self.assertIsInstance(counts, numpy.ndarray)
        self.assertEqual((counts.dtype, counts.shape), (numpy.dtype("uint64"), (2,)))
        self.assertEqual(int(counts.sum()), self.run_.instances)
        weak = counts[numpy.array(self.run_.classes) == "weak"]
        self.assertEqual((weak.tolist(), self.run_.weak), ([3], 3))
        self.assertEqual(float((counts / self.run_.seconds)[1]), 6.0)
        self.assertEqual(numpy.array(self.run_.labels)[numpy.argsort(counts)].tolist(), ["1:r0=1", "1:r0=0"])
        self.assertEqual(self.results.Run({"outcomes": []}).counts.shape, (0,))

    def test_outcomes_and_figures_are_arrays(self):
        if importlib.util.find_spec("numpy") is None:
            self.skipTest("numpy is not installed")
        import numpy
        verdict = self.results.Verdict("MP", "sc", "forbidden", "never", outcomes=[(0, 0), (0, 1), (1, 1)])
        self.assertEqual(numpy.array(verdict.outcomes).sum(axis=0).tolist(), [1, 2])
        rows = self.results.Analysis({"merge": [{"budget_seconds": 1.0, "score_percent": 50.0},
                                                {"budget_seconds": 2.0, "score_percent": 75.0}]})["merge"]
        budgets, scores = numpy.array([[row["budget_seconds"], row["score_percent"]] for row in rows]).T
        self.assertEqual((budgets.tolist(), scores.tolist()), ([1.0, 2.0], [50.0, 75.0]))

    def test_runs_can_be_copied_and_sent(self):
        for other in (copy.deepcopy(self.run_), pickle.loads(pickle.dumps(self.run_))):
            self.assertEqual(other, self.run_)
        with self.assertRaises(AttributeError):
            self.run_.nonsense  # noqa: B018


@unittest.skipUnless(BUILT, "the Python package was not built for this Python")
class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        [cls.test] = weakspot.parse(MP)
        os.environ["WEAKSPOT"] = str(PROGRAM)

    def test_a_test_is_an_object(self):
        self.assertEqual(self.test.name, "MP+rel+acq")
        self.assertEqual((self.test.threads, self.test.arch), (2, "generic"))
        self.assertEqual(self.test.observed, ["1:r0", "1:r1"])
        self.assertEqual(self.test.condition, "exists (1:r0=1 /\\ 1:r1=0)")
        self.assertIn("st.release.gpu", self.test.text("ptx"))
        self.assertEqual(weakspot.parse(self.test.text("json")), [self.test])
        self.assertEqual(hash(self.test), hash(weakspot.parse(MP)[0]))
        self.assertIn("P1", self.test.draw())

    def test_verdicts(self):
        verdict = weakspot.check(self.test, "ptx")
        self.assertTrue(verdict.forbidden)
        self.assertEqual(verdict.outcomes, [(0, 0), (0, 1), (1, 1)])
        self.assertEqual(verdict.satisfying, [False] * 3)
        weak = weakspot.check(self.test, "sc-per-loc")
        self.assertTrue(weak.allowed)
        self.assertEqual(weak.satisfying[weak.outcomes.index((1, 0))], True)
        self.assertEqual(str(weak), "MP+rel+acq: allowed by sc-per-loc")
        judge = weakspot.Judge("sc")
        self.assertEqual(judge.verdicts([self.test] * 3), ["forbidden"] * 3)

    def test_agrees_with_the_program(self):
        tests = [test for test in weakspot.find() if test.arch == "generic"][:40]
        self.assertGreater(len(tests), 20)
        text = "\n".join(test.text("weakspot") for test in tests)
        done = subprocess.run([PROGRAM, "check", "-", "--model", "ptx", "--json"], input=text.encode(),
                              stdout=subprocess.PIPE, check=False)
        expected = [(entry["test"], entry["verdict"], entry["executions"]) for entry in json.loads(done.stdout)]
        judge = weakspot.Judge("ptx")
        verdicts = [judge.check(test) for test in tests]
        self.assertEqual([(each.test, each.verdict, each.executions) for each in verdicts], expected)

    def test_explanation_and_picture(self):
        verdict = weakspot.explain(self.test, "ptx")
        self.assertIn("check ", verdict.explanation)
        self.assertTrue(ElementTree.fromstring(verdict.svg).tag.endswith("svg"))
        self.assertIn("<svg", verdict._repr_html_())
        self.assertIn("<table>", weakspot.check(self.test, "ptx")._repr_html_())

    def test_generated_and_mutated(self):
        self.assertEqual([test.name for test in weakspot.generate("Rfe PodRR Fre PodWW")], ["MP"])
        told_apart = weakspot.generate(settings={"edges": "Rfe Fre Coe Pod**", "size": "4", "threads": "2"},
                                       forbidden_by="sc", allowed_by="tso")
        self.assertEqual([test.name for test in told_apart], ["SB", "R"])
        mutants = weakspot.mutate(self.test)
        self.assertGreater(len(mutants), 1)
        self.assertEqual({mutant.info["Parent"] for mutant in mutants}, {"MP+rel+acq"})
        ways = weakspot.fences(weakspot.find("MP")[0], "ptx")
        self.assertTrue(ways["ways"])

    def test_mistakes(self):
        with self.assertRaisesRegex(weakspot.Error, r"(?s)test:4:19: error: .*\^"):
            weakspot.parse(MP.replace("ld.acq", "ld.acqu"))
        for call in (lambda: weakspot.check(self.test, "nonsense"), lambda: weakspot.read("missing.litmus"),
                     lambda: weakspot.find("nonsense"), lambda: self.test.text("klingon"),
                     lambda: weakspot.generate("nonsense"), lambda: weakspot.mutate(self.test, "nonsense")):
            with self.assertRaises(weakspot.Error):
                call()
        with self.assertRaises(TypeError):
            weakspot.check(5, "ptx")

    def test_a_test_is_named_as_people_do(self):
        """An object, a text, a name of the corpus and a file mean the same to every function."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "mp.litmus"
            file.write_text(MP)
            [written] = weakspot.parse(self.test.text("ptx"))
            for test in (self.test, MP, "MP+rel+acq", "classic/MP+rel+acq", file, str(file), self.test.text("json")):
                self.assertTrue(weakspot.check(test, "ptx").forbidden)
                self.assertEqual(weakspot.parse(weakspot.convert(test, "ptx"))[0].hash, written.hash)
                self.assertEqual(weakspot.Judge("sc").verdicts(test), ["forbidden"])
        self.assertIn("check ", weakspot.explain("MP+rel+acq", "ptx").explanation)
        self.assertEqual(weakspot.check("MP+rel+acq").model, weakspot.check(self.test).model)
        self.assertEqual(weakspot.mutate("MP+rel+acq"), weakspot.mutate(self.test))
        self.assertEqual(weakspot.fences("MP", "ptx")["verdict"], "allowed")
        judge = weakspot.Judge("sc")
        self.assertEqual(judge.verdicts("classic"), judge.verdicts(weakspot.find("classic")))

    def test_unknown_names_get_a_proposal(self):
        no_test = r"^MPP: error: there is no such file, folder or test of the corpus; did you mean 'MP'\?$"
        for call in (weakspot.check, weakspot.explain, weakspot.find, weakspot.fences, weakspot.mutate, weakspot.run,
                     lambda name: weakspot.verdicts(["MP", name], "sc"), lambda name: weakspot.convert(name, "ptx"),
                     lambda name: weakspot.runs([name])):
            with self.assertRaisesRegex(weakspot.Error, no_test):
                call("MPP")
        for call in (weakspot.check, weakspot.explain, weakspot.fences, weakspot.verdicts):
            with self.assertRaisesRegex(weakspot.Error, "there is no model 'tsoo'; did you mean 'tso'\\?"):
                call("MP", "tsoo")
        with self.assertRaisesRegex(weakspot.Error, "several tests of the corpus have this name: coherence/CoRR, "):
            weakspot.check("CoRR", "sc")
        with self.assertRaisesRegex(weakspot.Error, r"^expected one test, found \d+$"):
            weakspot.check("classic", "sc")

    def test_tables_of_verdicts(self):
        """A test that a model cannot judge is a cell, and the others are judged."""
        table = weakspot.verdicts(["MP", BARRIER], ["sc", "amdgpu"])
        self.assertEqual((table.tests, table.models), (["MP", "MP+barrier"], ["sc", "amdgpu"]))
        self.assertEqual(table.words, [["forbidden", "allowed"], ["forbidden", "refused"]])
        refused = table["MP+barrier", "amdgpu"]
        self.assertEqual(table.refused, [refused])
        self.assertTrue(refused.refused)
        self.assertRegex(refused.reason, "barrier")
        self.assertRegex(str(refused), r"^MP\+barrier: refused by amdgpu \(.*barrier.*\)$")
        with self.assertRaisesRegex(weakspot.Error, r"^error: MP\+barrier: .*barrier"):
            weakspot.check(BARRIER, "amdgpu")
        self.assertEqual(weakspot.Judge("amdgpu").verdicts([BARRIER, "MP"]), ["refused", "allowed"])
        self.assertEqual(str(table), "test        sc         amdgpu\n"
                                     "MP          forbidden  allowed\n"
                                     "MP+barrier  forbidden  refused")
        self.assertIn(f'title="{refused.reason}">refused<', table._repr_html_())
        self.assertEqual((len(table), len(list(table))), (2, 4))
        self.assertEqual(weakspot.verdicts("SB", "all").models, [model["name"] for model in weakspot.models()])
        for place in (("MP", "tso"), ("SB", "sc")):
            with self.assertRaises(KeyError):
                table[place]  # noqa: B018

    def test_pickle(self):
        for test in weakspot.find("classic", "locks"):
            again = pickle.loads(pickle.dumps(test))
            self.assertEqual((again, again.hash, again.info), (test, test.hash, test.info))
        table = weakspot.verdicts(["MP", BARRIER], ["sc", "amdgpu"])
        for result in (table, weakspot.check("MP", "sc"), weakspot.explain("SB", "tso")):
            self.assertEqual(pickle.loads(pickle.dumps(result)), result)
        with self.assertRaises(weakspot.Error) as raised:
            weakspot.check("nonsense")
        self.assertEqual(str(pickle.loads(pickle.dumps(raised.exception))), str(raised.exception))
        self.assertEqual(copy.deepcopy(self.test), self.test)

    def test_every_name_is_documented(self):
        for name in weakspot.__all__:
            value = getattr(weakspot, name)
            if name == "__version__" or name == "TestLike":
                continue
            self.assertTrue((value.__doc__ or "").strip(), name)
            members = vars(value) if isinstance(value, type) else {}
            fields = getattr(value, "__dataclass_fields__", {})
            for member, part in members.items():
                if not member.startswith("_") and member not in fields:
                    self.assertTrue((part.__doc__ or "").strip(), f"{name}.{member}")
            self.assertRegex((ROOT / "docs" / "python.md").read_text(), rf"\b{name}\b")

    def test_settings_are_those_of_the_command(self):
        """The keys in the docstring are the keys that a wrong one is answered with."""
        with self.assertRaises(weakspot.Error) as raised:
            weakspot.generate(settings={"nonsense": 1})
        keys = re.search(r"expected ([\w, -]+)", str(raised.exception)).group(1).replace(" or ", ", ").split(", ")
        self.assertGreater(len(keys), 10)
        for key in keys:
            self.assertIn(key, weakspot.generate.__doc__)
        search = {"edges": ["Rfe", "Fre", "Coe", "Pod**"], "size": 4, "threads": 2, "observers": False}
        self.assertEqual([test.name for test in weakspot.generate(settings=search, allowed_by="tso")], ["SB", "R"])

    @needs_program
    def test_race(self):
        if not PROGRAM.with_name("weakspot-race").exists():
            self.skipTest("weakspot-race was not built")
        with tempfile.TemporaryDirectory() as folder:
            kernel = Path(folder) / "sum.cu"
            kernel.write_text("__global__ void sum(int* a) { a[0] += threadIdx.x; }\n")
            report = weakspot.race(kernel, launch="grid=1 block=64", schedules=1)
            self.assertEqual((report["verdict"], report["findings"][0]["class"]), ("found", "E1"))
            kernel.write_text("__global__ void own(int* a) { a[threadIdx.x] += 1; }\n")
            self.assertEqual(weakspot.race(kernel, launch="grid=1 block=64", arg=["a=int[64]"])["verdict"], "clean")
            kernel.write_text("__global__ void wrong(int* a) { a[0] = ; }\n")
            with self.assertRaisesRegex(weakspot.ProgramError, "sum.cu:1:.*error: "):
                weakspot.race(kernel)

    @needs_program
    def test_conform_and_compare(self):
        report = weakspot.conform("testing:one", suite="mc-mutants", budget=0.2, seed=3)
        self.assertIn(report["verdict"], ("conformant", "inconclusive", "violation"))
        self.assertEqual([device["seed"] for device in report["devices"]], [3])
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / name for name in ("a.jsonl", "b.jsonl")]
            for file in files:
                weakspot.runs("SB", "testing:one", seconds=0.02, out=file)
            compared = weakspot.compare(*files, level=0.001)
            self.assertEqual((compared["level"], compared["compared"] > 0), (0.001, True))
        with self.assertRaises(weakspot.ProgramError):
            weakspot.compare("missing.jsonl")

    def test_limits(self):
        lines = " | ".join(f"P{i}" for i in range(8)) + " ;\n"
        for _ in range(3):
            lines += " | ".join("atom.add r0, x, 1" for _ in range(8)) + " ;\n"
        [large] = weakspot.parse("weakspot large\n{ x = 0; }\n " + lines + "exists (0:r0=100)\n")
        verdict = weakspot.check(large, "ptx", seconds=0.05)
        self.assertEqual(verdict.verdict, "unknown")
        self.assertIn("50 ms", verdict.reason)

    def test_threads(self):
        judge, wrong = weakspot.Judge("ptx"), []

        def work():
            for _ in range(50):
                if not judge.check(self.test).forbidden or not weakspot.check(self.test, "tso").forbidden:
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    @needs_program
    def test_run_and_analyse(self):
        if not any(device["id"] == "cpu" for device in weakspot.devices()):
            self.skipTest("the CPU is not a device here")
        seen = weakspot.run("MP", seconds=0.2)
        self.assertEqual(seen.device, "cpu")
        self.assertEqual(int(sum(seen.counts)), seen.instances - seen.unfinished)
        self.assertEqual(seen.forbidden, 0)
        self.assertEqual(ElementTree.fromstring(seen.svg).tag, "{http://www.w3.org/2000/svg}svg")
        self.assertIn(f"{seen.record['outcomes'][0]['count']:,}", seen._repr_html_())
        self.assertEqual(weakspot.run(self.test, seconds=0.2).test, "MP+rel+acq")
        with self.assertRaisesRegex(weakspot.ProgramError, "nonsense"):
            weakspot.run("MP", "nonsense")
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(weakspot.ProgramError):
                weakspot.analyse(Path(folder) / "missing.json")

    @needs_program
    def test_runs_and_their_analysis(self):
        with tempfile.TemporaryDirectory() as folder:
            records = Path(folder) / "runs.jsonl"
            seen = weakspot.runs(["SB", self.test], "testing:one", seconds=0.02, environments=["basic", "stress"],
                                 out=records)
            self.assertEqual([run.test for run in seen], ["SB", "SB", "MP+rel+acq", "MP+rel+acq"])
            studies = weakspot.analyse(records, figures="devices", keep_going=True)["studies"]
            self.assertEqual((studies[0]["devices"], studies[0]["environments"]), (1, 2))

    def test_parts_of_the_corpus(self):
        self.assertEqual(len(weakspot.find(folder="mutants")), 32)
        self.assertEqual([test.name for test in weakspot.find("MP-relacq", folder="conformance")], ["MP-relacq"])
        with self.assertRaises(weakspot.Error):
            weakspot.find(folder="nonsense")

    def figure(self, folder, *arguments):
        """Draws the example's figure; what it prints, and the number of its curves."""
        done = subprocess.run([sys.executable, ROOT / "python" / "examples" / "mutation_scores.py", "figure.svg",
                               *arguments], env={**os.environ, "PYTHONPATH": str(PACKAGE), "WEAKSPOT": str(PROGRAM)},
                              cwd=folder, text=True, capture_output=True, check=False, timeout=240)
        self.assertEqual(done.returncode, 0, done.stderr)
        drawn = ElementTree.parse(Path(folder) / "figure.svg")
        return done.stdout, len(drawn.findall("{http://www.w3.org/2000/svg}polyline"))

    @needs_program
    def test_example_of_a_figure(self):
        if not any(device["id"] == "cpu" for device in weakspot.devices()):
            self.skipTest("the CPU is not a device here")
        with tempfile.TemporaryDirectory() as folder:
            text, lines = self.figure(folder, "--seconds", "0.02", "--environments", "2")
            self.assertEqual(lines, 4)
            self.assertRegex(text, r"(?m)^pte: 32 mutants in 2 environments on cpu, ")
            self.assertRegex(text, r"(?m)^  SITE  99\.999 %( +\d+){17}$")

    @needs_program
    def test_example_on_published_data(self):
        """The sentences of section 5.3 of the paper."""
        beside = (folder / "shared" / "data" / "mc-mutants" for folder in ROOT.parents)
        data = next((folder for folder in beside if folder.is_dir()), None)
        if data is None:
            self.skipTest("the published data is not here")
        with tempfile.TemporaryDirectory() as folder:
            text, lines = self.figure(folder, "--data", f"Four GPUs={data}")
        self.assertEqual(lines, 4)
        scores = {(name, target): [int(word) for word in rest.split()]
                  for name, target, rest in re.findall(r"(?m)^  (\w+) +([\d.]+) %  ([\d ]+)$", text)}
        self.assertEqual((scores["PTE", "99.999"][-1], scores["SITE", "99.999"][-1]), (82, 43))
        self.assertEqual((scores["PTE", "95"][0], scores["SITE", "99.999"][5]), (36, 0))

    def test_stubs(self):
        """Every name is there, and type checkers agree with the package."""
        text = (ROOT / "python" / "weakspot" / "_weakspot.pyi").read_text()
        from weakspot import _weakspot
        for name in dir(_weakspot):
            if not name.startswith("_"):
                self.assertRegex(text, rf"(?m)^(class {name}\b|def {name}\(|{name}:)")
        for kind in (_weakspot.Test, _weakspot.Judge, _weakspot.Core):
            stub = re.search(rf"(?ms)^class {kind.__name__}\b.*?(?=^\S|\Z)", text).group()
            for name in vars(kind):
                if not name.startswith("_"):
                    self.assertIn(f"def {name}(", stub)
        checker = next((command for command in ([sys.executable, "-m", "mypy"], ["mypy"])
                        if subprocess.run([*command, "--version"], capture_output=True, check=False).returncode == 0),
                       None) if shutil.which("mypy") or importlib.util.find_spec("mypy") else None
        if checker is None:
            self.skipTest("mypy is not installed")
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run([*checker, "--cache-dir", cache, "--strict", "--no-warn-return-any",
                                   "--ignore-missing-imports", ROOT / "python" / "weakspot"],
                                  env={**os.environ, "MYPYPATH": str(ROOT / "python")}, text=True, capture_output=True,
                                  check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def installed(self, folder):
        """An installation of the build with the program and the Python package, but no more."""
        prefix = Path(folder) / "prefix"
        for component in ("weakspot", "python"):
            done = subprocess.run(["cmake", "--install", ROOT / "build", "--component", component, "--prefix", prefix],
                                  text=True, capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
        return prefix

    @needs_program
    def test_wheel_in_an_environment(self):
        """pip installs the wheel into an empty environment, where it imports and judges, and brings the program."""
        if not importlib.util.find_spec("ensurepip"):
            self.skipTest("this Python makes no environments with pip")
        with tempfile.TemporaryDirectory() as folder:
            made = subprocess.run([ROOT / "tools" / "wheel", self.installed(folder), folder], text=True,
                                  capture_output=True, check=True)
            wheel = made.stdout.strip()
            if f"cp{sys.version_info.major}{sys.version_info.minor}-" not in wheel:
                self.skipTest("the package was built for another Python")
            home = Path(folder) / "venv"
            subprocess.run([sys.executable, "-m", "venv", home], check=True, capture_output=True)
            installed = subprocess.run([home / "bin" / "pip", "install", "--no-index", "--quiet",
                                        "--disable-pip-version-check", wheel], text=True, capture_output=True, check=False)
            self.assertEqual(installed.returncode, 0, installed.stderr)
            done = subprocess.run([home / "bin" / "python", "-c",
                                   "import weakspot; print(weakspot.check('SB', 'tso')); print(len(weakspot.devices()) > 0)"],
                                  cwd=folder, env={"PATH": "/usr/bin:/bin"}, text=True, capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (0, "SB: allowed by tso\nTrue\n"), done.stderr)
            done = subprocess.run([home / "bin" / "weakspot", "check", "MP"], text=True, capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)

    @needs_program
    def test_wheel(self):
        with tempfile.TemporaryDirectory() as folder:
            made = []
            prefix = self.installed(folder)
            for name in ("first", "second"):
                done = subprocess.run([ROOT / "tools" / "wheel", prefix, Path(folder) / name], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                made.append(Path(done.stdout.decode().strip()))
            self.assertEqual(made[0].read_bytes(), made[1].read_bytes())
            unpacked = Path(folder) / "site"
            with zipfile.ZipFile(made[0]) as wheel:
                self.assertIsNone(wheel.testzip())
                names = wheel.namelist()
                [metadata] = [name for name in names if name.endswith("/METADATA")]
                self.assertIn("`clang-19`", wheel.read(metadata).decode())
                [program] = [name for name in names if name.endswith(".data/scripts/weakspot")]
                self.assertEqual(wheel.getinfo(program).external_attr >> 16 & 0o777, 0o755)
                self.assertTrue(any(".data/data/share/weakspot/models/" in name for name in names))
                wheel.extractall(unpacked)
            done = subprocess.run(
                [sys.executable, "-c", "import weakspot; print(weakspot.check(weakspot.find('SB')[0], 'tso').verdict)"],
                env={"PYTHONPATH": str(unpacked), "PATH": os.environ["PATH"]}, cwd=folder, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, check=False)
            self.assertEqual((done.returncode, done.stdout), (0, b"allowed\n"), done.stderr)


if __name__ == "__main__":
    unittest.main()
