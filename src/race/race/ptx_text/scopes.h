// SPDX-License-Identifier: MIT
// The names that are declared in the braces of a function.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "race/ptx_text.h"

namespace weakspot::race::ptx {

class Scopes {
 public:
  explicit Scopes(Function& function) : function_(function) { open(); }

  void open();
  // The labels that were declared inside are no longer known; branches to them are resolved.
  void close();
  std::size_t depth() const { return scopes_.size(); }

  // False if the name is declared in these braces already. `count` is that of %r<10>, which declares %r0 to %r9;
  // `lanes` that of a vector.
  bool declare_register(const std::string& name, const std::string& type, std::optional<std::uint64_t> count,
                        unsigned lanes = 1);
  bool declare_variable(Variable& variable);  // gives it a name that no other has
  bool declare_label(const std::string& name, std::string& unique);

  // The register of that name, which then exists; kNone if none is declared.
  std::size_t find_register(const std::string& name);
  // The registers that a vector consists of, which are named v.x, v.y and so on; none if there is no such vector.
  std::vector<std::size_t> find_vector(const std::string& name);
  // The name that a variable was given; empty if none is declared.
  std::string find_variable(const std::string& name) const;

 private:
  struct Declared {
    std::string type;
    unsigned lanes = 1;
    std::uint64_t count = 0;  // of a range
  };
  struct Scope {
    std::map<std::string, std::size_t> registers;
    std::map<std::string, Declared> declared;  // those without a range
    std::map<std::string, Declared> ranges;    // by "%r"
    std::map<std::string, std::string> variables, labels;
    std::size_t first = 0;  // instruction
  };

  // The declaration of a register or a vector, and where it stands.
  std::pair<Scope*, const Declared*> find_declared(const std::string& name);
  std::size_t add_register(Scope& scope, const std::string& name, const std::string& type);

  Function& function_;
  std::vector<Scope> scopes_;
  std::map<std::string, unsigned> times_;  // how often a name was declared
};

}  // namespace weakspot::race::ptx
