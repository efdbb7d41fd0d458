// SPDX-License-Identifier: MIT
#include "race_jit/search/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>

#include "base/file.h"
#include "base/hash.h"
#include "base/rng.h"
#include "race/npy.h"
#include "race_jit/bitcode/signature.h"

namespace weakspot::race_jit {
namespace {

enum class Number { integer, floating };

struct Element {
  unsigned size = 4;
  Number number = Number::integer;
  unsigned lanes = 1;  // int4 has four
};

// A type by its name; unknown ones are taken for words.
Element element_of(std::string name) {
  static const std::map<std::string, Element> kTypes = {
      {"bool", {1, Number::integer}},        {"char", {1, Number::integer}},
      {"signed char", {1, Number::integer}}, {"unsigned char", {1, Number::integer}},
      {"int8_t", {1, Number::integer}},      {"uint8_t", {1, Number::integer}},
      {"short", {2, Number::integer}},       {"unsigned short", {2, Number::integer}},
      {"int16_t", {2, Number::integer}},     {"uint16_t", {2, Number::integer}},
      {"int", {4, Number::integer}},         {"unsigned int", {4, Number::integer}},
      {"unsigned", {4, Number::integer}},    {"uint", {4, Number::integer}},
      {"int32_t", {4, Number::integer}},     {"uint32_t", {4, Number::integer}},
      {"long", {8, Number::integer}},        {"unsigned long", {8, Number::integer}},
      {"long long", {8, Number::integer}},   {"unsigned long long", {8, Number::integer}},
      {"int64_t", {8, Number::integer}},     {"uint64_t", {8, Number::integer}},
      {"uchar", {1, Number::integer}},       {"ushort", {2, Number::integer}},
      {"llong", {8, Number::integer}},       {"ullong", {8, Number::integer}},
      {"size_t", {8, Number::integer}},      {"float", {4, Number::floating}},
      {"double", {8, Number::floating}},     {"half", {2, Number::integer}},  // from a file: bytes as they are
  };
  if (auto found = kTypes.find(name); found != kTypes.end()) return found->second;
  if (!name.empty() && name.back() >= '1' && name.back() <= '4') {
    const unsigned lanes = static_cast<unsigned>(name.back() - '0');
    name.pop_back();
    if (name.starts_with("u") && name != "unsigned") name = "unsigned " + name.substr(1);
    if (auto found = kTypes.find(name); found != kTypes.end()) {
      Element element = found->second;
      element.lanes = lanes;
      return element;
    }
  }
  return {};
}

void store_number(char* to, const Element& element, double value) {
  if (element.number == Number::floating) {
    if (element.size == 4) {
      const float single = static_cast<float>(value);
      std::memcpy(to, &single, 4);
    } else {
      std::memcpy(to, &value, 8);
    }
    return;
  }
  const auto whole = static_cast<std::int64_t>(value);
  std::memcpy(to, &whole, element.size);  // little-endian on both processors
}

// The bits of a whole number, also as 0xff; none if it is not one or has more bits than fit.
std::optional<std::uint64_t> whole_number(std::string_view text, std::uint64_t size) {
  const bool minus = text.starts_with('-');
  if (minus) text.remove_prefix(1);
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, hexadecimal ? 16 : 10);
  if (error != std::errc() || rest != end) return std::nullopt;
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() >> (64 - 8 * size);
  // Less than a word is cut: searched sizes are not made for it.
  if (size >= 4 && number > (minus ? most / 2 + 1 : most)) return std::nullopt;
  return minus ? 0 - number : number;
}

// The value of a parameter that is a number of `element.size` bytes; false if the text is not one.
bool store_value(char* to, const Element& element, const std::string& text) {
  if (element.number == Number::integer) {
    const std::optional<std::uint64_t> whole = whole_number(text, element.size);
    if (whole) std::memcpy(to, &*whole, element.size);
    if (whole) return true;
  }
  char* end = nullptr;
  const double real = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != 0) return false;
  const bool fits = std::abs(real) < std::ldexp(1.0, static_cast<int>(8 * element.size) - 1);  // not if it is no number
  if (element.number == Number::integer && (!fits || text.find_first_of(".eE") == std::string::npos)) return false;
  store_number(to, element, real);
  return true;
}

// Draws a number that is easily forgotten: not a number, infinite, next to zero, or extreme.
double special_number(const Element& element, base::Rng& rng) {
  if (element.number == Number::integer) {
    const double most = std::ldexp(1.0, static_cast<int>(std::min(8 * element.size, 52u)) - 1);
    const double numbers[] = {0, 1, -1, most - 1, -most};
    return numbers[rng.below(std::size(numbers))];
  }
  const bool single = element.size == 4;
  const double largest = single ? double{std::numeric_limits<float>::max()} : std::numeric_limits<double>::max();
  const double denormal =
      single ? double{std::numeric_limits<float>::denorm_min()} : std::numeric_limits<double>::denorm_min();
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const double numbers[] = {std::numeric_limits<double>::quiet_NaN(),
                            kInfinite,
                            -kInfinite,
                            denormal,
                            -denormal,
                            largest,
                            -largest,
                            -0.0,
                            0,
                            1};
  return numbers[rng.below(std::size(numbers))];
}

void fill(char* memory, std::uint64_t count, const Element& element, const std::string& how, base::Rng& rng) {
  if (how == "zero") return;
  std::vector<std::uint64_t> order;
  if (how == "permutation") {
    order.resize(count);
    std::iota(order.begin(), order.end(), 0);
    rng.shuffle(order);
  }
  // random:LOW:HIGH, equal:VALUE
  double low = 0, high = element.size == 1 ? 99 : 999;
  if (how == "one") low = high = 1;
  if (how == "duplicates") high = 3;
  if (const std::size_t colon = how.find(':'); colon != std::string::npos) {
    char* rest = nullptr;
    low = high = std::strtod(how.c_str() + colon + 1, &rest);
    if (*rest == ':') high = std::strtod(rest + 1, nullptr);
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const double value =
        how == "special"                   ? special_number(element, rng)
        : how == "iota" || how == "sorted" ? static_cast<double>(i)
        : !order.empty()                   ? static_cast<double>(order[i])
        : how.starts_with("equal")         ? low
        : element.number == Number::floating
            ? low + rng.unit() * (high - low)
            : static_cast<double>(rng.between(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)));
    store_number(memory + i * element.size, element, value);
  }
}

}  // namespace

race::LaunchShape with_cluster(const Kernel& kernel, race::LaunchShape launch, bool round_up) {
  if (launch.cluster == Extent{}) launch.cluster = kernel.cluster;
  if (round_up) launch.grid = launch.grid.rounded_up(launch.cluster);
  return launch;
}

std::string zero_parameter(const Kernel& kernel) {
  for (const KernelParameter& parameter : kernel.parameters) {
    if (!parameter.opaque.empty()) {
      return fmt::format("'{}' cannot be made up and stayed zero", parameter.opaque);
    }
    if (parameter.name.empty() || !parameter.is_structure() || !parameter.members.empty()) continue;
    return fmt::format("parameter '{}' is a structure, which cannot be made up and stayed zero", parameter.name);
  }
  return {};
}

bool has_parameter(const Kernel& kernel, const std::string& name) {
  return std::any_of(kernel.parameters.begin(), kernel.parameters.end(), [&](const KernelParameter& parameter) {
    return parameter.name == name || std::any_of(parameter.members.begin(), parameter.members.end(),
                                                 [&](const KernelMember& member) { return member.name == name; });
  });
}

race::LaunchSpec with_all_arguments(const Kernel& kernel, race::LaunchSpec launch) {
  const std::uint64_t threads = launch.threads();
  auto add = [&](const std::string& name, bool pointer, const std::string& element) {
    if (name.empty() || race::find_argument(launch, name) != nullptr) return;
    race::ArgumentSpec spec;
    spec.name = name;
    if (pointer) {
      spec.type = element.empty() ? "int" : element;
      spec.count = std::max<std::uint64_t>(2 * threads, 64);
      spec.fill = "random:0:15";
    } else {
      spec.value = std::to_string(threads);
    }
    launch.arguments.push_back(std::move(spec));
  };
  for (const KernelParameter& parameter : kernel.parameters) {
    for (const KernelMember& member : parameter.members) add(member.name, member.pointer, member.type);
    if (!parameter.is_structure()) add(parameter.name, parameter.pointer, pointee(parameter.type));
  }
  return launch;
}

namespace {

// One number or pointer of an argument list.
struct Slot {
  std::string name;
  std::string type;  // the number's type
  std::uint64_t size = 0;
  bool pointer = false;
};

// Puts what the launch states into memory of the argument; nothing where it states nothing, or for null pointers.
base::Status store_argument(const Slot& slot, const race::LaunchSpec& launch, Arena& arena, std::uint64_t seed,
                            std::uint64_t gap, char* to, std::vector<Arguments::Array>& arrays) {
  const race::ArgumentSpec* spec = race::find_argument(launch, slot.name);
  if (spec == nullptr) return base::ok_status();
  // Nor does PTX say which of its parameters are pointers, and an unused one does not show it.
  const bool may_point = slot.pointer || (slot.type.empty() && slot.size == sizeof(char*));
  if (spec->count && !may_point) return base::error(fmt::format("parameter '{}' is not a pointer", slot.name));
  if (!spec->count && slot.pointer && spec->value != "0") {
    return base::error(fmt::format("parameter '{}' is a pointer, expected an array or 0", slot.name));
  }
  if (spec->count) {
    const Element element = element_of(spec->type);
    const std::uint64_t count = *spec->count * element.lanes;
    char* memory = arena.allocate(count * element.size, slot.name, element.size * element.lanes, gap);
    if (memory == nullptr) return base::error(fmt::format("no memory for parameter '{}'", slot.name));
    arrays.push_back({slot.name, spec->type, element.size, {memory, count * element.size}});
    if (!spec->file.empty()) {
      const base::Result<std::string> text = base::read_file(spec->file);
      if (!text) return text.errors();
      const base::Result<race::NpyArray> array = race::read_npy(*text, spec->file);
      if (!array) return array.errors();
      if (array->bytes.size() != count * element.size) return base::error_in(spec->file, "the file has changed");
      std::copy(array->bytes.begin(), array->bytes.end(), memory);
    } else if (!spec->values.empty()) {
      for (std::uint64_t i = 0; i < count; ++i) store_number(memory + i * element.size, element, spec->values[i]);
    } else {
      base::Rng rng(base::hash_bytes(fmt::format("{} {}", seed, slot.name)).low);
      fill(memory, count, element, spec->fill, rng);
    }
    std::memcpy(to, static_cast<const void*>(&memory), sizeof memory);
  } else if (!slot.pointer && slot.size <= 8) {
    Element element = element_of(slot.type);
    element.size = static_cast<unsigned>(slot.size);
    // PTX does not say which of its parameters have a fraction.
    if (slot.type.empty() && slot.size >= 4 && !whole_number(spec->value, 8)) element.number = Number::floating;
    if (!store_value(to, element, spec->value)) {
      return base::error(fmt::format("parameter '{}' is a{}number of {} bits, which '{}' is not", slot.name,
                                     element.number == Number::integer ? " whole " : " ", 8 * slot.size, spec->value));
    }
  }
  return base::ok_status();
}

}  // namespace

base::Result<Arguments> Arguments::make(const Kernel& kernel, const race::LaunchSpec& launch, Arena& arena,
                                        std::uint64_t seed, std::uint64_t gap) {
  for (const race::ArgumentSpec& spec : launch.arguments) {
    if (has_parameter(kernel, spec.name)) continue;
    std::vector<std::string> names;
    for (const KernelParameter& parameter : kernel.parameters) {
      if (!parameter.name.empty()) names.push_back(parameter.name);
    }
    return base::error(fmt::format("kernel {} has no parameter '{}'; it has {}", kernel.name, spec.name,
                                   names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
  Arguments arguments;
  for (const KernelParameter& parameter : kernel.parameters) {
    auto value = std::make_unique<char[]>(std::max<std::uint64_t>(parameter.size, 8));
    auto store = [&](const Slot& slot, std::uint64_t offset) {
      return store_argument(slot, launch, arena, seed, gap, value.get() + offset, arguments.arrays_);
    };
    for (const KernelMember& member : parameter.members) {
      const Slot slot{member.name, member.type, member.size, member.pointer};
      if (base::Status stored = store(slot, member.offset); !stored) return stored.errors();
    }
    if (parameter.members.empty()) {
      const Slot slot{parameter.name, parameter.type, parameter.size, parameter.pointer};
      if (base::Status stored = store(slot, 0); !stored) return stored.errors();
    }
    arguments.pointers_.push_back(value.get());
    arguments.values_.push_back(std::move(value));
  }
  return arguments;
}

}  // namespace weakspot::race_jit
