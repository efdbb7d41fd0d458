// SPDX-License-Identifier: MIT
// The code of a program that opens libraries while it runs: a module for what it began with, and one for each batch
// that came later. Seen from outside they are one module. Names of kernels and variables must differ (link/link_code.h
// sees to that); layouts of shared memory and marks are each module's own, and count for the kernel prepared last.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "race_jit/lower/device_module.h"

namespace weakspot::race_jit {

class GrowingModule : public DeviceModule {
 public:
  explicit GrowingModule(Machine& machine) : machine_(machine) {}

  // Everything that was loaded into the machine since the last part belongs to this one. Kernels keep their addresses.
  void add(std::unique_ptr<DeviceModule> part);

  const std::deque<Kernel>& kernels() const override { return kernels_; }
  base::Status prepare(const Kernel& kernel) override;
  unsigned architecture() const override;
  void* variable(const std::string& symbol) const override;
  std::map<std::string, void*> variables() const override;
  bool is_managed(const std::string& symbol) const override;
  void reset_variables() override;
  std::string shared_name(std::uint64_t offset, std::uint64_t& begin, const std::string& expected) const override;
  std::span<std::uint8_t> marks() override;
  const std::vector<LeftOut>& left_out() const override { return left_out_; }
  race::Share modelled() const override;
  const std::vector<IdleTemplate>& idle_templates() const override { return idle_templates_; }
  BarrierGaps gaps(race::SiteId a, race::SiteId b, BarrierOf reach) const override;
  std::optional<SignalGaps> signal(race::SiteId a, race::SiteId b, bool wide) const override;
  std::optional<race::Gap> gap_behind(race::SiteId site) const override;
  std::optional<race::Gap> gap_before(race::SiteId site) const override;

 private:
  struct Part {
    std::unique_ptr<DeviceModule> module;
    std::size_t end_of_sites = 0;
  };
  struct Origin {
    std::size_t part = 0;
    const Kernel* kernel = nullptr;  // as the part has it
  };

  const DeviceModule* part_of(race::SiteId site) const;

  Machine& machine_;
  std::vector<Part> parts_;
  std::deque<Kernel> kernels_;
  std::unordered_map<const Kernel*, Origin> origins_;
  std::vector<LeftOut> left_out_;
  std::vector<IdleTemplate> idle_templates_;
  std::size_t active_ = 0;  // the part of the kernel prepared last
};

}  // namespace weakspot::race_jit
