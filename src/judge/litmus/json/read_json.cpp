// SPDX-License-Identifier: MIT
// Tests as JSON; docs/json-format.md is the manual.
#include "base/names.h"
#include "litmus/json/json_parts.h"
#include "litmus/json/json_words.h"
#include "litmus/text/columns.h"
#include "litmus/text/readers.h"

namespace weakspot::litmus {
namespace {

using JsonKind = JsonValue::Kind;

enum class TestType { inter_workgroup, intra_workgroup };
constexpr base::Named<TestType> kTestTypes[] = {{"inter_workgroup", TestType::inter_workgroup},
                                                {"intra_workgroup", TestType::intra_workgroup}};

struct MemoryType {
  bool atomic = true;
  Space space = Space::none;
};
constexpr base::Named<MemoryType> kMemoryTypes[] = {{"atomic_storage", {true, Space::none}},
                                                    {"non_atomic_storage", {false, Space::none}},
                                                    {"atomic_workgroup", {true, Space::shared}},
                                                    {"non_atomic_workgroup", {false, Space::shared}}};

constexpr base::Named<Expectation> kExpectations[] = {{"allowed", Expectation::allowed},
                                                      {"forbidden", Expectation::forbidden}};

class JsonTestReader {
 public:
  JsonTestReader(const JsonValue& value, Mistakes& mistakes)
      : fields_(value, mistakes, "a test"), mistakes_(mistakes), context_{builder_, mistakes} {}

  std::optional<LitmusTest> read() {
    const std::size_t before = mistakes_.count();
    if (!fields_.valid()) return std::nullopt;
    header();
    memory_ = fields_.one_of("memoryType", kMemoryTypes).value_or(MemoryType{});
    context_.access_order = memory_.atomic ? Order::relaxed : Order::plain;
    locations();
    threads();
    // Names that are not known because their thread has a mistake are not mistakes of their own.
    if (mistakes_.count() == before) condition();
    for (std::string_view key : {"condition", "behaviors", "filter", "observe"}) fields_.take(key);
    expectations();
    info();
    fields_.done();
    return finish_test(builder_, mistakes_, before);
  }

 private:
  void header() {
    LitmusTest& test = builder_.test;
    const JsonValue* name = fields_.take("testName", JsonKind::string, true);
    test.span = name != nullptr ? name->span() : fields_.span();
    if (name != nullptr) test.name = name->text();
    if (name != nullptr && !is_test_name(test.name)) fields_.mistake(name, "a test's name is one word");
    test.description = fields_.string("description").value_or("");
    test.arch = fields_.one_of("arch", arch_named).value_or(Arch::generic);
  }

  // The names come first, in their order, for one location can name another that is described later.
  void locations() {
    const JsonValue* list = fields_.take("locations", JsonKind::array);
    if (list == nullptr) return;
    for (const JsonValue& item : list->items()) {
      const JsonValue* name = item.is(JsonKind::object) ? item.find("name") : nullptr;
      if (name == nullptr || !name->is(JsonKind::string) || !is_word(name->text())) continue;
      const JsonValue* elements = item.find("elements");
      const std::optional<std::int64_t> count = elements != nullptr ? elements->integer() : std::nullopt;
      if (count && *count >= 2 && *count <= kMostElements) {
        builder_.array(name->text(), static_cast<std::uint32_t>(*count));
      } else {
        builder_.location(name->text());
      }
    }
    for (const JsonValue& item : list->items()) location(item);
  }

  void location(const JsonValue& item) {
    JsonFields fields(item, mistakes_, "a location");
    std::optional<std::string_view> name = json_word(fields, "name", "a location", true);
    if (!name) return;
    const LocationId id = builder_.location(*name);
    builder_[id].span = item.span();
    if (!builder_.declare(id)) {
      fields.mistake(fields.take("name"), fmt::format("location '{}' is declared twice", clipped(*name)));
    }
    if (std::optional<std::int64_t> elements = fields.number("elements"); elements && !builder_[id].is_array()) {
      fields.mistake(fields.take("elements"), fmt::format("expected 2 to {} elements", kMostElements));
    }
    if (builder_[id].is_array()) {
      elements_of(fields, id);
    } else if (const JsonValue* initial = fields.take("initial")) {
      builder_[id].initial = read_json_value(*initial, context_).value_or(Value{});
    }
    const Type assumed = builder_[id].initial.base ? Type::s64 : Type::s32;
    builder_.give_type(id, fields.one_of("type", type_named).value_or(assumed));
    builder_.give_space(id, fields.one_of("space", space_named).value_or(memory_.space));
    if (std::optional<std::string_view> other = json_word(fields, "aliasOf", "a location")) {
      builder_[id].alias_of = builder_.location(*other);
      builder_[id].proxy = fields.one_of("proxy", proxy_named).value_or(Proxy::generic);
    }
    fields.done();
  }

  void elements_of(JsonFields& fields, LocationId first) {
    for (std::uint32_t i = 1; i < builder_[first].elements; ++i) {
      builder_[LocationId{first.index + i}].span = builder_[first].span;
      builder_.declare(LocationId{first.index + i});
    }
    const JsonValue* list = fields.take("initial", JsonKind::array);
    if (list == nullptr) return;
    if (list->items().size() > builder_[first].elements) {
      fields.mistake(list, fmt::format("the array has {} elements", builder_[first].elements));
      return;
    }
    for (std::uint32_t i = 0; i < list->items().size(); ++i) {
      const std::optional<Value> value = read_json_value(list->items()[i], context_);
      builder_[LocationId{first.index + i}].initial = value.value_or(Value{});
    }
  }

  void threads() {
    const JsonValue* list = fields_.take("threads", JsonKind::array, true);
    if (list == nullptr) return;
    if (list->items().size() > kMostThreads) {
      fields_.mistake(list, fmt::format("the test has more than {} threads", kMostThreads));
      return;
    }
    builder_.ensure_threads(list->items().size());
    for (std::uint32_t t = 0; t < list->items().size(); ++t) thread(list->items()[t], ThreadId{t});
    for (std::uint32_t i = 0; i < builder_.test.locations.size(); ++i) {
      if (!builder_.declare(LocationId{i})) continue;
      builder_.test.locations[i].space = memory_.space;
      builder_.test.locations[i].span = builder_.test.span;
    }
    placement();
  }

  void thread(const JsonValue& item, ThreadId id) {
    JsonFields fields(item, mistakes_, "a thread");
    for (const auto& [key, level] : kJsonLevels) {
      std::optional<std::int64_t> number = fields.number(key);
      if (!number) continue;
      if (*number < 0 || *number > INT32_MAX) {
        fields.mistake(fields.take(key), "the number of a node is between 0 and 2147483647");
      } else {
        builder_.placement(id).at(level) = static_cast<std::uint32_t>(*number);
      }
    }
    if (fields.truth("cpu")) builder_.placement(id).cpu = true;
    if (const JsonValue* registers = fields.take("registers", JsonKind::array)) {
      for (const JsonValue& reg : registers->items()) declare_register(reg, id);
    }
    if (const JsonValue* actions = fields.take("actions", JsonKind::array, true)) {
      for (const JsonValue& action : actions->items()) read_json_action(action, context_, id);
    }
    fields.done();
  }

  void declare_register(const JsonValue& item, ThreadId thread) {
    JsonFields fields(item, mistakes_, "a register");
    std::optional<RegisterId> id = json_register(fields, "name", context_, thread, true);
    std::optional<Type> type = fields.one_of("type", type_named);
    const JsonValue* initial = fields.take("initial");
    fields.done();
    if (!id) return;
    const ObservedRegister reg{thread, *id};
    if (!builder_.declare(reg)) fields.mistake(fields.take("name"), "the register is declared twice");
    if (type) builder_[reg].type = *type;
    if (initial != nullptr) builder_[reg].initial = read_json_value(*initial, context_).value_or(Value{});
  }

  void placement() {
    const std::size_t threads = builder_.test.threads.size();
    std::optional<TestType> type = fields_.one_of("testType", kTestTypes);
    if (type && !builder_.placements.empty()) {
      fields_.mistake(fields_.take("testType"), "the threads are placed twice: by 'testType' and by themselves");
      return;
    }
    if (type) builder_.placements.resize(threads);
    if (type == TestType::intra_workgroup) {
      for (PartialPlacement& place : builder_.placements) place.at(Scope::workgroup) = 0;
    }
    read_pairs("systemSynchronizes", builder_.system_synchronizes);
    read_pairs("launches", builder_.launches);
  }

  void read_pairs(std::string_view key, std::vector<std::pair<ThreadId, ThreadId>>& into) {
    const std::size_t threads = builder_.test.threads.size();
    const JsonValue* pairs = fields_.take(key, JsonKind::array);
    if (pairs == nullptr) return;
    for (const JsonValue& pair : pairs->items()) {
      const bool two = pair.is(JsonKind::array) && pair.items().size() == 2 && is_thread(pair.items()[0], threads) &&
                       is_thread(pair.items()[1], threads);
      if (!two) {
        fields_.mistake(&pair, "expected two threads of the test, by number");
        continue;
      }
      into.emplace_back(ThreadId{static_cast<std::uint32_t>(*pair.items()[0].whole())},
                        ThreadId{static_cast<std::uint32_t>(*pair.items()[1].whole())});
    }
  }

  static bool is_thread(const JsonValue& value, std::size_t threads) {
    return value.whole().value_or(threads) < threads;
  }

  // ---- condition ----

  void condition() {
    LitmusTest& test = builder_.test;
    if (const JsonValue* filter = fields_.take("filter")) test.filter = read_json_proposition(*filter, context_);
    if (const JsonValue* list = fields_.take("observe", JsonKind::array)) {
      for (const JsonValue& item : list->items()) {
        if (std::optional<Observable> observed = read_json_observable(item, context_)) {
          test.also_observed.push_back(*observed);
        }
      }
    }
    const JsonValue* behaviors = fields_.take("behaviors", JsonKind::object);
    if (behaviors != nullptr) test.info.emplace_back(kBehaviorsKey, base::json_line(*behaviors));
    if (const JsonValue* condition = fields_.take("condition")) {
      explicit_condition(*condition);
    } else if (behaviors != nullptr) {
      condition_of_behaviors(*behaviors);
    } else if (!fields_.has("behaviors")) {
      fields_.mistake(nullptr, "the test asks nothing; expected 'condition' or 'behaviors'");
    }
  }

  void explicit_condition(const JsonValue& value) {
    JsonFields fields(value, mistakes_, "a condition");
    Condition& condition = builder_.test.condition;
    condition.quantifier = fields.one_of("quantifier", kJsonQuantifiers).value_or(Condition::Quantifier::exists);
    if (const JsonValue* proposition = fields.take("proposition", JsonKind::object, true)) {
      condition.proposition = read_json_proposition(*proposition, context_).value_or(Proposition{});
    }
    fields.done();
  }

  // Asks whether the behaviour called weak can be seen, or the last one that has a condition.
  void condition_of_behaviors(const JsonValue& behaviors) {
    bool found = false;
    bool weak = false;
    for (const JsonMember& behavior : behaviors.members()) {
      const JsonValue* type = behavior.value.find("type");
      if (type != nullptr && type->is(JsonKind::string) && type->text() == "else") continue;
      std::optional<Proposition> proposition = read_json_proposition(behavior.value, context_);
      found = true;
      if (proposition && !weak) builder_.test.condition.proposition = std::move(*proposition);
      weak = weak || behavior.key == "weak";
    }
    if (!found) fields_.mistake(&behaviors, "no behaviour has a condition");
  }

  void expectations() {
    const JsonValue* list = fields_.take("expectations", JsonKind::object);
    if (list == nullptr) return;
    for (const JsonMember& member : list->members()) {
      std::optional<Expectation> expectation;
      if (member.value.is(JsonKind::string)) expectation = base::value_of(kExpectations, member.value.text());
      if (!expectation) fields_.mistake(&member.value, "expected \"allowed\" or \"forbidden\"");
      if (!is_model_name(member.key)) {
        mistakes_.add(member.key_span, "the name of a model is made of letters, digits and '_', '.', '+', '-', '/'");
      }
      if (expectation) builder_.test.expectations[member.key] = *expectation;
    }
  }

  void info() {
    const JsonValue* list = fields_.take("info", JsonKind::array);
    if (list == nullptr) return;
    for (const JsonValue& pair : list->items()) {
      const bool two = pair.is(JsonKind::array) && pair.items().size() == 2 && pair.items()[0].is(JsonKind::string) &&
                       pair.items()[1].is(JsonKind::string);
      if (!two) {
        fields_.mistake(&pair, "expected a key and a value, two strings");
        continue;
      }
      const std::string& key = pair.items()[0].text();
      const std::string& value = pair.items()[1].text();
      if (!is_word(key) || key == "Expect" || key == "Arch") {
        fields_.mistake(&pair.items()[0], "a key is one word, and neither Expect nor Arch");
      }
      if (!is_line(value)) fields_.mistake(&pair.items()[1], "a value is one line without blanks around it");
      builder_.test.info.emplace_back(key, value);
    }
  }

  static bool is_line(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\f\v";
    if (text.find('\n') != std::string_view::npos) return false;
    return text.empty() || (kBlanks.find(text.front()) == std::string_view::npos &&
                            kBlanks.find(text.back()) == std::string_view::npos);
  }

  TestBuilder builder_;
  JsonFields fields_;
  Mistakes& mistakes_;
  JsonContext context_;
  MemoryType memory_;
};

}  // namespace

base::Result<std::vector<LitmusTest>> read_json(const base::Source& source) {
  Mistakes mistakes(source);
  std::vector<LitmusTest> tests;
  if (std::optional<JsonValue> value = base::read_json_text(mistakes)) {
    auto read = [&](const JsonValue& item) {
      if (mistakes.full()) return;
      std::optional<LitmusTest> test = JsonTestReader(item, mistakes).read();
      if (test) tests.push_back(std::move(*test));
    };
    if (value->is(JsonKind::array)) {
      for (const JsonValue& item : value->items()) read(item);
    } else {
      read(*value);
    }
  }
  if (mistakes.any()) return mistakes.take();
  if (tests.empty()) return base::error_in(source.name(), "this text contains no test");
  return tests;
}

}  // namespace weakspot::litmus
