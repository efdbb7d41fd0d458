// SPDX-License-Identifier: MIT
#include "race_jit/host/device_code.h"

#include <cstdint>
#include <cstring>

#include "base/hash.h"
#include "race_jit/search/bytes.h"

namespace weakspot::race_jit {
namespace {

// In two parts, so that a program with this constant is not taken for one with device code.
constexpr std::string_view kMarkBegin = "weakspot device ", kMarkEnd = "code 2\n";

std::string mark() { return std::string(kMarkBegin) + std::string(kMarkEnd) + '\0'; }

struct CodeHead {
  char mark[24];
  std::uint64_t size;     // size of what follows
  std::uint64_t bitcode;  // size of the bitcode, at the end of it
  std::uint64_t check;
};

std::optional<DeviceCode> read_code(std::string_view bytes) {
  CodeHead head{};
  if (bytes.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  bytes.remove_prefix(sizeof head);
  if (std::string_view(head.mark, sizeof head.mark) != mark() || head.size > bytes.size()) return std::nullopt;
  bytes = bytes.substr(0, head.size);
  if (base::hash_bytes(bytes).low != head.check || head.bitcode > head.size) return std::nullopt;
  const std::string words(bytes.substr(0, head.size - head.bitcode));
  ByteReader reader(words);
  DeviceCode code;
  reader(code.relocatable, code.ptx, code.id, code.source);
  if (reader.failed()) return std::nullopt;
  code.bitcode = bytes.substr(words.size());
  return code;
}

}  // namespace

std::string to_bytes(const DeviceCode& code) {
  ByteWriter writer;
  writer(code.relocatable, code.ptx, code.id, code.source);
  const std::string content = writer.take() + code.bitcode;
  CodeHead head{};
  static_assert(sizeof head.mark == kMarkBegin.size() + kMarkEnd.size() + 1);
  std::memcpy(head.mark, mark().data(), sizeof head.mark);
  head.size = content.size();
  head.bitcode = code.bitcode.size();
  head.check = base::hash_bytes(content).low;
  return std::string(reinterpret_cast<const char*>(&head), sizeof head) + content;
}

std::optional<DeviceCode> device_code_at(const char* begin) {
  if (begin == nullptr || std::memcmp(begin, mark().data(), sizeof(CodeHead::mark)) != 0) return std::nullopt;
  CodeHead head{};
  std::memcpy(&head, begin, sizeof head);
  return read_code({begin, sizeof head + head.size});
}

std::vector<DeviceCode> device_code_in(std::string_view bytes) {
  std::vector<DeviceCode> all;
  const std::string wanted = mark();
  for (std::size_t at = bytes.find(wanted); at != std::string_view::npos; at = bytes.find(wanted, at + 1)) {
    if (std::optional<DeviceCode> code = read_code(bytes.substr(at))) all.push_back(*std::move(code));
  }
  return all;
}

}  // namespace weakspot::race_jit
