# SPDX-License-Identifier: MIT
"""Tests of tools/check_layers on small trees that break one rule each."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = """
# weakspot_module(comment DEPS nowhere)
weakspot_wing(common)
weakspot_module(base LIBS fmt::fmt DOORS fmt)
weakspot_wing(judge NEEDS common)
weakspot_module(litmus
  DEPS base
  DOORS cli11)
weakspot_module(model DEPS base litmus)
"""
# Uses every permission of the table, so that a test may add one mistake.
USED = {
    "src/common/base/used.h": "#include <fmt/format.h>\n",
    "src/judge/litmus/used.h": '#include <CLI/CLI.hpp>\n#include "base/used.h"\n',
    "src/judge/model/used.cpp": '#include "base/used.h"\n#include "litmus/used.h"\n',
}
CLEAN = (0, "layers: 0 violations\n")


class CheckLayers(unittest.TestCase):
    def run_on(self, files, table=TABLE):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"cmake/modules.cmake": table, **USED, **files}.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, ROOT / "tools" / "check_layers", "--root", folder],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        return done.returncode, done.stdout.decode()

    def assert_violation(self, name, text, message):
        self.assert_violations({name: text}, message)

    def assert_violations(self, files, message, table=TABLE):
        status, output = self.run_on(files, table)
        self.assertEqual(status, 1, output)
        self.assertEqual(output, message + "\nlayers: 1 violations\n")

    def test_allowed(self):
        self.assertEqual(self.run_on({
            "src/common/base/a.h": "#include <string>\n#include <sys/wait.h>\n#include <unistd.h>\n#include <fmt/format.h>\n",
            "src/common/base/a_test.cpp": '#include <gtest/gtest.h>\n#include <rapidcheck.h>\n#include "base/a.h"\n'
                                   '#include "support/random.h"\n',
            "src/judge/litmus/b.cpp": '#include "base/a.h"\n  #  include <CLI/CLI.hpp>\n#include "litmus/b.h"\n',
            "src/judge/model/c.cpp": '#include "litmus/b.h"\n// #include "cli/x.h"\n',
            "src/judge/model/notes.txt": '#include "cli/x.h"\n',
        }), CLEAN)

    def test_upward_include(self):
        self.assert_violation("src/common/base/a.cpp", '\n#include "litmus/b.h"\n',
                              'src/common/base/a.cpp:2: "litmus/b.h": base may include nothing, not litmus')

    def test_two_definitions_of_one_type(self):
        types = "namespace w::base {{\n{}\n}}  // namespace w::base\n"
        self.assertEqual(self.run_on({
            "src/common/base/room/a.h": types.format("struct A {\n  struct Impl;\n};\nstruct B;"),
            "src/common/base/a.cpp": types.format("struct A::Impl {};\nnamespace {\nstruct B {};\n}  // namespace"),
            "src/common/base/b.cpp": types.format("namespace {\nstruct B {};\n}  // namespace"),
            "src/judge/litmus/room/c.h": "namespace w::litmus {\nstruct A {};\n}  // namespace w::litmus\n",
        }), CLEAN)
        status, output = self.run_on({"src/common/base/room/a.h": types.format("struct A {"),
                                      "src/common/base/room/b.h": types.format("class A : public B {")})
        self.assertEqual((status, output), (1, "src/common/base/room/b.h:2: w::base::A is also defined in src/common/base/room/a.h:2\n"
                                               "layers: 1 violations\n"))

    def test_a_constant_that_hides_one_of_a_header(self):
        header = {"src/judge/litmus/used.h": USED["src/judge/litmus/used.h"] + "inline constexpr int kOrders[] = {1};\n"}
        self.assert_violations(
            {**header, "src/judge/litmus/b.cpp": "namespace {\nconstexpr int kOrders = 1;\n}\n"},
            "src/judge/litmus/b.cpp:2: kOrders hides the constant of src/judge/litmus/used.h:3 from sources that are "
            "compiled with this one")
        self.assertEqual(self.run_on({**header, "src/judge/model/b.cpp": "constexpr int kOrders = 1;\n"}), CLEAN)

    def test_private_rooms(self):
        self.assert_violation("src/judge/model/c.cpp", '#include "litmus/ptx/words.h"\n',
                              'src/judge/model/c.cpp:1: "litmus/ptx/words.h": litmus/ptx/ is a private room of litmus; '
                              'other modules include its top level only')
        self.assertEqual(self.run_on({
            "src/judge/litmus/dialect.cpp": '#include "litmus/ptx/words.h"\n',  # its own room
            "src/judge/litmus/json/read.cpp": '#include "litmus/ptx/words.h"\n',  # the room beside
            "src/judge/model/c_test.cpp": '#include "litmus/ptx/words.h"\n',  # tests look into rooms
        }), CLEAN)

    def test_rooms_that_need_each_other(self):
        self.assert_violations({
            "src/judge/litmus/ptx/a.cpp": '#include "litmus/text/b.h"\n',
            "src/judge/litmus/text/c.h": '\n#include "litmus/ptx/d.h"\n',
        }, "src/judge/litmus/text/c.h:2: litmus: these places need each other: ptx/ -> text/ -> ptx/")

    def test_a_face_that_its_room_needs(self):
        # The header alone is below the room; with a source that uses the room it is also above it.
        header = {"src/judge/litmus/test.h": "", "examples/e.cpp": "#include <litmus/test.h>\n",
                  "src/judge/litmus/ptx/a.cpp": '#include "litmus/test.h"\n'}
        self.assertEqual(self.run_on(header), CLEAN)
        self.assert_violations({**header, "src/judge/litmus/test.cpp": '#include "litmus/ptx/a.h"\n'},
                               "src/judge/litmus/test.cpp:1: litmus: these places need each other: ptx/ -> test -> ptx/")

    def test_tests_do_not_close_a_cycle(self):
        self.assertEqual(self.run_on({
            "src/judge/litmus/ptx/a.cpp": '#include "litmus/text/b.h"\n',
            "src/judge/litmus/text/c_test.cpp": '#include "litmus/ptx/d.h"\n',
        }), CLEAN)

    def test_unused_permissions(self):
        self.assert_violations({"src/judge/model/used.cpp": '#include "litmus/used.h"\n'},
                               "cmake/modules.cmake:9: model may include base, but never does")
        self.assert_violations({"src/judge/litmus/used.h": '#include "base/used.h"\n'},
                               "cmake/modules.cmake:6: litmus may open cli11, but never does")
        # A module that has no sources yet may plan.
        self.assertEqual(self.run_on({}, TABLE + "weakspot_module(serve DEPS base DOORS sqlite)\n"), CLEAN)

    def test_long_files(self):
        self.assertEqual(self.run_on({"src/common/base/a.cpp": "\n" * 600}), CLEAN)
        self.assert_violation("src/common/base/a.cpp", "\n" * 601, "src/common/base/a.cpp:601: 601 lines, at most 600 are allowed")

    def test_full_folders(self):
        files = {f"src/common/base/a{number}.cpp": "" for number in range(44)}
        self.assertEqual(self.run_on(files), CLEAN)
        self.assert_violations({**files, "src/common/base/b.txt": ""}, "src/common/base:1: 46 files, at most 45 are allowed")

    def test_a_header_that_nobody_outside_includes(self):
        self.assert_violation("src/common/base/a.h", "",
                              "src/common/base/a.h:1: no other module includes this header; it belongs into a room of base")
        # Through a header of the face, or in an example, is enough; a test of another module is not.
        self.assertEqual(self.run_on({"src/common/base/a.h": "", "src/common/base/used.h":
                                      '#include <fmt/format.h>\n#include "base/a.h"\n'}), CLEAN)
        self.assertEqual(self.run_on({"src/common/base/a.h": "", "examples/e.cpp": "#include <base/a.h>\n"}), CLEAN)
        self.assert_violations({"src/common/base/a.h": "", "src/judge/litmus/b_test.cpp": '#include "base/a.h"\n'},
                               "src/common/base/a.h:1: no other module includes this header; it belongs into a room of base")

    def test_a_face_that_includes_a_room(self):
        self.assert_violations({"src/common/base/room/a.h": "", "src/common/base/used.h":
                                '#include <fmt/format.h>\n#include "base/room/a.h"\n'},
                               'src/common/base/used.h:2: the face of base includes its room: "base/room/a.h"')

    def test_large_classes(self):
        methods = "".join(f"  int f{number}(int a = 1) const {{ return a; }}\n" for number in range(44))
        fields = "  int (*pointer)(int);\n  int count = number(3);\n  // int comment();\n  friend bool operator==(A, A);\n"
        text = "class A final : public B<int> {{\n public:\n{}{}{}}};\n"
        self.assertEqual(self.run_on({"src/common/base/a.cpp": text.format("  A();\n", methods, fields)}), CLEAN)
        self.assert_violation("src/common/base/a.cpp", text.format("  A();\n  ~A();\n", methods, fields),
                              "src/common/base/a.cpp:1: A has 46 methods, at most 45 are allowed")

    def test_a_module_in_the_wrong_wing(self):
        self.assert_violation("src/common/model/a.cpp", "",
                              "src/common/model/a.cpp:1: model is a module of the wing 'judge', not of 'common'")

    def test_headers_are_written_from_the_wing(self):
        self.assert_violation("src/common/base/a.cpp", '#include "a.h"\n',
                              'src/common/base/a.cpp:1: "a.h": project headers are written from their wing, as "module/file.h"')
        self.assert_violation("src/common/base/a.cpp", "#include <base/a.h>\n",
                              "src/common/base/a.cpp:1: <base/a.h>: project headers are included with quotes")

    def test_closed_door(self):
        self.assert_violation("src/judge/model/c.cpp", "#include <CLI/CLI.hpp>\n",
                              "src/judge/model/c.cpp:1: <CLI/CLI.hpp>: model may not open cli11")

    def test_unknown_library(self):
        self.assert_violation("src/judge/model/c.cpp", "#include <z3++.h>\n",
                              "src/judge/model/c.cpp:1: <z3++.h>: tools/check_layers knows no library with this header; give it a door")

    def test_test_headers_outside_tests(self):
        self.assert_violation("src/judge/model/c.cpp", "#include <gtest/gtest.h>\n",
                              "src/judge/model/c.cpp:1: <gtest/gtest.h>: tools/check_layers knows no library with this header; "
                              "give it a door")

    def test_support_outside_tests(self):
        self.assert_violation("src/judge/model/c.cpp", '#include "support/random.h"\n',
                              'src/judge/model/c.cpp:1: "support/random.h": project headers are written from their wing, as '
                              '"module/file.h"')

    def test_unknown_module(self):
        self.assert_violation("src/judge/extra/a.cpp", "",
                              "src/judge/extra/a.cpp:1: 'judge/extra' is not in cmake/modules.cmake")

    def test_bad_tables(self):
        for table, message in [
                ("weakspot_wing(w)\nweakspot_module(a DEPS b)\nweakspot_module(b)\n",
                 "module a depends on 'b', which is not above it"),
                ("weakspot_wing(w)\nweakspot_module(a DOORS heaven)\n", "module a opens 'heaven'"),
                ("weakspot_wing(w)\nweakspot_module(a b)\n", "module a: unknown word 'b'"),
                ("weakspot_module(a)\n", "module a is not in a wing"),
                ("weakspot_wing(w NEEDS v)\nweakspot_module(a)\n", "wing w needs 'v', which is not above it"),
                ("weakspot_wing(w common)\n", "wing w: unknown word 'common'"),
                ("weakspot_wing(v)\nweakspot_module(a)\nweakspot_wing(w)\nweakspot_module(b DEPS a)\n",
                 "module b depends on 'a' of the wing v, which the wing w does not need"),
                ("", "no weakspot_module() found"),
        ]:
            with self.subTest(table):
                status, output = self.run_on({}, table)
                self.assertEqual(status, 2)
                self.assertIn(message, output)


if __name__ == "__main__":
    unittest.main()
