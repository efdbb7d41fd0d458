# SPDX-License-Identifier: MIT
"""The judge beside an independent reading of the specifications, on tests with barriers of all levels."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from oracle.barriers import compare, make  # noqa: E402
from oracle.models import decide  # noqa: E402
from oracle.program import Op, Program, assign_instances  # noqa: E402
from support import PROGRAM, needs_program  # noqa: E402

ONE_CTA = [(0, 0, 0, 0), (0, 0, 0, 1)]
TWO_CTAS = [(0, 0, 0, 0), (0, 0, 1, 1)]  # of one cluster
STORE, LOAD = Op("st", "na", loc="x", value=1), Op("ld", "na", loc="x", reg="r0")


def answer(arch, places, *threads):
    program = Program(arch, places, [list(ops) for ops in threads])
    assert assign_instances(program)
    return decide(program)


class Specifications(unittest.TestCase):
    """Answers that the texts give themselves, or that follow in a step."""

    def stale(self, places, before, after):
        """Whether PTX lets a load behind a barrier miss the store before it."""
        return (0,) in answer("ptx", places, [STORE, *before], [*after, LOAD]).outcomes

    def test_ptx_message_passing(self):
        flag = [Op("fence", "acqrel", "sys"), Op("st", "rlx", "sys", loc="y", value=1)]
        seen = [Op("ld", "rlx", "sys", loc="y", reg="r1"), Op("fence", "acqrel", "sys")]
        self.assertEqual(answer("ptx", TWO_CTAS, [STORE, *flag], [*seen, LOAD]).outcomes, {(0, 0), (0, 1), (1, 1)})
        self.assertIn((1, 0), answer("ptx", TWO_CTAS, [STORE, *flag[1:]], [*seen, LOAD]).outcomes)

    def test_ptx_store_buffering(self):
        def outcomes(order):
            fence = Op("fence", order, "sys")
            return answer("ptx", TWO_CTAS, [STORE, fence, Op("ld", "na", loc="y", reg="r0")],
                          [Op("st", "na", loc="y", value=1), fence, LOAD]).outcomes
        self.assertNotIn((0, 0), outcomes("sc"))
        self.assertIn((0, 0), outcomes("acqrel"))

    def test_ptx_barriers_reach_their_level(self):
        bar, warp, cluster = Op("bar", level="wg"), Op("bar", level="sg"), Op("bar", level="cluster")
        self.assertFalse(self.stale(ONE_CTA, [bar], [bar]))
        self.assertTrue(self.stale(TWO_CTAS, [bar], [bar]))
        self.assertTrue(self.stale(ONE_CTA, [warp], [warp]))
        self.assertTrue(self.stale(ONE_CTA, [warp], [bar]))
        self.assertFalse(self.stale(TWO_CTAS, [cluster], [cluster]))

    def test_ptx_relaxed_arrival(self):
        wait = Op("bar", level="cluster", part="wait")
        waits = [Op("bar", level="cluster", part="arrive"), wait]
        relaxed = [Op("bar", "rlx", level="cluster", part="arrive"), wait]
        self.assertTrue(self.stale(TWO_CTAS, relaxed, waits))
        self.assertFalse(self.stale(TWO_CTAS, [Op("fence", "acqrel", "cluster"), *relaxed], waits))
        self.assertTrue(self.stale(TWO_CTAS, [Op("fence", "acqrel", "wg"), *relaxed], waits))
        self.assertTrue(self.stale(TWO_CTAS, [relaxed[0], Op("fence", "acqrel", "cluster"), wait], waits))

    def test_opencl(self):
        bar = Op("bar", scope="wg", level="wg", classes=("global",))
        local = Op("bar", scope="wg", level="wg", classes=("shared",))
        small = Op("bar", scope="wg", level="sg", classes=("global",))
        places = [(0, 0, 0), (0, 0, 1)]
        self.assertFalse(answer("opencl", places, [STORE, bar], [bar, LOAD]).race)
        self.assertTrue(answer("opencl", places, [STORE, local], [local, LOAD]).race)
        self.assertTrue(answer("opencl", places, [STORE, small], [small, LOAD]).race)
        for scope, race in (("wg", False), ("dev", True)):
            self.assertEqual(answer("opencl", places, [Op("st", "rel", "wg", "x", 1)],
                                    [Op("ld", "acq", scope, "x", reg="r0")]).race, race)

    def test_vulkan(self):
        store = Op("st", "na", loc="x", value=1, space="sc0", nonpriv=True)
        load = Op("ld", "na", loc="x", reg="r0", space="sc0", nonpriv=True)
        empty = Op("bar", level="wg")
        full = Op("bar", "acqrel", "wg", level="wg", classes=("sc0",), av=True, vis=True)
        release = Op("fence", "rel", "wg", classes=("sc0",), av=True)
        acquire = Op("fence", "acq", "wg", classes=("sc0",), vis=True)
        for before, after, race in (([full], [full], False), ([empty], [empty], True),
                                    ([release, empty], [empty, acquire], False),
                                    ([empty, release], [empty, acquire], True)):
            with self.subTest(before=before, after=after):
                self.assertEqual(answer("vulkan", ONE_CTA, [store, *before], [*after, load]).race, race)


class Tests(unittest.TestCase):
    def test_a_seed_repeats_a_test(self):
        self.assertEqual(make("ptx", 3, 7)[1], make("ptx", 3, 7)[1])
        self.assertNotEqual(make("ptx", 3, 7)[1], make("ptx", 4, 7)[1])


@needs_program
class Judge(unittest.TestCase):
    """150 random tests per model; tests/oracle/barriers.py --count 2000 runs more."""

    def agrees(self, arch):
        classes, differing = compare(PROGRAM, arch, seed=1, count=150)
        self.assertEqual((classes["tests"], differing), (150, []))

    def test_ptx(self):
        self.agrees("ptx")

    def test_opencl(self):
        self.agrees("opencl")

    def test_vulkan(self):
        self.agrees("vulkan")


if __name__ == "__main__":
    unittest.main()
