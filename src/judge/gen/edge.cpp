// SPDX-License-Identifier: MIT
#include "gen/edge.h"

#include <algorithm>
#include <cctype>

#include "base/names.h"

namespace weakspot::gen {
namespace {

using litmus::Fence;
using litmus::FenceAccesses;
using litmus::FenceKind;
using litmus::Order;
using litmus::Scope;
using litmus::Shareability;

std::string lower(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lowered;
}

std::string capital(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::vector<std::string_view> split_dots(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t dot = text.find('.');
    parts.push_back(text.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    text.remove_prefix(dot + 1);
  }
}

constexpr base::Named<EdgeKind> kCommunications[] = {
    {"Rf", EdgeKind::rf}, {"Fr", EdgeKind::fr}, {"Co", EdgeKind::co}, {"Ws", EdgeKind::co}};
constexpr base::Named<EdgeKind> kDependencies[] = {
    {"DpAddr", EdgeKind::addr}, {"DpData", EdgeKind::data}, {"DpCtrl", EdgeKind::ctrl}};

// Second spellings; the first ones are the canonical words.
constexpr base::Named<Scope> kScopeAliases[] = {
    {"warp", Scope::subgroup}, {"cta", Scope::workgroup}, {"gpu", Scope::device}, {"gl", Scope::device}};
constexpr base::Named<Scope> kMembarScopes[] = {
    {"cta", Scope::workgroup}, {"gl", Scope::device}, {"sys", Scope::system}};
constexpr base::Named<Order> kFenceOrderAliases[] = {{"fencesc", Order::seq_cst},  {"fencear", Order::acq_rel},
                                                     {"fenceacq", Order::acquire}, {"fencerel", Order::release},
                                                     {"fencerlx", Order::relaxed}, {"fencecons", Order::consume}};
constexpr base::Named<FenceKind> kPlainFences[] = {{"isb", FenceKind::isb},
                                                   {"mfence", FenceKind::mfence},
                                                   {"sfence", FenceKind::sfence},
                                                   {"lfence", FenceKind::lfence}};
constexpr base::Named<Shareability> kShareabilities[] = {
    {"", Shareability::full}, {"ish", Shareability::inner}, {"osh", Shareability::outer}, {"nsh", Shareability::non}};
constexpr base::Named<FenceAccesses> kFenceAccesses[] = {
    {"", FenceAccesses::all}, {"ld", FenceAccesses::loads}, {"st", FenceAccesses::stores}};

std::string domain_word(const Fence& fence) {
  std::string word(base::name_of(kShareabilities, fence.shareability));
  word += base::name_of(kFenceAccesses, fence.accesses);
  return word.empty() ? "sy" : word;
}

bool parse_domain(std::string_view word, Fence& fence) {
  if (word == "sy") return true;
  if (word.size() >= 3) {
    if (auto shareability = base::value_of(kShareabilities, word.substr(0, 3))) {
      fence.shareability = *shareability;
      word.remove_prefix(3);
    }
  }
  const auto accesses = base::value_of(kFenceAccesses, word);
  if (!accesses) return false;
  fence.accesses = *accesses;
  return true;
}

std::optional<Fence> parse_order_fence(const std::vector<std::string_view>& parts) {
  Fence fence;
  std::size_t at = 1;
  if (parts[0] != "fence") {
    fence.order = *base::value_of(kFenceOrderAliases, parts[0]);
  } else if (parts.size() == 3 && parts[1] == "proxy") {
    const auto proxy = litmus::proxy_named(parts[2]);
    if (!proxy || *proxy == litmus::Proxy::tensormap) return std::nullopt;  // has a direction and a map
    fence.kind = FenceKind::proxy;
    fence.proxy = *proxy;
    return fence;
  } else {
    const auto order = litmus::order_named(parts[at++]);
    if (!order || *order == Order::plain || *order == Order::acquire_pc) return std::nullopt;
    fence.order = *order;
  }
  if (at < parts.size()) {
    const auto scope = parse_scope(parts[at++]);
    if (!scope) return std::nullopt;
    fence.scope = *scope;
  }
  return at == parts.size() ? std::optional(fence) : std::nullopt;
}

char letter(Direction direction) { return direction == Direction::read ? 'R' : 'W'; }

std::optional<Direction> direction_of(char c) {
  if (c == 'R') return Direction::read;
  if (c == 'W') return Direction::write;
  return std::nullopt;
}

// Parses the part of an edge within a thread that stands before its s or d.
std::optional<Edge> parse_stem(std::string_view stem) {
  Edge edge;
  if (stem == "Po") return edge;
  if (stem == "Bar") {
    edge.kind = EdgeKind::barrier;
    return edge;
  }
  if (stem.starts_with("Dp") && stem.size() >= 6) {
    const auto kind = base::value_of(kDependencies, stem.substr(0, 6));
    if (!kind) return std::nullopt;
    edge.kind = *kind;
    if (stem.size() > 6) {
      const auto fence = parse_fence_word(lower(stem.substr(6)));
      if (*kind != EdgeKind::ctrl || !fence || !*fence) return std::nullopt;
      edge.fence = *fence;
    }
    return edge;
  }
  if (stem.starts_with("Wait")) {
    edge.kind = EdgeKind::wait;
    edge.wait = parse_wait_word(lower(stem));
    return edge.wait ? std::optional(edge) : std::nullopt;
  }
  const auto fence = parse_fence_word(lower(stem));
  if (!fence || stem.empty() || std::islower(static_cast<unsigned char>(stem[0])) != 0) return std::nullopt;
  edge.kind = EdgeKind::fence;
  edge.fence = *fence;
  return edge;
}

std::optional<Edge> parse_communication(std::string_view text) {
  if (text.size() < 3) return std::nullopt;
  const auto kind = base::value_of(kCommunications, text.substr(0, 2));
  if (!kind || (text[2] != 'e' && text[2] != 'i')) return std::nullopt;
  Edge edge = communication(*kind, text[2] == 'e');
  if (text.size() == 3) return edge;
  const auto scope = text[3] == '.' ? parse_scope(text.substr(4)) : std::nullopt;
  if (!edge.external || !scope || !can_hold_threads(*scope)) return std::nullopt;
  edge.together = *scope;
  return edge;
}

}  // namespace

bool is_communication(EdgeKind kind) { return kind == EdgeKind::rf || kind == EdgeKind::fr || kind == EdgeKind::co; }

bool is_dependency(EdgeKind kind) { return kind == EdgeKind::addr || kind == EdgeKind::data || kind == EdgeKind::ctrl; }

Edge communication(EdgeKind kind, bool external) {
  Edge edge;
  edge.kind = kind;
  edge.external = external;
  edge.source = kind == EdgeKind::fr ? Direction::read : Direction::write;
  edge.target = kind == EdgeKind::rf ? Direction::read : Direction::write;
  return edge;
}

std::optional<Scope> parse_scope(std::string_view word) {
  if (auto scope = litmus::scope_named(word)) return scope;
  return base::value_of(kScopeAliases, word);
}

bool can_hold_threads(Scope scope) { return scope != Scope::thread && scope != Scope::queue_family; }

std::string fence_word(const std::optional<Fence>& fence) {
  if (!fence) return "fence";
  std::string word;
  switch (fence->kind) {
    case FenceKind::order:
      word = "fence." + std::string(litmus::to_string(fence->order));
      if (fence->scope != Scope::device) word += "." + std::string(litmus::to_string(fence->scope));
      return word;
    case FenceKind::membar:
      word = base::name_of(kMembarScopes, fence->scope);
      return "membar." + (word.empty() ? std::string(litmus::to_string(fence->scope)) : word);
    case FenceKind::proxy:
      return "fence.proxy." + std::string(litmus::to_string(fence->proxy));
    case FenceKind::dmb:
      return "dmb." + domain_word(*fence);
    case FenceKind::dsb:
      return "dsb." + domain_word(*fence);
    default:
      return std::string(base::name_of(kPlainFences, fence->kind));
  }
}

std::optional<std::optional<Fence>> parse_fence_word(std::string_view word) {
  const std::vector<std::string_view> parts = split_dots(word);
  Fence fence;
  if (parts[0] == "fence" && parts.size() == 1) return std::optional<Fence>();
  if (parts[0] == "fence" || base::value_of(kFenceOrderAliases, parts[0])) {
    const std::optional<Fence> parsed = parse_order_fence(parts);
    if (!parsed) return std::nullopt;
    return parsed;
  }
  if (parts.size() > 2) return std::nullopt;
  if (parts[0] == "membar") {
    const auto scope = parts.size() == 1 ? Scope::device : parse_scope(parts[1]);
    if (!scope) return std::nullopt;
    fence.kind = FenceKind::membar;
    fence.scope = *scope;
    return fence;
  }
  if (parts[0] == "dmb" || parts[0] == "dsb") {
    fence.kind = parts[0] == "dmb" ? FenceKind::dmb : FenceKind::dsb;
    if (!parse_domain(parts.size() == 1 ? "sy" : parts[1], fence)) return std::nullopt;
    return fence;
  }
  const auto kind = base::value_of(kPlainFences, parts[0]);
  if (!kind || parts.size() > 1) return std::nullopt;
  fence.kind = *kind;
  return fence;
}

std::string wait_word(const litmus::AsyncControl& wait) {
  const bool read = wait.kind == litmus::AsyncControl::Kind::wait_read;
  return "wait." + std::string(litmus::to_string(wait.engine)) + (read ? ".read" : "");
}

std::optional<litmus::AsyncControl> parse_wait_word(std::string_view word) {
  using litmus::AsyncControl;
  for (const litmus::AsyncEngine engine :
       {litmus::AsyncEngine::bulk, litmus::AsyncEngine::lane, litmus::AsyncEngine::wgmma}) {
    for (const AsyncControl::Kind kind : {AsyncControl::Kind::wait, AsyncControl::Kind::wait_read}) {
      const AsyncControl wait{kind, engine, 0};
      const bool exists = kind == AsyncControl::Kind::wait || engine == litmus::AsyncEngine::bulk;
      if (exists && wait_word(wait) == word) return wait;
    }
  }
  return std::nullopt;
}

std::string to_string(const Edge& edge) {
  if (edge.kind == EdgeKind::rmw) return "Rmw";
  std::string text;
  if (is_communication(edge.kind)) {
    text = std::string(base::name_of(kCommunications, edge.kind)) + (edge.external ? 'e' : 'i');
    if (edge.together != Scope::device) text += "." + std::string(litmus::to_string(edge.together));
    return text;
  }
  const char location = edge.same_location ? 's' : 'd';
  if (is_dependency(edge.kind)) {
    text = base::name_of(kDependencies, edge.kind);
    if (edge.fence) text += capital(fence_word(edge.fence));
    return text + location + letter(edge.target);
  }
  if (edge.kind == EdgeKind::po) text = "Po";
  if (edge.kind == EdgeKind::barrier) text = "Bar";
  if (edge.kind == EdgeKind::wait) text = capital(wait_word(*edge.wait));
  if (edge.kind == EdgeKind::fence) text = capital(fence_word(edge.fence));
  return text + location + letter(edge.source) + letter(edge.target);
}

std::optional<Edge> parse_edge(std::string_view text) {
  if (text == "Rmw") {
    Edge edge;
    edge.kind = EdgeKind::rmw;
    edge.target = Direction::write;
    return edge;
  }
  if (auto edge = parse_communication(text)) return edge;
  const std::size_t directions = text.starts_with("Dp") ? 1 : 2;
  if (text.size() < directions + 2) return std::nullopt;
  const auto target = direction_of(text.back());
  const auto source = directions == 2 ? direction_of(text[text.size() - 2]) : Direction::read;
  const char location = text[text.size() - directions - 1];
  auto edge = parse_stem(text.substr(0, text.size() - directions - 1));
  if (!edge || !source || !target || (location != 's' && location != 'd')) return std::nullopt;
  if (edge->kind == EdgeKind::data && *target == Direction::read) return std::nullopt;
  edge->source = *source;
  edge->target = *target;
  edge->same_location = location == 's';
  return edge;
}

std::vector<Edge> expand_edge(std::string_view text) {
  const std::size_t star = text.find('*');
  if (star == std::string_view::npos) {
    const auto edge = parse_edge(text);
    return edge ? std::vector{*edge} : std::vector<Edge>();
  }
  // Three stars at most: the location and two directions.
  if (std::count(text.begin(), text.end(), '*') > 3) return {};
  std::vector<Edge> edges;
  for (char c : {'R', 'W', 's', 'd'}) {
    std::string one(text);
    one[star] = c;
    for (const Edge& edge : expand_edge(one)) {
      if (std::find(edges.begin(), edges.end(), edge) == edges.end()) edges.push_back(edge);
    }
  }
  return edges;
}

std::string to_string(const Annotation& annotation) {
  std::string text;
  auto add = [&](std::string_view word) {
    if (word.empty()) return;
    if (!text.empty()) text += '.';
    text += word;
  };
  if (annotation.cpu) add("cpu");
  if (annotation.copy) add(litmus::to_string(*annotation.copy));
  if (annotation.atomic) add("atom");
  if (annotation.order) add(litmus::to_string(*annotation.order));
  if (annotation.scope) add(litmus::to_string(*annotation.scope));
  add(litmus::to_string(annotation.cache));
  if (annotation.is_volatile) add("vol");
  return text;
}

bool add_annotation(std::string_view word, Annotation& annotation) {
  Annotation result = annotation;
  // A repetition is fine, a contradiction is not.
  auto set = [](auto& field, const auto& value) {
    if (field && *field != *value) return false;
    field = value;
    return true;
  };
  const std::string lowered = lower(word);
  for (std::string_view part : split_dots(lowered)) {
    bool fits = true;
    if (part.empty()) return false;
    if (part == "atom") {
      result.atomic = true;
    } else if (part == "vol") {
      result.is_volatile = true;
    } else if (part == "cpu") {
      result.cpu = true;
    } else if (part == "bulk" || part == "lane" || part == "wgmma") {
      fits = set(result.copy, litmus::async_engine_named(part));
    } else if (auto order = litmus::order_named(part)) {
      fits = set(result.order, order);
    } else if (auto scope = parse_scope(part)) {
      fits = set(result.scope, scope);
    } else if (auto cache = litmus::cache_op_named(part)) {
      fits = result.cache == litmus::CacheOp::none || result.cache == *cache;
      result.cache = *cache;
    } else if (auto space = litmus::space_named(part)) {
      fits = result.space == litmus::Space::none || result.space == *space;
      result.space = *space;
    } else {
      return false;
    }
    if (!fits) return false;
  }
  annotation = result;
  return true;
}

bool is_annotation(std::string_view word) {
  Annotation annotation;
  return add_annotation(word, annotation);
}

namespace {

// Appends fields of a few bits each, first field highest.
class Packer {
 public:
  template <typename Field>
  void add(Field field, unsigned bits) {
    code_ = code_ << bits | static_cast<std::uint64_t>(field);
  }
  template <typename Field>
  void add(const std::optional<Field>& field, unsigned bits) {
    add(field ? static_cast<std::uint64_t>(*field) + 1 : 0, bits);
  }
  std::uint64_t code() const { return code_; }

 private:
  std::uint64_t code_ = 0;
};

}  // namespace

std::uint64_t code(const Edge& edge) {
  Packer packer;
  packer.add(edge.kind, 4);
  packer.add(!edge.same_location, 1);
  packer.add(edge.source, 1);
  packer.add(edge.target, 1);
  packer.add(edge.external, 1);
  packer.add(edge.together, 3);
  packer.add(edge.fence.has_value(), 1);
  const Fence fence = edge.fence.value_or(Fence{});
  packer.add(fence.kind, 4);
  packer.add(fence.scope, 3);
  packer.add(fence.order, 3);
  packer.add(fence.proxy, 3);
  packer.add(fence.accesses == FenceAccesses::all ? 3u : static_cast<unsigned>(fence.accesses), 2);
  packer.add(fence.shareability, 2);
  packer.add(edge.wait.has_value(), 1);
  const litmus::AsyncControl wait = edge.wait.value_or(litmus::AsyncControl{});
  packer.add(wait.kind, 3);
  packer.add(wait.engine, 2);
  return packer.code();
}

std::uint64_t code(const Annotation& annotation) {
  Packer packer;
  packer.add(annotation.space, 4);
  packer.add(annotation.atomic, 1);
  packer.add(annotation.order, 4);
  packer.add(annotation.scope, 4);
  packer.add(annotation.cache, 4);
  packer.add(annotation.is_volatile, 1);
  packer.add(annotation.copy, 3);
  packer.add(annotation.cpu, 1);
  return packer.code();
}

}  // namespace weakspot::gen
