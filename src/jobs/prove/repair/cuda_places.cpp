// SPDX-License-Identifier: MIT
#include "prove/repair/cuda_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/sort.h"
#include "prove/repair/statements.h"

namespace weakspot::prove {
namespace {

using Side = SourcePlace::Side;

// Between two parts of a block, or beside a statement that is none.
struct GapName {
  std::size_t owner = 0, index = 0;
  bool in_block = true;
  auto operator<=>(const GapName&) const = default;
};

class CudaPlaces {
 public:
  CudaPlaces(std::string_view text, const UsedPlaces& used) : text_(text), used_(used), statements_(text) {
    found_.elsewhere = used.elsewhere;
  }

  WrittenPlaces find() {
    words_ =
        text_.find("cuda/atomic") != std::string_view::npos || text_.find("cuda/std/atomic") != std::string_view::npos
            ? FenceWords::library
            : FenceWords::functions;
    for (const UsedPlace& used : used_.all) visit(used);
    add_scopes_of_types();
    add_gaps();
    for (auto& [begin, place] : by_begin_) found_.all.push_back(std::move(place));
    return std::move(found_);
  }

 private:
  std::string_view word(std::size_t token) const {
    const Token& one = statements_.tokens()[token];
    return text_.substr(one.begin, one.end - one.begin);
  }

  void visit(const UsedPlace& used) {
    const std::optional<std::size_t> at = statements_.at(used.offset);
    if (!at) {
      if (!used.barrier)
        found_.elsewhere.push_back(fmt::format("line {}, which is in no function that is read", used.line));
      return;
    }
    busy_.insert(*at);
    bodies_.insert(statements_.body_of(*at));
    const bool written = look_for_words(*at, used);
    if (used.access) accesses_.insert(*at);
    if (!used.fence) return;
    if (!written) {
      found_.elsewhere.push_back(fmt::format("the fence of line {}, which no word there says", used.line));
    } else {
      fences_.insert(*at);
    }
  }

  // True if some word of the statement is an order, a scope or a fence.
  bool look_for_words(std::size_t statement, const UsedPlace& used) {
    if (!seen_.insert(statement).second) return true;
    bool any = false;
    const std::vector<std::size_t> tokens = statements_.own_tokens(statement);
    if (add_fence_statement(statement, tokens)) return true;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Token& token = statements_.tokens()[tokens[i]];
      if (token.kind == Token::Kind::text) {
        for (SourcePlace& place : ptx_words(text_.substr(token.begin, token.end - token.begin), token.begin)) {
          any = true;
          add(std::move(place));
        }
        continue;
      }
      any = add_word(tokens[i], used) || any;
    }
    return any;
  }

  void add(SourcePlace place) {
    place.line = line_of(text_, place.begin);
    by_begin_.try_emplace({place.begin, place.side}, std::move(place));
  }

  bool add_word(std::size_t token, const UsedPlace&) {
    const Token& own = statements_.tokens()[token];
    if (own.kind != Token::Kind::word) return false;
    const std::string_view name = word(token);
    const bool behind_enum = token >= 2 && word(token - 1) == "::" && word(token - 2) == "memory_order";
    if (name.starts_with("memory_order_") || name.starts_with("__NV_ATOMIC_") || behind_enum) {
      const std::optional<AccessRole> role = role_of(token);
      const std::optional<Forms> forms = role ? order_forms(name, behind_enum, *role) : std::nullopt;
      if (forms) add({SourcePlace::Kind::order, own.begin, own.end, *forms});
      return forms.has_value();
    }
    const bool called = token + 1 < statements_.tokens().size() && word(token + 1) == "(";
    if (name.starts_with("atomic") && !called) return false;
    const std::optional<Forms> forms = scope_forms(name);
    if (forms) add({SourcePlace::Kind::scope, own.begin, own.end, *forms});
    return forms.has_value();
  }

  // What the call does in whose brackets the token stands. None for the second order of a compare-exchange.
  std::optional<AccessRole> role_of(std::size_t token) const {
    int depth = 0;
    std::size_t at = token;
    bool order_before = false;
    while (at-- > 0) {
      const std::string_view one = word(at);
      if (one == ")" || one == "]" || one == "}") ++depth;
      if (one == "(" || one == "[" || one == "{") --depth;
      if (depth < 0) break;
      if (one == ";") return std::nullopt;
      order_before = order_before || one.starts_with("memory_order") || one.starts_with("__NV_ATOMIC_");
    }
    // The name of the enumeration, which stands before this word, is not an order of its own.
    if (token >= 2 && word(token - 1) == "::" && word(token - 2) == "memory_order") {
      order_before = false;
    }
    if (at == 0 || at >= statements_.tokens().size() || order_before) return std::nullopt;
    const std::string_view callee = word(at - 1);
    if (callee == "load" || callee == "__nv_atomic_load" || callee == "__nv_atomic_load_n" || callee == "wait" ||
        callee == "test") {
      return AccessRole::load;
    }
    if (callee == "store" || callee == "__nv_atomic_store" || callee == "__nv_atomic_store_n" || callee == "clear") {
      return AccessRole::store;
    }
    const bool updates = callee.starts_with("fetch_") || callee.starts_with("exchange") ||
                         callee.starts_with("compare_exchange") || callee == "test_and_set" ||
                         callee.starts_with("__nv_atomic_");
    return updates && callee != "__nv_atomic_thread_fence" ? std::optional(AccessRole::update) : std::nullopt;
  }

  // "__threadfence();" or "cuda::atomic_thread_fence(order, scope);" as a whole.
  bool add_fence_statement(std::size_t statement, const std::vector<std::size_t>& tokens) {
    const Statement& own = statements_[statement];
    if (own.kind != Statement::Kind::plain || tokens.size() < 4) return false;
    SourcePlace place{SourcePlace::Kind::fence, own.begin, own.end, {}};
    place.wraps = is_alone(statement);
    if (tokens.size() == 4 && word(tokens[1]) == "(" && word(tokens[2]) == ")") {
      const std::optional<Forms> forms = fence_function_forms(word(tokens[0]));
      if (!forms) return false;
      place.forms = *forms;
      add(std::move(place));
      return true;
    }
    const bool fence = std::any_of(tokens.begin(), tokens.end(), [&](std::size_t token) {
      return word(token) == "atomic_thread_fence" || word(token) == "__nv_atomic_thread_fence";
    });
    if (!fence) return false;
    std::optional<std::size_t> order, scope;
    for (const std::size_t token : tokens) {
      const bool behind_enum = token >= 2 && word(token - 1) == "::" && word(token - 2) == "memory_order";
      if (!order && order_forms(word(token), behind_enum, AccessRole::fence)) order = token;
      if (!scope && statements_.tokens()[token].kind == Token::Kind::word && !word(token).starts_with("atomic") &&
          scope_forms(word(token))) {
        scope = token;
      }
    }
    if (!order) return false;
    place.forms = fence_forms(own, *order, scope);
    add(std::move(place));
    return true;
  }

  Forms fence_forms(const Statement& own, std::size_t order, std::optional<std::size_t> scope) const {
    const bool behind_enum = order >= 2 && word(order - 1) == "::";
    const Forms orders = *order_forms(word(order), behind_enum, AccessRole::fence);
    Forms scopes{{{"", kStrong, WordScope::system}}, 0};
    if (scope) scopes = *scope_forms(word(*scope));
    Forms made;
    made.all.push_back({});
    const std::string written(text_.substr(own.begin, own.end - own.begin));
    for (const Form& one : orders.all) {
      for (const Form& wide : scopes.all) {
        std::vector<TextEdit> edits = {replaced(own, order, one.text)};
        if (scope) edits.push_back(replaced(own, *scope, wide.text));
        made.all.push_back({edited(written, std::move(edits)), one.order, wide.scope});
      }
    }
    base::sort(made.all, [](const Form& a, const Form& b) { return a.cost() < b.cost(); });
    while (made.all[made.written].text != written) ++made.written;
    return made;
  }

  TextEdit replaced(const Statement& own, std::size_t token, const std::string& with) const {
    const Token& at = statements_.tokens()[token];
    return {at.begin - own.begin, at.end - own.begin, with};
  }

  bool is_alone(std::size_t statement) const {
    const std::size_t parent = statements_[statement].parent;
    return parent != Statement::kNone && statements_[parent].kind != Statement::Kind::block;
  }

  // Scopes in the types of the functions that run, and in those outside of functions.
  void add_scopes_of_types() {
    for (std::size_t token = 0; token < statements_.tokens().size(); ++token) {
      const Token& own = statements_.tokens()[token];
      if (own.kind != Token::Kind::word || word(token).starts_with("atomic")) continue;
      if (!scope_forms(word(token))) continue;
      const std::optional<std::size_t> at = statements_.at(own.begin);
      if (at && (!bodies_.contains(statements_.body_of(*at)) || is_part_of_fence(own.begin))) continue;
      add({SourcePlace::Kind::scope, own.begin, own.end, *scope_forms(word(token))});
    }
  }

  bool is_part_of_fence(std::size_t offset) const {
    return std::any_of(by_begin_.begin(), by_begin_.end(), [&](const auto& entry) {
      return entry.second.kind == SourcePlace::Kind::fence && offset >= entry.second.begin && offset < entry.second.end;
    });
  }

  // ---- gaps ----

  void add_gaps() {
    const Forms forms = inserted_fences(words_, used_.scopes);
    if (forms.all.empty()) return;
    std::set<GapName> gaps;
    for (const std::size_t statement : accesses_) add_gaps_of(statement, gaps);
    for (const GapName& gap : gaps) add_gap(gap, forms);
  }

  void add_gaps_of(std::size_t statement, std::set<GapName>& gaps) const {
    const Statement& own = statements_[statement];
    if (own.kind != Statement::Kind::do_loop) note(before(statement), gaps);
    if (!own.leaves) note(behind(statement), gaps);
    for (const std::size_t part : own.parts) {
      if (own.kind == Statement::Kind::do_loop) note(last_in(part), gaps);
      if (is_busy(part) || own.kind == Statement::Kind::choice) note(first_in(part), gaps);
      if (is_busy(part) && own.kind == Statement::Kind::loop) note(last_in(part), gaps);
    }
  }

  GapName before(std::size_t statement) const {
    const Statement& own = statements_[statement];
    if (own.parent == Statement::kNone) return {statement, 0, true};
    return is_alone(statement) ? GapName{statement, 0, false} : GapName{own.parent, own.index, true};
  }
  GapName behind(std::size_t statement) const {
    GapName gap = before(statement);
    ++gap.index;
    return gap;
  }
  GapName first_in(std::size_t part) const {
    return statements_[part].kind == Statement::Kind::block ? GapName{part, 0, true} : before(part);
  }
  GapName last_in(std::size_t part) const {
    return statements_[part].kind == Statement::Kind::block ? GapName{part, statements_[part].parts.size(), true}
                                                            : behind(part);
  }

  // A statement that does something that a fence may keep in order: an access, a barrier, a call.
  bool is_busy(std::size_t statement) const {
    if (busy_.contains(statement)) return true;
    const std::vector<std::size_t> tokens = statements_.own_tokens(statement);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      static const std::set<std::string_view> kNoCalls = {"if", "while", "for", "switch", "return", "sizeof"};
      const bool name =
          statements_.tokens()[tokens[i]].kind == Token::Kind::word && !kNoCalls.contains(word(tokens[i]));
      if (name && word(tokens[i] + 1) == "(") return true;
    }
    const std::vector<std::size_t>& parts = statements_[statement].parts;
    return std::any_of(parts.begin(), parts.end(), [&](std::size_t part) { return is_busy(part); });
  }

  // Gaps with nothing but computation between them are the same: the first counts. One beside a fence is not needed,
  // and one before or behind all that a kernel does keeps nothing in order.
  void note(GapName gap, std::set<GapName>& gaps) const {
    if (gap.in_block) {
      const std::vector<std::size_t>& parts = statements_[gap.owner].parts;
      while (gap.index > 0 && !is_busy(parts[gap.index - 1]) && parts_leave_alone(parts[gap.index - 1])) --gap.index;
      std::size_t next = gap.index;
      while (next < parts.size() && !is_busy(parts[next]) && parts_leave_alone(parts[next])) ++next;
      const bool fence_before = gap.index > 0 && fences_.contains(parts[gap.index - 1]);
      const bool fence_behind = next < parts.size() && fences_.contains(parts[next]);
      if (fence_before || fence_behind) return;
      if (nothing_before(gap) || nothing_behind(gap)) return;
    } else {
      GapName around = gap;
      if (climb(around.owner, around.index)) {
        if (gap.index == 0 && nothing_before(around)) return;
        ++around.index;
        if (gap.index == 1 && nothing_behind(around)) return;
      }
    }
    gaps.insert(gap);
  }

  bool parts_leave_alone(std::size_t statement) const {
    return statements_[statement].kind == Statement::Kind::plain && !statements_[statement].leaves;
  }

  bool nothing_before(const GapName& gap) const {
    std::size_t owner = gap.owner, index = gap.index;
    while (true) {
      const std::vector<std::size_t>& parts = statements_[owner].parts;
      for (std::size_t i = 0; i < std::min(index, parts.size()); ++i) {
        if (is_busy(parts[i])) return false;
      }
      if (statements_[owner].parent == Statement::kNone) return statements_[owner].kernel;
      if (!climb(owner, index)) return false;
    }
  }

  bool nothing_behind(const GapName& gap) const {
    std::size_t owner = gap.owner, index = gap.index;
    while (true) {
      const std::vector<std::size_t>& parts = statements_[owner].parts;
      for (std::size_t i = index; i < parts.size(); ++i) {
        if (statements_[parts[i]].leaves) break;
        if (is_busy(parts[i])) return false;
      }
      if (statements_[owner].parent == Statement::kNone) return statements_[owner].kernel;
      if (!climb(owner, index)) return false;
      ++index;
    }
  }

  // To the block around, at the statement that the gap is in. False: a loop or a condition that does something lies
  // between.
  bool climb(std::size_t& owner, std::size_t& index) const {
    while (statements_[owner].parent != Statement::kNone) {
      index = statements_[owner].index;
      owner = statements_[owner].parent;
      const Statement::Kind kind = statements_[owner].kind;
      if (kind == Statement::Kind::block) return true;
      if (kind != Statement::Kind::choice || busy_.contains(owner)) return false;
    }
    return false;
  }

  void add_gap(const GapName& gap, const Forms& forms) {
    SourcePlace place{SourcePlace::Kind::gap, 0, 0, forms};
    std::size_t beside = gap.owner;
    if (gap.in_block) {
      const std::vector<std::size_t>& parts = statements_[gap.owner].parts;
      if (parts.empty()) return;  // an empty body has neighbours that do as well
      place.side = gap.index < parts.size() ? Side::before : Side::behind;
      beside = parts[std::min(gap.index, parts.size() - 1)];
      // The gap is told by what it keeps behind itself, so it stands right before that.
      for (std::size_t i = gap.index; place.side == Side::before && i < parts.size(); ++i) {
        beside = parts[i];
        if (is_busy(parts[i]) || !parts_leave_alone(parts[i])) break;
      }
    } else {
      place.side = gap.index == 0 ? Side::before : Side::behind;
      place.wraps = true;
    }
    const Statement& statement = statements_[beside];
    if (place.side == Side::behind && statement.leaves) return;
    place.begin = place.side == Side::before && !place.wraps ? statement.front : statement.begin;
    place.end = statement.end;
    place.line = line_of(text_, place.side == Side::before ? statement.begin : statement.end - 1);
    by_begin_.try_emplace({place.side == Side::before ? place.begin : place.end, place.side}, std::move(place));
  }

  const std::string_view text_;
  const UsedPlaces& used_;
  const Statements statements_;
  FenceWords words_ = FenceWords::functions;
  std::set<std::size_t> seen_, busy_, accesses_, fences_, bodies_;
  std::map<std::pair<std::size_t, Side>, SourcePlace> by_begin_;
  WrittenPlaces found_;
};

}  // namespace

WrittenPlaces cuda_places(std::string_view text, const UsedPlaces& used) { return CudaPlaces(text, used).find(); }

}  // namespace weakspot::prove
