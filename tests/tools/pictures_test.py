# SPDX-License-Identifier: MIT
"""The pictures of docs/pictures are what the program draws of the tests in docs/explanations.md; and every format that
it writes is well formed.

  python3 tests/tools/pictures_test.py --write     draws them again
"""
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import console  # noqa: E402
from support import PROGRAM, ROOT, needs_program  # noqa: E402

PAGE = ROOT / "docs" / "explanations.md"
PICTURES = ROOT / "docs" / "pictures"
TESTS = ["MP", "SB", "IRIW+fence.sc+fence.sc", "CAS-lock", "RMW-inc+inc+inc", "ISA2-dev+wg", "BAR-WR"]
SVG = "{http://www.w3.org/2000/svg}"


def draw(folder, *arguments):
    return subprocess.run([PROGRAM, "check", *map(str, arguments)], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=console.TIMEOUT, text=True)


def drawn_page():
    """The pictures of the page's tests by name."""
    with tempfile.TemporaryDirectory() as folder:
        files = [step for step in console.read_page(PAGE.read_text(encoding="utf-8")) if isinstance(step, console.File)]
        for file in files:
            Path(folder, file.name).write_text(file.text, encoding="utf-8")
        done = draw(folder, *[file.name for file in files], "--svg", "pictures/")
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return {path.name: path.read_bytes() for path in sorted(Path(folder, "pictures").glob("*.svg"))}


def size_of_png(data):
    """Width and height, after every check that the format offers."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert zlib.crc32(name + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
        chunks[name] = body
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, depth, kind = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    rows = zlib.decompress(chunks[b"IDAT"])
    assert (depth, kind) == (8, 2) and len(rows) == height * (1 + 3 * width)
    return width, height


@needs_program
class Pictures(unittest.TestCase):
    @unittest.skipUnless(PAGE.exists(), "there is no page of explanations")
    def test_page(self):
        drawn = drawn_page()
        self.assertGreaterEqual(len(drawn), 12)
        self.assertEqual(sorted(drawn), sorted(path.name for path in PICTURES.glob("*")))
        for name, picture in drawn.items():
            self.assertEqual((PICTURES / name).read_bytes(), picture, f"{name}: pictures_test.py --write draws it again")
        shown = re.findall(r"\]\(pictures/(\S+?)\)", PAGE.read_text(encoding="utf-8"))
        self.assertEqual(sorted(shown), sorted(drawn))

    def test_formats(self):
        with tempfile.TemporaryDirectory() as folder:
            done = draw(folder, *TESTS, "--model", "ptx", "--svg", "p/", "--png", "p/", "--dot", "p/")
            self.assertEqual(done.returncode, 0, done.stderr)
            for name in TESTS:
                root = xml.etree.ElementTree.parse(Path(folder, "p", name + ".svg")).getroot()
                self.assertEqual(root.tag, SVG + "svg")
                self.assertIn(name, root.find(SVG + "title").text)
                self.assertTrue(root.find(SVG + "desc").text)
                width, height = size_of_png(Path(folder, "p", name + ".png").read_bytes())
                self.assertEqual((root.get("width"), root.get("height")), (str(width // 2), str(height // 2)))
                dot = Path(folder, "p", name + ".dot").read_text()
                self.assertEqual(dot.count("{"), dot.count("}"))
                self.assertEqual(len(re.findall(r"^  e\d+ \[label=", dot, re.MULTILINE)),
                                 len(root.findall(f"{SVG}g[@class]")) - dot.count("->"))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PICTURES.mkdir(exist_ok=True)
        for path in PICTURES.glob("*.svg"):
            path.unlink()
        for name, picture in drawn_page().items():
            (PICTURES / name).write_bytes(picture)
    else:
        unittest.main()
