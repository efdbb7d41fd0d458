# SPDX-License-Identifier: MIT
"""The packages: what is in them, that they share no file, and that the archive works where it is unpacked."""
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import ROOT, load_tool  # noqa: E402

BUILD = ROOT / "build"
FILES = {  # one that must be in each
    "weakspot": "usr/bin/weakspot",
    "weakspot-doc": "usr/share/doc/weakspot/README.md.gz",
    "weakspot-race": "usr/bin/weakspot-nvcc",
    "libweakspot-dev": "usr/include/weakspot/model/judge.h",
    "python3-weakspot": "dist-packages/weakspot/__init__.py",
}


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=600, **options)
    return done.returncode, done.stdout.decode()


@unittest.skipUnless((BUILD / "CPackConfig.cmake").is_file(), "nothing was built")
@unittest.skipUnless(all(map(shutil.which, ("cpack", "dpkg-deb", "dpkg-shlibdeps", "file"))),
                     "there is no cpack, dpkg-deb, dpkg-shlibdeps or file")
class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        # Quick, not small.
        status, output = run("cpack", "-B", cls.folder, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip", "-G", "DEB",
                             cwd=BUILD)
        assert status == 0, output
        cls.packages = {path.name.split("_")[0]: path for path in cls.folder.glob("*.deb")}

    def contents(self, name):
        status, output = run("dpkg-deb", "-c", self.packages[name])
        self.assertEqual(status, 0, output)
        return {line.split(maxsplit=5)[5].split(" -> ")[0].removeprefix("./") for line in output.splitlines()}

    def field(self, name, field):
        return run("dpkg-deb", "-f", self.packages[name], field)[1].strip()

    def test_each_file_is_in_one_package(self):
        self.assertIn("weakspot", self.packages)
        owners = {}
        for name in self.packages:
            inside = self.contents(name)
            self.assertTrue(any(path.endswith(FILES[name]) for path in inside), name)
            self.assertIn(f"usr/share/doc/{name}/copyright", inside)
            self.assertIn(f"usr/share/doc/{name}/changelog.gz", inside)
            for path in inside:
                if not path.endswith("/"):
                    self.assertNotIn(path, owners, f"in {name} and {owners.get(path)}")
                    owners[path] = name
                self.assertTrue(path in ("", "usr/") or path.startswith("usr/"), path)

    def test_control(self):
        for name in self.packages:
            self.assertNotEqual(self.field(name, "Description"), "")
            self.assertIn("@", self.field(name, "Maintainer"))
        self.assertIn("libc6", self.field("weakspot", "Depends"))
        self.assertNotIn("llvm", self.field("weakspot", "Depends").lower())
        if "weakspot-race" in self.packages:
            self.assertIn("weakspot (= ", self.field("weakspot-race", "Depends"))
            self.assertIn("clang-19", self.field("weakspot-race", "Depends"))

    def test_texts_name_the_place_they_are_installed_to(self):
        if "weakspot-race" not in self.packages:
            self.skipTest("this build has no 'weakspot race'")
        root = self.folder / "root"
        run("dpkg-deb", "-x", self.packages["weakspot-race"], root)
        [text] = root.rglob("lib64/libcudart.so")
        self.assertIn("INPUT(/usr/", text.read_text())
        self.assertTrue((root / text.read_text().split("INPUT(/")[1].split(")")[0]).is_file())

    def test_the_archive_works_anywhere(self):
        status, output = run("cpack", "-B", self.folder, "-G", "TGZ", cwd=BUILD)
        self.assertEqual(status, 0, output)
        [archive] = self.folder.glob("weakspot-*.tar.gz")
        place = self.folder / "some where"
        with tarfile.open(archive) as tar:
            tar.extractall(place)
        [program] = place.glob("*/bin/weakspot")
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        status, output = run(program, "check", "MP", "--model", "ptx", cwd=self.folder, env=environment)
        self.assertEqual(status, 0, output)
        self.assertIn("allowed", output)
        if (program.parent / "weakspot-race").is_file():
            [text] = place.rglob("lib64/libcudart.so")
            self.assertIn("INPUT(libweakspot-cudart.so)", text.read_text())

    def test_links_of_documents_lead_to_installed_files(self):
        root = self.folder / "documents"
        status, output = run("dpkg-deb", "-x", self.packages["weakspot-doc"], root)
        self.assertEqual(status, 0, output)
        packed = list(root.rglob("*.md.gz"))
        self.assertTrue(packed)
        status, output = run("gunzip", *packed)  # a reader does so with zless
        self.assertEqual(status, 0, output)
        pages = sorted(root.rglob("*.md"))
        self.assertIn("FOUND.md", {page.name for page in pages})
        check = load_tool("check_markdown")
        broken = [f"{page.relative_to(root)}:{line}: {problem}" for page in pages
                  for line, problem in check.broken_links(page, page.read_text(encoding="utf-8"))]
        self.assertEqual(broken, [])
        self.assertTrue(list(root.rglob("found/*/run.sh")))

    def test_every_program_has_a_manual_page(self):
        for name in self.packages:
            inside = self.contents(name)
            for path in inside:
                if path.startswith("usr/bin/") and not path.endswith("/"):
                    self.assertIn(f"usr/share/man/man1/{Path(path).name}.1.gz", inside, name)

    @unittest.skipUnless(shutil.which("lintian"), "there is no lintian")
    def test_lintian_has_nothing_to_say_on_the_documents(self):
        status, output = run("lintian", "--allow-root", "--fail-on", "error,warning", self.packages["weakspot-doc"])
        self.assertEqual(status, 0, output)

    def test_documents_are_compressed(self):
        self.assertIn("usr/share/doc/weakspot/changelog.gz", self.contents("weakspot"))
        inside = self.contents("weakspot-doc")
        self.assertIn("usr/share/doc/weakspot/CHANGELOG.md.gz", inside)
        self.assertIn("usr/share/doc/weakspot/docs/race.md.gz", inside)
        self.assertNotIn("usr/share/doc/weakspot/docs/race.md", inside)


MADE = sorted((ROOT / "build-package" / "out").glob("weakspot_*.deb"))


@unittest.skipUnless(MADE and shutil.which("dpkg-deb"), "tools/package made no packages")
class Size(unittest.TestCase):
    """Of the packages that tools/package made: those of other builds are not small."""

    def test_weakspot_is_small(self):
        with tempfile.TemporaryDirectory() as folder:
            status, output = run("dpkg-deb", "-x", MADE[-1], folder)
            self.assertEqual(status, 0, output)
            files = [path for path in Path(folder).rglob("*") if path.is_file() and not path.is_symlink()]
            page = Path(folder) / "usr" / "share" / "weakspot" / "page"
            size = sum(path.stat().st_size for path in files if page not in path.parents)
            self.assertLessEqual(size, 6700 * 1024)  # 6400 on AArch64
            # What the program carries is not installed a second time.
            self.assertFalse(list(Path(folder).rglob("*.schema.json")))


if __name__ == "__main__":
    unittest.main()
