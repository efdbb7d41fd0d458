# SPDX-License-Identifier: MIT
"""The notebook of five papers: its form, and what its cells compute with small budgets."""
import ast
import contextlib
import io
import json
import os
import re
import sqlite3
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import python_test  # noqa: E402
from support import PROGRAM, ROOT, needs_program  # noqa: E402

EXAMPLES = ROOT / "python" / "examples"
NOTEBOOK = json.loads((EXAMPLES / "five_papers.ipynb").read_text(encoding="utf-8"))
# The data beside the project, as in python_test; readers clone it themselves.
DATA = next((folder / "shared" / "data" / "mc-mutants" for folder in ROOT.parents
             if (folder / "shared" / "data" / "mc-mutants").is_dir()), ROOT / "missing")
SMALL = {"SECONDS": 0.02, "ENVIRONMENTS": 2, "RUNS": 256, "MC_MUTANTS": str(DATA), "GPUHARBOR": "missing"}
SVG = "{http://www.w3.org/2000/svg}"
RACE = PROGRAM.with_name("weakspot-race").exists()


class Form(unittest.TestCase):
    def test_is_a_notebook_without_outputs(self):
        """The rules of nbformat 4.5 for the cells that we have."""
        self.assertEqual((NOTEBOOK["nbformat"], NOTEBOOK["nbformat_minor"]), (4, 5))
        self.assertEqual(NOTEBOOK["metadata"]["kernelspec"]["name"], "python3")
        names = [cell["id"] for cell in NOTEBOOK["cells"]]
        self.assertEqual(len(names), len(set(names)))
        for cell in NOTEBOOK["cells"]:
            with self.subTest(cell=cell["id"]):
                self.assertRegex(cell["id"], r"^[a-zA-Z0-9_-]{1,64}$")
                keys = {"cell_type", "id", "metadata", "source"}
                if cell["cell_type"] == "code":
                    keys |= {"execution_count", "outputs"}
                    self.assertEqual((cell["execution_count"], cell["outputs"]), (None, []))
                    self.assertLessEqual(max(map(len, cell["source"])), 121)
                else:
                    self.assertEqual(cell["cell_type"], "markdown")
                self.assertEqual((set(cell), cell["metadata"]), (keys, {}))
                self.assertEqual("".join(cell["source"]).splitlines(keepends=True), cell["source"])

    def test_links_to_pages_of_the_manual(self):
        text = "".join("".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "markdown")
        pages = re.findall(r"\]\((\.\.[^)#]*)", text)
        self.assertTrue(pages)
        for page in pages:
            self.assertTrue((EXAMPLES / page).exists(), page)


def source_of(name):
    return next("".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["id"] == name)


def execute(source, name, names):
    """Runs a cell; the value of its last line, as a notebook shows it."""
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    return eval(compile(last, name, "eval"), names) if last else None


@needs_program
@unittest.skipUnless(python_test.BUILT, "the Python package was not built for this Python")
class Cells(unittest.TestCase):
    """All cells in order in one namespace, then a look at what each section left there."""

    @classmethod
    def setUpClass(cls):
        os.environ["WEAKSPOT"] = str(PROGRAM)
        if not any(device["id"] == "cpu" for device in python_test.weakspot.devices()):
            raise unittest.SkipTest("the CPU is not a device here")
        sys.path.insert(0, str(EXAMPLES))
        cls.names, cls.shown, output = {}, {}, io.StringIO()
        with contextlib.redirect_stdout(output):
            for cell in NOTEBOOK["cells"]:
                name = cell["id"]
                if cell["cell_type"] == "code" and (RACE or name != "simulee-table"):
                    cls.shown[name] = execute(source_of(name), name, cls.names)
                if name == "settings":
                    cls.names.update(SMALL)
        cls.output = output.getvalue()

    def rows(self, cell):
        """The cells of a displayed table, without its head."""
        return [[part.text for part in row] for row in ElementTree.fromstring(self.shown[cell]._repr_html_())][1:]

    def test_every_section_shows_something(self):
        for name, value in self.shown.items():
            self.assertTrue(value is None or value._repr_html_().startswith("<"), name)
        self.assertEqual(sum(value is not None for value in self.shown.values()), 8 if RACE else 7)

    def test_gpu_concurrency(self):
        table = self.names["table_6"]
        self.assertEqual({test: len(counts) for test, counts in table.items()},
                         {"coRR": 16, "lb": 16, "mp": 16, "sb": 16})
        self.assertEqual(len(self.rows("concurrency-table")), 4 + 3 * 4)
        model = self.names["verdicts_6"].models[1]
        for test, counts in table.items():
            self.assertTrue(all(0 <= count <= 100_000 for count in counts))
            if self.names["verdicts_6"][test, model].forbidden:
                self.assertEqual(counts, [0] * 16, test)
        # The columns of the paper are told by the words of the environments: each has runs.
        columns = {self.names["column"](run.environment) for run in python_test.weakspot.runs(
            "SB", "testing:one", environments=["incantations"], seconds=0.01)}
        self.assertEqual(columns, set(range(16)))

    def test_foundations(self):
        for test, shares in self.names["figure_4"].items():
            self.assertAlmostEqual(sum(shares.values()), 100)
            if self.names["verdicts_4"][test, self.names["model"]].forbidden:
                self.assertEqual(shares["relaxed"], 0, test)
        bars = ElementTree.fromstring(self.names["picture_4"].text).findall(f"{SVG}rect")
        self.assertEqual(len(bars), 1 + 6 * 3 + 3)
        self.assert_fits(ElementTree.fromstring(self.names["picture_4"].text))

    def assert_fits(self, drawn):
        """Texts that start at their place, at 7 points a character, end inside the picture."""
        _, _, width, height = map(float, drawn.get("viewBox").split())
        for text in drawn.findall(f"{SVG}text"):
            if text.get("text-anchor") is None:
                self.assertLess(float(text.get("x")) + 7 * len(text.text), width, text.text)
            self.assertLess(float(text.get("y")), height, text.text)

    def test_mc_mutants(self):
        drawn = ElementTree.fromstring(self.names["picture_6"].text)
        panels = len(self.names["panels"])
        self.assertEqual(len(drawn.findall(f"{SVG}polyline")), 4 * panels)
        self.assert_fits(drawn)
        alone = self.names["mutation_scores"].figure(self.names["panels"][-1:])
        self.assert_fits(ElementTree.fromstring(alone))
        rows = self.names["table_5_3"]
        self.assertEqual({len(row) for row in rows}, {4 + panels})
        most = 100 * self.names["possible"] / 32
        for row in rows:
            self.assertLess(float(row[-1]), most + 0.1)  # rounded
        if not DATA.is_dir():
            self.assertIn("the figure from published data is left out", self.output)
            self.skipTest("the published data is not here")
        self.assertEqual([row[4] for row in rows], ["82.0", "43.0", "35.9", "43.8", "0.0"])

    def test_gpuharbor(self):
        rates = self.names["table_2"]
        self.assertEqual(set(rates), set(self.names["SIX"]))
        for test, rate in rates.items():
            if self.names["verdicts_4"][test, self.names["model"]].forbidden:
                self.assertEqual(rate, 0, test)
        self.assertEqual(len(self.rows("gpuharbor-table")), 1 + 8)
        self.assertIn("the comparison with published data is left out", self.output)

    def test_gpuharbor_from_a_database(self):
        """A database in the form of the published one, with the rates that the paper prints."""
        tests = ["Message Passing", "Load Buffer", "Store Buffer", "Store", "Read", "2+2 Write"]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "vulkan.db"
            with contextlib.closing(sqlite3.connect(file)) as database:
                database.execute("CREATE TABLE tuning_results (gpu_vendor TEXT, results TEXT)")
                for chip, rates in self.names["TABLE_2"].items():
                    weak = [round(100 * rate) for rate in rates]
                    results = {"0": {f"{test} Default": {"seq": 10000 - count, "interleaved": 0, "weak": count}
                                     for test, count in zip(tests, weak)},
                               "platformInfo": {"gpu": {"vendor": "some", "description": chip}}}
                    results["0"]["params"] = {"testIterations": 10000, "testingWorkgroups": 1, "minWorkgroupSize": 1}
                    database.execute("INSERT INTO tuning_results VALUES ('some', ?)", [json.dumps(results)])
                database.commit()
            names, output = {**self.names, "GPUHARBOR": str(file)}, io.StringIO()
            with contextlib.redirect_stdout(output):
                execute(source_of("gpuharbor-published"), "gpuharbor-published", names)
        self.assertRegex(output.getvalue(), r"^48 of 48 cells computed from \S+ are as printed in the paper\.$")

    def test_store_buffering_was_seen(self):
        """CPUs with several cores delay stores past loads; three sections look for it."""
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("one core runs the threads of a test in turn")
        if self.names["verdicts_4"]["SB", self.names["model"]].forbidden:
            self.skipTest("this processor's model forbids store buffering")
        self.assertTrue(any(self.names["table_6"]["sb"]) or self.names["figure_4"]["SB"]["relaxed"]
                        or self.names["table_2"]["SB"])

    def test_simulee(self):
        if not RACE:
            self.skipTest("weakspot-race was not built")
        self.assertEqual(list(self.names["bugs"]), ["data race", "barrier divergence", "redundant barrier"])
        for name, (found, runs, without) in self.names["bugs"].items():
            with self.subTest(bug=name):
                self.assertEqual(len(found), 1)
                self.assertLessEqual(runs, SMALL["RUNS"])
                self.assertEqual(without, [])
        self.assertEqual([row[1] for row in self.rows("simulee-table")], ["E1", "D3", "R1"])


if __name__ == "__main__":
    unittest.main()
