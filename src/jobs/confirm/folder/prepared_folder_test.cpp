// SPDX-License-Identifier: MIT
// Prepared findings through their folder, and folders that mean no good.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "confirm/confirm.h"
#include "system/temporary_folder.h"

namespace weakspot::confirm::prepared_folder_test {
namespace {

namespace fs = std::filesystem;

// A kernel whose threads read what others store, without a barrier.
constexpr const char* kFlip = R"(.version 7.8
.target sm_80
.address_size 64
.visible .entry flip(.param .u64 data)
{
	.reg .b32 %r<5>;
	.reg .b64 %rd<2>;
	.shared .align 4 .b8 tile[256];
	ld.param.u64 %rd1, [data];
	mov.u32 %r1, %tid.x;
	shl.b32 %r2, %r1, 2;
	st.shared.u32 [%r2], %r1;
	sub.u32 %r3, 252, %r2;
	ld.shared.u32 %r4, [%r3];
	st.global.u32 [%rd1], %r4;
	ret;
}
)";

capture::Capture flip_capture() {
  capture::Capture capture;
  capture.modules.push_back({"flip.ptx", kFlip});
  capture.buffers.push_back({"data", 0x7f0000000000, 256, std::string(256, '\1')});
  capture::Capture::Launch launch;
  launch.kernel = "flip";
  launch.shape.block = {64, 1, 1};
  launch.arguments.push_back(std::string("\0\0\0\0\0\x7f\0\0", 8));
  capture.launches.push_back(launch);
  return capture;
}

race::Finding flip_finding() {
  race::Finding finding;
  finding.kind = race::FindingKind::race;
  finding.kernel = "flip";
  finding.launch = "grid=1 block=64";
  finding.message = "read and write of shared tile[32] are not ordered";
  finding.place = {"flip.ptx", 14, 2};
  finding.other = race::Place{"flip.ptx", 12, 2};
  finding.actor = race::read_actor("read by threadIdx=31 blockIdx=0");
  finding.other_actor = race::read_actor("write by threadIdx=32 blockIdx=0");
  finding.space = race::Space::shared;
  race::Fix fix;
  fix.kind = race::FixKind::block_barrier;
  fix.certain = true;
  fix.places.push_back({{"flip.ptx", 14, false}, race::FixRole::none, {}});
  finding.fixes.push_back(fix);
  return finding;
}

base::Result<Prepared> prepared_flip(const Checker& checker = {}) {
  return prepare(flip_finding(), flip_capture(), true, std::chrono::microseconds(50), checker);
}

void change(const fs::path& file, const std::string& from, const std::string& to) {
  std::string text = *base::read_file(file.string());
  ASSERT_NE(text.find(from), std::string::npos) << text;
  text.replace(text.find(from), from.size(), to);
  ASSERT_TRUE(base::write_file(file.string(), text).ok());
}

TEST(Prepared, HasAllForms) {
  const base::Result<Prepared> made = prepared_flip();
  ASSERT_TRUE(made.ok()) << base::render(made.errors());
  ASSERT_EQ(made->forms.size(), 6u);
  EXPECT_EQ(made->capture.modules.size(), 6u);
  EXPECT_EQ(made->subject.sites[0].lines, (std::vector<unsigned>{14}));
  EXPECT_EQ(made->subject.sites[1].lines, (std::vector<unsigned>{12}));
  EXPECT_EQ(made->subject.repair_lines, (std::vector<unsigned>{14}));
  EXPECT_FALSE(made->subject.repair_checked);
  const std::string& repaired = made->capture.modules[made->forms[3].module].ptx;
  EXPECT_NE(repaired.find("bar.sync 0;\n\tld.shared.u32 %r4"), std::string::npos) << repaired;
  // The delay of the repaired form stands behind the barrier, in front of the same load.
  const std::string& both = made->capture.modules[made->forms[4].module].ptx;
  EXPECT_NE(both.find("bar.sync 0;\n\t{"), std::string::npos) << both;
  EXPECT_NE(both.find("}\n\tld.shared.u32 %r4"), std::string::npos) << both;
}

TEST(Prepared, ARepairThatTheCheckerDoesNotBelieveIsLeftOut) {
  int asked = 0;
  const auto made = prepared_flip([&](const std::string&) -> base::Result<race::Report> {
    ++asked;
    race::Report report;
    report.findings.push_back(flip_finding());
    return report;
  });
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->subject.no_repair, NoRepair::still_found);
  EXPECT_EQ(made->forms.size(), 3u);
  EXPECT_EQ(asked, 3);  // the kernel as it is, and two places
}

TEST(Prepared, WithoutAStatementThereIsNoRepair) {
  race::Finding finding = flip_finding();
  finding.fixes.front().kind = race::FixKind::atomic;
  const auto made = prepare(finding, flip_capture(), true, std::chrono::microseconds(50), {});
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->subject.no_repair, NoRepair::no_fix);
}

TEST(Prepared, ComesBackFromItsFolder) {
  const base::TemporaryFolder folder;
  const std::string at = (folder.path() / "finding").string();
  const base::Result<Prepared> made = prepared_flip();
  ASSERT_TRUE(write_prepared(*made, at).ok());
  const base::Result<Prepared> read = read_prepared(at);
  ASSERT_TRUE(read.ok()) << base::render(read.errors());
  EXPECT_EQ(read->forms.size(), made->forms.size());
  EXPECT_EQ(read->forms[5].site, 1u);
  EXPECT_EQ(read->subject.sites[1].act, "write by threadIdx=32 blockIdx=0");
  EXPECT_EQ(read->subject.repair, "bar.sync 0;");
  EXPECT_EQ(read->delay, 50'000u);
  EXPECT_EQ(read->capture.buffers[0].contents, std::string(256, '\1'));
  EXPECT_EQ(read->capture.launches[0].arguments, flip_capture().launches[0].arguments);
  EXPECT_EQ(read->capture.modules[2].ptx, made->capture.modules[2].ptx);
}

TEST(Prepared, RefusesForgedFolders) {
  const struct {
    const char *from, *to, *says;
  } changes[] = {
      {"\"module\": 5", "\"module\": 6", "a number of the list 'modules'"},
      {"\"site\": 1", "\"site\": 7", "site"},
      {"\"kind\": \"original\"", "\"kind\": \"repaired\"", "the first form must be the original"},
      {"\"delay_ns\": 50000", "\"delay_ns\": 99999999999999", "delay_ns"},
      {"\"format\": 1", "\"format\": 2", "format"},
  };
  for (const auto& one : changes) {
    const base::TemporaryFolder folder;
    const std::string at = (folder.path() / "finding").string();
    ASSERT_TRUE(write_prepared(*prepared_flip(), at).ok());
    change(fs::path(at) / kPreparedFile, one.from, one.to);
    const base::Result<Prepared> read = read_prepared(at);
    ASSERT_FALSE(read.ok()) << one.to;
    EXPECT_NE(base::render(read.errors()).find(one.says), std::string::npos) << base::render(read.errors());
  }
}

TEST(Prepared, ReadsNothingOutsideOfItsFolder) {
  const base::TemporaryFolder folder;
  const std::string at = (folder.path() / "finding").string();
  ASSERT_TRUE(write_prepared(*prepared_flip(), at).ok());
  fs::rename(fs::path(at) / kPreparedFile, folder.path() / "outside.json");
  fs::create_symlink("../outside.json", fs::path(at) / kPreparedFile);
  const base::Result<Prepared> read = read_prepared(at);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(base::render(read.errors()).find("lies outside"), std::string::npos);
}

}  // namespace
}  // namespace weakspot::confirm::prepared_folder_test
