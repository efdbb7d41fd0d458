# SPDX-License-Identifier: MIT
"""tools/release with a stand-in for bare systems, tools/bill, and the tag of wheels."""
import contextlib
import fcntl
import hashlib
import io
import json
import os
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import ROOT, FolderTest, load_tool  # noqa: E402

# Leaves what the commands would: packages named after the suite. $LOG gets a line per root.
TRY_FRESH = """#!/usr/bin/env python3
import json, os, sys
from pathlib import Path
words = sys.argv[1:]
suite, root = words[words.index("--suite") + 1], Path(words[words.index("--root") + 1])
with open(os.environ["LOG"], "a") as log:
    log.write(suite + "\\n")
tree = root / "home" / "weakspot"
out = tree / "build-package" / "out"
(tree / "build" / "page").mkdir(parents=True)
out.mkdir(parents=True)
if Path(os.environ["LOG"] + "." + suite).exists():
    sys.exit(1)
number = {"bookworm": "deb12", "trixie": "deb13"}[suite]
noise = os.urandom(4).hex() if os.environ.get("NOISE") == suite else ""
(out / f"weakspot_1.0+{number}_amd64.deb").write_text(suite + noise)
(out / "weakspot-1.0-Linux-x86_64.tar.xz").write_text("archive")
(out / "weakspot-1.0-cp311-cp311-manylinux_2_36_x86_64.whl").write_text("wheel")
(out / "libraries.json").write_text(json.dumps({"system": number, "libraries": [
    {"name": "libfmt-dev", "version": "9", "use": "STATIC_LINK", "licence": "Expat", "home": ""},
    {"name": "libpq5", "version": "15", "use": "OPTIONAL_DEPENDENCY_OF", "licence": "odd one", "home": ""}]}))
(tree / "build" / "page" / "index.html").write_text("<html>")
extension = tree / "editors" / "vscode"
extension.mkdir(parents=True)
(extension / f"weakspot-{os.environ['VERSION']}.vsix").write_text("extension")
(root.parent / "times.md").write_text("")
"""


class Release(FolderTest):
    def setUp(self):
        super().setUp()
        self.release = load_tool("release")
        self.log = self.folder / "log"
        self.write_program("try_fresh", TRY_FRESH)
        os.symlink(ROOT / "tools" / "bill", self.folder / "bill")
        replaced = {"TOOLS": self.folder, "WORK": self.folder / "work",
                    "git": lambda *words: {"rev-parse": "c0ffee", "log": "1700000000"}.get(words[0], "")}
        patches = [mock.patch.object(self.release, name, value) for name, value in replaced.items()]
        patches += [mock.patch("os.geteuid", lambda: 0), mock.patch("signal.signal"),
                    mock.patch.object(self.release, "only_one")]
        for patch in patches:
            patch.start()
            self.addCleanup(patch.stop)
        self.out = self.folder / "out"

    def make(self, *words, **variables):
        output = io.StringIO()
        with mock.patch.object(sys, "argv", ["release", "--out", str(self.out), *words]), \
                mock.patch.dict(os.environ, {"LOG": str(self.log), "VERSION": self.release.version(), **variables}), \
                contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            try:
                status = self.release.main()
            except SystemExit as end:
                status = end.code
        return status, output.getvalue()

    def roots(self):
        return self.log.read_text().split() if self.log.exists() else []

    def names(self):
        return sorted(path.name for path in self.out.iterdir())

    def test_all_parts_with_checksums_and_a_bill(self):
        self.assertEqual(self.make()[0], 0)
        number = self.release.version()
        bill = f"weakspot-{number}-{os.uname().machine}.spdx.json"
        self.assertEqual(self.names(), sorted([
            "Containerfile", "SHA256SUMS", "weakspot-1.0-Linux-x86_64.tar.xz",
            "weakspot-1.0-cp311-cp311-manylinux_2_36_x86_64.whl", f"weakspot-{number}-page.tar.xz",
            f"weakspot-{number}.vsix", bill, "weakspot_1.0+deb12_amd64.deb", "weakspot_1.0+deb13_amd64.deb"]))
        for line in (self.out / "SHA256SUMS").read_text().splitlines():
            sum_of, name = line.split("  ")
            self.assertEqual(hashlib.sha256((self.out / name).read_bytes()).hexdigest(), sum_of)
        listed = {line.split("  ")[1] for line in (self.out / "SHA256SUMS").read_text().splitlines()}
        self.assertEqual(listed, set(self.names()) - {"SHA256SUMS"})
        described = {each["fileName"] for each in json.loads((self.out / bill).read_text())["files"]}
        self.assertEqual(described, {f"./{name}" for name in listed - {bill}})

    def test_the_bill_names_libraries_and_how_they_are_used(self):
        self.make()
        [path] = self.out.glob("*.spdx.json")
        bill = json.loads(path.read_text())
        self.assertEqual((bill["spdxVersion"], bill["creationInfo"]["created"]), ("SPDX-2.3", "2023-11-14T22:13:20Z"))
        packages = {each["SPDXID"]: each for each in bill["packages"]}
        self.assertEqual(len(packages), len(bill["packages"]))
        self.assertEqual(packages["SPDXRef-deb12-libfmt-dev"]["licenseDeclared"], "MIT")
        self.assertEqual(packages["SPDXRef-deb13-libpq5"]["licenseDeclared"], "NOASSERTION")
        self.assertIn("odd one", packages["SPDXRef-deb13-libpq5"]["licenseComments"])
        self.assertEqual(packages["SPDXRef-npm-preact"]["licenseDeclared"], "MIT")
        known = set(packages) | {each["SPDXID"] for each in bill["files"]} | {"SPDXRef-DOCUMENT"}
        links = {(each["spdxElementId"], each["relationshipType"], each["relatedSpdxElement"])
                 for each in bill["relationships"]}
        self.assertTrue(all(end in known for one, _, other in links for end in (one, other)))
        self.assertIn(("SPDXRef-weakspot", "STATIC_LINK", "SPDXRef-deb12-libfmt-dev"), links)
        self.assertIn(("SPDXRef-deb12-libpq5", "OPTIONAL_DEPENDENCY_OF", "SPDXRef-weakspot"), links)

    def test_twice_compares_whole_builds(self):
        status, output = self.make("--twice")
        self.assertEqual((status, output.splitlines()[-1]), (0, "both have the same bytes"))
        self.assertEqual(self.roots(), ["bookworm", "trixie", "bookworm", "trixie"])

    def test_twice_names_files_that_differ(self):
        status, output = self.make("--twice", NOISE="trixie")
        self.assertEqual(status, 1)
        self.assertIn("differ: SHA256SUMS, ", output)
        self.assertIn("weakspot_1.0+deb13_amd64.deb", output)
        self.assertNotIn("deb12_amd64.deb,", output.split("differ:")[1])

    def test_goes_on_with_the_suite_that_is_not_complete(self):
        broken = Path(f"{self.log}.trixie")
        broken.touch()
        self.assertIn("trixie failed", self.make()[0])
        broken.unlink()
        self.assertEqual(self.make()[0], 0)
        self.assertEqual(self.roots(), ["bookworm", "trixie", "trixie"])
        # Another commit begins anew.
        with mock.patch.object(self.release, "git", lambda *words: {"rev-parse": "beef", "log": "1"}.get(words[0], "")):
            self.assertEqual(self.make("--suite", "bookworm")[0], 0)
        self.assertEqual(self.roots()[3:], ["bookworm"])
        self.assertFalse((self.folder / "work" / "from-c0ffee").exists())

    def test_only_what_is_asked_for(self):
        self.assertEqual(self.make("--only", "archive")[0], 0)
        self.assertEqual(self.roots(), ["bookworm"])
        self.assertEqual([name for name in self.names() if "spdx" not in name],
                         ["SHA256SUMS", "weakspot-1.0-Linux-x86_64.tar.xz"])

    def test_refusals(self):
        self.assertEqual(self.make("--only", "everything")[0], 2)
        self.out.mkdir()
        (self.out / "mine.txt").touch()
        status, output = self.make()
        self.assertEqual(status, 2)
        self.assertIn("has other files than those of a release", output)
        self.assertTrue((self.out / "mine.txt").exists())


class Lock(FolderTest):
    def test_one_at_a_time(self):
        release = load_tool("release")
        with mock.patch.object(release, "WORK", self.folder), open(self.folder / "lock", "w") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            with self.assertRaises(SystemExit) as refused:
                release.only_one()
            self.assertIn("another release", refused.exception.code)


class Tag(unittest.TestCase):
    def test_the_newest_glibc_and_no_foreign_library(self):
        wheel = load_tool("wheel")
        extension = Path("_weakspot.cpython-311-x86_64-linux-gnu.so")
        for libraries, minor, expected in (
                (["libc.so.6", "libstdc++.so.6", "libLLVM.so.19.1"], 36, "cp311-cp311-manylinux_2_36_"),
                (["libc.so.6", "ld-linux-aarch64.so.1"], 38, "cp311-cp311-manylinux_2_38_"),
                (["libc.so.6", "libfmt.so.9"], 36, "cp311-cp311-linux_")):
            needed = {extension: (libraries, minor), Path("weakspot"): (["libm.so.6"], 34)}
            with mock.patch.object(wheel, "needs", needed.get):
                self.assertEqual(wheel.tag(extension, [Path("weakspot")]), expected + os.uname().machine)


class Licences(unittest.TestCase):
    def test_the_licence_of_most_files(self):
        bill = load_tool("bill")
        text = "Format: x\n\nFiles: debian/*\nLicense: GPL-2+\n\nFiles: *\nCopyright: me\nLicense: Expat\n text\n"
        self.assertEqual(bill.licence_in(text), "Expat")
        self.assertEqual(bill.licence_in("This is free.\nLicense: none\n"), "")


if __name__ == "__main__":
    unittest.main()
