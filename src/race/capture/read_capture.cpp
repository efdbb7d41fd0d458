// SPDX-License-Identifier: MIT
#include "capture/capture.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "base/source.h"
#include "json/json.h"
#include "json/json_fields.h"
#include "race/request.h"

namespace weakspot::capture {
namespace {

namespace fs = std::filesystem;
using base::JsonFields;
using base::JsonValue;

constexpr std::uint64_t kLargestList = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostPtx = std::uint64_t{256} << 20;  // of all modules together
constexpr std::size_t kMostModules = 256, kLargestArgument = 4096;
constexpr std::uint64_t kMostGrid = 0x7fffffff, kMostShared = std::uint64_t{1} << 20;

// Reads at most `most` bytes and one more, which says that there are too many; nothing if the file is damaged. Its name
// says whether it is packed: what a kernel left in memory may begin as a packed file does.
std::optional<std::string> read_at_most(const std::string& file, std::uint64_t most) {
  gzFile packed = file.ends_with(".gz") ? gzopen(file.c_str(), "rb") : nullptr;
  std::ifstream plain;
  if (packed == nullptr) plain.open(file, std::ios::binary);
  std::string bytes;
  constexpr unsigned kStep = 1 << 20;
  std::streamsize count = 1;
  while (count > 0 && bytes.size() <= most) {
    const std::size_t at = bytes.size();
    bytes.resize(at + kStep);
    count =
        packed != nullptr ? gzread(packed, bytes.data() + at, kStep) : plain.read(bytes.data() + at, kStep).gcount();
    bytes.resize(at + static_cast<std::size_t>(std::max<std::streamsize>(count, 0)));
  }
  int problem = Z_OK;
  if (packed != nullptr) {
    gzerror(packed, &problem);
    gzclose(packed);
  }
  const bool whole =
      packed != nullptr ? count >= 0 && (problem == Z_OK || problem == Z_STREAM_END) : plain.is_open() && !plain.bad();
  if (!whole) return std::nullopt;
  bytes.resize(std::min<std::uint64_t>(bytes.size(), most + 1));
  return bytes;
}

class CaptureReader {
 public:
  CaptureReader(std::string folder, const base::Source& source)
      : folder_(std::move(folder)), source_(source), mistakes_(source) {}

  base::Result<Capture> read(const JsonValue& list) {
    JsonFields fields(list, mistakes_, "a capture");
    if (!fields.valid() || !fields.format(kCaptureVersion)) return mistakes_.take();
    capture_.program = std::string(fields.string("program").value_or(""));
    if (const std::optional<std::string_view> name = fields.string("architecture")) {
      const base::Result<race::Architecture> known = race::parse_architecture(*name);
      if (known) capture_.architecture = *known;
      if (!known) fields.unexpected("architecture", "an architecture such as \"sm_90\"");
    }
    if (fields.list("modules").size() > kMostModules) {
      fields.unexpected("modules", fmt::format("at most {} modules", kMostModules));
      return mistakes_.take();
    }
    for (const JsonValue& one : fields.list("modules")) read_module(one);
    for (const JsonValue& one : fields.list("buffers")) read_buffer(one);
    for (const JsonValue& one : fields.list("launches")) read_launch(one);
    if (fields.has("launches") && capture_.launches.empty()) fields.unexpected("launches", "at least one launch");
    fields.done();
    if (mistakes_.any()) return mistakes_.take();
    if (base::Status apart = check_buffers_apart(); !apart) return apart.errors();
    return std::move(capture_);
  }

 private:
  void read_module(const JsonValue& value) {
    JsonFields fields(value, mistakes_, "a module");
    Capture::Module module;
    module.name = fields.text("name");
    if (std::optional<std::string> text = file_of(fields, "file", kMostPtx - ptx_, std::nullopt)) {
      ptx_ += text->size();
      module.ptx = *std::move(text);
    }
    fields.done();
    capture_.modules.push_back(std::move(module));
  }

  void read_buffer(const JsonValue& value) {
    JsonFields fields(value, mistakes_, "a buffer");
    Capture::Buffer buffer;
    buffer.name = std::string(fields.string("name").value_or(""));
    buffer.address = address_of(fields, "address");
    buffer.size = fields.whole("bytes", ~std::uint64_t{0} >> 1);
    if (fields.has("bytes") && buffer.size == 0) fields.unexpected("bytes", "at least 1");
    if (buffer.address + buffer.size < buffer.address)
      fields.unexpected("bytes", "a size that fits behind the address");
    if (has_room(fields, "bytes", buffer.size) && fields.has("file")) {
      if (const auto bytes = file_of(fields, "file", buffer.size, buffer.size)) buffer.contents = *bytes;
    }
    fields.take("file");
    if (fields.has("variable")) {
      buffer.variable = fields.text("variable");
      buffer.module = index_of(fields, "module", capture_.modules.size(), "modules");
    }
    fields.done();
    capture_.buffers.push_back(std::move(buffer));
  }

  void read_launch(const JsonValue& value) {
    JsonFields fields(value, mistakes_, "a launch");
    Capture::Launch launch;
    launch.module = index_of(fields, "module", capture_.modules.size(), "modules");
    launch.kernel = fields.text("kernel");
    launch.shape.grid = extent_of(fields, "grid", true);
    launch.shape.block = extent_of(fields, "block", true);
    launch.shape.cluster = extent_of(fields, "cluster", false);
    if (fields.has("shared")) launch.shape.shared = fields.whole("shared", kMostShared);
    launch.shape.cooperative = fields.truth("cooperative");
    for (const JsonValue& argument : fields.list("arguments")) read_argument(fields, argument, launch);
    if (fields.has("outputs")) {
      for (const JsonValue& output : fields.list("outputs")) read_output(output, launch);
    }
    fields.done();
    capture_.launches.push_back(std::move(launch));
  }

  void read_argument(JsonFields& fields, const JsonValue& value, Capture::Launch& launch) {
    const std::string digits = value.kind() == JsonValue::Kind::string ? std::string(value.text()) : "";
    std::string bytes;
    for (std::size_t at = 0; at + 1 < digits.size(); at += 2) {
      unsigned byte = 0;
      const char* begin = digits.data() + at;
      if (std::from_chars(begin, begin + 2, byte, 16).ptr != begin + 2) break;
      bytes += static_cast<char>(byte);
    }
    if (bytes.empty() || bytes.size() * 2 != digits.size() || bytes.size() > kLargestArgument) {
      fields.mistake(&value, fmt::format("expected the bytes of an argument, at most {}, as hexadecimal digits",
                                         kLargestArgument));
    }
    launch.arguments.push_back(std::move(bytes));
  }

  void read_output(const JsonValue& value, Capture::Launch& launch) {
    JsonFields fields(value, mistakes_, "an output");
    Capture::Output output;
    output.buffer = index_of(fields, "buffer", capture_.buffers.size(), "buffers");
    const std::uint64_t size =
        output.buffer < capture_.buffers.size() ? capture_.buffers[output.buffer].size : std::uint64_t{0};
    if (size > 0 && has_room(fields, "buffer", size)) {
      if (const auto bytes = file_of(fields, "file", size, size)) output.contents = *bytes;
    }
    fields.take("file");
    fields.done();
    launch.outputs.push_back(std::move(output));
  }

  std::size_t index_of(JsonFields& fields, std::string_view key, std::size_t count, const char* of) {
    const std::uint64_t number = fields.whole(key, ~std::uint64_t{0} >> 1);
    if (fields.has(key) && number >= count) fields.unexpected(key, fmt::format("a number of the list '{}'", of));
    return number < count ? number : 0;
  }

  race::Extent extent_of(JsonFields& fields, std::string_view key, bool needed) {
    race::Extent extent;
    if (!needed && !fields.has(key)) return extent;
    const std::vector<JsonValue>& sizes = fields.list(key);
    bool fits = sizes.size() == 3;
    for (unsigned i = 0; i < 3 && fits; ++i) {
      const std::optional<std::uint64_t> size = sizes[i].whole();
      fits = size && *size > 0 && *size <= kMostGrid;
      if (fits) extent[i] = static_cast<std::uint32_t>(*size);
    }
    if (fields.has(key) && !fits) fields.unexpected(key, "three whole numbers from 1");
    return extent;
  }

  std::uint64_t address_of(JsonFields& fields, std::string_view key) {
    const std::string text = fields.text(key);
    std::uint64_t address = 0;
    const char* end = text.data() + text.size();
    bool known = text.starts_with("0x") && text.size() > 2;
    if (known) {
      const auto [rest, problem] = std::from_chars(text.data() + 2, end, address, 16);
      known = rest == end && problem == std::errc();
    }
    if (fields.has(key) && !known) fields.unexpected(key, "an address such as \"0x7f00\"");
    return address;
  }

  // Counts memory before anything is read.
  bool has_room(JsonFields& fields, std::string_view key, std::uint64_t size) {
    if (size <= kMostMemory - memory_) {
      memory_ += size;
      return true;
    }
    fields.unexpected(key, fmt::format("at most {} bytes of memory in a capture", kMostMemory));
    return false;
  }

  // A mistake at the member if the file cannot be had.
  std::optional<std::string> file_of(JsonFields& fields, std::string_view key, std::uint64_t most,
                                     std::optional<std::uint64_t> expected) {
    const JsonValue* member = fields.take(key, JsonValue::Kind::string, true);
    if (member == nullptr || bad_file_) return std::nullopt;
    const std::string name(member->text());
    base::Result<std::string> bytes = read_file_of(folder_, name, most, expected);
    if (bytes) return *std::move(bytes);
    bad_file_ = true;
    fields.mistake(member, bytes.errors().front().message);
    return std::nullopt;
  }

  // A pointer must mean one buffer.
  base::Status check_buffers_apart() const {
    std::vector<const Capture::Buffer*> sorted;
    for (const Capture::Buffer& one : capture_.buffers) sorted.push_back(&one);
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->address < b->address; });
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i - 1]->address + sorted[i - 1]->size <= sorted[i]->address) continue;
      return base::error_in(source_.name(), fmt::format("the buffers at {:#x} and {:#x} overlap",
                                                        sorted[i - 1]->address, sorted[i]->address));
    }
    return base::ok_status();
  }

  std::string folder_;
  const base::Source& source_;
  base::Mistakes mistakes_;
  Capture capture_;
  std::uint64_t memory_ = 0, ptx_ = 0;
  bool bad_file_ = false;  // one is enough: unpacking another takes time
};

}  // namespace

base::Result<std::string> read_file_of(const std::string& folder, const std::string& name, std::uint64_t most,
                                       std::optional<std::uint64_t> expected) {
  std::error_code error;
  const fs::path whole = fs::canonical(fs::path(folder), error);
  const fs::path found = fs::canonical(fs::path(folder) / name, error);
  if (fs::path(name).is_absolute() ||
      (!error && std::mismatch(whole.begin(), whole.end(), found.begin(), found.end()).first != whole.end())) {
    return base::error(fmt::format("'{}' lies outside of the capture", name));
  }
  if (error || !fs::is_regular_file(found, error)) {
    return base::error(fmt::format("there is no file '{}' in the capture", name));
  }
  std::optional<std::string> bytes = read_at_most(found.string(), most);
  if (!bytes) return base::error(fmt::format("'{}' is damaged or cut off", name));
  if (bytes->size() > most) return base::error(fmt::format("'{}' has more than {} bytes", name, most));
  if (expected && bytes->size() != *expected) {
    return base::error(fmt::format("'{}' has {} of {} bytes", name, bytes->size(), *expected));
  }
  return *std::move(bytes);
}

base::Result<Capture> read_capture(const std::string& folder) {
  const std::string file = (fs::path(folder) / race::kCaptureFile).string();
  const base::Result<std::string> text = read_file_of(folder, race::kCaptureFile, kLargestList);
  if (!text) return base::error_in(file, text.errors().front().message);
  const base::Source source(file, *text);
  const base::Result<JsonValue> list = base::read_json_text(source);
  if (!list) return list.errors();
  return CaptureReader(folder, source).read(*list);
}

}  // namespace weakspot::capture
