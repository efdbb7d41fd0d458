# SPDX-License-Identifier: MIT
"""Tests of `weakspot run` when it is interrupted, on a fake device that is slow, and when a violation is run again."""
import json
import os
import signal
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, FolderTest, needs_program  # noqa: E402

PATIENCE = 60  # seconds, for a machine under load


def wait_for(condition):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    return None


def last_record(path):
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return None
    return json.loads(lines[-1]) if lines else None


@needs_program
class Interrupted(FolderTest):
    def setUp(self):
        super().setUp()
        self.records = self.folder / "runs.jsonl"

    def start(self, *words):
        process = subprocess.Popen(
            [str(PROGRAM), "run", "MP", "SB", "--device", "testing:slow", "--seconds", "1000", "--env", "iterations=1",
             "--brief", "--out", str(self.records), *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def under_way(self):
        record = last_record(self.records)
        return record if record and record["instances"] > 0 else None

    def children(self, process):
        listing = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        return [int(word) for word in listing.read_text().split()] if listing.exists() else []

    def test_killed_it_leaves_a_partial_record(self):
        process = self.start()
        self.assertTrue(wait_for(self.under_way))
        children = self.children(process)
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE)
        record = last_record(self.records)
        self.assertEqual("running", record["status"])
        self.assertEqual("MP", record["test"])
        self.assertEqual(record["instances"], sum(outcome["count"] for outcome in record["outcomes"]))
        report = subprocess.run([str(PROGRAM), "report", str(self.records), "--brief"], stdout=subprocess.PIPE)
        self.assertEqual(0, report.returncode)
        self.assertTrue(report.stdout.decode().startswith("sequential  MP  testing:slow"))
        # The process that used the device has ended as well.
        self.assertTrue(wait_for(lambda: not any(os.path.exists(f"/proc/{child}/exe") for child in children)))

    def test_interrupted_it_ends_with_what_there_is(self):
        for words in [], ["--no-isolation"]:
            with self.subTest(words=words):
                process = self.start(*words)
                self.assertTrue(wait_for(self.under_way))
                process.send_signal(signal.SIGINT)
                output, errors = process.communicate(timeout=PATIENCE)
                self.assertEqual(130, process.returncode, errors)
                self.assertTrue(output.decode().startswith("sequential  MP  testing:slow"), output)
                self.assertIn("(stopped: interrupted)", output.decode())
                self.assertNotIn("SB", output.decode())
                record = last_record(self.records)
                self.assertEqual("stopped", record["status"])
                self.assertEqual("interrupted", record["message"])
                self.records.unlink()

    def test_a_worker_that_is_killed_is_a_result(self):
        process = self.start("--deadline", "1000")
        self.assertTrue(wait_for(self.under_way))
        for child in self.children(process):
            os.kill(child, signal.SIGSEGV)
        self.assertTrue(wait_for(lambda: (last_record(self.records) or {}).get("test") == "SB" and self.under_way()))
        first = json.loads(self.records.read_text(encoding="utf-8").splitlines()[0])
        self.assertEqual("lost", first["status"])
        self.assertIn("SIGSEGV", first["message"])
        self.assertGreater(first["instances"], 0)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(130, process.returncode)


@needs_program
class Again(FolderTest):
    def run_program(self, *words):
        environment = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"}
        return subprocess.run(words, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=PATIENCE)

    def test_junit_has_commands_that_leave_the_model_its_time(self):
        done = self.run_program(str(PROGRAM), "run", "SB", "--model", "sc", "--device", "testing:all", "--instances",
                                "1000", "--judging", "45", "--out", "runs.jsonl", "--junit", "runs.xml")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(last_record(self.folder / "runs.jsonl")["asked"]["judging"], 45)
        failure = ElementTree.parse(self.folder / "runs.xml").find(".//failure")
        commands = failure.text.split("To see it again:\n")[1]
        self.assertIn(" --judging 45 ", commands)
        again = self.run_program("sh", "-c", commands)
        self.assertEqual(again.returncode, 1, again.stderr)
        self.assertIn("FORBIDDEN   SB ", again.stdout)
        self.assertEqual(self.run_program(str(PROGRAM), "replay", "runs.jsonl").returncode, 1)


if __name__ == "__main__":
    unittest.main()
