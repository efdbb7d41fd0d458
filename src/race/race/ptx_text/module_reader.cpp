// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "race/ptx_text.h"
#include "race/ptx_text/locations.h"
#include "race/ptx_text/register_reader.h"
#include "race/ptx_text/scopes.h"

namespace weakspot::race::ptx {
namespace {

constexpr std::size_t kMostErrors = 20;
constexpr std::size_t kDeepest = 64;                          // braces and lists
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;  // of a variable

// Directives of a function, with or without numbers behind them.
constexpr std::string_view kFunctionDirectives[] = {
    "reqntid",           "maxntid",         "minnctapersm",        "maxnctapersm", "maxnreg",
    "reqnctapercluster", "explicitcluster", "maxclusterrank",      "noreturn",     "unique",
    "blocksareclusters", "abi_preserve",    "abi_preserve_control"};
constexpr std::string_view kLinking[] = {"visible", "extern", "weak", "common"};

std::optional<Space> space_named(std::string_view word) {
  if (word == "param") return Space::parameter;
  if (word == "global") return Space::global;
  if (word == "const") return Space::constant;
  if (word == "shared") return Space::shared;
  if (word == "local") return Space::local;
  return std::nullopt;
}

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Functions that read a part return false after having noted a mistake.
class ModuleReader : private RegisterReader {
 public:
  ModuleReader(const base::Source& source, const std::vector<Token>& tokens)
      : RegisterReader(source, tokens), locations_(module_) {}

  base::Result<Module> run() {
    if (!read_version()) return std::move(errors_);
    while (now().kind != Token::Kind::end && errors_.size() < kMostErrors) {
      if (!read_top()) skip_statement();
    }
    check_labels();
    if (!errors_.empty()) return std::move(errors_);
    locations_.finish();
    return std::move(module_);
  }

 private:
  // Goes on behind the next semicolon of these braces, or in front of the brace that ends them.
  void skip_statement() {
    std::size_t depth = 0;
    while (now().kind != Token::Kind::end) {
      if (depth == 0 && now().is('}') && scopes_ != nullptr) return;
      const Token token = take();
      if (token.is('{')) ++depth;
      if (token.is('}') && depth > 0) --depth;
      if (token.is('}') && depth == 0 && scopes_ == nullptr) return;
      if (token.is(';') && depth == 0) return;
    }
  }

  bool read_version() {
    if (!take_if_dotted("version")) return fail_expected("'.version', with which a module of PTX begins");
    const Token token = now();
    const std::size_t dot = token.text.find('.');
    const std::optional<Number> major = parse_number(token.text.substr(0, dot));
    const std::optional<Number> minor =
        dot == std::string_view::npos ? std::nullopt : parse_number(token.text.substr(dot + 1));
    if (token.kind != Token::Kind::number || !major || !minor || major->value > 99) {
      return fail_expected("a version such as 8.7");
    }
    module_.version_major = static_cast<unsigned>(major->value);
    module_.version_minor = static_cast<unsigned>(minor->value);
    ++at_;
    return true;
  }

  bool read_top() {
    if (take_if(';')) return true;
    if (now().kind != Token::Kind::dotted) return fail_expected("a directive");
    const Token word = now();
    if (word.text == "target") return read_target();
    if (word.text == "address_size") {
      ++at_;
      const base::Span span = now().span;
      if (!take_small(module_.address_size, "32 or 64")) return false;
      return module_.address_size == 64 || fail_at(span, "addresses of 32 bits are not supported, only those of 64");
    }
    if (read_debug_line()) return true;
    if (word.text == "file" || word.text == "loc" || word.text == "section") return false;
    bool external = false;
    while (now().kind == Token::Kind::dotted && is_one_of(now().text, kLinking)) {
      const bool is_extern = take().text == "extern";
      external = external || is_extern;
    }
    if (now().is_dotted("entry") || now().is_dotted("func")) return read_function();
    if (now().kind == Token::Kind::dotted && space_named(now().text)) {
      return read_variables(module_.variables, external);
    }
    return fail_expected("a function, a variable or another directive of a module");
  }

  bool read_target() {
    ++at_;
    do {
      std::string name;
      if (!take_name(name, "a target such as sm_90")) return false;
      module_.target.push_back(std::move(name));
    } while (take_if(','));
    return true;
  }

  // Lines that may stand anywhere: .file, .loc, .section and .pragma. False with the error noted, or without one if
  // there is no such line.
  bool read_debug_line() {
    if (now().is_dotted("file")) return read_file();
    if (now().is_dotted("loc")) return read_location();
    if (now().is_dotted("section")) return read_section();
    if (!take_if_dotted("pragma")) return false;
    while (now().kind != Token::Kind::end && !take_if(';')) ++at_;
    return true;
  }
  bool is_debug_line() const {
    return now().is_dotted("file") || now().is_dotted("loc") || now().is_dotted("section") || now().is_dotted("pragma");
  }

  bool read_file() {
    ++at_;
    unsigned number = 0;
    if (!take_small(number, "the number of a file")) return false;
    if (now().kind != Token::Kind::text) return fail_expected("the name of a file");
    module_.files[number] = std::string(take().text);
    std::uint64_t ignored = 0;  // time and size
    while (take_if(',')) {
      if (!take_number(ignored, "a number")) return false;
    }
    return true;
  }

  bool read_place(unsigned& file, unsigned& line, unsigned& column) {
    return take_small(file, "the number of a file") && take_small(line, "a line") && take_small(column, "a column");
  }

  bool read_location() {
    ++at_;
    unsigned file = 0, line = 0, column = 0;
    if (!read_place(file, line, column)) return false;
    std::string function;
    std::size_t caller = kNone;
    while (take_if(',')) {
      std::string word;
      if (!take_name(word, "'function_name' or 'inlined_at'")) return false;
      if (word == "function_name") {
        if (!take_name(function, "a label of the debug strings")) return false;
        std::uint64_t offset = 0;
        if (take_if('+') && !take_number(offset, "an offset")) return false;
      } else if (word == "inlined_at") {
        unsigned at[3] = {};
        if (!read_place(at[0], at[1], at[2])) return false;
        caller = locations_.find(at[0], at[1], at[2]);
      } else {
        return fail_at(tokens_[at_ - 1].span,
                       fmt::format("expected 'function_name' or 'inlined_at', found '{}'", word));
      }
    }
    location_ = caller == kNone ? locations_.add_comment(file, line, column, comment_behind()) : kNone;
    if (location_ == kNone) location_ = locations_.add(file, line, column, std::move(function), caller);
    return true;
  }

  // The comment on the line of the last token.
  std::string_view comment_behind() const {
    const std::string_view text = source_.text();
    const std::size_t end = tokens_[at_ - 1].span.end;
    const std::string_view rest = text.substr(end, std::min(text.find('\n', end), text.size()) - end);
    const std::size_t slashes = rest.find("//");
    return slashes == std::string_view::npos ? std::string_view() : rest.substr(slashes + 2);
  }

  // Debug sections are skipped, except for their strings, which name functions.
  bool read_section() {
    const base::Span span = take().span;
    while (now().kind == Token::Kind::dotted || now().kind == Token::Kind::name) ++at_;
    if (!need('{')) return false;
    std::string label, text;
    while (!now().is('}')) {
      if (now().kind == Token::Kind::end) return fail_at(span, "the section has no end");
      if (now().kind == Token::Kind::name && ahead(1).is(':')) {
        label = std::string(now().text);
        text.clear();
      } else if (now().kind == Token::Kind::number && !label.empty()) {
        const std::optional<Number> number = parse_number(now().text);
        if (number && number->value == 0) {
          locations_.add_string(std::move(label), std::move(text));
          label.clear();
          text.clear();
        } else if (number) {
          text += static_cast<char>(number->value);
        }
      }
      ++at_;
    }
    ++at_;
    return true;
  }

  // What all declarations of variables begin with: the space is read already. Gives .align, the type, and .ptr.
  bool read_type(Variable& variable) {
    unsigned vector = 1;
    for (;;) {
      const Token token = now();
      if (token.kind != Token::Kind::dotted) break;
      if (token.text == "align") {
        ++at_;
        const base::Span span = now().span;
        if (!take_number(variable.alignment, "an alignment")) return false;
        const bool power = std::has_single_bit(variable.alignment) && variable.alignment <= 4096;
        if (!power) return fail_at(span, "an alignment is a power of two up to 4096");
      } else if (token.text == "v2" || token.text == "v4" || token.text == "v8") {
        vector = static_cast<unsigned>(token.text[1] - '0');
        ++at_;
      } else if (token.text == "ptr") {
        ++at_;
        variable.pointer = true;
        if (now().kind == Token::Kind::dotted && space_named(now().text)) ++at_;
        std::uint64_t ignored = 0;  // alignment of what it points to
        if (take_if_dotted("align") && !take_number(ignored, "an alignment")) return false;
        break;
      } else if (type_size(token.text)) {
        if (!variable.type.empty()) break;
        variable.type = std::string(token.text);
        ++at_;
      } else if (token.text == "attribute") {
        ++at_;
        while (now().kind != Token::Kind::end && !take_if(')')) ++at_;
      } else {
        return fail_expected("a type");
      }
    }
    if (variable.type.empty() || variable.type == "pred") return fail_expected("a type");
    if (vector > 1) vectors_ = vector;
    return true;
  }

  // The name, with dimensions in brackets.
  bool read_declarator(Variable& variable, unsigned vector) {
    variable.span = now().span;
    if (!take_name(variable.name, "the name of a variable")) return false;
    variable.count = vector;
    while (take_if('[')) {
      std::uint64_t length = 0;
      if (!now().is(']')) {
        const base::Span span = now().span;
        if (!take_number(length, "a length")) return false;
        if (length > kMostBytes || variable.count > kMostBytes / std::max<std::uint64_t>(length, 1) / 16) {
          return fail_at(span, "the variable is too large");
        }
      }
      variable.count *= length;
      if (!need(']')) return false;
    }
    return true;
  }

  bool read_variables(std::vector<Variable>& to, bool external) {
    Variable first;
    first.space = *space_named(take().text);
    first.external = external;
    vectors_ = 1;
    if (!read_type(first)) return false;
    const unsigned vector = vectors_;
    do {
      Variable variable = first;
      if (now().kind == Token::Kind::name && ahead(1).is('<')) {
        return fail_at(now().span, "ranges of variables are not supported");
      }
      if (!read_declarator(variable, vector)) return false;
      const bool sized = variable.count > 0;
      if (take_if('=') && !read_initial(variable)) return false;
      if (!sized && !external && variable.initial.empty() && variable.space != Space::shared) {
        return fail_at(variable.span, "a variable without a length must be .extern or have an initial value");
      }
      if (!sized) variable.count = variable.initial.size();
      if (variable.initial.size() > variable.count) {
        return fail_at(variable.span, fmt::format("'{}' has {} elements and {} initial values", variable.name,
                                                  variable.count, variable.initial.size()));
      }
      if (scopes_ != nullptr && !scopes_->declare_variable(variable)) {
        return fail_at(variable.span, fmt::format("'{}' is declared in these braces already", variable.name));
      }
      if (scopes_ == nullptr && !names_.insert(variable.name).second && !external) {
        return fail_at(variable.span, fmt::format("'{}' is declared already", variable.name));
      }
      to.push_back(std::move(variable));
    } while (take_if(','));
    return need(';');
  }

  bool read_initial(Variable& variable) {
    std::size_t depth = 0;
    do {
      while (take_if('{')) ++depth;
      if (depth > kDeepest) return fail_at(now().span, "braces are nested too deeply");
      Initial value;
      if (!read_initial_value(value)) return false;
      variable.initial.push_back(std::move(value));
      while (depth > 0 && take_if('}')) --depth;
    } while (depth > 0 && take_if(','));
    return depth == 0 || fail_expected("',' or '}'");
  }

  bool read_initial_value(Initial& value) {
    if (now().kind == Token::Kind::name) {
      value.symbol = std::string(take().text);
      if (value.symbol == "generic" && take_if('(')) {
        if (!take_name(value.symbol, "a variable") || !need(')')) return false;
      }
      if (!now().is('+') && !now().is('-')) return true;
      const bool minus = take().is('-');
      if (!take_number(value.bits, "an offset")) return false;
      if (minus) value.bits = 0 - value.bits;
      return true;
    }
    const base::Span span = now().span;
    Operand number;
    if (!read_number(number)) return false;
    if (now().is('(')) return fail_at(span, "a part of an address is not supported as an initial value");
    value.bits = number.number;
    value.real = number.kind == Operand::Kind::real && number.bits == 0;
    return true;
  }

  bool read_function() {
    Function function;
    function.entry = take().text == "entry";
    Function* const place = &function;
    register_parameters_.clear();
    if (!function.entry && now().is('(') && !read_parameters(function.results)) return false;
    function.span = now().span;
    if (!take_name(function.name, "the name of a function")) return false;
    if (now().is('(') && !read_parameters(function.parameters)) return false;
    if (function.entry && !register_parameters_.empty()) {
      return fail_at(function.span, "the parameters of a kernel are not in registers");
    }
    while (now().kind == Token::Kind::dotted || is_debug_line()) {
      if (is_debug_line()) {
        if (!read_debug_line()) return false;
        continue;
      }
      if (!is_one_of(now().text, kFunctionDirectives)) return fail_expected("a directive of a function, or its body");
      std::vector<std::uint64_t>& numbers = function.directives[std::string(take().text)];
      numbers.clear();
      while (now().kind == Token::Kind::number) {
        if (!take_number(numbers.emplace_back(), "a number")) return false;
        if (!take_if(',')) break;
      }
    }
    if (!take_if(';')) {
      const base::Span open = now().span;
      if (!need('{')) return false;
      function.opening = open;
      location_ = kNone;
      Scopes scopes(*place);
      for (std::vector<Variable>* list : {&function.parameters, &function.results}) {
        for (Variable& variable : *list) {
          if (variable.reg == kNone) scopes.declare_variable(variable);
        }
      }
      scopes_ = &scopes;
      declare_register_parameters(function);
      read_body(function, open);
      scopes_ = nullptr;
      function.defined = true;
    }
    if (function.defined && !defined_.insert(function.name).second) {
      return fail_at(function.span, fmt::format("the function '{}' is defined already", function.name));
    }
    module_.functions.push_back(std::move(function));
    return true;
  }

  bool read_parameters(std::vector<Variable>& to) {
    if (!need('(')) return false;
    while (!take_if(')')) {
      if (!to.empty() && !need(',')) return false;
      if (now().is_dotted("reg")) {
        if (!read_register_parameter(to)) return false;
        continue;
      }
      if (!take_if_dotted("param")) return fail_expected("'.param' or '.reg'");
      Variable parameter;
      parameter.space = Space::parameter;
      vectors_ = 1;
      if (!read_type(parameter) || !read_declarator(parameter, vectors_)) return false;
      to.push_back(std::move(parameter));
    }
    return true;
  }

  // Reads up to the closing brace; statements with mistakes are left out.
  void read_body(Function& function, base::Span open) {
    while (errors_.size() < kMostErrors) {
      if (now().kind == Token::Kind::end) {
        fail_at(open, fmt::format("the body of '{}' has no end", function.name));
        return;
      }
      if (take_if('}')) {
        const bool last = scopes_->depth() == 1;
        if (last) function.closing = tokens_[at_ - 1].span;
        scopes_->close();
        if (last) return;
        continue;
      }
      if (take_if('{')) {
        if (scopes_->depth() >= kDeepest) {
          fail_at(tokens_[at_ - 1].span, "braces are nested too deeply");
          return;
        }
        scopes_->open();
        continue;
      }
      if (!read_statement(function)) skip_statement();
    }
  }

  bool read_statement(Function& function) {
    if (take_if(';')) return true;
    if (is_debug_line()) return read_debug_line();
    if (now().is_dotted("reg")) return read_registers();
    if (now().kind == Token::Kind::dotted && space_named(now().text)) return read_variables(function.variables, false);
    if (now().kind == Token::Kind::name && ahead(1).is(':')) return read_label(function);
    return read_instruction(function);
  }

  bool read_label(Function& function) {
    const Token token = take();
    const std::string name(token.text);
    ++at_;
    if (take_if_dotted("branchtargets")) {
      std::vector<std::string>& targets = function.branch_targets[name];
      do {
        if (!take_name(targets.emplace_back(), "a label")) return false;
      } while (take_if(','));
      return need(';');
    }
    if (take_if_dotted("callprototype") || take_if_dotted("calltargets")) {
      while (now().kind != Token::Kind::end && !take_if(';')) ++at_;
      return true;
    }
    std::string unique;
    if (!scopes_->declare_label(name, unique)) {
      return fail_at(token.span, fmt::format("the label '{}' stands here already", name));
    }
    function.labels[unique] = function.body.size();
    return true;
  }

  bool read_instruction(Function& function) {
    Instruction instruction;
    instruction.location = location_;
    const std::uint32_t begin = now().span.begin;
    if (take_if('@')) {
      instruction.guard.negated = take_if('!');
      const base::Span span = now().span;
      std::string name;
      if (!take_name(name, "a predicate")) return false;
      instruction.guard.reg = scopes_->find_register(name);
      if (instruction.guard.reg == kNone) return fail_at(span, fmt::format("'{}' is not declared", name));
      if (function.registers[instruction.guard.reg].type != "pred") {
        return fail_at(span, fmt::format("'{}' is not a predicate", name));
      }
    }
    if (now().kind != Token::Kind::name) return fail_expected("an instruction");
    instruction.opcode.emplace_back(take().text);
    while (now().kind == Token::Kind::dotted && now().joined) instruction.opcode.emplace_back(take().text);
    while (!now().is(';')) {
      if (now().is('{') || now().is('[') || now().is('(') || now().kind != Token::Kind::character || now().is('-') ||
          now().is('!')) {
        if (!read_operand(instruction.operands.emplace_back())) return false;
      } else {
        return fail_expected("an operand or ';'");
      }
      if (now().is(';')) break;
      if (!take_if(',') && !take_if('|')) return fail_expected("',' or ';'");
    }
    instruction.span = {begin, now().span.end};
    ++at_;
    function.body.push_back(std::move(instruction));
    return true;
  }

  void check_labels() {
    for (const Function& function : module_.functions) {
      for (const Instruction& instruction : function.body) {
        if (instruction.name() == "bra") check_label(function, instruction);
      }
    }
  }
  void check_label(const Function& function, const Instruction& instruction) {
    const bool named = instruction.operands.size() == 1 && instruction.operands[0].kind == Operand::Kind::name;
    if (!named) {
      fail_at(instruction.span, "expected the label that the branch goes to");
    } else if (!function.labels.contains(instruction.operands[0].name)) {
      fail_at(instruction.operands[0].span,
              fmt::format("the label '{}' is not in '{}'", source_.slice(instruction.operands[0].span), function.name));
    }
  }

  Module module_;
  Locations locations_;
  std::size_t location_ = kNone;
  unsigned vectors_ = 1;  // elements of the vector type that was read last
  std::set<std::string> names_, defined_;
};

}  // namespace

std::uint64_t Variable::element() const { return type_size(type).value_or(1); }

bool Instruction::has(std::string_view word) const {
  return std::find(opcode.begin() + 1, opcode.end(), word) != opcode.end();
}

std::optional<unsigned> type_size(std::string_view type) {
  struct Row {
    std::string_view name;
    unsigned bytes;
  };
  static constexpr Row kTypes[] = {{"pred", 1}, {"b8", 1},    {"u8", 1},     {"s8", 1},   {"b16", 2}, {"u16", 2},
                                   {"s16", 2},  {"f16", 2},   {"bf16", 2},   {"b32", 4},  {"u32", 4}, {"s32", 4},
                                   {"f32", 4},  {"f16x2", 4}, {"bf16x2", 4}, {"tf32", 4}, {"b64", 8}, {"u64", 8},
                                   {"s64", 8},  {"f64", 8},   {"b128", 16}};
  for (const Row& row : kTypes) {
    if (row.name == type) return row.bytes;
  }
  return std::nullopt;
}

base::Result<Module> read_module(const base::Source& source) {
  base::Result<std::vector<Token>> tokens = split_tokens(source);
  if (!tokens) return tokens.errors();
  return ModuleReader(source, *tokens).run();
}

}  // namespace weakspot::race::ptx
