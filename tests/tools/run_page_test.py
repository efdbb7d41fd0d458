# SPDX-License-Identifier: MIT
"""Tests of tools/run_page."""
import sys
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def load():
    loader = SourceFileLoader("run_page", str(ROOT / "tools" / "run_page"))
    module = module_from_spec(spec_from_loader("run_page", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


class RunPage(unittest.TestCase):
    def setUp(self):
        self.page = load()
        self.unit = Path("page-tests/unit/run.test.mjs")
        self.browser = Path("page-tests/browser/run.test.mjs")

    def test_browsers_run_on_a_plain_processor(self):
        files, skipped, wrapper = self.page.choose([self.browser, self.unit], "")
        self.assertEqual((files, skipped), ([self.browser, self.unit], []))
        self.assertEqual([word.name for word in wrapper], ["plain_cpu"])

    def test_what_keeps_browsers_away_keeps_nothing_else_away(self):
        files, skipped, wrapper = self.page.choose([self.browser, self.unit], "mount namespaces are not permitted")
        self.assertEqual((files, skipped, wrapper), ([self.unit], [self.browser], []))


if __name__ == "__main__":
    unittest.main()
