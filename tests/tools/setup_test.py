# SPDX-License-Identifier: MIT
"""Tests of tools/setup on a made-up machine: its PATH holds a few basic tools and fakes of apt and dpkg."""
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import ROOT, FolderTest  # noqa: E402

FAKES = {
    # What is installed and what is offered are lists of names, one per line; an update adds to the offer.
    "dpkg-query": 'for last; do :; done; grep -qxF -- "$last" "$MACHINE/installed" && printf installed || exit 1\n',
    "apt-cache": 'grep -qxF -- "$2" "$MACHINE/offered" || exit 0\n'
                 'printf \'%s:\\n  Installed: (none)\\n  Candidate: 1.0\\n\' "$2"\n',
    "apt-get": 'echo "$*" >> "$MACHINE/log"\n'
               'case "$*" in\n'
               '  *update*) cat "$MACHINE/after-update" >> "$MACHINE/offered" ;;\n'
               '  *install*) for word; do case "$word" in -* | DPkg* | install) ;; *)\n'
               '    grep -qxF -- "$word" "$MACHINE/offered" || exit 100\n'
               '    echo "$word" >> "$MACHINE/installed" ;; esac; done ;;\n'
               'esac\n',
    "id": "echo ${FAKE_UID:-0}\n",
}


def packages(feature):
    """The first alternatives of a feature's rows in the table of tools/setup."""
    table = subprocess.run([ROOT / "tools" / "setup", "--list"], check=True, capture_output=True, text=True).stdout
    rows = [[cell.strip() for cell in line.split("|")] for line in table.splitlines()]
    return [package for row in rows if row[0] == feature for package in row[2].split("/")[0].split(",")]


def without(packages, *names):
    return [package for package in packages if package not in names]


ALL_BUILD = packages("build")
ALL_TEST = packages("test")
ALL_SANITIZE = packages("sanitize")
CLANG = ["clang-19", "libclang-rt-19-dev"]


class Setup(FolderTest):
    def machine(self, installed=(), offered=(), after_update=(), fakes=FAKES):
        for name in ("bash", "sh", "env", "grep", "sed", "cat"):
            os.symlink(shutil.which(name), self.folder / name)
        for name, text in fakes.items():
            self.write_program(name, "#!/bin/sh\n" + text)
        for name, words in [("installed", installed), ("offered", offered), ("after-update", after_update), ("log", ())]:
            (self.folder / name).write_text("".join(word + "\n" for word in words))

    def setup_machine(self, *words, **environment):
        done = subprocess.run([self.folder / "bash", ROOT / "tools" / "setup", *words], stdin=subprocess.DEVNULL,
                              env={"PATH": str(self.folder), "MACHINE": str(self.folder), **environment},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        return done.returncode, done.stdout.decode()

    def installed(self):
        return (self.folder / "installed").read_text().split()

    def log(self):
        return (self.folder / "log").read_text()

    def test_nothing_to_do_touches_nothing(self):
        self.machine(installed=ALL_BUILD + ALL_TEST)
        self.assertEqual(self.setup_machine("build", "test"), (0, ""))
        self.assertEqual(self.log(), "")

    def test_installs_only_what_is_missing_without_an_update(self):
        self.machine(installed=without(ALL_BUILD, "libfmt-dev", "libcli11-dev"), offered=ALL_BUILD)
        self.assertEqual(self.setup_machine(), (0, "setup: installing libfmt-dev libcli11-dev\n"))
        self.assertCountEqual(self.installed(), ALL_BUILD)
        self.assertNotIn("update", self.log())
        self.assertIn("--no-install-recommends", self.log())

    def test_empty_package_lists_are_updated_once(self):
        self.machine(after_update=ALL_BUILD + ALL_TEST)
        status, output = self.setup_machine("build", "test")
        self.assertEqual(status, 0, output)
        self.assertEqual(self.installed(), ALL_BUILD + ALL_TEST)
        self.assertEqual(self.log().count("update"), 1)

    def test_second_choice_where_the_first_is_not_offered(self):
        self.machine(installed=without(ALL_SANITIZE, *CLANG), offered=["clang-18", "libclang-rt-18-dev"])
        self.assertEqual(self.setup_machine("sanitize")[0], 0)
        self.assertEqual(self.installed()[-2:], ["clang-18", "libclang-rt-18-dev"])

    def test_half_an_alternative_is_not_enough(self):
        self.machine(installed=without(ALL_SANITIZE, *CLANG) + ["clang"], offered=ALL_SANITIZE)
        self.assertEqual(self.setup_machine("sanitize")[0], 0)
        self.assertEqual(self.installed()[-2:], CLANG)

    def test_a_clang_that_is_too_old_is_not_enough(self):
        # Debian 12's default clang is 14: complete, and unable to compile the sources.
        self.machine(installed=without(ALL_SANITIZE, *CLANG) + ["clang", "clang-14", "libclang-rt-dev", "libclang-rt-14-dev"],
                     offered=ALL_SANITIZE)
        self.assertEqual(self.setup_machine("sanitize")[0], 0)
        self.assertEqual(self.installed()[-2:], CLANG)

    def test_complete_second_choice_is_enough(self):
        self.machine(installed=without(ALL_SANITIZE, *CLANG) + ["clang-18", "libclang-rt-18-dev"], offered=ALL_SANITIZE)
        self.assertEqual(self.setup_machine("sanitize"), (0, ""))

    def test_optional_package_that_nobody_offers(self):
        self.machine(installed=without(ALL_TEST, "librapidcheck-dev", "iproute2"), offered=["iproute2"])
        status, output = self.setup_machine("test")
        self.assertEqual(status, 0)
        self.assertIn("no package librapidcheck-dev here; left out: property tests", output)
        self.assertIn("iproute2", self.installed())

    def test_required_package_that_nobody_offers(self):
        self.machine(installed=without(ALL_BUILD, "libcli11-dev"))
        status, output = self.setup_machine("build")
        self.assertEqual(status, 1)
        self.assertIn("no package libcli11-dev here, needed for: command line", output)

    def test_tool_from_elsewhere_counts(self):
        self.machine(installed=without(ALL_BUILD, "cmake"))
        (self.folder / "cmake").symlink_to(self.folder / "cat")
        self.assertEqual(self.setup_machine("build"), (0, ""))

    def test_without_root_and_sudo(self):
        self.machine(offered=ALL_BUILD)
        status, output = self.setup_machine("build", FAKE_UID="1000")
        self.assertEqual(status, 1)
        self.assertIn("please install", output)
        self.assertEqual(self.log(), "")

    def test_other_systems_get_the_list(self):
        self.machine(fakes={})
        status, output = self.setup_machine("build")
        self.assertEqual(status, 1)
        self.assertIn("libfmt-dev: text formatting", output)
        for tool in ("g++", "cmake", "ninja"):
            (self.folder / tool).symlink_to(self.folder / "cat")
        self.assertEqual(self.setup_machine("build")[0], 0)

    def test_unknown_feature(self):
        self.machine()
        self.assertEqual(self.setup_machine("everything")[0], 2)


if __name__ == "__main__":
    unittest.main()
