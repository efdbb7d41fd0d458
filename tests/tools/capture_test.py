# SPDX-License-Identifier: MIT
"""Tests that 'weakspot race FOLDER' checks a capture, and refuses one that is forged, damaged or too large in a line."""
import copy
import gzip
import json
import os
import shutil
import struct
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from json_schema import Schemas  # noqa: E402
from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

PTX = """.version 7.8
.target sm_80
.address_size 64
.visible .entry flip(.param .u64 data, .param .u32 shift)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r6, [shift];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.u32 %r2, [%rd4];
  add.u32 %r2, %r2, %r6;
  shl.b32 %r3, %r1, 2;
  mov.u32 %r4, tile;
  add.u32 %r5, %r4, %r3;
  st.shared.u32 [%r5], %r2;
  BARRIER
  sub.u32 %r7, 252, %r3;
  add.u32 %r7, %r4, %r7;
  ld.shared.u32 %r2, [%r7];
  st.global.u32 [%rd4], %r2;
  ret;
}
"""
# The sum from one address to another goes behind the two.
SUM = """.version 7.8
.target sm_80
.address_size 64
.visible .entry sum(.param .u64 list)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [list];
  ld.global.u64 %rd2, [%rd1];
  ld.global.u64 %rd3, [%rd1+8];
  mov.u32 %r1, 0;
next:
  ld.global.u32 %r2, [%rd2];
  add.u32 %r1, %r1, %r2;
  add.u64 %rd2, %rd2, 4;
  setp.lt.u64 %p, %rd2, %rd3;
  @%p bra next;
  st.global.u32 [%rd1+16], %r1;
  ret;
}
"""
BASE = 0x7f0000000000


@needs_program
@unittest.skipUnless((PROGRAM.parent / "weakspot-race").exists(), "the build has no weakspot-race")
class CaptureTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.capture = self.folder / "flip.capture"
        self.capture.mkdir()
        self.list = {
            "format": 1, "program": "flip", "architecture": "sm_80",
            "modules": [{"name": "flip.ptx", "file": "flip.ptx"}],
            "buffers": [{"address": "0x10", "bytes": 64},
                        {"name": "data", "address": hex(BASE), "bytes": 512, "file": "data.bin.gz"}],
            "launches": [{"module": 0, "kernel": "flip", "grid": [1, 1, 1], "block": [64, 1, 1], "shared": 0,
                          "arguments": [struct.pack("<Q", BASE + 256).hex(), struct.pack("<I", 100).hex()],
                          "outputs": [{"buffer": 1, "file": "after.bin"}]}]}
        self.write(repaired=True)

    def write(self, repaired):
        (self.capture / "flip.ptx").write_text(PTX.replace("BARRIER", "bar.sync 0;" if repaired else ""))
        (self.capture / "data.bin.gz").write_bytes(gzip.compress(struct.pack("<128i", *range(128))))
        after = [*range(64), *(number + 100 for number in reversed(range(64, 128)))]
        (self.capture / "after.bin").write_bytes(struct.pack("<128i", *after))

    def race(self, *options, status):
        (self.capture / "capture.json").write_text(json.dumps(self.list, indent=1))
        done = subprocess.run([PROGRAM, "race", self.capture.name, *options], cwd=self.folder, text=True, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def refused(self, message):
        done = self.race(status=2)
        self.assertIn(message, done.stderr)
        self.assertEqual(done.stdout, "")

    def test_list_of_the_test_follows_the_schema(self):
        self.assertEqual(Schemas(ROOT / "docs" / "schemas").problems(self.list, "capture.schema.json"), [])

    def test_repaired_kernel_is_clean_and_leaves_what_the_device_left(self):
        done = self.race(status=0)
        self.assertEqual(done.stderr, "")
        self.assertIn("clean: 0 errors", done.stdout)

    def test_race_is_found(self):
        self.write(repaired=False)
        report = json.loads(self.race("--json", status=1).stdout)
        self.assertEqual([(one["class"], one["file"], one["line"]) for one in report["findings"]],
                         [("E1", "flip.ptx", 23)])

    def test_difference_to_the_device_is_noted(self):
        (self.capture / "after.bin").write_bytes(bytes(512))
        done = self.race(status=0)
        self.assertRegex(done.stderr, r"^note: launch 0: \d+ of 512 bytes of buffer 1 differ from what the device left\n$")

    def test_forged_lists_are_refused(self):
        self.list["format"] = 2
        self.refused("capture.json:2:")
        self.list["format"] = 1
        for change, message in (
                (lambda one: one["launches"][0].update(module=1), "expected a number of the list 'modules'"),
                (lambda one: one["launches"][0].update(kernel="other"), "launch 0: module 0 has no kernel 'other'"),
                (lambda one: one["launches"][0]["arguments"].pop(), "kernel 'flip' takes 2 arguments, not 1"),
                (lambda one: one["launches"][0].update(arguments=["00", "00"]), "argument 0 of 'flip' has 8 bytes, not 1"),
                (lambda one: one["launches"][0].update(arguments=["0x", "00"]), "as hexadecimal digits"),
                (lambda one: one["launches"][0].update(grid=[0, 1, 1]), "expected three whole numbers from 1"),
                (lambda one: one["launches"][0].update(block=[2048, 1, 1]), "launch 0: such a launch cannot be made"),
                (lambda one: one["buffers"].append({"address": hex(BASE + 500), "bytes": 64}), "overlap"),
                (lambda one: one["buffers"][0].update(address="0xffffffffffffffff"), "fits behind the address"),
                (lambda one: one["buffers"][0].update(address="0x10000000000000000"), "expected an address such as"),
                (lambda one: one.update(launches=[]), "expected at least one launch"),
                (lambda one: one.update(modules=one["modules"] * 1000), "expected at most 256 modules"),
                (lambda one: one["buffers"][0].update(variable="x"), "a buffer needs 'module', an integer"),
                (lambda one: one.update(more=1), "more")):
            kept = copy.deepcopy(self.list)
            change(self.list)
            with self.subTest(message):
                self.refused(message)
            self.list = kept

    def test_files_outside_of_the_folder_are_refused(self):
        secret = self.folder / "secret.ptx"
        secret.write_text(PTX)
        for name in ("../secret.ptx", str(secret), "link.ptx", "folder/../../secret.ptx"):
            (self.capture / "folder").mkdir(exist_ok=True)
            if name == "link.ptx":
                os.symlink("../secret.ptx", self.capture / name)
            self.list["modules"][0]["file"] = name
            with self.subTest(name):
                self.refused(f"'{name}' lies outside of the capture")

    def test_too_much_memory_is_refused_before_it_is_read(self):
        self.list["buffers"][1]["bytes"] = 10 << 30
        self.refused("expected at most 2147483648 bytes of memory in a capture")

    def test_packed_file_is_unpacked_no_further_than_stated(self):
        (self.capture / "data.bin.gz").write_bytes(gzip.compress(bytes(100 << 20)))
        self.refused("'data.bin.gz' has more than 512 bytes")

    def test_damaged_files_are_refused(self):
        whole = (self.capture / "data.bin.gz").read_bytes()
        (self.capture / "data.bin.gz").write_bytes(whole[:-20])
        self.refused("'data.bin.gz' is damaged or cut off")
        (self.capture / "data.bin.gz").unlink()
        self.refused("there is no file 'data.bin.gz' in the capture")
        self.list["buffers"][1]["file"] = "after.bin"
        (self.capture / "after.bin").write_bytes(bytes(100))
        self.refused("'after.bin' has 100 of 512 bytes")

    def test_list_and_files_must_lie_in_the_folder_themselves(self):
        self.race(status=0)
        listed = self.capture / "capture.json"
        listed.rename(self.folder / "elsewhere.json")
        listed.symlink_to("../elsewhere.json")
        done = subprocess.run([PROGRAM, "race", self.capture.name], cwd=self.folder, text=True, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "flip.capture/capture.json: error: 'capture.json' lies outside of the capture\n")
        listed.unlink()
        os.mkfifo(self.capture / "pipe.bin")
        self.list["buffers"][1]["file"] = "pipe.bin"
        self.refused("there is no file 'pipe.bin' in the capture")
        self.list["buffers"][1]["file"] = ""
        self.refused("there is no file '' in the capture")

    def test_ptx_of_all_modules_is_bounded(self):
        (self.capture / "large.ptx.gz").write_bytes(gzip.compress(b"// \n" + bytes(160 << 20), 1))
        self.list["modules"] += [{"name": "large.ptx", "file": "large.ptx.gz"}] * 3
        self.refused("'large.ptx.gz' has more than ")

    def test_variables_of_the_ptx_take_memory_as_buffers_do(self):
        text = (self.capture / "flip.ptx").read_text()
        (self.capture / "flip.ptx").write_text(text.replace(".visible", f".global .b32 big[{1 << 30}];\n.visible"))
        self.refused("flip.ptx: variable 'big' is too large: a capture has at most 2147483648 bytes of memory")

    def test_sources_that_the_ptx_names_are_no_pipes(self):
        self.write(repaired=False)
        text = (self.capture / "flip.ptx").read_text()
        os.mkfifo(self.folder / "pipe.cu")
        for name in ("pipe.cu", "/dev/zero", "-"):
            (self.capture / "flip.ptx").write_text(text.replace("{\n", "{\n.loc 1 1 0\n") + f'.file 1 "{name}"\n')
            self.assertIn("error: E1 race", self.race(status=1).stdout)

    def test_kernels_without_a_launch_are_no_question(self):
        text = (self.capture / "flip.ptx").read_text()
        (self.capture / "flip.ptx").write_text(text + ".visible .entry other(.param .u64 x) { ret; }\n")
        self.assertIn("clean: 0 errors, 0 warnings, 0 hints in 1 of 2 kernels, ", self.race(status=0).stdout)

    def test_folder_of_captures(self):
        self.race(status=0)
        shutil.copytree(self.capture, self.folder / "seen" / "flip-1")
        self.write(repaired=False)
        shutil.copytree(self.capture, self.folder / "seen" / "flip-2")
        report = json.loads(subprocess.run([PROGRAM, "race", "seen", "--json"], cwd=self.folder, timeout=120,
                                           stdout=subprocess.PIPE).stdout)
        self.assertEqual([(one["file"], one["verdict"]) for one in report["files"]],
                         [("seen/flip-1", "clean"), ("seen/flip-2", "found")])

    def test_bytes_that_look_packed_are_not_unpacked(self):
        first, = struct.unpack("<i", b"\x1f\x8b\x08\x00")
        numbers = [first, *range(127)]
        (self.capture / "data.bin").write_bytes(struct.pack("<128i", *numbers))
        self.list["buffers"][1]["file"] = "data.bin"
        (self.capture / "after.bin").write_bytes(
            struct.pack("<128i", *numbers[:64], *(number + 100 for number in reversed(numbers[64:]))))
        self.assertEqual(self.race(status=0).stderr, "")

    def test_addresses_in_memory_follow_it(self):
        (self.capture / "flip.ptx").write_text(SUM)
        self.list["launches"] = [
            {"module": 0, "kernel": "sum", "grid": [1, 1, 1], "block": [1, 1, 1],
             "arguments": [struct.pack("<Q", 0x1000).hex()],
             "outputs": [{"buffer": 0, "file": "list-after.bin"}, {"buffer": 1, "file": "data-after.bin"}]}]
        self.list["buffers"] = [{"address": "0x1000", "bytes": 20, "file": "list.bin"},
                                {"address": hex(BASE), "bytes": 16, "file": "data.bin"}]
        (self.capture / "list.bin").write_bytes(struct.pack("<QQI", BASE, BASE + 16, 5))  # the second is the end
        (self.capture / "list-after.bin").write_bytes(struct.pack("<QQI", BASE, BASE + 16, 10))
        for name in ("data.bin", "data-after.bin"):
            (self.capture / name).write_bytes(struct.pack("<4i", 1, 2, 3, 4))
        self.assertEqual(self.race(status=0).stderr, "")

    def test_damaged_ptx_is_refused_with_its_line(self):
        (self.capture / "flip.ptx").write_text(".version 7.8\n.target sm_80\n.nonsense\n")
        self.refused("flip.ptx:3:1: error: ")

    def test_options_about_a_launch_are_refused(self):
        self.assertIn("--launch", self.race("--launch", "grid=1 block=64", status=2).stderr)


if __name__ == "__main__":
    unittest.main()
