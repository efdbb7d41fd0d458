// SPDX-License-Identifier: MIT
// The two litmus dialects of PTX. GPU_PTX is the format of the ASPLOS'15 study: typed registers declared in the initial
// state, no orders, membar, a scope tree and a memory map. PTX is the current one, with orders and scopes on each
// access, threads placed by `P0@cta 0,gpu 0`, proxies and aliases.
//
// In both, items of the initial state may say types and spaces as PTX does:
//   0:.reg .b64 r1 = x;   .shared .u64 y = 1;   .u16 z;
// An untyped register that holds an address has type b64.
#include <fmt/format.h>

#include "litmus/normalize.h"
#include "litmus/ptx/read_ptx_cell.h"
#include "litmus/text/columns.h"
#include "litmus/text/readers.h"
#include "litmus/visit.h"

namespace weakspot::litmus {
namespace {

class Ptx : public ColumnDialect {
 public:
  explicit Ptx(PtxEdition edition) : edition_(edition) {}

  Arch arch() const override { return arch_of(edition_); }

  void init_item(Cursor& cursor, TestBuilder& builder) override {
    if (std::optional<ThreadId> thread = thread_number(cursor.peek()); thread && cursor.peek_second().is(":")) {
      cursor.next();
      cursor.next();
      register_item(cursor, builder, *thread);
    } else {
      location_item(cursor, builder);
    }
  }

  void instruction(Cursor& cursor, TestBuilder& builder, ThreadId thread) override {
    const std::vector<Instruction>& code = builder.test.threads[thread.index].instructions;
    const std::size_t begin = code.size();
    PtxCell(cursor, builder, thread, edition_, typing_).read();
    std::vector<PtxTyping::Use>& uses = typing_.uses;
    if (!uses.empty() && uses.back().thread == thread && uses.back().instruction >= code.size()) uses.pop_back();
    // Here all registers are declared, so their types need not wait for the end of the program.
    if (edition_ == PtxEdition::y2015) check_types(builder, cursor.mistakes(), thread, begin);
  }

  std::optional<Scope> level_named(std::string_view word) const override {
    const std::optional<Scope> level = ColumnDialect::level_named(word);
    const bool unknown = level == Scope::queue_family || (level == Scope::cluster && edition_ == PtxEdition::y2015);
    return unknown ? std::nullopt : level;
  }

  // `sys 0`: there is one system.
  bool placement_word(const Token& word, Cursor& cursor, TestBuilder&, ThreadId) override {
    if (edition_ != PtxEdition::current || !word.is("sys") || !cursor.peek().is("0")) return false;
    cursor.next();
    return true;
  }

  void program_done(TestBuilder& builder, Mistakes& mistakes) override {
    if (!builder.system_synchronizes.empty()) {
      mistakes.add(builder.test.span, "PTX has no system-synchronizes-with pairs");
    }
    check_names(builder, mistakes);
    for (const auto& [id, span] : untyped_) settle_initial_value(builder[id], span, mistakes);
    if (edition_ == PtxEdition::current) {
      for (std::uint32_t t = 0; t < builder.test.threads.size(); ++t) check_types(builder, mistakes, ThreadId{t}, 0);
    }
    infer_location_types(builder);
    check_spaces(builder, mistakes);
  }

 private:
  // [.reg] [.type] name [= value]
  void register_item(Cursor& cursor, TestBuilder& builder, ThreadId thread) {
    std::optional<Type> type;
    while (cursor.accept(".")) {
      const Token word = cursor.next();
      if (word.is("reg") && !type) continue;
      type = base::value_of(kPtxTypes, word.text);
      if (!type) {
        cursor.mistake(word.span, fmt::format("unknown type {} of a register; expected {}", describe(word),
                                              base::list_names(kPtxTypes)));
        return;
      }
    }
    std::optional<Token> name = cursor.word("a register");
    if (!name) return;
    if (builder.find_location(name->text)) {
      cursor.mistake(name->span,
                     fmt::format("{} is the name of a location, so it cannot be a register's", describe(*name)));
      return;
    }
    const ObservedRegister id{thread, builder.reg(thread, name->text)};
    if (!builder.declare(id)) {
      cursor.mistake(name->span, fmt::format("register {} is declared twice", describe(*name)));
    }
    std::optional<Value> value = Value{};
    if (cursor.accept("=")) value = read_initial_value(cursor, builder);
    if (!value || !cursor.expect_end("the register's value")) return;
    if (value->base && !type) type = Type::b64;
    Register& reg = builder[id];
    reg.initial = *value;
    if (!type && edition_ == PtxEdition::y2015) type = Type::s32;
    if (type) {
      typing_.settled.insert(id);
      reg.type = *type;
    }
    if (value->base && edition_ == PtxEdition::y2015 && size_in_bytes(*type) != 8) {
      cursor.mistake(name->span,
                     fmt::format("register {} has type {}; an address has 64 bits", describe(*name), to_string(*type)));
    }
    if (type) {
      settle_initial_value(reg, name->span, cursor.mistakes());
    } else {
      untyped_.emplace_back(id, name->span);
    }
  }

  static void settle_initial_value(Register& reg, base::Span span, Mistakes& mistakes) {
    if (reg.initial.base) return;
    if (!fits(reg.initial.number, reg.type)) {
      mistakes.add(span, fmt::format("{} does not fit register '{}', which has type {}", reg.initial.number, reg.name,
                                     to_string(reg.type)));
    }
    reg.initial.number = wrap(reg.initial.number, reg.type);
  }

  // [.space] [.type] and what all dialects have
  static void location_item(Cursor& cursor, TestBuilder& builder) {
    std::optional<Space> space;
    std::optional<Type> type;
    while (cursor.accept(".")) {
      const Token word = cursor.next();
      if (auto named = base::value_of(kPtxSpaces, word.text); named && !space && !type) {
        space = named;
      } else if (word.text == ptx_space_name(Space::tensor) && !space && !type) {
        space = Space::tensor;
      } else if (auto of = base::value_of(kPtxTypes, word.text); of && !type && *of != Type::pred) {
        type = of;
      } else {
        cursor.mistake(word.span, fmt::format("{} is neither a state space nor a type of memory", describe(word)));
        return;
      }
    }
    const Token name = cursor.peek();
    if (name.kind == Token::Kind::word && is_numbered_register(name.text)) {
      cursor.mistake(name.span, fmt::format("{} is the name of a register; expected a location, or a thread's register "
                                            "such as 0:{}",
                                            describe(name), name.text));
      return;
    }
    read_common_init_item(cursor, builder, [](std::string_view) { return std::nullopt; });
    if (std::optional<LocationId> id = builder.find_location(name.text)) {
      if (space) builder.give_space(*id, *space);
      if (type) builder.give_type(*id, *type);
    }
  }

  // In an address, the name of a register means the register, so no location can have it.
  static void check_names(const TestBuilder& builder, Mistakes& mistakes) {
    const LitmusTest& test = builder.test;
    for (const Location& location : test.locations) {
      bool taken = is_numbered_register(location.name);
      for (std::uint32_t t = 0; t < test.threads.size() && !taken; ++t) {
        taken = builder.find_register(ThreadId{t}, location.name).has_value();
      }
      if (taken) mistakes.add(test.span, fmt::format("location '{}' has the name of a register", location.name));
    }
  }

  // Checks the instructions of the thread from `begin` on; takes their uses of types off the list.
  void check_types(TestBuilder& builder, Mistakes& mistakes, ThreadId id, std::size_t begin) {
    Thread& thread = builder.test.threads[id.index];
    for (std::size_t i = begin; i < thread.instructions.size(); ++i) {
      const Instruction& instruction = thread.instructions[i];
      if (names_undeclared(id, instruction)) continue;
      if (auto clash = access_type_clash(edition_, thread, instruction)) mistakes.add(instruction.span, *clash);
    }
    std::erase_if(typing_.uses, [&](const PtxTyping::Use& use) {
      if (use.thread != id) return false;
      Instruction& instruction = thread.instructions[use.instruction];
      if (names_undeclared(id, instruction)) return true;
      auto& compute = std::get<Compute>(instruction.operation);
      settle_equality(thread, compute, use.types.type);
      if (auto clash = compute_type_clash(thread, compute, use.types)) mistakes.add(instruction.span, *clash);
      return true;
    });
  }

  bool names_undeclared(ThreadId thread, const Instruction& instruction) const {
    bool found = false;
    for_each_register(instruction, [&](const RegisterId& reg) {
      found = found || typing_.undeclared.contains(ObservedRegister{thread, reg});
    });
    return found;
  }

  // setp.eq and setp.ne compare bits, so a constant is read with the sign of the register it is compared with.
  static void settle_equality(const Thread& thread, Compute& compute, Type type) {
    if (compute.op != ComputeOp::eq && compute.op != ComputeOp::ne) return;
    Operand* sides[] = {&compute.left, &*compute.right};
    for (int side : {0, 1}) {
      auto* value = std::get_if<Value>(sides[side]);
      const auto* reg = std::get_if<RegisterId>(sides[1 - side]);
      if (value == nullptr || reg == nullptr || value->base || !fits(value->number, type)) continue;
      value->number = wrap(value->number, thread.registers[reg->index].type);
    }
  }

  static void check_spaces(const TestBuilder& builder, Mistakes& mistakes) {
    for (const Thread& thread : builder.test.threads) {
      for (const Instruction& instruction : thread.instructions) {
        if (auto clash = space_clash(builder.test, instruction)) mistakes.add(instruction.span, *clash);
      }
    }
  }

  PtxEdition edition_;
  PtxTyping typing_;
  // Registers whose type the program will tell.
  std::vector<std::pair<ObservedRegister, base::Span>> untyped_;
};

}  // namespace

std::optional<LitmusTest> read_ptx2015(Cursor& cursor) {
  Ptx dialect(PtxEdition::y2015);
  return read_columns(cursor, dialect);
}

std::optional<LitmusTest> read_ptx(Cursor& cursor) {
  Ptx dialect(PtxEdition::current);
  return read_columns(cursor, dialect);
}

}  // namespace weakspot::litmus
