// SPDX-License-Identifier: MIT
#include "race_jit/driver/image.h"

#include <dlfcn.h>
#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace weakspot::race_jit::driver {
namespace {

constexpr std::uint32_t kWrapperMark = 0x466243b1, kFatBinaryMark = 0xba55ed50;
constexpr std::uint16_t kPtxEntry = 1, kMachineCodeEntry = 2;
constexpr std::uint64_t kPackedLz4 = 0x2000, kPackedZstd = 0x8000;
constexpr std::uint64_t kLargestText = std::uint64_t{256} << 20;
constexpr std::uint16_t kCudaMachine = 190;
constexpr std::string_view kPtxSection = ".weakspot.ptx", kCodeSection = ".text.";

struct FatBinaryHead {
  std::uint32_t mark;
  std::uint16_t version, head_size;
  std::uint64_t size;  // of what follows the head
};

struct FatBinaryEntry {
  std::uint16_t kind, version;
  std::uint32_t head_size;
  std::uint64_t size;
  std::uint32_t packed_size, options;
  std::uint32_t ptx_version, architecture;
  std::uint32_t name, name_size;
  std::uint64_t flags, unused, unpacked_size;
};
static_assert(sizeof(FatBinaryEntry) == 64);

Image bad(std::string why) { return {.kind = Image::Kind::bad, .text = {}, .kernels = {}, .problem = std::move(why)}; }
Image ptx_image(std::string text) {
  return {.kind = Image::Kind::ptx, .text = std::move(text), .kernels = {}, .problem = {}};
}

// Some value at an offset, if all of it is there.
template <typename T>
std::optional<T> value_at(std::string_view bytes, std::uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string_view part(std::string_view bytes, std::uint64_t at, std::uint64_t size) {
  if (at > bytes.size() || size > bytes.size() - at) return {};
  return bytes.substr(at, size);
}

// The library is opened only where it is needed.
bool unpack_zstd(std::string_view packed, std::size_t size, std::string& unpacked, std::string& problem) {
  using Decompress = std::size_t (*)(void*, std::size_t, const void*, std::size_t);
  static void* const library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
  static auto* const decompress =
      library == nullptr ? nullptr : reinterpret_cast<Decompress>(dlsym(library, "ZSTD_decompress"));
  if (decompress == nullptr) {
    problem = "its PTX is packed by zstd, and there is no libzstd.so.1 here: build it with --compress-mode=none";
    return false;
  }
  unpacked.resize(size);
  if (decompress(unpacked.data(), size, packed.data(), packed.size()) == size) return true;
  problem = "its packed PTX is damaged";
  return false;
}

Image unpacked_entry(const FatBinaryEntry& entry, std::string_view content) {
  const bool packed = (entry.flags & (kPackedLz4 | kPackedZstd)) != 0;
  std::string text, problem = "its packed PTX is damaged";
  if (!packed) {
    text = content;
  } else if (entry.unpacked_size > kLargestText || entry.packed_size > content.size()) {
    return bad(problem);
  } else {
    content = content.substr(0, entry.packed_size);
    const bool done = (entry.flags & kPackedZstd) != 0 ? unpack_zstd(content, entry.unpacked_size, text, problem)
                                                       : unpack_lz4(content, entry.unpacked_size, text);
    if (!done) return bad(problem);
  }
  text.resize(std::min(text.find('\0'), text.size()));
  return ptx_image(std::move(text));
}

Image machine_code_in(std::string_view bytes);

Image fat_binary_in(std::string_view bytes, unsigned architecture) {
  const auto head = value_at<FatBinaryHead>(bytes, 0);
  if (!head || head->head_size < sizeof(FatBinaryHead) || head->head_size > bytes.size() ||
      head->size > bytes.size() - head->head_size) {
    return bad("its fat binary is cut off");
  }
  bytes = bytes.substr(head->head_size, head->size);
  std::optional<FatBinaryEntry> chosen;
  std::string_view content, machine_code;
  unsigned newer = 0;
  for (std::uint64_t at = 0; at < bytes.size();) {
    const auto entry = value_at<FatBinaryEntry>(bytes, at);
    if (!entry || entry->head_size < sizeof(FatBinaryEntry) || entry->head_size > bytes.size() - at ||
        entry->size > bytes.size() - at - entry->head_size) {
      return bad("its fat binary is damaged");
    }
    const std::string_view own = bytes.substr(at + entry->head_size, entry->size);
    at += entry->head_size + entry->size;
    if (entry->kind == kMachineCodeEntry && (entry->flags & (kPackedLz4 | kPackedZstd)) == 0) machine_code = own;
    if (entry->kind != kPtxEntry) continue;
    if (entry->architecture > architecture) {
      newer = newer == 0 ? entry->architecture : std::min(newer, entry->architecture);
      continue;
    }
    if (chosen && chosen->architecture >= entry->architecture) continue;
    chosen = entry;
    content = own;
  }
  if (chosen) return unpacked_entry(*chosen, content);
  if (newer > 0) {
    return bad("it has PTX for sm_" + std::to_string(newer) + " alone, and the device is of sm_" +
               std::to_string(architecture) + ": --arch sm_" + std::to_string(newer));
  }
  if (!machine_code.empty()) return machine_code_in(machine_code);
  return {.kind = Image::Kind::machine_code, .text = {}, .kernels = {}, .problem = {}};
}

// Calls `look` with the name and the content of each section; false if the file is damaged.
template <typename Look>
bool each_section(std::string_view bytes, const Look& look) {
  const auto head = value_at<Elf64_Ehdr>(bytes, 0);
  if (!head || head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof(Elf64_Shdr)) return false;
  const auto section = [&](unsigned number) {
    return value_at<Elf64_Shdr>(bytes, head->e_shoff + std::uint64_t{number} * sizeof(Elf64_Shdr));
  };
  const auto names = section(head->e_shstrndx);
  if (!names) return false;
  const std::string_view texts = part(bytes, names->sh_offset, names->sh_size);
  for (unsigned i = 0; i < head->e_shnum; ++i) {
    const auto one = section(i);
    if (!one || one->sh_name > texts.size()) return false;
    const std::string_view rest = texts.substr(one->sh_name);
    const bool empty = one->sh_type == SHT_NOBITS || one->sh_type == SHT_NULL;
    look(rest.substr(0, rest.find('\0')), empty ? std::string_view() : part(bytes, one->sh_offset, one->sh_size));
  }
  return true;
}

Image machine_code_in(std::string_view bytes) {
  Image image{.kind = Image::Kind::machine_code, .text = {}, .kernels = {}, .problem = {}};
  const bool read = each_section(bytes, [&](std::string_view name, std::string_view content) {
    if (name == kPtxSection) image = ptx_image(std::string(content));
    if (image.kind == Image::Kind::machine_code && name.starts_with(kCodeSection)) {
      image.kernels.emplace_back(name.substr(kCodeSection.size()));
    }
  });
  return read ? image : bad("its machine code is damaged");
}

// The end of a file that says where its parts are.
std::uint64_t size_of_elf(const char* begin) {
  Elf64_Ehdr head;
  std::memcpy(&head, begin, sizeof head);
  std::uint64_t size = sizeof head;
  size = std::max<std::uint64_t>(size, head.e_shoff + std::uint64_t{head.e_shnum} * head.e_shentsize);
  size = std::max<std::uint64_t>(size, head.e_phoff + std::uint64_t{head.e_phnum} * head.e_phentsize);
  for (unsigned i = 0; i < head.e_shnum && head.e_shentsize == sizeof(Elf64_Shdr); ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, begin + head.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_NOBITS) size = std::max<std::uint64_t>(size, section.sh_offset + section.sh_size);
  }
  return size;
}

bool is_elf(std::string_view bytes) { return bytes.starts_with(std::string_view(ELFMAG, SELFMAG)); }

// Whether this could be the beginning of PTX: a directive or a comment behind white space.
bool looks_like_ptx(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at != std::string_view::npos && (text[at] == '.' || text[at] == '/');
}

}  // namespace

Image image_at(const void* begin, unsigned architecture) {
  if (begin == nullptr) return bad("it is a null pointer");
  const auto* bytes = static_cast<const char*>(begin);
  std::uint32_t mark = 0;
  for (unsigned i = 0; i < sizeof mark; ++i) {  // a text may be shorter
    mark |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    if (bytes[i] == 0) break;
  }
  if (mark == kWrapperMark) {
    const void* content = nullptr;
    std::memcpy(&content, bytes + 8, sizeof content);
    return image_at(content, architecture);
  }
  if (mark == kFatBinaryMark) {
    FatBinaryHead head;
    std::memcpy(&head, bytes, sizeof head);
    return fat_binary_in({bytes, head.head_size + head.size}, architecture);
  }
  if (mark == 0x464c457f) return machine_code_in({bytes, size_of_elf(bytes)});
  return image_in({bytes, std::strlen(bytes)}, architecture);
}

Image image_in(std::string_view bytes, unsigned architecture) {
  if (const auto mark = value_at<std::uint32_t>(bytes, 0); mark && *mark == kFatBinaryMark) {
    return fat_binary_in(bytes, architecture);
  }
  if (is_elf(bytes)) return machine_code_in(bytes);
  bytes = bytes.substr(0, bytes.find('\0'));
  if (looks_like_ptx(bytes)) return ptx_image(std::string(bytes));
  return bad("it is neither PTX nor a fat binary nor machine code");
}

std::string_view machine_code_at(const void* begin) {
  const auto* bytes = static_cast<const char*>(begin);
  if (bytes == nullptr || std::strncmp(bytes, ELFMAG, SELFMAG) != 0) return {};
  return {bytes, size_of_elf(bytes)};
}

std::string image_with_ptx(std::string_view ptx) {
  const std::string names = std::string(1, '\0') + ".shstrtab" + '\0' + std::string(kPtxSection) + '\0';
  Elf64_Ehdr head{};
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
  head.e_ident[EI_DATA] = ELFDATA2LSB;
  head.e_ident[EI_VERSION] = EV_CURRENT;
  head.e_type = ET_EXEC;
  head.e_machine = kCudaMachine;
  head.e_version = EV_CURRENT;
  head.e_ehsize = sizeof head;
  head.e_shentsize = sizeof(Elf64_Shdr);
  head.e_shnum = 3;
  head.e_shstrndx = 1;
  std::string bytes(sizeof head, '\0');
  Elf64_Shdr sections[3]{};
  sections[1] = {.sh_name = 1,
                 .sh_type = SHT_STRTAB,
                 .sh_flags = 0,
                 .sh_addr = 0,
                 .sh_offset = bytes.size(),
                 .sh_size = names.size(),
                 .sh_link = 0,
                 .sh_info = 0,
                 .sh_addralign = 1,
                 .sh_entsize = 0};
  bytes += names;
  sections[2] = {.sh_name = 11,
                 .sh_type = SHT_PROGBITS,
                 .sh_flags = 0,
                 .sh_addr = 0,
                 .sh_offset = bytes.size(),
                 .sh_size = ptx.size(),
                 .sh_link = 0,
                 .sh_info = 0,
                 .sh_addralign = 1,
                 .sh_entsize = 0};
  bytes += ptx;
  bytes.resize((bytes.size() + 7) / 8 * 8);
  head.e_shoff = bytes.size();
  std::memcpy(bytes.data(), &head, sizeof head);
  bytes.append(reinterpret_cast<const char*>(sections), sizeof sections);
  return bytes;
}

bool unpack_lz4(std::string_view packed, std::size_t size, std::string& unpacked) {
  unpacked.clear();
  std::size_t at = 0;
  // A length of 15 goes on in the bytes that follow.
  const auto length = [&](std::size_t nibble, bool& whole) {
    std::size_t sum = nibble;
    while (nibble == 15) {
      if (at == packed.size()) return whole = false, sum;
      const auto byte = static_cast<unsigned char>(packed[at++]);
      sum += byte;
      if (byte != 255) break;
    }
    return sum;
  };
  while (at < packed.size()) {
    bool whole = true;
    const auto token = static_cast<unsigned char>(packed[at++]);
    const std::size_t literals = length(token >> 4, whole);
    if (!whole || literals > packed.size() - at || literals > size - unpacked.size()) return false;
    unpacked.append(packed.substr(at, literals));
    at += literals;
    if (at == packed.size()) break;  // the last sequence has no match
    if (packed.size() - at < 2) return false;
    const std::size_t distance =
        static_cast<unsigned char>(packed[at]) | std::size_t{static_cast<unsigned char>(packed[at + 1])} << 8;
    at += 2;
    const std::size_t match = 4 + length(token & 15, whole);
    if (!whole || distance == 0 || distance > unpacked.size() || match > size - unpacked.size()) return false;
    for (std::size_t i = 0; i < match; ++i) unpacked += unpacked[unpacked.size() - distance];  // may overlap
  }
  return unpacked.size() == size;
}

}  // namespace weakspot::race_jit::driver
