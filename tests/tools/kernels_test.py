# SPDX-License-Identifier: MIT
"""Tests of the reader of kernel annotations, and that all files of tests/kernels follow their format."""
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KERNELS = ROOT / "tests" / "kernels"
sys.path.insert(0, str(KERNELS))

from annotations import Finding, Launch, Malformed, assembly_lines, parse  # noqa: E402

SAMPLE = """\
// Two sentences. The second
// goes on.
// weakspot: launch grid=2 block=8,4 shared=64
// weakspot: arg in=float[12] fill=random:-1:1
// weakspot: arg table=int[3] values=1,-2,3
// weakspot: arg scale=0.5
// weakspot: arg n=12
// weakspot: kernel second<int>
// weakspot: launch grid=1 block=32
// expect: race E1 shared tile @b @a
// expect: divergence D2 @b
// expect(lockstep): none
// allow: redundant @a
__global__ void first(const float* in) {
  one();  // @a
  two();  // @b
}
template <class T>
__global__ void __launch_bounds__(32) second() {}
"""


class Annotations(unittest.TestCase):
    def test_all_lines_are_read(self):
        read = parse(SAMPLE)
        self.assertEqual(read.about, "Two sentences. The second goes on.")
        self.assertEqual(read.kernels, ["first", "second"])
        self.assertEqual(read.launches, [
            Launch("first", (2, 1, 1), (8, 4, 1), 64, {"in": ("float", 12, "random:-1:1"),
                                                       "table": ("int", 3, (1, -2, 3)), "scale": 0.5, "n": 12}),
            Launch("second<int>", (1, 1, 1), (32, 1, 1), 0, {}),
        ])
        self.assertEqual(read.expected, {"its": {Finding("race", "E1", "shared", "tile", (15, 16)),
                                                 Finding("divergence", "D2", "", "", (16,))}, "lockstep": set()})
        self.assertEqual(read.allowed, {Finding("redundant", "", "", "", (15,))})

    def test_models_agree_unless_said_otherwise(self):
        read = parse("// expect: redundant @x\nsync();  // @x\n")
        self.assertEqual(read.expected["lockstep"], read.expected["its"])

    def test_inline_assembly_is_one_place(self):
        text = 'f();\nasm volatile("copy %0;" ::"r"(to),  // @a\n             "l"(from)\n             : "memory");\ng();\n'
        self.assertEqual(assembly_lines(text), {2: 2, 3: 2, 4: 2})
        text = 'void f() { asm volatile("fence;"); }\nvoid g() {\n  asm volatile("a;\\n"\n               "b;");\n}\n'
        self.assertEqual(assembly_lines(text), {1: 1, 3: 3, 4: 3})

    def test_lists_name_files_and_reasons(self):
        for path in KERNELS.glob("*.txt"):
            for line in path.read_text().splitlines():
                name, _, reason = line.partition(":")
                if not line or line.startswith("#") or path.name == "order.txt":
                    continue
                self.assertTrue((KERNELS / name).is_file(), f"{path.name}: {name}")
                self.assertTrue(reason.strip(), f"{path.name}: {line}")

    def test_mistakes(self):
        for text, message in {
            "// weakspot: launch grid=1 block=1": "nothing is said about what to expect",
            "// weakspot: launch grid=1": "expected launch grid=X[,Y[,Z]] block=X[,Y[,Z]] [cluster=X[,Y[,Z]]] [shared=BYTES]",
            "// weakspot: arg n=1": "unknown annotation",
            "// weakspot: launch grid=1 block=1\n// weakspot: arg n=int[2] values=1": "2 values expected, 1 given",
            "// weakspot: launch grid=1 block=1\n// weakspot: arg n=half[2]": "unknown type 'half'",
            "// weakspot: launch grid=1 block=1\n// weakspot: arg n=int[2] fill=noise": "unknown fill 'noise'",
            "// expect: race E1 shared x @a @a": "no line is marked @a",
            "// expect(warp): none": "unknown annotation",
            "// expect: race E9 shared x @a @a\nf();  // @a": "expected race CLASS SPACE VARIABLE @a @b, "
                                                             "divergence CLASS @a [@b], invalid @a, redundant @a, "
                                                             "stale @a @b, unmodelled @a, unexercised @a or none",
            "// expect: none\nf();  // @a\ng();  // @a": "two lines are marked @a",
        }.items():
            with self.subTest(text=text), self.assertRaises(Malformed) as caught:
                parse(text)
            self.assertEqual(str(caught.exception), message)


class Corpus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.texts = {path: path.read_text() for kind in ("*.cu", "*.hip")
                     for path in sorted(KERNELS.rglob(kind))}

    def each(self, check):
        for path, text in self.texts.items():
            with self.subTest(file=str(path.relative_to(KERNELS))):
                check(path, text, parse(text))

    def test_there_are_many(self):
        self.assertGreaterEqual(len(self.texts), 150)

    def test_a_file_says_what_it_shows_and_how_it_runs(self):
        def check(_path, text, read):
            self.assertTrue(read.about.endswith("."), "opens without a sentence")
            self.assertEqual(read.program, bool(re.search(r"^int main\(", text, re.M)), "a main and 'program' go together")
            self.assertEqual(read.program + bool(read.launches) + read.search, 1, "a program, or launches, or a search")

        self.each(check)

    def test_launches_name_kernels_and_all_their_parameters(self):
        def check(_path, text, read):
            for launch in read.launches:
                name = launch.kernel.partition("<")[0]
                self.assertIn(name, read.kernels)
                self.assertLessEqual(launch.block[0] * launch.block[1] * launch.block[2], 1024)
                parameters = re.search(rf"\bvoid[^;{{]*?\b{name}\(([^{{;]*)\)\s*{{", text)[1]
                names = [re.search(r"(\w+)\s*$", one)[1] for one in parameters.split(",") if one.strip()]
                # Members of a structure are given one by one.
                given = list(dict.fromkeys(name.partition(".")[0] for name in launch.args))
                self.assertEqual(given, names)

        self.each(check)

    def test_names_say_what_is_expected(self):
        def check(path, _text, read):
            kind = path.stem.rpartition("_")[2]
            self.assertIn(kind, ("bug", "ok"))
            self.assertEqual(bool(read.expected["its"]), kind == "bug")
            if kind == "ok":
                self.assertEqual((read.expected["lockstep"], read.allowed), (set(), set()))

        self.each(check)

    def test_a_bug_has_a_fixed_twin(self):
        def check(path, _text, read):
            # What the checker does not follow is not the kernel's mistake.
            missing = any(finding.kind in ("unmodelled", "unexercised") for finding in read.expected["its"])
            if path.stem.endswith("_bug") and not missing:
                twin = path.with_name(path.name.replace("_bug.cu", "_ok.cu"))
                self.assertIn(twin, self.texts)
                fixed = parse(self.texts[twin])
                self.assertEqual(fixed.kernels[0], read.kernels[0])

        self.each(check)

    def test_variables_are_in_the_source(self):
        def check(_path, text, read):
            for finding in read.expected["its"] | read.expected["lockstep"] | read.allowed:
                if finding.kind == "race" and finding.space != "tensor":  # which has no names
                    self.assertRegex(text, rf"\b{finding.variable}\b.*[\[;,)]")

        self.each(check)

    def test_warp_races_say_what_lock_step_makes_of_them(self):
        def check(_path, text, read):
            if any(finding.klass == "E2" for finding in read.expected["its"]):
                self.assertIn("// expect(lockstep): ", text)

        self.each(check)

    def test_markers_are_used(self):
        def check(_path, text, _read):
            used = set(re.findall(r"@(\w+)", "\n".join(re.findall(r"^// (?:expect|allow).*$", text, re.M))))
            self.assertEqual(set(re.findall(r"// @(\w+)$", text, re.M)), used)

        self.each(check)

    def test_groups_are_described(self):
        described = re.findall(r"^\| `(\w+)/` \|", (KERNELS / "README.md").read_text(), re.M)
        self.assertEqual(sorted(described), sorted({path.parent.name for path in self.texts}))


if __name__ == "__main__":
    unittest.main()
