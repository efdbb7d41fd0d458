// SPDX-License-Identifier: MIT
// Recorded kernels, listed together as nvdisasm lists code alone.
#include "optcheck/gpu/disassembler.h"

#include <gtest/gtest.h>

#include "optcheck/gpu/check_sass.h"
#include "support/recorded_sass.h"

namespace weakspot::optcheck::disassembler_test {
namespace {

using testing_support::recorded;
using testing_support::Recording;

constexpr const char* kKernels[] = {"MP",
                                    "CoWW",
                                    "MP+ra",
                                    "LB+ctrls",
                                    "sb-shared-global",
                                    "LB+datas",
                                    "coRR",
                                    "CAS-lock+acq+rel",
                                    "BAR-WR",
                                    "MP+fence.sc+fence.sc"};

std::vector<Recording> all_recorded() {
  std::vector<Recording> all;
  for (const char* name : kKernels) all.push_back(recorded(name));
  return all;
}

void put(std::vector<std::uint8_t>& bytes, std::size_t at, std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i) bytes[at + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value >> (8 * i));
}

// An ELF file with the section .text.run, of this many bytes of this value.
std::vector<std::uint8_t> file_of(std::uint64_t bytes, std::uint8_t value) {
  static constexpr std::string_view kNames("\0.text.run\0.shstrtab\0", 21);
  std::vector<std::uint8_t> file(64 + bytes + kNames.size() + 3 * 64, 0);
  static constexpr std::uint8_t kMagic[] = {0x7f, 'E', 'L', 'F', 2, 1};
  std::copy(std::begin(kMagic), std::end(kMagic), file.begin());
  const std::size_t names = 64 + bytes;
  const std::size_t headers = names + kNames.size();
  std::fill(file.begin() + 64, file.begin() + static_cast<std::ptrdiff_t>(names), value);
  std::copy(kNames.begin(), kNames.end(), file.begin() + static_cast<std::ptrdiff_t>(names));
  put(file, 40, headers, 8);
  put(file, 60, 3, 2);
  put(file, 62, 2, 2);
  put(file, headers + 64, 1, 4);
  put(file, headers + 64 + 4, 1, 4);
  put(file, headers + 64 + 24, 64, 8);
  put(file, headers + 64 + 32, bytes, 8);
  put(file, headers + 128, 11, 4);
  put(file, headers + 128 + 4, 3, 4);
  put(file, headers + 128 + 24, names, 8);
  put(file, headers + 128 + 32, kNames.size(), 8);
  return file;
}

// Knows the recorded kernels by the value of their bytes.
struct FakeTool {
  std::vector<Recording> recordings = all_recorded();
  std::vector<std::vector<std::string>> calls;
  bool refuses_raw = false;

  base::Result<std::string> operator()(const std::vector<std::string>& options, Bytes file) {
    calls.push_back(options);
    if (options.front() != "-b") return ".text.run:\n" + recordings.at(file[64]).raw(0);
    if (refuses_raw) return base::error("illegal instruction");
    std::string text = "\t.headerflags\t@\"EF_CUDA_SM90\"\n";
    for (std::uint64_t at = 0; at < file.size(); at += recordings.at(file[at]).size()) {
      text += recordings.at(file[at]).raw(at);
    }
    return text;
  }
};

struct Listing {
  FakeTool tool;
  Disassembler disassembler{
      [this](const std::vector<std::string>& options, Bytes file) { return tool(options, file); }, {"-c"}, true};
  std::vector<std::vector<std::uint8_t>> files;
  std::vector<KernelCode> kernels;

  Listing() {
    for (std::size_t i = 0; i < tool.recordings.size(); ++i) {
      files.push_back(file_of(tool.recordings[i].size(), static_cast<std::uint8_t>(i)));
    }
    for (const auto& file : files) kernels.push_back({file, "run", 90});
  }

  // Expects that every kernel has the verdict it has alone.
  void expect_verdicts(const std::vector<Disassembler::Listed>& listed) const {
    ASSERT_EQ(kernels.size(), listed.size());
    for (std::size_t i = 0; i < listed.size(); ++i) {
      const Recording& recording = tool.recordings[i];
      ASSERT_TRUE(listed[i].ok()) << base::render(listed[i].errors());
      const std::vector<LineRow> rows = recording.rows();
      const CodeCheck together = check_sass(recording.test, {recording.ptx, listed[i]->get(), &rows});
      const CodeCheck alone = recording.check();
      EXPECT_TRUE(alone.verdict == together.verdict) << recording.test.name << ": " << together.reason;
      EXPECT_EQ(alone.reason, together.reason);
      ASSERT_EQ(alone.pairings.size(), together.pairings.size());
      for (std::size_t k = 0; k < alone.pairings.size(); ++k) {
        EXPECT_EQ(alone.pairings[k].at, together.pairings[k].at);
        EXPECT_EQ(alone.pairings[k].code, together.pairings[k].code);
      }
    }
  }
};

TEST(Disassembler, ListsManyKernelsAtOnce) {
  Listing listing;
  listing.expect_verdicts(listing.disassembler.list(listing.kernels));
  ASSERT_EQ(1u, listing.tool.calls.size());
  EXPECT_EQ((std::vector<std::string>{"-b", "SM90"}), listing.tool.calls[0]);
  // Known code is not listed again.
  listing.expect_verdicts(listing.disassembler.list(listing.kernels));
  EXPECT_EQ(1u, listing.tool.calls.size());
}

TEST(Disassembler, ListsOneKernelAsAFile) {
  Listing listing;
  const auto listed = listing.disassembler.list(std::span(listing.kernels).first(1));
  ASSERT_TRUE(listed[0].ok());
  EXPECT_EQ((std::vector<std::vector<std::string>>{{"-c"}}), listing.tool.calls);
}

TEST(Disassembler, TheSameCodeIsListedOnce) {
  Listing listing;
  const std::vector<KernelCode> twice = {listing.kernels[0], listing.kernels[1], listing.kernels[0]};
  const auto listed = listing.disassembler.list(twice);
  EXPECT_EQ(listed[0]->get(), listed[2]->get());
  EXPECT_EQ(1u, listing.tool.calls.size());
}

TEST(Disassembler, ListsAloneWhatCannotBeListedTogether) {
  Listing listing;
  listing.tool.refuses_raw = true;
  listing.expect_verdicts(listing.disassembler.list(listing.kernels));
  EXPECT_EQ(1 + std::size(kKernels), listing.tool.calls.size());
}

TEST(Disassembler, SaysWhatIsNotThere) {
  Listing listing;
  const std::vector<std::uint8_t> rubbish(100, 7);
  const std::vector<KernelCode> odd = {{rubbish, "run", 90}, {listing.files[0], "walk", 90}};
  const auto listed = listing.disassembler.list(odd);
  EXPECT_EQ("error: the machine code has no kernel 'run'\n", base::render(listed[0].errors()));
  EXPECT_EQ("error: the machine code has no kernel 'walk'\n", base::render(listed[1].errors()));
}

TEST(Disassembler, CutsOnlyWholeParts) {
  const std::string text =
      "/*0000*/ NOP ;\n/*0010*/ EXIT ;\n"
      ".L_x_1:\n/*0020*/ NOP ;\n/*0040*/ EXIT ;\n"
      "/*0050*/ BRA 0x50 ;\n";
  const std::uint64_t sizes[] = {0x20, 0x30, 0x10, 0x10};
  const auto parts = cut_listing(text, sizes);
  ASSERT_EQ(4u, parts.size());
  ASSERT_NE(nullptr, parts[0]);
  EXPECT_EQ("/*0000*/ NOP ;\n/*0010*/ EXIT ;\n", parts[0]->text);
  EXPECT_EQ(nullptr, parts[1]);  // 0x30 is missing
  ASSERT_NE(nullptr, parts[2]);
  EXPECT_EQ(0x50u, parts[2]->begin);
  EXPECT_EQ(nullptr, parts[3]);
  const auto code = read_sass(*parts[2]);
  ASSERT_TRUE(code.ok());
  EXPECT_EQ(0u, code->front().at);
  EXPECT_EQ(std::optional<std::size_t>(0), code->front().step.target);
}

}  // namespace
}  // namespace weakspot::optcheck::disassembler_test
