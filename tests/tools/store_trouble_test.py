# SPDX-License-Identifier: MIT
"""What an agent says and does when its store is in trouble: a clear line, the right exit code, and nothing lost."""
import os
import signal
import sqlite3
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from fleet_test import FleetTest  # noqa: E402
from support import needs_program  # noqa: E402

FULL = "the disk is full: nothing of this was stored"
SHARDS = 4 * 3 * 20


@needs_program
class Trouble(FleetTest):
    def setUp(self):
        super().setUp()
        self.record()

    def small_disk(self):
        """A folder on a disk of its own with room for the store and little more."""
        folder = self.folder / "disk"
        folder.mkdir()
        if os.geteuid() != 0:
            self.skipTest("only root can mount a small disk")
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], stderr=subprocess.PIPE)
        if mounted.returncode != 0:
            self.skipTest(mounted.stderr.decode().strip())
        self.addCleanup(subprocess.run, ["umount", "-l", folder], check=True)
        return folder

    def make(self, store):
        self.plan(store, "recorded", "--seconds", "20ms", "--seeds", 20)

    def fill(self, folder, leave=0):
        """Takes all room of the disk but so many bytes."""
        with open(folder / "filler", "wb", buffering=0) as filler:
            room = os.statvfs(folder)
            left = room.f_bavail * room.f_frsize - leave
            while left > 0:
                left -= filler.write(b"x" * min(left, 1 << 16))

    def run_agent(self, store, *arguments):
        done = subprocess.run(self.command("agent", "--store", store, "--device", "recorded:runs.jsonl", "--until-done",
                                           "--lease", "1s", *arguments), cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        return done.returncode, done.stderr.decode()

    def finish(self, store):
        code, errors = self.run_agent(store)
        self.assertEqual((code, errors), (0, ""))
        self.check_complete(store, SHARDS)
        self.weakspot("store", "verify", store)

    def test_a_full_disk_at_the_start(self):
        folder = self.small_disk()
        self.make(folder / "lab.db")
        self.fill(folder)
        code, errors = self.run_agent(folder / "lab.db")
        self.assertEqual(code, 3, errors)
        self.assertEqual(errors, f"{folder}/lab.db: error: {FULL}\n")
        (folder / "filler").unlink()
        self.finish(folder / "lab.db")

    def test_a_disk_that_fills_up(self):
        """The agent waits until there is room, and then stores what it has."""
        folder = self.small_disk()
        self.make(folder / "lab.db")
        self.fill(folder, leave=200_000)
        agent = self.agent(folder / "lab.db", "--device", "recorded:runs.jsonl", "--until-done")
        self.addCleanup(agent.stdout.close)
        self.assertEqual(agent.stdout.readline().decode(), f"note: {FULL}; trying again\n")
        (folder / "filler").unlink()
        output, _ = agent.communicate(timeout=60)
        self.assertEqual(agent.returncode, 0, output.decode())
        self.finish(folder / "lab.db")

    def test_an_agent_that_ends_on_a_full_disk(self):
        folder = self.small_disk()
        self.make(folder / "lab.db")
        self.fill(folder, leave=200_000)
        agent = self.agent(folder / "lab.db", "--device", "recorded:runs.jsonl", "--until-done", "--lease", "1s")
        self.addCleanup(agent.stdout.close)
        self.assertIn(FULL, agent.stdout.readline().decode())
        agent.send_signal(signal.SIGTERM)
        output, _ = agent.communicate(timeout=60)
        self.assertEqual(agent.returncode, 3, output.decode())
        self.assertRegex(output.decode(), r"(?m)error: \d+ of recorded:runs.jsonl could not be stored; they will be run again$")
        (folder / "filler").unlink()
        self.finish(folder / "lab.db")

    def test_a_store_that_may_only_be_read(self):
        folder = self.small_disk()
        self.make(folder / "lab.db")
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        code, errors = self.run_agent(folder / "lab.db")
        self.assertEqual((code, errors), (3, f"{folder}/lab.db: error: the store may only be read: nothing was stored\n"))
        self.assertEqual(self.status(folder / "lab.db")["classes"][0]["left"], SHARDS)
        subprocess.run(["mount", "-o", "remount,rw", folder], check=True)
        self.finish(folder / "lab.db")

    def set_version(self, version):
        connection = sqlite3.connect(self.folder / "lab.db")
        connection.execute("UPDATE weakspot_store SET version = ?", (version,))
        connection.commit()
        connection.close()

    def test_a_store_of_a_newer_version(self):
        self.make("lab.db")
        self.set_version(99)
        self.assertEqual(self.run_agent("lab.db"),
                         (2, "lab.db: error: the store has version 99, and this program knows versions up to 1: use a "
                             "newer weakspot\n"))
        self.set_version(1)
        self.finish("lab.db")

    def test_a_store_that_another_process_has_locked(self):
        self.make("lab.db")
        other = sqlite3.connect(self.folder / "lab.db", isolation_level=None)
        self.addCleanup(other.close)
        other.execute("BEGIN IMMEDIATE")
        self.assertEqual(self.run_agent("lab.db"),
                         (3, "lab.db: error: another process has locked the store for more than 10 s\n"))
        # A lock that ends is waited for.
        agent = self.agent("lab.db", "--device", "recorded:runs.jsonl", "--until-done")
        time.sleep(1)
        other.execute("ROLLBACK")
        output, _ = agent.communicate(timeout=60)
        self.assertEqual(agent.returncode, 0, output.decode())
        self.assertNotIn("note:", output.decode())
        self.finish("lab.db")


if __name__ == "__main__":
    unittest.main()
