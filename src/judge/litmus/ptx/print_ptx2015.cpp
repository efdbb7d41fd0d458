// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <map>

#include "litmus/ptx/ptx_printer.h"
#include "litmus/ptx/ptx_types.h"
#include "litmus/text/printers.h"

namespace weakspot::litmus {
namespace {

// `[r1]` with `0:.reg .b64 r1 = x`, as in PTX, and with every type.
class OldPrinter : public PtxPrinter {
 public:
  explicit OldPrinter(const LitmusTest& test) : PtxPrinter(test, PtxEdition::y2015) {}

 private:
  void start_thread() override {
    std::set<std::string> taken;
    for (const Location& location : test_.locations) taken.insert(location.name);
    for (const Register& reg : thread_->registers) taken.insert(reg.name);
    fresh_ = FreshNames("r", std::move(taken));
    addresses_.clear();
    constants_.clear();
  }

  // The normal form has folded addresses and stored constants into the instructions; here they get registers again.
  std::vector<std::string> end_thread(std::uint32_t thread, std::vector<std::string>& first_cells) override {
    std::vector<std::string> items;
    for (const Register& reg : thread_->registers) {
      const std::string value = reg.initial == Value{} ? "" : " = " + init_value(reg.initial);
      items.push_back(fmt::format("{}:.reg .{} {}{}", thread, to_string(reg.type), reg.name, value));
    }
    for (const auto& [value, name] : addresses_) {
      items.push_back(fmt::format("{}:.reg .b64 {} = {}", thread, name, init_value(value)));
    }
    for (const auto& [constant, name] : constants_) {
      items.push_back(fmt::format("{}:.reg .{} {}", thread, to_string(constant.second), name));
      first_cells.push_back(fmt::format("mov.{} {}, {}", to_string(constant.second), name, constant.first));
    }
    return items;
  }

  std::string init_value(const Value& value) const {
    const std::string text = value_text(test_, value);
    return value.base ? text.substr(1) : text;
  }

  std::string address_register(const Value& value) {
    std::string& name = addresses_[value];
    if (name.empty()) name = fresh_.next();
    return name;
  }

  std::string address(const Address& address) override {
    if (!address.location || address.index) return sum(address);
    const std::string base = address_register(address_of(*address.location));
    return address.offset == 0 ? fmt::format("[{}]", base) : fmt::format("[{}+{}]", base, address.offset);
  }

  // The operand, or for a number a register of the access's size that holds it.
  std::string stored(const Operand& operand, Type type) override {
    const auto* value = std::get_if<Value>(&operand);
    if (value == nullptr) return operand_text(operand);
    if (value->base) return address_register(*value);
    Type of = size_in_bytes(type) == 8 ? Type::s64 : Type::s32;
    if (wrap(value->number, of) != value->number) of = Type::u32;
    std::string& name = constants_[{value->number, of}];
    if (name.empty()) name = fresh_.next();
    return name;
  }

  std::string order(const Access& access) const override { return access.tags.has(Tag::volatile_) ? ".volatile" : ""; }

  std::string type(const Access& access) const override { return fmt::format(".{}", to_string(access.type)); }

  std::string compute_text(const Compute& compute) const override {
    const ComputeTypes types = spelled_types(*thread_, compute);
    const std::string_view type = to_string(types.type);
    if (types.source) {
      return fmt::format("cvt.{}.{} {}, {}", type, to_string(*types.source), name(compute.target),
                         operand_text(compute.left));
    }
    const std::string_view op = to_string(compute.op);
    if (compute.op >= ComputeOp::eq) return fmt::format("setp.{}.{} {}", op, type, operands(compute));
    return fmt::format("{}{}.{} {}", op, compute.op == ComputeOp::mul ? ".lo" : "", type, operands(compute));
  }

  std::string branch_text(const Branch& branch) const override { return "bra " + branch.label; }

  std::string thread_name(std::uint32_t thread) const override { return fmt::format("P{}", thread); }
  bool spaces_in_map() const override { return test_.scopes.has_value(); }

  // scopeTree (device (kernel (cta (warp P0) (warp P1)) (cta (warp P2))))
  std::string tail() const override {
    if (!test_.scopes) return {};
    std::vector<std::uint32_t> all(test_.threads.size());
    for (std::uint32_t t = 0; t < all.size(); ++t) all[t] = t;
    std::string text = fmt::format("scopeTree {}\n", nodes(all, 0));
    std::string map;
    for (const Location& location : test_.locations) {
      if (location.space == Space::none) continue;
      map += fmt::format("{}{}: {}", map.empty() ? "" : ", ", location.name,
                         location.space == Space::constant ? "constant" : to_string(location.space));
    }
    return map.empty() ? text : text + map + "\n";
  }

  std::string nodes(const std::vector<std::uint32_t>& threads, std::size_t depth) const {
    static constexpr base::Named<Scope> kTree[] = {
        {"device (kernel", Scope::device}, {"cta", Scope::workgroup}, {"warp", Scope::subgroup}};
    std::string text;
    if (depth == std::size(kTree)) {
      for (std::uint32_t t : threads) text += fmt::format("{}P{}", text.empty() ? "" : " ", t);
      return text;
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> groups;
    for (std::uint32_t t : threads) groups[test_.scopes->placements[t].at(kTree[depth].value)].push_back(t);
    for (const auto& [node, members] : groups) {
      text += fmt::format("{}({} {}){}", text.empty() ? "" : " ", kTree[depth].name, nodes(members, depth + 1),
                          depth == 0 ? ")" : "");
    }
    return text;
  }

  FreshNames fresh_{"r", {}};
  std::map<Value, std::string> addresses_;
  std::map<std::pair<std::int64_t, Type>, std::string> constants_;
};

}  // namespace

std::string print_ptx2015(const LitmusTest& test) { return OldPrinter(test).print(); }

}  // namespace weakspot::litmus
