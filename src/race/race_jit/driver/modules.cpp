// SPDX-License-Identifier: MIT
#include "race_jit/driver/modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <mutex>
#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "race_jit/driver/carried_code.h"
#include "race_jit/driver/image.h"
#include "race_jit/host/built_program.h"
#include "race_jit/host/device_code.h"
#include "race_jit/host/registrations.h"

namespace weakspot::race_jit::driver {
namespace {

// Modules are never forgotten: launches that were captured in graphs may still name their kernels.
struct Modules {
  std::mutex mutex;
  std::list<Module> all;
  std::set<const Module*> loaded;
  std::set<const Function*> functions;
  std::list<std::string> codes;  // registrations point into them
  unsigned made_names = 0;
};

Modules& modules() {
  static auto* const made = new Modules();
  return *made;
}

Function& add_function(Module& module, const std::string& name, bool has_code) {
  Function& function = module.functions.emplace_back();
  function.module = &module;
  function.name = name;
  function.has_code = has_code;
  const std::lock_guard lock(modules().mutex);
  modules().functions.insert(&function);
  return function;
}

Module& add_module() {
  const std::lock_guard lock(modules().mutex);
  Module& module = modules().all.emplace_back();
  modules().loaded.insert(&module);
  return module;
}

std::string name_for(const std::string& name) {
  if (!name.empty()) return name;
  const std::lock_guard lock(modules().mutex);
  return fmt::format("loaded-{}.ptx", ++modules().made_names);
}

const char* keep_code(const DeviceCode& code) {
  const std::lock_guard lock(modules().mutex);
  return modules().codes.emplace_back(to_bytes(code)).c_str();
}

Loaded refused(Result result, const std::string& name, const std::string& why) {
  const std::string problem = name.empty() ? why : fmt::format("{}: {}", name, why);
  host_device->note_unseen(fmt::format("a module that the program loads: {}", problem), race::Effect::call, false);
  return {nullptr, result, problem};
}

Loaded load_code(const DeviceCode& code) {
  const auto device = host_device.operator->();  // nobody else adds code meanwhile
  const char* const bytes = keep_code(code);
  const std::size_t number = registrations().add_code(bytes);
  const AddedCode added = add_module_code();
  if (!added.problem.empty()) return {nullptr, kInvalidPtx, added.problem};
  Module& module = add_module();
  void** const handle = registrations().handle(number);
  for (const auto& [name, symbol] : added.kernels) {
    registrations().add_kernel(handle, &add_function(module, name, true), symbol);
  }
  for (const auto& [name, variable] : added.variables) {
    module.variables[name] = {pointer_of(variable.address), variable.size};
  }
  return {&module, kSuccess, {}};
}

Loaded load(const Image& image, const std::string& name) {
  if (image.kind == Image::Kind::ptx) return load_text(image.text, name);
  if (image.kind == Image::Kind::bad) {
    const bool no_binary = image.problem.find("alone") != std::string::npos;
    return refused(no_binary ? kNoBinaryForGpu : kInvalidImage, name, image.problem);
  }
  Module& module = add_module();
  module.machine_code = true;
  module.named = image.kernels;
  return {&module, kSuccess, {}};
}

unsigned device_architecture() { return static_cast<unsigned>(host_device->architecture()); }

}  // namespace

Function* Module::find(const std::string& name) {
  const auto found =
      std::find_if(functions.begin(), functions.end(), [&](const Function& one) { return one.name == name; });
  if (found != functions.end()) return &*found;
  const bool possible = machine_code && (named.empty() || std::find(named.begin(), named.end(), name) != named.end());
  return possible ? &add_function(*this, name, false) : nullptr;
}

Loaded load_image(const void* image, const std::string& name) {
  return load(image_at(image, device_architecture()), name);
}

Loaded load_text(const std::string& text, const std::string& name) {
  if (const std::optional<std::string> bytes = code_in_text(text)) {
    const std::vector<DeviceCode> found = device_code_in(*bytes);
    return found.empty() ? refused(kInvalidImage, name, "the device code in it is damaged") : load_code(found.front());
  }
  DeviceCode code;
  code.ptx = true;
  code.source = name_for(name);
  code.id = base::hash_bytes(text).hex();
  code.bitcode = text;
  return load_code(code);
}

Loaded load_file(const std::string& path) {
  const base::Result<std::string> bytes = base::read_file(path);
  if (!bytes) return {nullptr, kFileNotFound, bytes.errors().front().message};
  return load(image_in(*bytes, device_architecture()), path);
}

bool is_module(const Module* module) {
  const std::lock_guard lock(modules().mutex);
  return modules().loaded.contains(module);
}

void unload(Module* module) {
  const std::lock_guard lock(modules().mutex);
  modules().loaded.erase(module);
  for (const Function& function : module->functions) modules().functions.erase(&function);
}

Function* known(Function* function) {
  const std::lock_guard lock(modules().mutex);
  return modules().functions.contains(function) ? function : nullptr;
}

const Kernel* kernel_of(const Function& function) { return host_device->kernel(&function); }

}  // namespace weakspot::race_jit::driver
