// SPDX-License-Identifier: MIT
#include "base/names.h"
#include "litmus/json/json_parts.h"
#include "litmus/json/json_words.h"

namespace weakspot::litmus {
namespace {

using JsonKind = JsonValue::Kind;

class ConditionReader {
 public:
  explicit ConditionReader(JsonContext& context) : context_(context) {}

  std::optional<Proposition> read(const JsonValue& value) {
    JsonFields fields(value, context_.mistakes, "a condition");
    std::optional<std::string_view> type = fields.string("type", true);
    if (!type) return std::nullopt;
    fields.take("key");  // of a behaviour: the counter that it adds to
    std::optional<Proposition> proposition = this->proposition(*type, fields);
    fields.done();
    if (proposition) proposition->span = value.span();
    return proposition;
  }

  std::optional<Observable> observable(std::string_view type, JsonFields& fields) {
    std::optional<std::string_view> id = json_word(fields, "id", type == "memory" ? "a location" : "a register", true);
    if (type == "variable") return reg(id, fields);
    if (!id) return std::nullopt;
    std::optional<LocationId> location = context_.builder.find_location(*id);
    if (!location) {
      fields.mistake(fields.take("id"), fmt::format("there is no location '{}'", clipped(*id)));
      return std::nullopt;
    }
    const Location& array = context_.builder[*location];
    const std::int64_t element = fields.number("element").value_or(array.is_array() ? -1 : 0);
    if (element < 0 || element >= array.elements) {
      const JsonValue* given = fields.take("element");
      fields.mistake(given != nullptr ? given : fields.take("id"),
                     array.is_array() ? fmt::format("expected an 'element' from 0 to {}", array.elements - 1)
                                      : fmt::format("'{}' is not an array", clipped(*id)));
      return std::nullopt;
    }
    return Observable(LocationId{location->index + static_cast<std::uint32_t>(element)});
  }

 private:
  std::optional<Proposition> proposition(std::string_view type, JsonFields& fields) {
    if (type == "op") return connective(fields);
    if (type == "true" || type == "false") {
      Proposition constant;
      constant.kind = type == "true" ? Proposition::Kind::truth : Proposition::Kind::falsity;
      return constant;
    }
    if (type == "variable" || type == "memory") {
      std::optional<Observable> left = observable(type, fields);
      return comparison(left ? std::optional<Term>(*left) : std::nullopt, fields);
    }
    if (type == "constant") {
      std::optional<Value> left;
      if (const JsonValue* constant = fields.take("constant")) {
        left = read_json_value(*constant, context_);
      } else {
        fields.mistake(nullptr, "'constant' is missing: a number or an address");
      }
      return comparison(left ? std::optional<Term>(*left) : std::nullopt, fields);
    }
    fields.mistake(fields.take("type"),
                   type == "else" ? "'else' is for behaviours only"
                                  : fmt::format("unknown type '{}' of a condition; expected op, variable, memory, "
                                                "constant, true or false",
                                                clipped(type)));
    return std::nullopt;
  }

  std::optional<Proposition> connective(JsonFields& fields) {
    std::optional<std::string_view> op = fields.string("op", true);
    const JsonValue* list = fields.take("conditions", JsonKind::array, true);
    if (!op || list == nullptr) return std::nullopt;
    std::vector<Proposition> parts;
    for (const JsonValue& item : list->items()) {
      if (std::optional<Proposition> part = read(item)) parts.push_back(std::move(*part));
    }
    if (parts.size() != list->items().size()) return std::nullopt;
    if (*op == "and") return all_of(std::move(parts));
    if (*op == "or") return any_of(std::move(parts));
    const std::size_t needed = *op == "not" ? 1 : 2;
    if (*op != "not" && *op != "implies") {
      fields.mistake(fields.take("op"),
                     fmt::format("unknown 'op' '{}'; expected and, or, not or implies", clipped(*op)));
      return std::nullopt;
    }
    if (parts.size() != needed) {
      fields.mistake(list, fmt::format("'{}' takes {} condition{}", *op, needed, needed == 1 ? "" : "s"));
      return std::nullopt;
    }
    if (*op == "not") {
      // Two negations cancel, as in the other forms.
      if (parts[0].kind == Proposition::Kind::negation) return Proposition(parts[0].children[0]);
      return negation(std::move(parts[0]));
    }
    Proposition whole;
    whole.kind = Proposition::Kind::implication;
    whole.children = std::move(parts);
    return whole;
  }

  std::optional<Proposition> comparison(std::optional<Term> left, JsonFields& fields) {
    const CompareOp op = fields.one_of("compare", compare_op_named).value_or(CompareOp::eq);
    const JsonValue* value = fields.take("value");
    if (value == nullptr) {
      fields.mistake(nullptr, "'value' is missing: what the value is compared with");
      return std::nullopt;
    }
    std::optional<Term> right;
    if (value->is(JsonKind::object) && value->find("type") != nullptr) {
      if (std::optional<Observable> other = read_json_observable(*value, context_)) right = *other;
    } else if (std::optional<Value> constant = read_json_value(*value, context_)) {
      right = *constant;
    }
    if (!left || !right) return std::nullopt;
    return compare(*left, op, *right);
  }

  // Published tests name a register alone: no two threads share one there.
  std::optional<Observable> reg(std::optional<std::string_view> id, JsonFields& fields) {
    std::optional<std::int64_t> thread = fields.number("thread");
    if (!id) return std::nullopt;
    const auto threads = static_cast<std::uint32_t>(context_.builder.test.threads.size());
    if (thread && (*thread < 0 || *thread >= threads)) {
      fields.mistake(fields.take("thread"), fmt::format("there is no thread {}; the test has {}", *thread, threads));
      return std::nullopt;
    }
    std::optional<Observable> found;
    for (std::uint32_t t = 0; t < threads; ++t) {
      if (thread && *thread != t) continue;
      std::optional<RegisterId> reg = context_.builder.find_register(ThreadId{t}, *id);
      if (!reg) continue;
      if (found) {
        fields.mistake(fields.take("id"),
                       fmt::format("several threads have a register '{}'; expected 'thread' as well", clipped(*id)));
        return std::nullopt;
      }
      found = ObservedRegister{ThreadId{t}, *reg};
    }
    if (!found) {
      fields.mistake(fields.take("id"), thread ? fmt::format("thread {} has no register '{}'", *thread, clipped(*id))
                                               : fmt::format("no thread has a register '{}'", clipped(*id)));
    }
    return found;
  }

  JsonContext& context_;
};

}  // namespace

std::optional<Proposition> read_json_proposition(const JsonValue& condition, JsonContext& context) {
  return ConditionReader(context).read(condition);
}

std::optional<Observable> read_json_observable(const JsonValue& value, JsonContext& context) {
  JsonFields fields(value, context.mistakes, "a register or a location");
  std::optional<std::string_view> type = fields.string("type", true);
  if (!type) return std::nullopt;
  if (*type != "variable" && *type != "memory") {
    fields.mistake(fields.take("type"), fmt::format("unknown type '{}'; expected variable or memory", clipped(*type)));
    return std::nullopt;
  }
  std::optional<Observable> found = ConditionReader(context).observable(*type, fields);
  fields.done();
  return found;
}

}  // namespace weakspot::litmus
