// SPDX-License-Identifier: MIT
#include "race_jit/host/registrations.h"

namespace weakspot::race_jit {

// Programs register before main() and use the runtime until their last destructor: it is never destroyed.
Registrations& registrations() {
  static auto* const all = new Registrations();
  return *all;
}

std::size_t Registrations::add_code(const char* code) {
  codes_.push_back(code);
  return codes_.size() - 1;
}

void** Registrations::handle(std::size_t code) {
  handles_.push_back(code);
  return reinterpret_cast<void**>(&handles_.back());
}

void Registrations::add_kernel(void** handle, const void* host, const std::string& name) {
  kernels_[host] = {code_of(handle), name, 0};
}

void Registrations::add_variable(void** handle, const void* host, const std::string& name, std::uint64_t size) {
  variables_[host] = {code_of(handle), name, size};
}

const Registrations::Symbol* Registrations::kernel(const void* host) const {
  auto found = kernels_.find(host);
  return found == kernels_.end() ? nullptr : &found->second;
}

const Registrations::Symbol* Registrations::variable(const void* host) const {
  auto found = variables_.find(host);
  return found == variables_.end() ? nullptr : &found->second;
}

void Registrations::rename(std::size_t first, const std::vector<std::map<std::string, std::string>>& names) {
  for (std::map<const void*, Symbol>* symbols : {&kernels_, &variables_}) {
    for (auto& [host, symbol] : *symbols) {
      if (symbol.code < first || symbol.code - first >= names.size()) continue;
      const std::map<std::string, std::string>& other = names[symbol.code - first];
      if (auto found = other.find(symbol.name); found != other.end()) symbol.name = found->second;
    }
  }
}

}  // namespace weakspot::race_jit
