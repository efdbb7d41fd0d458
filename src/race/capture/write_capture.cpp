// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "capture/capture.h"
#include "json/json.h"
#include "race/request.h"

namespace weakspot::capture {
namespace {

namespace fs = std::filesystem;
using base::json_object;
using base::JsonValue;

// As gzip packs it. Nothing if the library has no memory.
std::optional<std::string> gzip_of(const std::string& bytes) {
  constexpr int kWithGzipHeader = 15 + 16, kMemoryLevel = 8;
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, kWithGzipHeader, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) return {};
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());  // at most 2 GiB, see read_capture()
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (!whole) return {};
  return packed;
}

JsonValue extent_json(const race::Extent& extent) { return base::json_array({extent.x, extent.y, extent.z}); }

std::string digits_of(const std::string& bytes) {
  std::string digits;
  for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

// Adds a packed file for contents that are not zeros, and its name.
void add_contents(JsonValue& entry, std::string name, const std::string& contents, std::vector<CaptureFile>& files) {
  if (std::all_of(contents.begin(), contents.end(), [](char byte) { return byte == 0; })) return;
  std::optional<std::string> packed = gzip_of(contents);
  if (packed) name += ".gz";
  entry.add("file", name);
  files.push_back({std::move(name), packed ? *std::move(packed) : contents});
}

JsonValue launch_json(const Capture::Launch& launch, std::size_t number, std::vector<CaptureFile>& files) {
  JsonValue entry = json_object({{"module", launch.module},
                                 {"kernel", launch.kernel},
                                 {"grid", extent_json(launch.shape.grid)},
                                 {"block", extent_json(launch.shape.block)}});
  if (launch.shape.cluster.count() != 1) entry.add("cluster", extent_json(launch.shape.cluster));
  entry.add("shared", launch.shape.shared);
  if (launch.shape.cooperative) entry.add("cooperative", true);
  JsonValue arguments = base::json_array();
  for (const std::string& bytes : launch.arguments) arguments.push_back(digits_of(bytes));
  entry.add("arguments", std::move(arguments));
  if (launch.outputs.empty()) return entry;
  JsonValue outputs = base::json_array();
  for (const Capture::Output& output : launch.outputs) {
    JsonValue one = json_object({{"buffer", output.buffer}});
    std::string name = fmt::format("output-{}-{}.bin.gz", number, output.buffer);
    one.add("file", name);
    files.push_back({std::move(name), gzip_of(output.contents).value_or(output.contents)});
    outputs.push_back(std::move(one));
  }
  entry.add("outputs", std::move(outputs));
  return entry;
}

bool is_plain_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return (c < 0x80 && std::isalnum(c) != 0) || c == '.' || c == '-' || c == '_';
  });
}

}  // namespace

std::vector<CaptureFile> files_of(const Capture& capture) {
  std::vector<CaptureFile> files;
  JsonValue list = json_object({{"format", kCaptureVersion}, {"program", capture.program}});
  if (capture.architecture) list.add("architecture", race::architecture_name(*capture.architecture));
  JsonValue modules = base::json_array(), buffers = base::json_array(), launches = base::json_array();
  for (const Capture::Module& module : capture.modules) {
    std::string name = fmt::format("module-{}.ptx", modules.items().size());
    modules.push_back(json_object({{"name", module.name}, {"file", name}}));
    files.push_back({std::move(name), module.ptx});
  }
  for (const Capture::Buffer& buffer : capture.buffers) {
    JsonValue entry =
        json_object({{"name", buffer.name}, {"address", fmt::format("{:#x}", buffer.address)}, {"bytes", buffer.size}});
    if (!buffer.variable.empty()) {
      entry.add("variable", buffer.variable);
      entry.add("module", buffer.module);
    }
    add_contents(entry, fmt::format("buffer-{}.bin", buffers.items().size()), buffer.contents, files);
    buffers.push_back(std::move(entry));
  }
  for (const Capture::Launch& launch : capture.launches) {
    launches.push_back(launch_json(launch, launches.items().size(), files));
  }
  list.add("modules", std::move(modules));
  list.add("buffers", std::move(buffers));
  list.add("launches", std::move(launches));
  files.push_back({race::kCaptureFile, base::json_lines(list)});
  return files;
}

base::Status write_files(const std::vector<CaptureFile>& files, const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return base::error_in(folder, fmt::format("cannot make this folder: {}", error.message()));
  for (const CaptureFile& file : files) {
    if (!is_plain_name(file.name)) return base::error(fmt::format("'{}' is not the name of a file here", file.name));
    const std::string path = (fs::path(folder) / file.name).string();
    if (base::Status written = base::write_file(path, file.bytes, base::Durable::no); !written) return written;
  }
  return base::ok_status();
}

}  // namespace weakspot::capture
