// SPDX-License-Identifier: MIT
// Listings of NVIDIA's machine code, from the disassemblers of the CUDA toolkit where they are installed.
//
// nvdisasm takes almost half a second to start and little longer for many kernels than for one, but reads one file at a
// time. So the code of many kernels, one after the other, is given to it as one raw binary, and its listing is cut at
// the addresses where kernels begin. Tables of lines are not part of that: each stays with the file it came from.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "optcheck/gpu/elf.h"
#include "optcheck/gpu/sass.h"

namespace weakspot::optcheck {

// A kernel in an ELF file.
struct KernelCode {
  Bytes image;
  std::string_view kernel;
  unsigned arch = 0;  // 90 of sm_90
};

// Threads may share it.
class Disassembler {
 public:
  // Runs the tool with these options on a file of these bytes and gives what it prints.
  using Tool = std::function<base::Result<std::string>(const std::vector<std::string>& options, Bytes file)>;

  // `of_file` are the options for an ELF file. `reads_raw`: the tool also has the option -b, for code alone.
  Disassembler(Tool tool, std::vector<std::string> of_file, bool reads_raw)
      : tool_(std::move(tool)), of_file_(std::move(of_file)), reads_raw_(reads_raw) {}

  using Listed = base::Result<std::shared_ptr<const SassListing>>;
  // A listing for each kernel, in few runs of the tool. Listings are kept by the bytes of the code.
  std::vector<Listed> list(std::span<const KernelCode> kernels);

 private:
  struct Wanted;
  void list_together(std::vector<Wanted*> wanted);
  void list_alone(Wanted& wanted);

  Tool tool_;
  std::vector<std::string> of_file_;
  bool reads_raw_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const SassListing>> known_;  // by hash
};

// nvdisasm, else cuobjdump; without both every listing is an error that says so.
Disassembler& installed_disassembler();

// A listing of raw code, cut into those of its parts, which have these sizes in bytes. Nothing for a part of which an
// instruction is missing.
std::vector<std::shared_ptr<const SassListing>> cut_listing(std::string_view listing,
                                                            std::span<const std::uint64_t> sizes);

}  // namespace weakspot::optcheck
