# SPDX-License-Identifier: MIT
"""A planted fault of every kind is called forbidden by the default judge, where the device can show it at all.

What a processor shows decides what is asserted. Store buffering and lost updates are seen within moments on every
machine with two processors, so faults that lead to them must be found. x86-64 has no weaker form of an acquire, and
stores and loads of AArch64 are seldom seen out of order in the other shapes: there the code must differ, and whatever
is seen must be forbidden. Scopes mean nothing to a driver that computes on the host's processor.
"""
import json
import os
import platform
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from platforms_test import PLAIN_CPU, environment, masked  # noqa: E402
from support import PROGRAM, FolderTest, load_tool, needs_program  # noqa: E402

ARM = platform.machine() in ("aarch64", "arm64")
# A processor that others use at the same time shows little in a second: what must be found gets more of them.
SECONDS = (1, 5, 25)


TOOL = load_tool("planted_faults")


def emitted(test, target, kind):
    """The code for a target, or the refusal."""
    done = subprocess.run([str(PROGRAM), "emit", test, "--target", target, "--env", f"weaken={kind}"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.stdout if done.returncode == 0 else done.stderr


@needs_program
class Emission(unittest.TestCase):
    def check(self, test, target, kind, with_fault, without_fault):
        """The code has one word instead of the other."""
        with self.subTest(target=target, kind=kind):
            whole, broken = emitted(test, target, "none"), emitted(test, target, kind)
            self.assertIn(without_fault, whole)
            self.assertNotIn("error", broken)
            self.assertGreater(broken.count(with_fault), whole.count(with_fault))
            self.assertLess(broken.count(without_fault), whole.count(without_fault))

    def test_every_fault_is_in_the_code(self):
        self.check("MP+rel+acq", "ptx", "release", "st.relaxed.gpu", "st.release.gpu")
        self.check("MP+rel+acq", "ptx", "acquire", "ld.relaxed.gpu", "ld.acquire.gpu")
        self.check("MP+rel+acq", "ptx", "scope", "st.release.cta", "st.release.gpu")
        self.check("SB+fence.sc+fence.sc", "ptx", "scope", "fence.sc.cta", "fence.sc.gpu")
        self.check("MP+rel+acq", "opencl", "release", "memory_order_relaxed", "memory_order_release")
        self.check("MP+rel+acq", "opencl", "acquire", "memory_order_relaxed", "memory_order_acquire")
        self.check("MP+rel+acq", "opencl", "scope", "memory_scope_work_group", "memory_scope_device")
        self.check("RMW-inc+inc", "opencl", "rmw", "atomic_store_explicit", "atomic_fetch_add_explicit")
        self.check("RMW-inc+inc", "wgsl", "rmw", "atomicStore(&memory", "atomicAdd(&memory")
        self.check("RMW-inc+inc", "spirv-asm", "rmw", "OpAtomicStore", "OpAtomicIAdd")

    def test_fences_and_orders_change_the_code_of_every_target(self):
        for target in ("ptx", "opencl", "spirv-asm", "cpu"):
            with self.subTest(target=target):
                test = "MP+fence.acqrel+fence.acqrel" if target != "cpu" else "SB+fence.sc+fence.sc"
                self.assertNotEqual(emitted(test, target, "none"), emitted(test, target, "fence"))
        for kind in ("release", "acquire", "scope"):
            self.assertNotEqual(emitted("MP+rel+acq", "spirv-asm", "none"), emitted("MP+rel+acq", "spirv-asm", kind))

    def test_what_a_target_cannot_say_is_refused(self):
        self.assertIn("CPUs have no scopes to narrow", emitted("MP+rel+acq", "cpu", "scope"))
        self.assertIn("WGSL's atomics on storage memory have device scope", emitted("MP", "wgsl", "scope"))


@needs_program
@unittest.skipUnless((os.cpu_count() or 1) > 1, "one processor shows no weak behaviour")
class PlantedFaults(FolderTest):
    def check_device(self, program, device, must_show):
        for kind in TOOL.TESTS:
            with self.subTest(kind=kind, device=device):
                for seconds in SECONDS:
                    word, model, rest = TOOL.try_kind(program, device, kind, seconds)
                    print(f"   {word:<8} {kind:<8} {device}  {model}  {rest}", flush=True)
                    if word != "unseen" or kind not in must_show:
                        break
                if kind in must_show:
                    self.assertEqual("found", word, rest)
                else:
                    self.assertIn(word, ("found", "unseen", "refused"), rest)

    def host_device(self, family, driver):
        """A script that runs the program where the driver's compiler works, and the device's id."""
        if not masked():
            self.skipTest("the processor's description cannot be masked")
        cache = environment()["POCL_CACHE_DIR"]
        script = self.write_program(
            "weakspot", f'#!/bin/sh\nPOCL_CACHE_DIR="{cache}" exec "{PLAIN_CPU}" "{PROGRAM}" "$@"\n')
        listed = subprocess.run([str(script), "devices", "--json"], stdout=subprocess.PIPE, check=True)
        for found in json.loads(listed.stdout):
            if found["id"].startswith(family) and found["is_host"] and driver in found["driver"]:
                return script, found["id"]
        return self.skipTest(f"there is no {driver} on this machine")

    def test_cpu(self):
        self.check_device(PROGRAM, "cpu", {"release", "fence", "rmw"} | ({"acquire"} if ARM else set()))

    def test_pocl(self):
        program, device = self.host_device("opencl", "Portable Computing Language")
        self.check_device(program, device, {"fence", "rmw"} | ({"acquire"} if ARM else set()))

    def test_lavapipe(self):
        # Vulkan's model has no sequential consistency, and so no fault that leads to store buffering.
        program, device = self.host_device("vulkan", "llvmpipe")
        self.check_device(program, device, {"rmw"})


@needs_program
class Line(unittest.TestCase):
    def test_a_dropped_fence_is_a_violation(self):
        if (os.cpu_count() or 1) < 2:
            self.skipTest("one processor shows no weak behaviour")
        done = subprocess.run([str(PROGRAM), "run", "SB+fence.sc+fence.sc", "--device", "cpu", "--env", "weaken=fence",
                               "--seconds", "1"], stdout=subprocess.PIPE, text=True)
        self.assertEqual(1, done.returncode)
        model = "aarch64" if ARM else "tso"
        self.assertRegex(done.stdout, rf"^FORBIDDEN   SB\+fence\.sc\+fence\.sc  cpu  {model}\s")


if __name__ == "__main__":
    unittest.main()
