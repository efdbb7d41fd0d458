# SPDX-License-Identifier: MIT
"""Tests of `weakspot run` on drivers that compute on the host's processor: lavapipe (Vulkan) and PoCL (OpenCL).

The 20 conformance tests and their 32 mutants run on both. What is asserted holds on every machine: they run, their
outcomes add up, nothing forbidden is seen. How many mutants are seen depends on the processor and is printed.
"""
import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

PLAIN_CPU = ROOT / "tools" / "plain_cpu"
PATIENCE = 900  # seconds, for a machine under load
INSTANCES = 20000

# Violations in FOUND.md: the number of the entry, the tests and the driver. They are rare, so a run may or may not show
# them. A newer version is another driver.
KNOWN = [
    (1, {"MP-relacq"}, re.compile(r"llvmpipe Mesa 22\.3\.6 ")),
]


def environment():
    cache = ROOT / "build" / "test-cache" / "pocl"
    cache.mkdir(parents=True, exist_ok=True)
    return {**os.environ, "POCL_CACHE_DIR": str(cache)}


def run(*words):
    return subprocess.run([str(PLAIN_CPU), str(PROGRAM), *map(str, words)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE, env=environment())


def devices():
    return json.loads(run("devices", "--json").stdout)


def known_entry(record):
    """The number of the entry in FOUND.md about this violation, or None."""
    for number, tests, driver in KNOWN:
        if record["test"] in tests and driver.search(record["driver"]):
            return number
    return None


def masked():
    return subprocess.run([str(PLAIN_CPU), "--check"], stdout=subprocess.DEVNULL).returncode == 0


@needs_program
@unittest.skipUnless(masked(), "the processor's description cannot be masked")
class Platforms(FolderTest):
    def host_device(self, family, driver):
        for device in devices():
            if device["id"].startswith(family) and device["is_host"] and driver in device["driver"]:
                return device["id"]
        self.skipTest(f"there is no {driver} on this machine")

    def test_a_process_compiles_for_others(self):
        """What `weakspot worker --compile` answers; a text with a mistake gives no binary, and is compiled by who asked."""
        device = self.host_device("opencl", "Portable Computing Language")
        texts = ["kernel void f(global int* a) { a[0] = 1; }", "kernel void f( {"]
        done = subprocess.run([str(PLAIN_CPU), str(PROGRAM), "worker", "--compile", device],
                              input="".join(json.dumps({"text": text}) + "\n" for text in texts), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=PATIENCE, env=environment())
        self.assertEqual(0, done.returncode)
        answers = [json.loads(line)["binary"] for line in done.stdout.splitlines()]
        self.assertEqual(2, len(answers))
        self.assertGreater(len(bytes.fromhex(answers[0])), 100)
        self.assertEqual("", answers[1])

    def suite(self):
        """The names of the conformance tests and of the mutants, and the index of all of them."""
        made = run("suite", "mc-mutants", "--out", self.folder / "suite")
        self.assertEqual(0, made.returncode, made.stderr)
        index = self.folder / "suite" / "@all"
        names = [Path(line).stem for line in index.read_text(encoding="utf-8").splitlines() if line.endswith(".litmus")]
        conformance = set(
            Path(line).stem for line in (ROOT / "corpus" / "conformance" / "@all").read_text().splitlines() if line)
        return [name for name in names if name in conformance], [n for n in names if n not in conformance], index

    def check_suite(self, device):
        conformance, mutants, index = self.suite()
        self.assertEqual((20, 32), (len(conformance), len(mutants)))
        records_file = self.folder / "runs.jsonl"
        done = run("run", index, "--device", device, "--instances", INSTANCES, "--brief", "--out", records_file)
        records = [json.loads(line) for line in records_file.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(sorted(conformance + mutants), sorted(record["test"] for record in records), done.stderr)
        seen, violations = [], []
        for record in records:
            with self.subTest(test=record["test"], device=device):
                self.assertEqual("finished", record["status"], record["message"])
                self.assertGreaterEqual(record["instances"], INSTANCES)
                counted = sum(outcome["count"] for outcome in record["outcomes"])
                self.assertEqual(record["instances"], counted + record["unfinished"])
                self.assertNotIn("unknown", [outcome["class"] for outcome in record["outcomes"]])
                if record["test"] in mutants and any(outcome["matches"] for outcome in record["outcomes"]):
                    seen.append(record["test"])
                forbidden = [o for o in record["outcomes"] if o["class"] == "forbidden"]
                if not forbidden:
                    continue
                violations.append(record["test"])
                self.assertTrue(record["witnesses"])
                number = known_entry(record)
                self.assertIsNotNone(number, f"{record['driver']}: {forbidden} {record['witnesses']}")
                print(f"   known violation, entry {number} of FOUND.md: {record['test']} on {record['driver']}: "
                      f"{forbidden[0]['count']} of {record['instances']}", flush=True)
        self.assertEqual(1 if violations else 0, done.returncode, done.stderr)
        print(f"   {device}: {len(seen)} of {len(mutants)} mutants seen: {' '.join(seen)}", flush=True)

    def test_conformance_and_mutants_on_lavapipe(self):
        self.check_suite(self.host_device("vulkan", "llvmpipe"))

    def test_conformance_and_mutants_on_pocl(self):
        self.check_suite(self.host_device("opencl", "Portable Computing Language"))

    def test_code_on_pocl_is_unknown(self):
        device = self.host_device("opencl", "Portable Computing Language")
        checked = json.loads(run("optcheck", "MP", "--device", device, "--json").stdout)[0]
        self.assertEqual("unknown", checked["verdict"])
        self.assertEqual("optcheck does not read the code that OpenCL drivers make for a CPU", checked["reason"])

    def test_code_on_lavapipe_is_unknown(self):
        device = self.host_device("vulkan", "llvmpipe")
        checked = json.loads(run("optcheck", "MP", "--device", device, "--json").stdout)[0]
        self.assertEqual("unknown", checked["verdict"])
        self.assertRegex(checked["reason"], "the driver (does not have|shows)")

    def test_known_violations_are_in_found(self):
        text = (ROOT / "FOUND.md").read_text(encoding="utf-8")
        for number, tests, _ in KNOWN:
            entry = re.search(rf"^## {number}\. .*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
            self.assertTrue(entry)
            for test in tests:
                self.assertIn(test, entry.group(0))

    def test_all_devices_run(self):
        there = [device["id"] for device in devices()]
        if not there:
            self.skipTest("there is no device on this machine")
        done = run("run", "SB", "--device", "all", "--instances", 1000, "--json")
        records = json.loads(done.stdout)
        self.assertEqual(there, [record["device"] for record in records])
        broken = [record for record in records if record["status"] in ("refused", "failed", "lost")]
        for record in broken:
            self.assertTrue(record["message"], record["device"])
        self.assertEqual(3 if broken else 0, done.returncode, done.stderr)
        for record in records:
            self.assertEqual(record["instances"], sum(outcome["count"] for outcome in record["outcomes"]))


if __name__ == "__main__":
    unittest.main()
