# SPDX-License-Identifier: MIT
"""Tests of WebGPU as a device: a Chromium without a window runs the programs on its software adapter."""
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

PLAIN_CPU = ROOT / "tools" / "plain_cpu"
PATIENCE = 300  # seconds, for a machine under load
BROWSER = next((found for found in map(shutil.which, ["chromium", "chromium-browser", "google-chrome"]) if found), None)
SCRIPT = ROOT / "build" / "page" / "device.js"


def run(*words, **environment):
    return subprocess.run([str(PLAIN_CPU), str(PROGRAM), *map(str, words)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE,
                          env={**os.environ, **environment})


def software():
    """The id of the software adapter: the last of the family."""
    devices = json.loads(run("devices", "--json").stdout)
    return [device["id"] for device in devices if device["id"].startswith("webgpu:")][-1]


def started_by(mark):
    """The processes whose command line or environment has this text, without zombies."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if mark.encode() in (entry / "environ").read_bytes():
                found.append((int(entry.name), (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()))
        except OSError:
            continue
    return found


def can_start():
    if BROWSER is None:
        return "there is no Chromium or Chrome"
    if not SCRIPT.exists():
        return "the page is not built; './run --page' builds it"
    if subprocess.run([str(PLAIN_CPU), "--check"], stdout=subprocess.DEVNULL).returncode != 0:
        return "the processor's description cannot be masked"
    return ""


@needs_program
@unittest.skipIf(can_start(), can_start())
class Browser(FolderTest):
    @classmethod
    def setUpClass(cls):
        cls.device = software()

    def setUp(self):
        super().setUp()
        # Processes of this test are found by it, and temporary files are in our own folder.
        self.mark = f"WEAKSPOT_TEST_MARK={os.getpid()}-{self.id()}"
        self.environment = {"TMPDIR": str(self.folder), self.mark.split("=")[0]: self.mark.split("=")[1]}

    def tearDown(self):
        end = time.monotonic() + 10
        while (left := started_by(self.mark)) and time.monotonic() < end:
            time.sleep(0.1)
        self.assertEqual([], left)
        super().tearDown()

    def run_here(self, *words):
        return run(*words, **self.environment)

    def test_counts_add_up_and_are_judged(self):
        done = self.run_here("run", "MP", "SB", "--device", self.device, "--seconds", "2", "--json")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        results = json.loads(done.stdout)
        self.assertEqual(["MP", "SB"], [result["test"] for result in results])
        for result in results:
            self.assertEqual("finished", result["status"])
            self.assertEqual("webgpu", result["model"])
            self.assertGreater(result["instances"], 1000)
            counted = sum(outcome["count"] for outcome in result["outcomes"]) + result["unfinished"]
            self.assertEqual(result["instances"], counted)
            self.assertEqual([], [one for one in result["outcomes"] if one["class"] == "forbidden"])
        # The profile of the browser is gone.
        self.assertEqual([], list(self.folder.iterdir()))

    def test_several_environments_and_tests_share_a_browser(self):
        done = self.run_here("run", "coherence/CoRR", "coherence/CoWR", "2+2W", "--device", self.device, "--env", "basic", "--env", "stress",
                             "--instances", "2000", "--brief")
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)

    def test_tune_and_conform(self):
        tuned = self.run_here("tune", "MP", "--device", self.device, "--budget", "300ms", "--strategy", "random",
                              "--evaluation", "100ms", "--json")
        self.assertEqual(0, tuned.returncode, tuned.stderr)
        report = self.run_here("conform", "--device", self.device, "--budget", "20s", "--json")
        self.assertIn(report.returncode, (0, 1), report.stderr)
        json.loads(report.stdout)

    def browser_of(self, process):
        end = time.monotonic() + 60
        while time.monotonic() < end and process.poll() is None:
            for number, line in started_by(self.mark):
                if "--headless" in line and "--type=" not in line and "chrom" in line.split()[0]:
                    return number
            time.sleep(0.05)
        self.fail("no browser was started")

    def start(self, *words):
        process = subprocess.Popen([str(PLAIN_CPU), str(PROGRAM), *words], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={**os.environ, **self.environment})
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_a_killed_browser_is_a_clean_error(self):
        process = self.start("run", "MP", "--device", self.device, "--seconds", "100", "--json")
        browser = self.browser_of(process)
        time.sleep(2)
        os.kill(browser, signal.SIGKILL)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(3, process.returncode, errors)
        [result] = json.loads(output)
        # On a busy machine two seconds may not be enough to open the device: then there is none that could be lost.
        self.assertIn(result["status"], ("lost", "failed"))
        self.assertIn("the browser died of SIGKILL", result["message"])

    def test_a_killed_program_leaves_no_browser(self):
        process = self.start("run", "MP", "--device", self.device, "--seconds", "100")
        self.browser_of(process)
        process.kill()
        process.wait()

    def test_an_interrupted_run_ends_its_browser(self):
        process = self.start("run", "MP", "--device", self.device, "--seconds", "100", "--json")
        self.browser_of(process)
        time.sleep(2)
        os.kill(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(130, process.returncode, errors)
        self.assertEqual("stopped", json.loads(output)[0]["status"])


@needs_program
class Missing(FolderTest):
    @unittest.skipUnless(SCRIPT.exists(), "the page is not built; './run --page' builds it")
    def test_a_program_that_is_no_browser_is_an_error(self):
        done = subprocess.run([str(PROGRAM), "run", "MP", "--device", "webgpu:0"],
                              env={**os.environ, "WEAKSPOT_BROWSER": "/bin/false"}, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        self.assertEqual(3, done.returncode, done.stderr)
        self.assertRegex(done.stdout + done.stderr, rb"the browser ended with exit code 1")

    @unittest.skipUnless(SCRIPT.exists(), "the page is not built; './run --page' builds it")
    def test_listing_starts_no_browser(self):
        script = self.write_program("chromium", "#!/bin/sh\necho started >> \"$(dirname \"$0\")/log\"\n")
        environment = {**os.environ, "PATH": f"{script.parent}:{os.environ['PATH']}"}
        listed = subprocess.run([str(PROGRAM), "devices"], env=environment, stdout=subprocess.PIPE)
        self.assertIn(b"webgpu:0", listed.stdout)
        self.assertFalse((self.folder / "log").exists())


# Stands in for a browser: asks for jobs as the page does, and answers as WEAKSPOT_FAKE says.
FAKE_BROWSER = """#!/usr/bin/env python3
import json, os, sys, time, urllib.request
url = sys.argv[-1].rsplit("/", 1)[0] + "/"
mode = os.environ["WEAKSPOT_FAKE"]
adapter = {"name": "fake", "vendor": "", "architecture": "", "browser": "Fake 1", "is_host": True,
           "max_workgroup_size": 256, "max_shared_bytes": 16384, "loop_rounds": 0, "max_buffer_bytes": 1 << 27,
           "memory_bytes": 1 << 26, "resident_workgroups": 2, "multiprocessors": 2}


def ask(answer):
    request = urllib.request.Request(url + "next", json.dumps(answer).encode())
    return json.load(urllib.request.urlopen(request))


def answer_to(job):
    if mode == "silent":
        time.sleep(1000)
    if job["job"] == "open":
        return {"error": "no adapter today"} if mode == "refuses" else {"answer": adapter}
    if job["job"] == "load":
        return {"answer": {"resident_workgroups": [2] * len(job["program"]["entries"])}}
    if mode == "nonsense":
        return {"answer": 7}
    # One iteration has run, and no outcome was counted.
    counts = [None if not one.get("read_back") else [1] for one in job.get("launch", {}).get("buffers", [])]
    return {"answer": {"status": "lost" if mode == "lost" else "finished", "message": "lost on purpose",
                       "rounds": 1, "device_seconds": 0.01, "host_seconds": 0.01, "interrupted_seconds": 0,
                       "buffers": counts}}


answer = {"answer": {}}
while True:
    answer = answer_to(ask(answer))
"""


@needs_program
@unittest.skipUnless(SCRIPT.exists(), "the page is not built; './run --page' builds it")
class FakeBrowser(FolderTest):
    def run_mode(self, mode):
        browser = self.write_program("browser", FAKE_BROWSER)
        environment = {**os.environ, "WEAKSPOT_BROWSER": str(browser), "WEAKSPOT_FAKE": mode}
        done = subprocess.run([str(PROGRAM), "run", "MP", "--device", "webgpu", "--seconds", "1", "--deadline", "3"],
                              env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=PATIENCE)
        self.assertEqual(3, done.returncode, done.stdout)
        return done.stdout.decode()

    def test_what_a_browser_says_is_not_believed(self):
        self.assertIn("no adapter today", self.run_mode("refuses"))
        self.assertIn("the browser sent an invalid answer", self.run_mode("nonsense"))
        self.assertIn("lost on purpose", self.run_mode("lost"))
        self.assertIn("failed", self.run_mode("wrong counts"))


if __name__ == "__main__":
    unittest.main()
