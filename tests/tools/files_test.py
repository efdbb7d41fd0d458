# SPDX-License-Identifier: MIT
"""Tests of what `weakspot` does to files and on signals: two writers, old records, broken ones, and models that think."""
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

PATIENCE = 60  # seconds, for a machine under load

THREADS = 10
RUNAWAY = "weakspot increments\n{} ;\n{} ;\nexists (x=77)\n".format(
    " | ".join(f"P{i}" for i in range(THREADS)), " | ".join(f"atom.add r0, x, {i + 1}" for i in range(THREADS)))
ENDINGS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}


class ProgramTest(FolderTest):
    def run_program(self, *words):
        return subprocess.run([str(PROGRAM), *map(str, words)], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE)

    def start(self, *words):
        process = subprocess.Popen([str(PROGRAM), *map(str, words)], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, condition):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.02)
        self.fail("waited in vain")

    def wait_for_thinking(self, process):
        """Until the program has used some of the processor: then it has set up its signals."""
        def used():
            fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
            return int(fields[11]) / os.sysconf("SC_CLK_TCK") > 0.3
        self.wait_for(used)


@needs_program
class Signals(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "t.litmus").write_text(RUNAWAY, encoding="utf-8")

    def test_a_model_that_thinks_is_interrupted(self):
        for number, code in ENDINGS.items():
            with self.subTest(signal=number.name):
                process = self.start("check", "t.litmus", "SB", "--model", "ptx", "--seconds", "1000")
                self.wait_for_thinking(process)
                process.send_signal(number)
                output, errors = process.communicate(timeout=PATIENCE)
                self.assertEqual(code, process.returncode, errors)
                self.assertEqual("unknown   increments  ptx  (interrupted)\n", output)

    def test_a_run_is_interrupted_while_its_model_thinks(self):
        process = self.start("run", "t.litmus", "--device", "testing:one", "--instances", "1000", "--judging", "1000")
        self.wait_for_thinking(process)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE)
        self.assertEqual(143, process.returncode, errors)

    def interrupt(self, *words):
        """What a program says that gets Ctrl-C while its model thinks."""
        process = self.start(*words)
        self.wait_for_thinking(process)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
        self.assertEqual(130, process.returncode, errors)
        return output, errors

    def test_what_a_device_can_show_is_not_asked_to_the_end(self):
        # Ten models that think for five seconds each.
        for i in range(10):
            (self.folder / f"t{i}.litmus").write_text(RUNAWAY, encoding="utf-8")
        tests = [f"t{i}.litmus" for i in range(10)]
        for command in "tune", "score":
            with self.subTest(command=command):
                begin = time.monotonic()
                output, errors = self.interrupt(command, *tests, "--device", "testing:one", "--out", "out.json")
                self.assertLess(time.monotonic() - begin, 20)
                self.assertEqual(("", "error: interrupted\n"), (output, errors))
                self.assertFalse((self.folder / "out.json").exists())

    def test_mutants_made_so_far_are_written(self):
        folder = self.folder / "mutants"
        output, errors = self.interrupt("mutate", "MP+rel+acq", "t.litmus", "--allowed-by", "ptx", "--out", "mutants")
        names = (folder / "@all").read_text(encoding="utf-8").split()
        self.assertGreater(len(names), 2)
        self.assertEqual(sorted(names), sorted(file.name for file in folder.iterdir() if file.name != "@all"))
        self.assertEqual(f"{len(names)} tests in mutants\n", output)
        self.assertIn(f"note: interrupted; {len(names)} tests until then\n", errors)

    def test_a_search_for_cycles_is_interrupted(self):
        edges = ["--edges", "Rfe Fre Coe Pod** Pos** Membar.gld**"]
        # Fifteen threads need more than fourteen edges: nothing is found for a long time.
        output, errors = self.interrupt("gen", *edges, "--size", "14", "--threads", "15..16", "--internal", "3",
                                        "--json")
        self.assertEqual(("[]\n", "note: interrupted; 0 tests until then\n"), (output, errors))
        output, errors = self.interrupt("gen", *edges, "--size", "4..14", "--threads", "2..7", "--internal", "3",
                                        "--forbidden-by", "sc", "--out", "made")
        written = len((self.folder / "made" / "@all").read_text(encoding="utf-8").split())
        self.assertIn(f"note: interrupted; {written} tests until then\n", errors)
        self.assertGreater(written, 0)

    def test_judging_ends_by_itself(self):
        done = self.run_program("run", "t.litmus", "--device", "testing:one", "--seconds", "0.1", "--judging", "0.2",
                                "--brief")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("gave up after", done.stdout)

    def test_a_hangup_finishes_the_record(self):
        process = self.start("run", "MP", "--device", "testing:slow", "--seconds", "1000", "--env", "iterations=1",
                             "--out", "runs.jsonl")
        records = self.folder / "runs.jsonl"
        self.wait_for(lambda: records.exists() and '"running"' in records.read_text(encoding="utf-8"))
        process.send_signal(signal.SIGHUP)
        _, errors = process.communicate(timeout=PATIENCE)
        self.assertEqual(129, process.returncode, errors)
        self.assertEqual("stopped", json.loads(records.read_text(encoding="utf-8").splitlines()[-1])["status"])


@needs_program
class Records(ProgramTest):
    RUN = ["run", "MP", "--device", "testing:one", "--instances", "1000", "--brief", "--out", "runs.jsonl"]

    def setUp(self):
        super().setUp()
        self.records = self.folder / "runs.jsonl"

    def lines(self, name="runs.jsonl"):
        return (self.folder / name).read_text(encoding="utf-8").splitlines()

    def test_a_second_writer_is_refused(self):
        process = self.start("run", "MP", "--device", "testing:slow", "--seconds", "1000", "--env", "iterations=1",
                             "--out", "runs.jsonl")
        self.wait_for(lambda: self.records.exists() and self.records.stat().st_size > 0)
        for more in [], ["--append"]:
            done = self.run_program(*self.RUN, *more)
            self.assertEqual(2, done.returncode)
            self.assertEqual("runs.jsonl: error: another program is writing to the file\n", done.stderr)
        process.kill()
        process.wait(PATIENCE)
        # What was killed left its record, and no lock.
        done = self.run_program(*self.RUN, "--append")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(["running", "finished"], [json.loads(line)["status"] for line in self.lines()])

    def test_a_second_search_is_refused(self):
        with (self.folder / "tuned.json.journal").open("w", encoding="utf-8") as journal:
            fcntl.flock(journal, fcntl.LOCK_EX)
            done = self.run_program("tune", "MP", "--device", "testing:one", "--budget", "100ms", "--out", "tuned.json")
        self.assertEqual(2, done.returncode)
        self.assertEqual("tuned.json.journal: error: another program is writing to the file\n", done.stderr)

    def test_a_torn_journal_is_continued(self):
        search = ["tune", "MP", "--device", "testing:one", "--budget", "100ms", "--out", "tuned.json"]
        self.assertEqual("", self.run_program(*search).stderr)
        journal = self.folder / "tuned.json.journal"
        with journal.open("a", encoding="utf-8") as file:
            file.write('{"test":0,"envi')
        done = self.run_program(*search)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("note: the last line of tuned.json.journal was not complete and has been dropped\n", done.stderr)
        for line in journal.read_text(encoding="utf-8").splitlines():
            json.loads(line)

    def test_old_records_are_kept(self):
        self.assertEqual("", self.run_program(*self.RUN).stderr)
        first = self.lines()
        done = self.run_program(*self.RUN, "--seed", "2")
        self.assertEqual(0, done.returncode)
        self.assertEqual("note: the records that were in runs.jsonl are now in runs.jsonl~\n", done.stderr)
        self.assertEqual(first, self.lines("runs.jsonl~"))
        self.assertEqual([2], [json.loads(line)["seed"] for line in self.lines()])

    def test_records_are_appended_after_a_torn_line(self):
        self.run_program(*self.RUN)
        with self.records.open("a", encoding="utf-8") as file:
            file.write('{"format":1,"prog')
        done = self.run_program(*self.RUN, "--seed", "2", "--append")
        self.assertEqual(0, done.returncode)
        self.assertEqual("note: the last line of runs.jsonl was not complete and has been dropped\n", done.stderr)
        self.assertEqual([1, 2], [json.loads(line)["seed"] for line in self.lines()])

    def test_a_record_that_was_changed_is_refused(self):
        self.run_program(*self.RUN)
        text = self.records.read_text(encoding="utf-8")
        self.assertIn("st x, 1", text)
        self.records.write_text(text + text.replace("st x, 1", "st x, 3"), encoding="utf-8")
        for command in "report", "replay", "compare":
            done = self.run_program(command, "runs.jsonl")
            self.assertEqual(2, done.returncode, command)
            self.assertTrue(done.stderr.startswith(
                "runs.jsonl:2:1: error: the hash is not that of the record's text"), done.stderr)


@needs_program
class Reports(ProgramTest):
    def test_an_old_report_stays_until_the_new_one_is_there(self):
        page = self.folder / "page.html"
        page.write_text("old", encoding="utf-8")
        page.chmod(0o640)
        process = self.start("run", "MP", "--device", "testing:slow", "--seconds", "1000", "--env", "iterations=1",
                             "--out", "runs.jsonl", "--html", "page.html")
        records = self.folder / "runs.jsonl"
        self.wait_for(lambda: records.exists() and records.stat().st_size > 0)
        self.assertEqual("old", page.read_text(encoding="utf-8"))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        self.assertIn("</html>", page.read_text(encoding="utf-8"))
        self.assertEqual(0o640, page.stat().st_mode & 0o777)

    def test_a_killed_program_leaves_the_old_report(self):
        page = self.folder / "page.html"
        page.write_text("old", encoding="utf-8")
        process = self.start("run", "MP", "--device", "testing:slow", "--seconds", "1000", "--env", "iterations=1",
                             "--out", "runs.jsonl", "--html", "page.html")
        records = self.folder / "runs.jsonl"
        self.wait_for(lambda: records.exists() and records.stat().st_size > 0)
        process.kill()
        process.wait(PATIENCE)
        self.assertEqual("old", page.read_text(encoding="utf-8"))

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_protected_folder_is_an_error_at_once(self):
        folder = self.folder / "fixed"
        folder.mkdir()
        folder.chmod(0o555)
        self.addCleanup(folder.chmod, 0o755)
        done = self.run_program("run", "MP", "--device", "testing:one", "--html", "fixed/page.html")
        self.assertEqual(2, done.returncode)
        self.assertIn("fixed/page.html: error: cannot write", done.stderr)


def can_mount():
    """Whether this user may mount file systems that nobody else sees."""
    return shutil.which("unshare") and subprocess.run(
        ["unshare", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"],
        stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


@needs_program
@unittest.skipUnless(can_mount(), "no file system can be mounted here")
class Mounts(ProgramTest):
    def run_over(self, folder, before, *words, size="100k"):
        """Runs the program where a small file system hides `folder`, after a line of shell; also gives the files there."""
        script = f'mount -t tmpfs -o size={size} none "$0" && {before} && "$@"; code=$?; ls -A "$0" > after; exit $code'
        done = subprocess.run(["unshare", "--map-root-user", "--mount", "sh", "-c", script, str(folder), str(PROGRAM),
                               *map(str, words)],
                              cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=PATIENCE)
        return done, (self.folder / "after").read_text(encoding="utf-8").split()

    def setUp(self):
        super().setUp()
        self.disk = self.folder / "disk"
        self.disk.mkdir()

    # An old report, and then no more space.
    FILL = "echo old > disk/page && (head -c 200000 /dev/zero > disk/rest 2> /dev/null || true)"

    def test_an_old_report_survives_a_full_disk(self):
        run = ["run", "MP", "--device", "testing:one", "--instances", "1000", "--brief"]
        conform = ["conform", "--device", "testing:one", "--budget", "1s"]
        for words in ([*run, "--html", "disk/page"], [*run, "--junit", "disk/page"], [*conform, "--out", "disk/page"],
                      ["score", "MP", "--device", "testing:one", "--out", "disk/page"]):
            with self.subTest(command=" ".join(words)):
                done, files = self.run_over(self.disk, self.FILL, *words)
                self.assertEqual(3, done.returncode, done.stderr)
                self.assertIn("disk/page: error: cannot write: No space left on device", done.stderr)
                self.assertEqual(["page", "rest"], files)

    def test_tests_on_a_full_disk_are_whole_or_missing(self):
        done, _ = self.run_over(self.disk, "mkdir disk/tests", "suite", "mc-mutants", "--out", "disk/tests", size="64k")
        self.assertEqual(3, done.returncode, done.stderr)
        self.assertRegex(done.stderr, r"disk/tests/\S+\.litmus: error: cannot write: No space left on device")
        self.assertRegex(done.stdout, r"^\d+ tests in disk/tests\n$")

    def test_a_program_without_its_files_has_corpus_and_models(self):
        listed = self.hidden("list", "--names")
        self.assertEqual(0, listed.returncode, listed.stderr)
        self.assertGreater(len(listed.stdout.splitlines()), 700)
        for words in (["check", "MP", "--model", "sc", "--json"], ["check", "locks", "--json"],
                      ["check", "corpus/locks/@all", "--json"], ["models", "compare", "ptx", "sc", "--json"]):
            with self.subTest(command=" ".join(words)):
                done = self.hidden(*words)
                self.assertEqual(0, done.returncode, done.stderr)
                with_files = subprocess.run([PROGRAM, *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                                            capture_output=True, text=True, timeout=PATIENCE)
                same = re.sub(r'"[^"]*/corpus/', '"corpus:', with_files.stdout)
                strip = re.compile(r'"seconds": *[-+.e0-9]+')
                self.assertEqual(strip.sub("", same), strip.sub("", done.stdout))
        wrong = self.hidden("check", "CoRR")
        self.assertEqual(2, wrong.returncode)
        self.assertIn("several tests of the corpus have this name: coherence/CoRR, conformance/CoRR", wrong.stderr)

    def hidden(self, *words):
        copy = self.folder / "weakspot"
        shutil.copy(PROGRAM, copy)
        script = 'mount -t tmpfs none "$0" && rmdir "$0" 2> /dev/null; exec "$@"'
        return subprocess.run(["unshare", "--map-root-user", "--mount", "sh", "-c", script, str(ROOT), str(copy),
                               *words], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=PATIENCE)


@needs_program
class Folders(ProgramTest):
    def test_tests_of_one_name_are_all_written(self):
        done = self.run_program("convert", ROOT / "corpus", "--to", "weakspot", "--out", "all")
        self.assertEqual(0, done.returncode, done.stderr)
        names = (self.folder / "all" / "@all").read_text(encoding="utf-8").split()
        self.assertEqual(len(list((ROOT / "corpus").rglob("*.litmus"))), len(set(names)))
        self.assertIn("CoRR.litmus", names)
        self.assertIn("CoRR.2.litmus", names)
        self.assertEqual(sorted([*names, "@all"]), sorted(file.name for file in (self.folder / "all").iterdir()))


if __name__ == "__main__":
    unittest.main()
