// SPDX-License-Identifier: MIT
#include "race_jit/search/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>

#include "base/hash.h"
#include "base/rng.h"
#include "race_jit/lower/signature.h"

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
      {"double", {8, Number::floating}},
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
        how == "iota" || how == "sorted" ? static_cast<double>(i)
        : !order.empty()                 ? static_cast<double>(order[i])
        : how.starts_with("equal")       ? low
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
    if (parameter.name.empty() || parameter.pointer || parameter.size <= 8) continue;
    return fmt::format("parameter '{}' is a structure, which cannot be made up and stayed zero", parameter.name);
  }
  return {};
}

race::LaunchSpec with_all_arguments(const Kernel& kernel, race::LaunchSpec launch) {
  const std::uint64_t threads = launch.threads();
  for (const KernelParameter& parameter : kernel.parameters) {
    const bool said = std::any_of(launch.arguments.begin(), launch.arguments.end(),
                                  [&](const race::ArgumentSpec& spec) { return spec.name == parameter.name; });
    if (said || parameter.name.empty() || (!parameter.pointer && parameter.size > 8)) continue;
    race::ArgumentSpec spec;
    spec.name = parameter.name;
    if (parameter.pointer) {
      spec.type = pointee(parameter.type);
      if (spec.type.empty()) spec.type = "int";
      spec.count = std::max<std::uint64_t>(2 * threads, 64);
      spec.fill = "random:0:15";
    } else {
      spec.value = std::to_string(threads);
    }
    launch.arguments.push_back(std::move(spec));
  }
  return launch;
}

base::Result<Arguments> Arguments::make(const Kernel& kernel, const race::LaunchSpec& launch, Arena& arena,
                                        std::uint64_t seed, std::uint64_t gap) {
  for (const race::ArgumentSpec& spec : launch.arguments) {
    const bool known = std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                                   [&](const KernelParameter& parameter) { return parameter.name == spec.name; });
    if (!known) return base::error(fmt::format("kernel {} has no parameter '{}'", kernel.name, spec.name));
  }
  Arguments arguments;
  for (const KernelParameter& parameter : kernel.parameters) {
    auto value = std::make_unique<char[]>(std::max<std::uint64_t>(parameter.size, 8));
    auto found = std::find_if(launch.arguments.begin(), launch.arguments.end(),
                              [&](const race::ArgumentSpec& spec) { return spec.name == parameter.name; });
    const bool said = found != launch.arguments.end();
    if (said && found->count && !parameter.pointer) {
      return base::error(fmt::format("parameter '{}' of {} is not a pointer", parameter.name, kernel.name));
    }
    if (said && found->count) {
      const Element element = element_of(found->type);
      const std::uint64_t count = *found->count * element.lanes;
      char* memory = arena.allocate(count * element.size, parameter.name, element.size * element.lanes, gap);
      if (memory == nullptr) return base::error(fmt::format("no memory for parameter '{}'", parameter.name));
      if (!found->values.empty()) {
        for (std::uint64_t i = 0; i < count; ++i) store_number(memory + i * element.size, element, found->values[i]);
      } else {
        base::Rng rng(base::hash_bytes(fmt::format("{} {}", seed, parameter.name)).low);
        fill(memory, count, element, found->fill, rng);
      }
      std::memcpy(value.get(), &memory, sizeof memory);
    } else if (said && !parameter.pointer && parameter.size <= 8) {
      // The bytes of a null pointer, a structure or something unknown stay zero.
      Element element = element_of(parameter.type);
      element.size = static_cast<unsigned>(parameter.size);
      store_number(value.get(), element, std::strtod(found->value.c_str(), nullptr));
    }
    arguments.pointers_.push_back(value.get());
    arguments.values_.push_back(std::move(value));
  }
  return arguments;
}

}  // namespace weakspot::race_jit
