// SPDX-License-Identifier: MIT
#include "race_jit/residual/residual_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/nearest.h"
#include "base/plural.h"
#include "race/replay.h"
#include "race_jit/hooks/warp_operations.h"
#include "race_jit/residual/evaluator.h"
#include "race_jit/search/arguments.h"
#include "race_jit/search/session.h"

namespace weakspot::race_jit {
namespace {

constexpr std::uint32_t kMostRounds = 40;

class ResidualRounds {
 public:
  ResidualRounds(ResidualProgram& program, const Kernel& kernel, const DeviceModule& module, Machine& device,
                 const race::LaunchSpec& launch, bool made_up, Arguments& arguments)
      : program_(program),
        kernel_(kernel),
        module_(module),
        addresses_(device.arena()),
        launch_(launch),
        made_up_(made_up),
        arguments_(arguments),
        shared_bytes_(launch_request(kernel, launch).shared_bytes()) {}

  residual::Residual run(const std::vector<race::NamedLocation>& named) {
    residual_.kernel = kernel_.name;
    residual_.launch = launch_;
    for (const race::ArgumentSpec& argument : launch_.arguments) {
      residual_.arguments.push_back(race::argument_text(argument));
    }
    for (const race::NamedLocation& name : named) find(name);
    bool settled = false;
    while (!settled && residual_.rounds < kMostRounds) {
      ++residual_.rounds;
      settled = !round();
    }
    if (!settled) {
      residual_.problem = fmt::format("what the threads share was not settled after {} rounds", kMostRounds);
    }
    number_stops();
    list_memory();
    residual_.places = program_.places();
    return std::move(residual_);
  }

 private:
  using Range = std::pair<std::uint64_t, std::uint64_t>;  // address and size

  // True if another round sees more.
  bool round() {
    evaluated_.clear();
    const std::uint64_t per_block = launch_.block.count();
    for (std::uint64_t block = 0; block < launch_.grid.count(); ++block) {
      for (std::uint64_t thread = 0; thread < per_block; ++thread) {
        evaluated_.push_back(evaluate_thread(program_, addresses_, launch_, arguments_.pointers(), block, thread,
                                             shared_bytes_, knowledge_, limits_));
      }
    }
    bool more = share();
    more = find_quiet() || more;
    if (!more) more = distrust_barriers();
    more = find_warp_results() || more;
    for (const EvaluatedThread& one : evaluated_) {
      for (const llvm::Instruction* read : one.to_split) more = knowledge_.split.insert(read).second || more;
    }
    if (!knowledge_.split.empty()) more = learn_values() || more;
    return more;
  }

  // Bytes that one thread writes and another one accesses.
  bool share() {
    struct Users {
      std::size_t first = 0;
      bool several = false, written = false;
    };
    std::map<std::uint64_t, Users> bytes;
    for (std::size_t i = 0; i < evaluated_.size(); ++i) {
      for (const auto& [where, touched] : evaluated_[i].touched) {
        for (std::uint64_t byte = where.first; byte < where.first + where.second; ++byte) {
          Users& users = bytes.try_emplace(byte, Users{.first = i}).first->second;
          users.several = users.several || users.first != i;
          users.written = users.written || touched.written;
        }
      }
    }
    std::set<std::uint64_t> shared;
    for (const auto& [byte, users] : bytes) {
      if (users.several && users.written) shared.insert(byte);
    }
    bool fresh = false;
    for (const EvaluatedThread& one : evaluated_) {
      for (const auto& [where, touched] : one.touched) {
        const auto first = shared.lower_bound(where.first);
        if (first == shared.end() || *first >= where.first + where.second) continue;
        fresh = knowledge_.shared.add(where.first, where.second) || fresh;
      }
    }
    return fresh;
  }

  // All uses of some bytes by the launch.
  struct Uses {
    struct Phase {
      std::size_t first = 0;  // thread
      bool several = false, written = false;
      PartialValue value;
    };
    std::uint64_t block = 0;
    bool loud = false;
    std::map<unsigned, Phase> phases;
  };

  void add_uses(std::size_t thread, const TouchedBytes& touched, Uses& uses, bool first) const {
    const std::uint64_t block = evaluated_[thread].thread.block;
    if (first) uses.block = block;
    uses.loud = uses.loud || block != uses.block;
    for (const auto& [number, use] : touched.phases) {
      const auto [at, fresh] = uses.phases.try_emplace(number, Uses::Phase{.first = thread});
      Uses::Phase& phase = at->second;
      phase.several = phase.several || phase.first != thread;
      phase.written = phase.written || use.written;
      if (use.written) phase.value = use.value.value_or(PartialValue{});
      // A value that others decide is not one that barriers make known.
      uses.loud = uses.loud || use.loud || (phase.written && phase.several) || phase.value.has_unknown();
    }
  }

  // Finds memory whose values barriers determine. What was found to be loud once stays so: this ends.
  bool find_quiet() {
    std::map<Range, Uses> all;
    for (std::size_t i = 0; i < evaluated_.size(); ++i) {
      for (const auto& [where, touched] : evaluated_[i].touched) {
        if (!knowledge_.shared.overlaps(where.first, where.second)) continue;
        const auto [at, fresh] = all.try_emplace(where);
        add_uses(i, touched, at->second, fresh);
      }
    }
    std::uint64_t end = 0;  // of the ranges before
    Uses* last = nullptr;
    for (auto& [where, uses] : all) {
      if (where.first < end) uses.loud = last->loud = true;  // accesses of other bytes overlap
      if (where.first + where.second > end) last = &uses;
      end = std::max(end, where.first + where.second);
      if (named_.overlaps(where.first, where.second)) uses.loud = true;
    }
    std::map<Range, std::map<unsigned, PartialValue>> quiet;
    blocks_with_quiet_.clear();
    for (const auto& [where, uses] : all) {
      if (uses.loud) loud_.insert(where);
      if (loud_.contains(where)) continue;
      blocks_with_quiet_.insert(uses.block);
      std::map<unsigned, PartialValue>& values = quiet[where];
      for (const auto& [number, phase] : uses.phases) {
        if (phase.written) values[number] = phase.value;
      }
    }
    const bool changed = quiet != knowledge_.quiet;
    knowledge_.quiet = std::move(quiet);
    return changed;
  }

  // Barriers keep nothing apart in a block whose threads do not come to them equally often.
  bool distrust_barriers() {
    std::map<std::uint64_t, std::optional<std::uint64_t>> waits;
    std::set<std::uint64_t> uneven;
    for (const EvaluatedThread& one : evaluated_) {
      const std::uint64_t block = one.thread.block;
      if (!blocks_with_quiet_.contains(block) || uneven.contains(block)) continue;
      const std::optional<residual::Waits> own = residual::waits_of(one.thread);
      const auto [known, fresh] = waits.try_emplace(block, own ? std::optional(own->block) : std::nullopt);
      if (!own || *known->second != own->block) uneven.insert(block);
    }
    if (uneven.empty()) return false;
    bool changed = false;
    for (const EvaluatedThread& one : evaluated_) {
      if (!uneven.contains(one.thread.block)) continue;
      for (const auto& [where, touched] : one.touched) {
        if (knowledge_.quiet.erase(where) == 0) continue;
        loud_.insert(where);
        changed = true;
      }
    }
    return changed;
  }

  // What the lanes of each warp compute together, from what they have come to in this round. Steps that do not meet end
  // the list, and the threads there.
  bool find_warp_results() {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<const EvaluatedThread*>> warps;
    for (const EvaluatedThread& one : evaluated_) {
      warps[{one.thread.block, one.thread.number / race::kWarp}].push_back(&one);
    }
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::uint64_t>> results;
    for (const auto& [warp, lanes] : warps) {
      for (std::size_t number = 0; step_meets(lanes, number); ++number) {
        std::vector<ThreadContext> contexts(lanes.size());
        std::vector<ThreadContext*> pointers;
        for (std::size_t i = 0; i < lanes.size(); ++i) {
          contexts[i].number = static_cast<std::uint32_t>(lanes[i]->thread.number);
          contexts[i].operation = lanes[i]->warp_steps[number].operation;
          pointers.push_back(&contexts[i]);
        }
        compute_warp_operation(pointers);
        for (const ThreadContext& lane : contexts) results[{warp.first, lane.number}].push_back(lane.operation.result);
      }
    }
    const bool changed = results != knowledge_.warp_results;
    knowledge_.warp_results = std::move(results);
    return changed;
  }

  // A lane that is not there has no value to give.
  static bool step_meets(const std::vector<const EvaluatedThread*>& lanes, std::size_t number) {
    return std::all_of(lanes.begin(), lanes.end(), [&](const EvaluatedThread* lane) {
      if (number >= lane->warp_steps.size() || number >= lanes.front()->warp_steps.size()) return false;
      const WarpStep& step = lane->warp_steps[number];
      const unsigned width = step.operation.width;
      const bool whole = step.operation.kind < kShuffle || (width >= 1 && width <= 32 && lanes.size() % width == 0);
      return whole && step.meets(lanes.front()->warp_steps[number]);
    });
  }

  bool learn_values() {
    std::vector<residual::Thread> threads;
    residual::Domains initial;
    for (const EvaluatedThread& one : evaluated_) {
      threads.push_back(one.thread);
      for (const residual::Instruction& access : one.thread.code) {
        if (access.size == 0) continue;
        std::set<std::uint64_t> known;
        if (!addresses_.is_block_shared(access.address)) known.insert(initial_bits(access.address, access.size));
        initial[{access.address, access.size}] = known;
      }
    }
    residual::Domains learned = residual::memory_values(threads, initial);
    // What was seen once stays: values of code that is only followed for it.
    for (const auto& [where, values] : knowledge_.values) {
      const auto found = learned.find(where);
      if (found == learned.end()) {
        learned[where] = values;
      } else if (!values) {
        found->second.reset();
      } else if (found->second) {
        found->second->insert(values->begin(), values->end());
        if (found->second->size() > residual::kMostValues) found->second.reset();
      }
    }
    const bool fresh = learned != knowledge_.values;
    knowledge_.values = std::move(learned);
    return fresh;
  }

  std::uint64_t initial_bits(std::uint64_t address, std::uint64_t size) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, addresses_.pointer(address), size);
    return bits;
  }

  void find(const race::NamedLocation& name) {
    residual::Named& found = residual_.named.emplace_back();
    found.asked = name;
    std::vector<std::string> names;
    for (const auto& [begin, allocation] : addresses_.arena().allocations()) {
      if (allocation.name.empty() || allocation.freed || allocation.name.starts_with(".")) continue;
      names.push_back(allocation.name);
      if (allocation.name != name.name) continue;
      const std::uint64_t element = allocation.element == 0 ? 4 : allocation.element;
      if (element > 8 || name.index >= allocation.size / element) {
        found.problem = element > 8
                            ? fmt::format("the elements of '{}' have {} bytes; expected at most 8", name.name, element)
                            : fmt::format("'{}' has {}, so that there is no {}[{}]", name.name,
                                          base::counted(allocation.size / element, "element"), name.name, name.index);
        return;
      }
      found.address = SteadyAddresses::kBase + begin + name.index * element;
      found.size = static_cast<std::uint8_t>(element);
      found.problem.clear();
      knowledge_.shared.add(found.address, found.size);
      named_.add(found.address, found.size);
      return;
    }
    found.problem = fmt::format("there is no array or variable '{}' in the memory of the device{}", name.name,
                                base::did_you_mean(name.name, names));
  }

  // Each thread has numbered its own.
  void number_stops() {
    for (EvaluatedThread& one : evaluated_) {
      for (residual::Instruction& instruction : one.thread.code) {
        if (instruction.kind != residual::Kind::stop) continue;
        residual::Stop stop = one.stops[instruction.label];
        if (stop.kind == residual::Stop::Kind::invalid && made_up_) {
          stop.kind = residual::Stop::Kind::not_modelled;
          stop.what += "; the sizes of arrays that are not stated were made up";
        }
        const auto same = std::find_if(residual_.stops.begin(), residual_.stops.end(), [&](const auto& other) {
          return other.kind == stop.kind && other.what == stop.what && other.place == stop.place;
        });
        instruction.label = static_cast<std::uint32_t>(same - residual_.stops.begin());
        if (same == residual_.stops.end()) residual_.stops.push_back(stop);
      }
      residual_.threads.push_back(std::move(one.thread));
    }
  }

  void list_memory() {
    std::map<std::pair<std::uint64_t, std::uint8_t>, bool> places;
    for (const residual::Thread& thread : residual_.threads) {
      for (const residual::Instruction& one : thread.code) {
        if (one.size > 0) places[{one.address, one.size}] = true;
      }
    }
    for (const residual::Named& named : residual_.named) {
      if (named.problem.empty()) places[{named.address, named.size}] = true;
    }
    for (const auto& [where, used] : places) residual_.memory.push_back(describe(where.first, where.second));
  }

  residual::Memory describe(std::uint64_t address, std::uint8_t size) const {
    residual::Memory memory{.address = address, .size = size};
    if (addresses_.is_block_shared(address)) {
      memory.initialised = false;
      const std::uint64_t offset = address - SteadyAddresses::kBase;
      memory.block = offset / Arena::kWindow;
      std::uint64_t begin = 0;
      const std::string name = module_.shared_name(offset % Arena::kWindow, begin, {});
      memory.name = element_name(name.empty() ? "shared" : name, offset % Arena::kWindow - begin, size, true);
      return memory;
    }
    memory.bits = initial_bits(address, size);
    const Allocation* found = addresses_.arena().find(addresses_.pointer(address));
    if (found == nullptr) return memory;
    const std::uint64_t offset = address - SteadyAddresses::kBase - found->begin;
    const std::uint64_t element = found->element == 0 ? size : found->element;
    memory.name = element_name(found->name, offset, element, found->size > element);
    return memory;
  }

  static std::string element_name(const std::string& name, std::uint64_t offset, std::uint64_t element, bool several) {
    if (!several && offset == 0) return name;
    if (offset % element != 0) return fmt::format("{}+{}", name, offset);
    return fmt::format("{}[{}]", name, offset / element);
  }

  ResidualProgram& program_;
  const Kernel& kernel_;
  const DeviceModule& module_;
  const SteadyAddresses addresses_;
  const race::LaunchSpec& launch_;
  const bool made_up_;  // some array is not stated
  Arguments& arguments_;
  const std::uint64_t shared_bytes_;
  const ResidualLimits limits_;
  SharedKnowledge knowledge_;
  SharedBytes named_;
  std::set<Range> loud_;
  std::set<std::uint64_t> blocks_with_quiet_;
  std::vector<EvaluatedThread> evaluated_;
  residual::Residual residual_;
};

}  // namespace

base::Result<residual::Residual> residual_threads(const std::string& bitcode, const Kernel& kernel,
                                                  DeviceModule& module, Machine& device, const race::LaunchSpec& launch,
                                                  std::uint64_t seed, const std::vector<race::NamedLocation>& named,
                                                  const std::vector<std::string>& own_folders) {
  const race::LaunchSpec complete = with_all_arguments(kernel, launch);
  if (complete.threads() > kMostResidualThreads) {
    return base::error(
        fmt::format("the launch has {} threads; the limit is {}", complete.threads(), kMostResidualThreads));
  }
  if (complete.grid.count() > Arena::kWindows) {
    return base::error(
        fmt::format("the launch has {} blocks; the limit is {}", complete.grid.count(), Arena::kWindows));
  }
  if (launch_request(kernel, complete).shared_bytes() > Arena::kMaxShared) {
    return base::error(fmt::format("the launch needs {} bytes of shared memory; the limit is {}",
                                   launch_request(kernel, complete).shared_bytes(), Arena::kMaxShared));
  }
  module.reset_variables();
  base::Result<Arguments> arguments = Arguments::make(kernel, complete, device.arena(), seed);
  if (!arguments) return arguments.errors();
  base::Result<std::unique_ptr<ResidualProgram>> program =
      ResidualProgram::load(bitcode, kernel.symbol, module, own_folders);
  if (!program) return program.errors();
  const bool made_up = std::any_of(complete.arguments.begin(), complete.arguments.end(), [&](const auto& argument) {
    return argument.count && race::find_argument(launch, argument.name) == nullptr;
  });
  return ResidualRounds(**program, kernel, module, device, complete, made_up, *arguments).run(named);
}

}  // namespace weakspot::race_jit
