// SPDX-License-Identifier: MIT
#include "race_jit/lower/growing_module.h"

#include <algorithm>

namespace weakspot::race_jit {

void GrowingModule::add(std::unique_ptr<DeviceModule> part) {
  for (const Kernel& kernel : part->kernels()) {
    kernels_.push_back(kernel);
    origins_[&kernels_.back()] = {parts_.size(), &kernel};
  }
  left_out_.insert(left_out_.end(), part->left_out().begin(), part->left_out().end());
  const std::vector<IdleTemplate>& idle = part->idle_templates();
  idle_templates_.insert(idle_templates_.end(), idle.begin(), idle.end());
  parts_.push_back({std::move(part), machine_.sites().size()});
  machine_.set_branch_marks(marks());
}

base::Status GrowingModule::prepare(const Kernel& kernel) {
  const Origin& origin = origins_.at(&kernel);
  if (base::Status prepared = parts_[origin.part].module->prepare(*origin.kernel); !prepared) return prepared;
  const auto own = std::find_if(kernels_.begin(), kernels_.end(), [&](const Kernel& one) { return &one == &kernel; });
  own->entry = origin.kernel->entry;
  active_ = origin.part;
  machine_.set_branch_marks(marks());
  return base::ok_status();
}

unsigned GrowingModule::architecture() const {
  unsigned newest = 0;
  for (const Part& part : parts_) newest = std::max(newest, part.module->architecture());
  return newest;
}

void* GrowingModule::variable(const std::string& symbol) const {
  for (const Part& part : parts_) {
    if (void* address = part.module->variable(symbol)) return address;
  }
  return nullptr;
}

std::map<std::string, void*> GrowingModule::variables() const {
  std::map<std::string, void*> all;
  for (const Part& part : parts_) all.merge(part.module->variables());
  return all;
}

bool GrowingModule::is_managed(const std::string& symbol) const {
  return std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) { return part.module->is_managed(symbol); });
}

void GrowingModule::reset_variables() {
  for (Part& part : parts_) part.module->reset_variables();
}

std::string GrowingModule::shared_name(std::uint64_t offset, std::uint64_t& begin, const std::string& expected) const {
  return parts_.empty() ? std::string() : parts_[active_].module->shared_name(offset, begin, expected);
}

std::span<std::uint8_t> GrowingModule::marks() {
  return parts_.empty() ? std::span<std::uint8_t>() : parts_[active_].module->marks();
}

race::Share GrowingModule::modelled() const {
  race::Share all;
  for (const Part& part : parts_) all += part.module->modelled();
  return all;
}

const DeviceModule* GrowingModule::part_of(race::SiteId site) const {
  const auto found =
      std::find_if(parts_.begin(), parts_.end(), [&](const Part& part) { return site < part.end_of_sites; });
  return found == parts_.end() ? nullptr : found->module.get();
}

BarrierGaps GrowingModule::gaps(race::SiteId a, race::SiteId b, BarrierOf reach) const {
  const DeviceModule* part = part_of(a);
  return part == nullptr || part != part_of(b) ? BarrierGaps() : part->gaps(a, b, reach);
}

std::optional<SignalGaps> GrowingModule::signal(race::SiteId a, race::SiteId b, bool wide) const {
  const DeviceModule* part = part_of(a);
  return part == nullptr || part != part_of(b) ? std::nullopt : part->signal(a, b, wide);
}

std::optional<race::Gap> GrowingModule::gap_behind(race::SiteId site) const {
  const DeviceModule* part = part_of(site);
  return part == nullptr ? std::nullopt : part->gap_behind(site);
}

std::optional<race::Gap> GrowingModule::gap_before(race::SiteId site) const {
  const DeviceModule* part = part_of(site);
  return part == nullptr ? std::nullopt : part->gap_before(site);
}

}  // namespace weakspot::race_jit
