// SPDX-License-Identifier: MIT
// Sites of findings in PTX, and the text with delays, barriers and fences.
#include "confirm/patch/ptx_patch.h"

#include <gtest/gtest.h>

namespace weakspot::confirm::ptx_patch_test {
namespace {

constexpr const char* kTiles = R"(.version 9.0
.target sm_80
.address_size 64
.visible .entry tiles(.param .u64 out)
{
	.reg .pred %p<2>;
	.reg .b32 %r<5>;
	.reg .b64 %rd<3>;
	.shared .align 4 .b8 tile[256];
	.loc	1 3 3
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	setp.lt.u32 %p1, %r1, 32;
	.loc	1 4 3
	shl.b32 %r2, %r1, 2;
	@%p1 st.shared.u32 [%r2], %r1;
	.loc	1 6 3
	sub.s32 %r3, 252, %r2;
	ld.shared.u32 %r4, [%r3];
	st.global.u32 [%rd1], %r4;
	ret;
}
	.file	1 "/home/somebody/src/tiles.cu"
)";

PtxText read(const std::string& text) {
  base::Result<PtxText> ptx = PtxText::read("tiles.ptx", text);
  EXPECT_TRUE(ptx.ok()) << base::render(ptx.errors());
  return *std::move(ptx);
}

AccessPlace write_at(unsigned line) { return {{"src/tiles.cu", line, 0}, 0, true, race::Space::shared}; }
AccessPlace read_at(unsigned line) { return {{"src/tiles.cu", line, 0}, 0, false, race::Space::shared}; }

std::vector<unsigned> lines(const PtxText& ptx, const std::vector<Spot>& spots) {
  std::vector<unsigned> numbers;
  for (const Spot& spot : spots) numbers.push_back(ptx.line_of(spot));
  return numbers;
}

std::vector<std::vector<unsigned>> lines(const PtxText& ptx, const std::vector<std::vector<Spot>>& places) {
  std::vector<std::vector<unsigned>> numbers;
  for (const std::vector<Spot>& spots : places) numbers.push_back(lines(ptx, spots));
  return numbers;
}

TEST(PtxPatch, FindsAccessesByLineSpaceAndKind) {
  const PtxText ptx = read(kTiles);
  EXPECT_EQ(lines(ptx, ptx.accesses("tiles", write_at(4))), (std::vector<unsigned>{16}));
  EXPECT_EQ(lines(ptx, ptx.accesses("tiles", read_at(6))), (std::vector<unsigned>{19}));
  EXPECT_TRUE(ptx.accesses("tiles", write_at(6)).empty());
  EXPECT_TRUE(ptx.accesses("other", write_at(4)).empty());
  AccessPlace elsewhere = write_at(4);
  elsewhere.place.file = "lib/tiles.cu";
  EXPECT_TRUE(ptx.accesses("tiles", elsewhere).empty());
  elsewhere.place.file = "../tiles.cu";
  EXPECT_EQ(ptx.accesses("tiles", elsewhere).size(), 1u);
  // The line of the text itself decides if it is known.
  EXPECT_EQ(lines(ptx, ptx.accesses("tiles", {{}, 20, true, {}})), (std::vector<unsigned>{20}));
}

TEST(PtxPatch, PutsABarrierInFrontOfTheAccessOfItsLine) {
  const PtxText ptx = read(kTiles);
  const std::vector<std::vector<Spot>> sites = {ptx.accesses("tiles", read_at(6)), ptx.accesses("tiles", write_at(4))};
  const auto places = ptx.places_for("tiles", {"tiles.cu", 6, false}, sites);
  EXPECT_EQ(lines(ptx, places), (std::vector<std::vector<unsigned>>{{19}, {18}, {16}}));
  const std::string repaired =
      with_instruction(ptx, places.front(), repair_instruction({.kind = race::FixKind::block_barrier}));
  EXPECT_NE(repaired.find("sub.s32 %r3, 252, %r2;\n\tbar.sync 0;\n\tld.shared.u32 %r4"), std::string::npos);
  EXPECT_EQ(repaired.size(), std::string(kTiles).size() + std::string("bar.sync 0;\n\t").size());
  // Behind line 4 is in front of the next instruction; without a line, only the sites are left.
  EXPECT_EQ(lines(ptx, ptx.places_for("tiles", {"tiles.cu", 4, true}, {})), (std::vector<std::vector<unsigned>>{{18}}));
  EXPECT_EQ(lines(ptx, ptx.places_for("tiles", {}, sites)), (std::vector<std::vector<unsigned>>{{19}, {16}}));
}

TEST(PtxPatch, DelaysOneThreadWhereItsGuardHolds) {
  const PtxText ptx = read(kTiles);
  race::ThreadIndex thread;
  thread.thread = {{31, 0, 0}, 1};
  thread.block = {{2, 1, 0}, 2};
  const std::string delayed = with_delay(ptx, ptx.accesses("tiles", write_at(4)), thread, 50'000);
  const std::string start = delayed.substr(delayed.find("{\n\t.reg .pred %weakspot_here"));
  EXPECT_TRUE(start.starts_with(R"({
	.reg .pred %weakspot_here;
	.reg .b32 %weakspot_index, %weakspot_left;
	setp.eq.u32 %weakspot_here, 0, 0;
	mov.u32 %weakspot_index, %tid.x;
	setp.eq.and.u32 %weakspot_here, %weakspot_index, 31, %weakspot_here;
	mov.u32 %weakspot_index, %ctaid.x;
	setp.eq.and.u32 %weakspot_here, %weakspot_index, 2, %weakspot_here;
	mov.u32 %weakspot_index, %tid.y;
	setp.eq.and.u32 %weakspot_here, %weakspot_index, 0, %weakspot_here;
	mov.u32 %weakspot_index, %ctaid.y;
	setp.eq.and.u32 %weakspot_here, %weakspot_index, 1, %weakspot_here;
)")) << start;
  EXPECT_NE(delayed.find(R"(	shl.b32 %r2, %r1, 2;
	{
	.reg .pred %weakspot_go, %weakspot_on;
	.reg .b32 %weakspot_turns;
	.reg .b64 %weakspot_now, %weakspot_end;
	setp.ne.and.u32 %weakspot_go, %weakspot_left, 0, %weakspot_here;
	and.pred %weakspot_go, %weakspot_go, %p1;
	@!%weakspot_go bra $weakspot_go_1;
	sub.u32 %weakspot_left, %weakspot_left, 1;
	mov.u32 %weakspot_turns, 5000;
	mov.u64 %weakspot_end, %globaltimer;
	add.u64 %weakspot_end, %weakspot_end, 50000;
$weakspot_wait_1:
	nanosleep.u32 500;
	sub.u32 %weakspot_turns, %weakspot_turns, 1;
	mov.u64 %weakspot_now, %globaltimer;
	setp.lt.u64 %weakspot_go, %weakspot_now, %weakspot_end;
	setp.ne.and.u32 %weakspot_go, %weakspot_turns, 0, %weakspot_go;
	@%weakspot_go bra $weakspot_wait_1;
$weakspot_go_1:
	}
	@%p1 st.shared.u32 [%r2], %r1;
)"),
            std::string::npos)
      << delayed;
  // What was changed is PTX again, and its accesses are where they were.
  const PtxText again = read(delayed);
  EXPECT_EQ(again.accesses("tiles", write_at(4)).size(), 1u);
  EXPECT_EQ(again.accesses("tiles", read_at(6)).size(), 1u);
}

// A loop that a compiler unrolled has its line twice.
TEST(PtxPatch, PutsABarrierIntoEachRound) {
  std::string unrolled = kTiles;
  unrolled.insert(unrolled.find("\tret;"),
                  "\t.loc 1 4 3\n\tst.shared.u32 [%r2], %r4;\n\t.loc 1 6 3\n"
                  "\tld.shared.u32 %r4, [%r3];\n");
  const PtxText ptx = read(unrolled);
  const auto places = ptx.places_for("tiles", {"tiles.cu", 6, false}, {});
  EXPECT_EQ(lines(ptx, places), (std::vector<std::vector<unsigned>>{{19}, {19, 24}, {18}}));
}

// Behind a branch that not all threads take, a barrier belongs where they meet.
TEST(PtxPatch, PutsABarrierWhereThreadsMeet) {
  std::string branched = kTiles;
  branched.insert(branched.find("\tret;"), "$L__join:\n\t.loc 1 7 1\n");
  const PtxText ptx = read(branched);
  const auto places = ptx.places_for("tiles", {"tiles.cu", 6, true}, {});
  EXPECT_EQ(lines(ptx, places).front(), (std::vector<unsigned>{23}));
  // A line without code, such as that of a brace, stands for the nearest on its side.
  EXPECT_EQ(lines(ptx, ptx.places_for("tiles", {"tiles.cu", 5, false}, {})).front(), (std::vector<unsigned>{19}));
  EXPECT_EQ(lines(ptx, ptx.places_for("tiles", {"tiles.cu", 5, true}, {})).front(), (std::vector<unsigned>{18}));
  EXPECT_EQ(ptx.places_for("tiles", {"tiles.cu", 4, true}, {}).size(), 2u);  // behind the line, and at the label
}

TEST(PtxPatch, KnowsWhatMayVaryWithoutARace) {
  EXPECT_FALSE(depends_on_order(read(kTiles).module(), "tiles"));
  for (const char* instruction :
       {"atom.global.add.u32 %r4, [%rd1], 1;", "mov.u32 %r4, %smid;", "ld.volatile.global.u32 %r4, [%rd1];"}) {
    std::string other = kTiles;
    other.insert(other.find("\tret;"), std::string("\t") + instruction + "\n");
    EXPECT_TRUE(depends_on_order(read(other).module(), "tiles")) << instruction;
  }
}

TEST(PtxPatch, GivesALaneACopyOfTheKernel) {
  std::string with_barrier = kTiles;
  with_barrier.insert(with_barrier.find("\tsub.s32"), "\t@%p1 bar.sync 0;\n");
  const PtxText ptx = read(with_barrier);
  race::ThreadIndex thread;
  thread.thread = {{31, 0, 0}, 1};
  const std::optional<std::string> text = with_lane_delay(ptx, ptx.accesses("tiles", write_at(4)), thread, 50'000);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("\t@%weakspot_here bra $weakspot_copy;\n"), std::string::npos) << *text;
  const std::size_t copy = text->find("$weakspot_copy:\n{");
  ASSERT_NE(copy, std::string::npos);
  // The variable is one, the registers are two sets, and the barriers are those for lanes that left their warp.
  EXPECT_EQ(text->find(".shared .align 4", copy), std::string::npos);
  EXPECT_NE(text->find(".reg .b32 %r<5>;", copy), std::string::npos);
  EXPECT_EQ(text->find("@%p1 bar.sync"), std::string::npos);
  EXPECT_NE(text->find("@%p1 barrier.sync 0;"), text->rfind("@%p1 barrier.sync 0;"));
  EXPECT_GT(text->find("nanosleep"), copy);
  const PtxText again = read(*text);
  EXPECT_EQ(again.accesses("tiles", write_at(4)).size(), 2u);
  // A barrier of whole warps cannot be reached by a lane alone.
  with_barrier.insert(with_barrier.find("\tsub.s32"), "\tbarrier.sync.aligned 0;\n");
  const PtxText whole = read(with_barrier);
  EXPECT_FALSE(with_lane_delay(whole, whole.accesses("tiles", write_at(4)), thread, 50'000));
}

TEST(PtxPatch, SleepsOnlyWhereTheTextMay) {
  std::string old = kTiles;
  old.replace(old.find("sm_80"), 5, "sm_60");
  const PtxText ptx = read(old);
  EXPECT_EQ(with_delay(ptx, ptx.accesses("tiles", write_at(4)), {}, 1000).find("nanosleep"), std::string::npos);
}

TEST(PtxPatch, KnowsTheInstructionsOfFixes) {
  EXPECT_EQ(repair_instruction({.kind = race::FixKind::warp_barrier}), "bar.warp.sync 0xffffffff;");
  EXPECT_EQ(repair_instruction({.kind = race::FixKind::fence, .scope = race::Scope::block}), "fence.acq_rel.cta;");
  EXPECT_EQ(repair_instruction({.kind = race::FixKind::fence, .scope = race::Scope::device}), "fence.acq_rel.gpu;");
  EXPECT_EQ(repair_instruction({.kind = race::FixKind::atomic}), "");
}

}  // namespace
}  // namespace weakspot::confirm::ptx_patch_test
