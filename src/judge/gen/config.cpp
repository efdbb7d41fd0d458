// SPDX-License-Identifier: MIT
#include "gen/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/nearest.h"
#include "base/source.h"

namespace weakspot::gen {
namespace {

using litmus::Scope;
using litmus::Space;

struct Piece {
  std::string_view text;
  base::Span span;
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

Piece trimmed(const base::Source& source, base::Span span) {
  const std::string_view text = source.text();
  while (span.begin < span.end && is_blank(text[span.begin])) ++span.begin;
  while (span.begin < span.end && is_blank(text[span.end - 1])) --span.end;
  return {source.slice(span), span};
}

std::vector<Piece> words_of(const base::Source& source, base::Span span) {
  std::vector<Piece> words;
  for (std::uint32_t i = span.begin; i < span.end;) {
    if (is_blank(source.text()[i])) {
      ++i;
      continue;
    }
    std::uint32_t end = i;
    while (end < span.end && !is_blank(source.text()[end])) ++end;
    words.push_back({source.slice({i, end}), {i, end}});
    i = end;
  }
  return words;
}

std::optional<std::size_t> parse_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number > 64) return std::nullopt;
  return number;
}

// "acq/rel": reads, then writes; one word for both; "-" for nothing.
std::optional<Flavour> parse_flavour(std::string_view text) {
  const std::size_t slash = text.find('/');
  auto side = [](std::string_view word, Annotation& annotation) {
    return word == "-" || (add_annotation(word, annotation) && annotation.space == Space::none);
  };
  Flavour flavour;
  if (!side(text.substr(0, slash), flavour.read)) return std::nullopt;
  if (slash == std::string_view::npos) {
    flavour.write = flavour.read;
  } else if (!side(text.substr(slash + 1), flavour.write)) {
    return std::nullopt;
  }
  return flavour;
}

std::string flavour_text(const Flavour& flavour) {
  auto side = [](const Annotation& annotation) {
    const std::string text = to_string(annotation);
    return text.empty() ? std::string("-") : text;
  };
  const std::string read = side(flavour.read), write = side(flavour.write);
  return read == write ? read : read + "/" + write;
}

class ConfigReader {
 public:
  ConfigReader(const base::Source& source, const SearchConfig& defaults) : source_(source), config_(defaults) {}

  base::Result<SearchConfig> run() {
    const std::string_view text = source_.text();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::size_t comment = std::min(text.find('#', at), end);
      read_line({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(comment)});
      at = end + 1;
    }
    if (errors_.empty() && config_.edges.empty()) {
      errors_.push_back(
          base::error_in(source_.name(), "the configuration has no edges; expected a line 'edges = Rfe Fre Pod**'"));
    }
    if (!errors_.empty()) return errors_;
    return config_;
  }

 private:
  void mistake(base::Span span, std::string message) {
    errors_.push_back(base::error_at(source_, span, std::move(message)));
  }

  void read_line(base::Span line) {
    const Piece whole = trimmed(source_, line);
    if (whole.text.empty()) return;
    const std::size_t equals = whole.text.find('=');
    if (equals == std::string_view::npos) return mistake(whole.span, "expected 'key = value'");
    const auto middle = whole.span.begin + static_cast<std::uint32_t>(equals);
    const Piece key = trimmed(source_, {whole.span.begin, middle});
    const Piece value = trimmed(source_, {middle + 1, whole.span.end});
    if (value.text.empty()) return mistake(whole.span, fmt::format("key '{}' has no value", key.text));
    const bool first = seen_.emplace(key.text).second;
    if (key.text == "edges" && first) config_.edges.clear();
    if (key.text != "edges" && !first) return mistake(key.span, fmt::format("key '{}' is given twice", key.text));
    read_value(key, value);
  }

  void read_value(const Piece& key, const Piece& value) {
    if (key.text == "dialect") return read_dialect(value);
    if (key.text == "edges") return read_edges(value);
    if (key.text == "size") return read_range(value, config_.size);
    if (key.text == "threads") return read_range(value, config_.threads);
    if (key.text == "internal") return read_internal(value);
    if (key.text == "critical") return read_flag(value, config_.critical);
    if (key.text == "observers") return read_flag(value, config_.test.layout.prefer_observers);
    if (key.text == "scopes") {
      return read_list(value, config_.together, "sg, wg, cluster, dev or sys", parse_together,
                       {"sg", "wg", "cluster", "dev", "sys"});
    }
    if (key.text == "annotations") {
      return read_list(value, config_.flavours, "annotations such as -, cg or acq/rel", parse_flavour);
    }
    if (key.text == "spaces") {
      return read_list(value, config_.spaces, "none, global or shared", parse_space, {"none", "global", "shared"});
    }
    if (key.text == "mixed-scopes") return read_flag(value, config_.mixed_together);
    if (key.text == "mixed-annotations") return read_flag(value, config_.mixed_flavours);
    if (key.text == "mixed-spaces") return read_flag(value, config_.mixed_spaces);
    mistake(key.span,
            fmt::format("unknown key '{}'; expected dialect, edges, size, threads, internal, critical, "
                        "observers, scopes, annotations, spaces, mixed-scopes, mixed-annotations or "
                        "mixed-spaces{}",
                        key.text,
                        base::did_you_mean(key.text, {"dialect", "edges", "size", "threads", "internal", "critical",
                                                      "observers", "scopes", "annotations", "spaces", "mixed-scopes",
                                                      "mixed-annotations", "mixed-spaces"})));
  }

  void read_dialect(const Piece& value) {
    const auto arch = litmus::arch_named(value.text);
    if (!arch) {
      return mistake(value.span, fmt::format("unknown dialect '{}'; expected generic, ptx-2015, ptx, vulkan, opencl, "
                                             "c, aarch64 or x86-64{}",
                                             value.text,
                                             base::did_you_mean(value.text, {"generic", "ptx-2015", "ptx", "vulkan",
                                                                             "opencl", "c", "aarch64", "x86-64"})));
    }
    config_.test.arch = *arch;
  }

  void read_edges(const Piece& value) {
    base::Result<std::vector<Edge>> edges = parse_edges(source_, value.span);
    if (!edges) {
      errors_.insert(errors_.end(), edges.errors().begin(), edges.errors().end());
      return;
    }
    for (const Edge& edge : *edges) {
      if (std::find(config_.edges.begin(), config_.edges.end(), edge) == config_.edges.end()) {
        config_.edges.push_back(edge);
      }
    }
  }

  void read_range(const Piece& value, Range& range) {
    const std::size_t dots = value.text.find("..");
    const auto most = parse_number(dots == std::string_view::npos ? value.text : value.text.substr(dots + 2));
    const auto least =
        dots == std::string_view::npos ? std::optional<std::size_t>(2) : parse_number(value.text.substr(0, dots));
    if (!least || !most || *least > *most) {
      return mistake(value.span, "expected a number up to 64 or a range such as 3..6");
    }
    range = {*least, *most};
  }

  void read_internal(const Piece& value) {
    const auto number = parse_number(value.text);
    if (!number) return mistake(value.span, "expected a number up to 64");
    config_.internal = *number;
  }

  void read_flag(const Piece& value, bool& flag) {
    if (value.text != "yes" && value.text != "no") return mistake(value.span, "expected yes or no");
    flag = value.text == "yes";
  }

  static std::optional<Scope> parse_together(std::string_view word) {
    const auto scope = parse_scope(word);
    return scope && can_hold_threads(*scope) ? scope : std::nullopt;
  }

  static std::optional<Space> parse_space(std::string_view word) {
    if (word == "none") return Space::none;
    return litmus::space_named(word);
  }

  template <typename Item, typename Parse>
  void read_list(const Piece& value, std::vector<Item>& items, std::string_view expected, const Parse& parse,
                 const std::vector<std::string>& names = {}) {
    items.clear();
    for (const Piece& word : words_of(source_, value.span)) {
      const std::optional<Item> item = parse(word.text);
      if (!item) {
        mistake(word.span,
                fmt::format("unknown '{}'; expected {}{}", word.text, expected, base::did_you_mean(word.text, names)));
      } else if (std::find(items.begin(), items.end(), *item) == items.end()) {
        items.push_back(*item);
      }
    }
  }

  const base::Source& source_;
  SearchConfig config_;
  std::set<std::string, std::less<>> seen_;
  base::Diagnostics errors_;
};

}  // namespace

base::Result<std::vector<Edge>> parse_edges(const base::Source& source, base::Span span) {
  std::vector<Edge> edges;
  base::Diagnostics errors;
  for (const Piece& word : words_of(source, span)) {
    const std::vector<Edge> meant = expand_edge(word.text);
    if (meant.empty()) {
      errors.push_back(base::error_at(
          source, word.span,
          fmt::format("'{}' is not an edge; expected edges such as Rfe, Pod**, Membar.gld** or DpAddrd*", word.text)));
    }
    edges.insert(edges.end(), meant.begin(), meant.end());
  }
  if (!errors.empty()) return errors;
  return edges;
}

base::Result<SearchConfig> parse_config(const base::Source& source, const SearchConfig& defaults) {
  return ConfigReader(source, defaults).run();
}

std::string to_string(const SearchConfig& config) {
  std::string text = fmt::format("dialect = {}\nedges =", litmus::to_string(config.test.arch));
  for (const Edge& edge : config.edges) text += " " + to_string(edge);
  text += fmt::format("\nsize = {}..{}\nthreads = {}..{}\ninternal = {}\n", config.size.least, config.size.most,
                      config.threads.least, config.threads.most, config.internal);
  auto flag = [&](std::string_view key, bool value) { text += fmt::format("{} = {}\n", key, value ? "yes" : "no"); };
  flag("critical", config.critical);
  flag("observers", config.test.layout.prefer_observers);
  text += "scopes =";
  for (Scope scope : config.together) text += fmt::format(" {}", litmus::to_string(scope));
  text += "\nannotations =";
  for (const Flavour& flavour : config.flavours) text += " " + flavour_text(flavour);
  text += "\nspaces =";
  for (Space space : config.spaces) {
    text += fmt::format(" {}", space == Space::none ? "none" : litmus::to_string(space));
  }
  text += "\n";
  flag("mixed-scopes", config.mixed_together);
  flag("mixed-annotations", config.mixed_flavours);
  flag("mixed-spaces", config.mixed_spaces);
  return text;
}

}  // namespace weakspot::gen
