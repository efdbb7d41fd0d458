# SPDX-License-Identifier: MIT
"""Tests of tools/run_page."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import load_tool  # noqa: E402


class RunPage(unittest.TestCase):
    def setUp(self):
        self.page = load_tool("run_page")
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
