// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_code.h"

#include "compile/spirv/function.h"
#include "compile/spirv/module.h"
#include "compile/thread_source.h"

namespace weakspot::compile {
namespace {

bool is_symbol(std::string_view name) { return name.starts_with(kLocationPrefix) || name.starts_with(kResultPrefix); }

// The symbol that each variable is for. Compilers of WGSL may rename variables, but not their bindings.
std::map<std::uint32_t, std::string> variables_of(const spirv::Module& module,
                                                  const std::vector<std::string>& bindings) {
  std::map<std::uint32_t, std::string> symbols;
  for (const auto& [id, variable] : module.variables) {
    const auto binding = module.bindings.find(id);
    const auto name = module.names.find(id);
    if (binding != module.bindings.end() && binding->second < bindings.size()) {
      symbols[id] = bindings[binding->second];
    } else if (name != module.names.end() && is_symbol(name->second)) {
      symbols[id] = name->second;
    }
  }
  return symbols;
}

}  // namespace

bool is_spirv(std::string_view bytes) { return spirv::is_spirv(bytes); }

base::Result<std::map<std::string, MachineFunction>> spirv_functions(std::string_view bytes,
                                                                     const std::vector<std::string>& bindings) {
  const base::Result<std::vector<spirv::Module>> modules = spirv::read_modules(bytes);
  if (!modules) return modules.errors();
  std::map<std::string, MachineFunction> functions;
  for (const spirv::Module& module : *modules) {
    const std::map<std::uint32_t, std::string> symbols = variables_of(module, bindings);
    for (const auto& [name, code] : module.functions) {
      functions[name] = spirv::read_function(module, code, symbols);
    }
  }
  return functions;
}

}  // namespace weakspot::compile
