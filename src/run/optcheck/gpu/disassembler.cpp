// SPDX-License-Identifier: MIT
#include "optcheck/gpu/disassembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/file.h"
#include "base/hash.h"
#include "system/subprocess.h"
#include "system/temporary_folder.h"

namespace weakspot::optcheck {
namespace {

// Since sm_70 every instruction has 16 bytes, and jumps are relative.
constexpr std::uint64_t kInstructionBytes = 16;
constexpr unsigned kOldestRaw = 70;
constexpr std::size_t kMostKnown = 2048;

std::vector<std::string> toolkit_folders() {
  std::vector<std::string> folders;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* home = std::getenv(name); home != nullptr && *home != 0)
      folders.push_back(std::string(home) + "/bin");
  }
  folders.emplace_back("/usr/local/cuda/bin");
  folders.emplace_back("/opt/cuda/bin");
  return folders;
}

Disassembler::Tool tool_at(const std::string& path) {
  return [path](const std::vector<std::string>& options, Bytes bytes) -> base::Result<std::string> {
    const base::TemporaryFolder folder;
    const std::string file = (folder.path() / "program.cubin").string();
    if (base::Status written = base::write_file(file, std::string(bytes.begin(), bytes.end())); !written) {
      return written.errors();
    }
    std::vector<std::string> command = {path};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back(file);
    const base::Result<base::ProcessResult> result = base::run_process(command);
    if (!result) return result.errors();
    if (!result->succeeded()) return base::error(fmt::format("{} failed: {}", path, result->errors));
    return result->output;
  };
}

// The address that a line of a listing begins with.
std::optional<std::uint64_t> address_of(std::string_view line) {
  const std::size_t open = line.find_first_not_of(" \t");
  if (open == std::string_view::npos || !line.substr(open).starts_with("/*")) return std::nullopt;
  const std::size_t close = line.find("*/", open);
  if (close == std::string_view::npos || line.find(';', close) == std::string_view::npos) return std::nullopt;
  const std::string_view digits = line.substr(open + 2, close - open - 2);
  std::uint64_t at = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), at, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return at;
}

}  // namespace

struct Disassembler::Wanted {
  KernelCode kernel;
  Bytes code;
  std::string hash;
  std::vector<std::size_t> places;  // indices in the request: several kernels may have the same code
  Listed listed = base::error("not listed");
};

std::vector<Disassembler::Listed> Disassembler::list(std::span<const KernelCode> kernels) {
  std::vector<Listed> all(kernels.size(), base::error("not listed"));
  std::map<std::string, Wanted> missing;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::optional<ElfFile> file = ElfFile::read(kernels[i].image);
    const ElfFile::Section* section = file ? file->find(fmt::format(".text.{}", kernels[i].kernel)) : nullptr;
    if (section == nullptr) {
      all[i] = base::error(fmt::format("the machine code has no kernel '{}'", kernels[i].kernel));
      continue;
    }
    const std::string_view bytes(reinterpret_cast<const char*>(section->bytes.data()), section->bytes.size());
    const std::string hash = fmt::format("{} {}", kernels[i].arch, base::hash_bytes(bytes).hex());
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto found = known_.find(hash); found != known_.end()) {
      all[i] = found->second;
      continue;
    }
    Wanted& wanted = missing[hash];
    wanted.kernel = kernels[i];
    wanted.code = section->bytes;
    wanted.hash = hash;
    wanted.places.push_back(i);
  }
  std::map<unsigned, std::vector<Wanted*>> by_arch;
  for (auto& [hash, wanted] : missing) by_arch[wanted.kernel.arch].push_back(&wanted);
  for (const auto& [arch, wanted] : by_arch) list_together(wanted);
  for (auto& [hash, wanted] : missing) {
    if (!wanted.listed) list_alone(wanted);
    for (const std::size_t i : wanted.places) all[i] = wanted.listed;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (known_.size() >= kMostKnown) known_.clear();
    if (wanted.listed) known_[hash] = *wanted.listed;
  }
  return all;
}

// Lists kernels of one architecture with one call of the tool. Kernels that cannot be listed that way are listed alone
// later.
void Disassembler::list_together(std::vector<Wanted*> wanted) {
  std::erase_if(wanted, [](const Wanted* one) { return one->code.size() % kInstructionBytes != 0; });
  if (!reads_raw_ || wanted.size() < 2 || wanted.front()->kernel.arch < kOldestRaw) return;
  std::vector<std::uint8_t> all;
  std::vector<std::uint64_t> sizes;
  for (const Wanted* one : wanted) {
    all.insert(all.end(), one->code.begin(), one->code.end());
    sizes.push_back(one->code.size());
  }
  const base::Result<std::string> text = tool_({"-b", fmt::format("SM{}", wanted.front()->kernel.arch)}, all);
  if (!text) return;
  const std::vector<std::shared_ptr<const SassListing>> parts = cut_listing(*text, sizes);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] != nullptr) wanted[i]->listed = parts[i];
  }
}

void Disassembler::list_alone(Wanted& wanted) {
  base::Result<std::string> text = tool_(of_file_, wanted.kernel.image);
  if (!text) {
    wanted.listed = text.errors();
    return;
  }
  wanted.listed =
      std::make_shared<const SassListing>(SassListing{*std::move(text), std::string(wanted.kernel.kernel), 0});
}

Disassembler& installed_disassembler() {
  static Disassembler installed = [] {
    if (const std::string found = base::find_program("nvdisasm", toolkit_folders()); !found.empty()) {
      return Disassembler(tool_at(found), {"-c"}, true);
    }
    if (const std::string found = base::find_program("cuobjdump", toolkit_folders()); !found.empty()) {
      return Disassembler(tool_at(found), {"-sass"}, false);
    }
    auto none = [](const std::vector<std::string>&, Bytes) -> base::Result<std::string> {
      return base::error("no disassembler: neither nvdisasm nor cuobjdump of the CUDA toolkit was found");
    };
    return Disassembler(none, {}, false);
  }();
  return installed;
}

std::vector<std::shared_ptr<const SassListing>> cut_listing(std::string_view listing,
                                                            std::span<const std::uint64_t> sizes) {
  // A part ends with the instruction that reaches its size. It counts only if the addresses had no hole on the way; a
  // hole across a border spoils the parts on both sides, because `next` then is not the begin of the second.
  std::vector<std::shared_ptr<const SassListing>> parts(sizes.size());
  std::size_t part = 0;
  std::uint64_t begin = 0, next = 0;  // start of the part; address of the instruction that must follow
  std::size_t text_begin = 0, line_begin = 0;
  bool whole = true;
  for (; line_begin < listing.size() && part < sizes.size();) {
    const std::size_t line_end = std::min(listing.find('\n', line_begin), listing.size() - 1) + 1;
    const std::optional<std::uint64_t> at = address_of(listing.substr(line_begin, line_end - line_begin));
    line_begin = line_end;
    if (!at) continue;
    whole = whole && *at == next;
    next = *at + kInstructionBytes;
    if (next < begin + sizes[part]) continue;
    if (whole && next == begin + sizes[part]) {
      parts[part] = std::make_shared<const SassListing>(
          SassListing{std::string(listing.substr(text_begin, line_end - text_begin)), "", begin});
    }
    begin += sizes[part];
    whole = next == begin;
    text_begin = line_end;
    ++part;
  }
  return parts;
}

}  // namespace weakspot::optcheck
