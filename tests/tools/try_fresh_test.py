# SPDX-License-Identifier: MIT
"""Tests of tools/try_fresh with stand-ins for the programs that make a root and enter it."""
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import ROOT, FolderTest  # noqa: E402

# mmdebstrap makes the folders that the script writes into; unshare runs the command that was to run inside.
FAKES = {
    "mmdebstrap": 'for word; do case "$word" in -*) ;; *) folder=$last; last=$word ;; esac; done\n'
                  'mkdir -p "$folder/etc/apt/apt.conf.d" "$folder/etc/sudoers.d" "$folder/home"\n'
                  'echo "mmdebstrap $*" | sed "s, /.*,," >> "$MACHINE/log"\n',
    "unshare": 'for word; do :; done\n'
               'echo "inside $word" >> "$MACHINE/log"\n'
               'case "$word" in "cd /home/weakspot"*) sh -c "${word#cd /home/weakspot && }" ;; esac\n',
    "git": "exit 0\n",
    "id": "echo ${FAKE_UID:-0}\n",
    "useradd": "exit 0\n",
}
TOOLS = ("bash", "sh", "env", "grep", "sed", "cat", "dirname", "readlink", "mktemp", "mkdir", "rm", "cp", "tr", "tee", "date",
         "chmod", "uname", "cut", "tail", "head", "sort", "awk")


class TryFresh(FolderTest):
    def try_fresh(self, *words, without=(), **environment):
        for name in TOOLS:
            os.symlink(shutil.which(name), self.folder / name)
        for name, text in FAKES.items():
            if name not in without:
                self.write_program(name, "#!/bin/sh\n" + text)
        done = subprocess.run([self.folder / "bash", ROOT / "tools" / "try_fresh", *words], stdin=subprocess.DEVNULL,
                              env={"PATH": str(self.folder), "MACHINE": str(self.folder), "HOME": str(self.folder),
                                   "TMPDIR": str(self.folder), **environment},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        return done.returncode, done.stdout.decode()

    def log(self):
        path = self.folder / "log"
        return path.read_text() if path.exists() else ""

    def test_a_failed_command_does_not_keep_the_next_from_running(self):
        status, text = self.try_fresh("--root", str(self.folder / "root"), "--summary", str(self.folder / "table.md"),
                                      "false", "echo a line; echo 12 passed | cat", "cat")
        self.assertEqual(status, 1, text)
        self.assertTrue(text.endswith("2 passed, 1 failed\n"), text)
        rows = (self.folder / "table.md").read_text().splitlines()[2:]
        self.assertEqual([row.split(" | ")[-3] for row in rows], ["FAILED", "passed", "passed"])
        self.assertIn("| 12 passed |", rows[1])
        self.assertIn(r"12 passed \| cat", rows[1])

    def test_the_root_is_removed_unless_it_is_to_be_kept(self):
        self.try_fresh("--root", str(self.folder / "root"), "true")
        self.assertFalse((self.folder / "root").exists())

    def test_a_kept_root_stays(self):
        self.try_fresh("--keep", "--root", str(self.folder / "root"), "true")
        self.assertTrue((self.folder / "root").exists())

    def test_clutter_comes_before_the_commands_and_a_user_runs_them(self):
        status, text = self.try_fresh("--user", "--clutter", "--root", str(self.folder / "root"), "true")
        self.assertEqual(status, 0, text)
        log = self.log()
        self.assertLess(log.index("clang-15"), log.index("home/weakspot && { true"))
        self.assertIn("inside visitor", log)

    def test_sources_may_be_given(self):
        (self.folder / "noble.sources").write_text("Types: deb\nURIs: http://mirror/ubuntu\nSuites: noble\n")
        self.write_program("mmdebstrap", '#!/bin/sh\nfor word; do folder=$last; last=$word; done\n'
                           'mkdir -p "$folder/etc/apt" "$folder/home"; cat "$last" >"$MACHINE/given"\n')
        status, text = self.try_fresh("--suite", "noble", "--sources", str(self.folder / "noble.sources"), "true",
                                      without=("mmdebstrap",))
        self.assertEqual(status, 0, text)
        self.assertIn("http://mirror/ubuntu", (self.folder / "given").read_text())

    def test_refusals(self):
        for words, environment, without, said in [
            (["--suite"], {}, (), "try_fresh: --suite needs a value\n"),
            (["--bogus"], {}, (), "try_fresh: unknown option '--bogus'\n"),
            ([], {"FAKE_UID": "1000"}, (), "try_fresh: must be root, to make a root\n"),
            ([], {}, ("mmdebstrap",), "try_fresh: mmdebstrap and debootstrap are missing\n"),
        ]:
            with self.subTest(said):
                for name in list(os.listdir(self.folder)):
                    os.unlink(self.folder / name)
                self.assertEqual(self.try_fresh(*words, without=without, **environment), (2, said))


if __name__ == "__main__":
    unittest.main()
