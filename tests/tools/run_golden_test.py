# SPDX-License-Identifier: MIT
"""Tests of tools/run_golden, with a shell script in place of weakspot."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import ROOT, FolderTest  # noqa: E402

FAKE = r"""#!/bin/sh
case "$1" in
  cat) cat "$2" ;;
  size) wc -c < "$2" | tr -d ' ' ;;
  stdin) cat ;;
  fail) echo "no such test" >&2; exit 2 ;;
  bare) printf 'no end' ;;
  bytes) printf 'a\377\\b\n' ;;
  header) echo '--- run me' ;;
  where) pwd; echo "$2" ;;
  crash) kill -SEGV $$ ;;
  hang) sleep 60 ;;
  say) shift; echo "$@" ;;
esac
"""


class RunGolden(FolderTest):
    def setUp(self):
        super().setUp()
        self.program = self.write_program("weakspot", FAKE)
        self.tests = self.folder / "golden"
        self.tests.mkdir()

    def golden(self, text, *options, name="a.golden"):
        """Writes a golden file and runs all of them: (exit status, output)."""
        data = text if isinstance(text, bytes) else text.encode()
        path = self.tests / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        done = subprocess.run(
            [sys.executable, ROOT / "tools" / "run_golden", "--weakspot", self.program, "--tests", self.tests, *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=60)
        return done.returncode, done.stdout.decode()

    def assert_passes(self, text):
        self.assertEqual(self.golden(text), (0, "golden: 1 passed, 0 failed\n"))

    def assert_fails(self, text, message, *options):
        status, output = self.golden(text, *options)
        self.assertEqual(status, 1, output)
        self.assertIn(message, output)
        self.assertTrue(output.endswith("golden: 0 passed, 1 failed\n"), output)

    def test_masks(self):
        golden = "--- mask [0-9.]+ k/s => N k/s\n--- run weakspot say 4.3 k/s of 7\n--- stdout\nN k/s of 7\n--- exit 0\n"
        self.assert_passes(golden)
        self.assert_fails(golden.replace("of 7\n--- exit", "of 8\n--- exit"), "-N k/s of 8")
        self.assertEqual(self.golden(golden.replace("N k/s of 7", "old"), "--bless")[0], 0)
        self.assertEqual((self.tests / "a.golden").read_text(), golden)
        self.assert_fails(golden.replace(" => ", " to "), "line 1: '--- mask' needs 'PATTERN => TEXT'")

    def test_file_and_stdout(self):
        self.assert_passes("What it shows.\n--- file a.txt\none\n\ntwo\n--- run weakspot cat a.txt\n--- stdout\none\n\ntwo\n")

    def test_several_runs_and_remarks_between(self):
        self.assert_passes("--- run weakspot say 1\n--- stdout\n1\n--- exit 0\n\nAnd again:\n"
                           "--- run weakspot fail\n--- stderr\nno such test\n--- exit 2\n")

    def test_folders_in_file_names(self):
        self.assert_passes("--- file d/e/a\nx\n--- run weakspot cat d/e/a\n--- stdout\nx\n")

    def test_repeat_and_append(self):
        self.assert_passes('--- file a repeat 1000000 "xy"\n--- append a\nend\n--- append a repeat 3 "\\n"\n'
                           "--- run weakspot size a\n--- stdout\n2000007\n")

    def test_escaped_input(self):
        self.assert_passes("--- file a escaped\n\\xff\\0\"é\"\\\\\n\\ no newline at end\n--- run weakspot size a\n"
                           "--- stdout\n7\n")

    def test_line_that_looks_like_a_header(self):
        self.assert_passes("--- run weakspot header\n--- stdout\n\\--- run me\n")

    def test_standard_input(self):
        self.assert_passes("--- file a\nx\n--- run weakspot stdin < a\n--- stdout\nx\n")
        self.assert_passes("--- run weakspot stdin\n")

    def test_names_for_folders(self):
        self.assert_passes("--- run weakspot where $CORPUS/a\n--- stdout\n$DIR\n$CORPUS/a\n")

    def test_bytes_and_missing_newline(self):
        self.assert_passes("--- run weakspot bare\n--- stdout\nno end\n\\ no newline at end\n")
        self.assert_passes("--- run weakspot bytes\n--- stdout escaped\na\\xff\\\\b\n")
        self.assert_fails("--- run weakspot bare\n--- stdout\nno end\n", "+\\ no newline at end")

    def test_differences_are_shown(self):
        self.assert_fails("--- run weakspot say b\n--- stdout\na\n", "-a\n  +b")
        self.assert_fails("--- run weakspot say b\n", "+b")
        self.assert_fails("--- run weakspot fail\n--- stderr\nno such test\n", "expected exit 0, actual exit 2")

    def test_programs_beside(self):
        golden = "--- needs weakspot-race\n--- run weakspot-race say a\n--- stdout\na\n--- exit 0\n"
        self.assertEqual(self.golden(golden), (0, "golden: 0 passed, 0 failed, 1 skipped\n"))
        self.write_program("weakspot-race", FAKE)
        self.assert_passes(golden)

    def test_crash_fails_whatever_is_expected(self):
        self.assert_fails("--- run weakspot crash\n--- exit 139\n", "died of SIGSEGV")

    def test_hang_fails(self):
        self.assert_fails("--- run weakspot hang\n", "ran longer than 0.5 s", "--timeout", "0.5")

    def test_malformed_files(self):
        for text, message in [
                ("nothing\n", "no '--- run'"),
                ("--- stdout\nx\n", "before the first run"),
                ("--- run rm x\n", "the command must be weakspot"),
                ("--- file ../a\n--- run weakspot say\n", "leaves the test's folder"),
                ("--- append a\n--- run weakspot say\n", "'a' is appended to before it exists"),
                ("--- file a\n--- file a\n--- run weakspot say\n", "'a' is written already"),
                ("--- file a often\n--- run weakspot say\n", "expected nothing, 'escaped'"),
                ("--- file a escaped\n\\xzz\n--- run weakspot say\n", "bad escape"),
                ("--- run weakspot say\n--- exit soon\n", "needs a number"),
                ("--- run weakspot stdin < missing\n", "No such file"),
                ("--- run weakspot 'say\n", "quotation"),
        ]:
            with self.subTest(text):
                self.assert_fails(text, message)

    def test_bless_writes_what_then_passes(self):
        before = ("About.\n--- file a\nkeep\n--- run weakspot cat a\n--- stdout\nwrong\n--- exit 3\n\nA remark.\n"
                  "--- run weakspot bytes\n--- run weakspot header\n--- run weakspot bare\n--- run weakspot fail\n")
        self.assertEqual(self.golden(before, "--bless"), (0, "blessed a.golden\ngolden: 1 passed, 0 failed\n"))
        after = (self.tests / "a.golden").read_text()
        self.assertEqual(after, "About.\n--- file a\nkeep\n--- run weakspot cat a\n--- stdout\nkeep\n--- exit 0\n\n"
                                "A remark.\n--- run weakspot bytes\n--- stdout escaped\na\\xff\\\\b\n--- exit 0\n\n"
                                "--- run weakspot header\n--- stdout\n\\--- run me\n--- exit 0\n\n"
                                "--- run weakspot bare\n--- stdout\nno end\n\\ no newline at end\n--- exit 0\n\n"
                                "--- run weakspot fail\n--- stderr\nno such test\n--- exit 2\n")
        self.assert_passes(after)

    def test_bless_refuses_a_crash(self):
        text = "--- run weakspot crash\n"
        self.assert_fails(text, "died of SIGSEGV", "--bless")
        self.assertEqual((self.tests / "a.golden").read_text(), text)

    def test_filters(self):
        self.golden("--- run weakspot say b\n", name="wrong/a.golden")
        self.assertEqual(self.golden("--- run weakspot say\n--- stdout\n\n", "right/", name="right/a.golden"),
                         (0, "golden: 1 passed, 0 failed\n"))
        self.assertEqual(self.golden("--- run weakspot say\n", "absent", name="right/a.golden")[0], 2)

    def test_environment_is_not_passed_on(self):
        self.program.write_text('#!/bin/sh\necho "$NO_COLOR,$WEAKSPOT_DATA"\n')
        os.environ["WEAKSPOT_DATA"] = "elsewhere"
        self.addCleanup(os.environ.pop, "WEAKSPOT_DATA")
        self.assert_passes("--- run weakspot say\n--- stdout\n1,\n")


if __name__ == "__main__":
    unittest.main()
