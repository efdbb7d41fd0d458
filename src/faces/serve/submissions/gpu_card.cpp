// SPDX-License-Identifier: MIT
#include "serve/submissions/gpu_card.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/markup.h"

namespace weakspot::serve {
namespace {

// Replaces the content of <meta NAME content="...">, if the page has it.
void set_content(std::string& page, std::string_view name, std::string_view content) {
  const std::string begin = fmt::format("<meta {} content=\"", name);
  const std::size_t at = page.find(begin);
  if (at == std::string::npos) return;
  const std::size_t from = at + begin.size();
  const std::size_t end = page.find('"', from);
  if (end != std::string::npos) page.replace(from, end - from, base::escaped(content));
}

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

std::string of_tests(std::size_t count) { return fmt::format("{} test{}", count, count == 1 ? "" : "s"); }

}  // namespace

std::string gpu_name(std::string_view vendor, std::string_view architecture) {
  std::string name(kGpuLink);
  for (const char c : fmt::format("{} {}", vendor, architecture)) {
    const bool large = c >= 'A' && c <= 'Z';
    if (large || is_plain(c)) {
      name += large ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (name.back() != '-') {
      name += '-';
    }
  }
  if (name.back() == '-') name.pop_back();
  if (vendor.empty() && architecture.empty()) return name + "-unnamed";
  const bool exact = !vendor.empty() && std::all_of(vendor.begin(), vendor.end(), is_plain) &&
                     name == fmt::format("{}{}{}{}", kGpuLink, vendor, architecture.empty() ? "" : "-", architecture);
  if (!exact) name += '-' + base::hash_bytes(fmt::format("{}\n{}", vendor, architecture)).hex().substr(0, 6);
  return name;
}

std::optional<GpuCard> gpu_card(std::span<const store::ShownRow> rows, std::string_view name, std::size_t known_tests) {
  std::optional<GpuCard> card;
  std::size_t tests = 0;
  std::size_t weak = 0;
  std::size_t forbidden = 0;
  std::int64_t devices = 0;
  for (const store::ShownRow& row : rows) {
    if (gpu_name(row.vendor, row.architecture) != name) continue;
    if (!card) {
      const std::string both =
          row.vendor + (row.vendor.empty() || row.architecture.empty() ? "" : " ") + row.architecture;
      card.emplace();
      card->title = both.empty() ? "GPUs that are not named" : both;
    }
    ++tests;
    weak += row.sum.weak > 0;
    forbidden += row.sum.forbidden > 0;
    devices = std::max(devices, row.devices);
  }
  if (!card) return card;
  card->title += fmt::format(": weak outcomes in {} of {}", weak, of_tests(tests));
  card->description = fmt::format("Memory of {} device{}, tested from browsers.", devices, devices == 1 ? "" : "s");
  if (forbidden > 0) {
    card->description += fmt::format(" An outcome that its memory model forbids was seen in {}.", of_tests(forbidden));
  }
  if (known_tests > tests) card->description += fmt::format(" Not run: {}.", of_tests(known_tests - tests));
  return card;
}

std::string with_card(std::string page, const GpuCard& card) {
  set_content(page, "property=\"og:title\"", card.title);
  set_content(page, "property=\"og:description\"", card.description);
  set_content(page, "name=\"description\"", card.description);
  return page;
}

}  // namespace weakspot::serve
