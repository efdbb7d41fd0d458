// SPDX-License-Identifier: MIT
// Turns the bitcode that clang made for the GPU into functions that run here: the module is retargeted to this
// processor, operations that only a GPU has are lowered to hooks, every access and synchronisation is instrumented, and
// the result is compiled in this process.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "race/architecture.h"
#include "race/inputs.h"
#include "race/mutants.h"
#include "race/not_modelled.h"
#include "race/report.h"
#include "race_jit/machine/machine.h"

namespace weakspot::race_jit {

// An operation that was left out of the code, or something else that the code lacks.
struct LeftOut {
  std::string what;
  race::SiteId site = 0;
  race::Effect effect = race::Effect::unknown;
  bool concerns_all = false;  // every run, and no operation of its own
};

// A number or a pointer inside of a structure that is passed by value.
struct KernelMember {
  std::string name;  // "view.rows"
  std::string type;  // the value's, or that of the elements of an array
  std::uint64_t size = 0, offset = 0;
  bool pointer = false, floating = false;
};

// An operation that synchronises, and a way to weaken it.
struct SyncPoint {
  race::SiteId site = 0;
  race::MutantKind kind = race::MutantKind::no_barrier;
};

// The threads that a barrier makes wait for each other.
enum class BarrierOf : std::uint8_t { warp, block, cluster, grid };

// Places for one barrier that keeps two accesses apart.
struct BarrierGaps {
  std::vector<race::Gap> all;               // ascending
  std::optional<race::Gap> best;            // of these
  std::optional<race::Gap> between_rounds;  // separates one round of a loop around both from the next, and no more
  // The lines of the accesses in the function that both are in: their own, or those of two calls.
  std::optional<std::pair<race::Place, race::Place>> lines;
  bool same_address = false;  // both compute their address from the same values
};

// A thread writes a flag, or gives back a lock, after its access; another sees that before its own.
struct SignalGaps {
  race::Place write, read;
  bool is_lock = false;
  bool narrow = false;  // the scope of one of the two does not hold both threads
  bool lacks_release = false, lacks_acquire = false;
  std::optional<race::Gap> release, acquire;  // places for fences, if they are known
};

struct KernelParameter {
  std::string name;
  std::string type;  // as the source spells it, "const float*"; empty if not known
  std::uint64_t size = 0, alignment = 1;
  bool pointer = false;
  std::vector<KernelMember> members;  // only for a structure
  std::string opaque;                 // a member for which nothing can be made up, if there is one

  bool is_structure() const { return !members.empty() || (!pointer && size > 8); }
};

// A line that a run reached if it set one of the kernel's marks; always if there is none.
struct CodeLine {
  std::string file;
  unsigned line = 0;
  std::set<std::size_t> marks;
};

struct Kernel {
  std::string name;                  // as people write it, "reduce<float>"
  std::string symbol;                // as compilers name it
  std::vector<std::string> aliases;  // hashes of other spellings, see uses_of() in compile/
  race::Place place;
  std::vector<KernelParameter> parameters;
  Extent cluster;                     // declared with __cluster_dims__
  Extent block;                       // the one shape of its blocks, .reqntid of PTX; 1: any
  std::uint64_t shared = 0;           // dynamic shared memory that it is launched with, if its compiler says so
  std::uint64_t static_shared = 0;    // bytes of the shared variables that have a size; the one without begins there
  std::uint64_t most_threads = 1024;  // of a block, declared with __launch_bounds__
  void (*entry)(void**) = nullptr;    // takes pointers to the arguments
  race::KernelFacts facts;
  // Its part of DeviceModule::marks(): sides of branches, then rounds of loops, which say more about a run, but are not
  // counted for people.
  std::size_t first_mark = 0, marks = 0, branches = 0;
  std::vector<race::Place> branch_places;  // by branch
  std::vector<CodeLine> lines;             // of its code and of the functions that it calls
};

// A kernel template without instances.
struct IdleTemplate {
  std::string name;
  race::Place place;
};

struct DeviceOptions {
  bool check = true;                     // false: only what is needed to run at all, for measuring
  bool plain_checker = false;            // every access calls the checker, none is checked in place: for comparing
  std::vector<std::string> own_folders;  // folders whose lines are not the user's
  bool lazy = false;                     // kernels are compiled by DeviceModule::prepare(), and not before
  std::filesystem::path code_cache;      // see Engine::create()
};

class DeviceModule {
 public:
  virtual ~DeviceModule() = default;
  virtual const std::deque<Kernel>& kernels() const = 0;
  // Must have been called before each launch of the kernel, if the module was loaded lazily.
  virtual base::Status prepare(const Kernel& kernel) = 0;
  // The newest that code of the module was compiled for: 90 for sm_90.
  virtual unsigned architecture() const = 0;
  // The address of a __device__ or __constant__ variable by its symbol, null if there is none.
  virtual void* variable(const std::string& symbol) const = 0;
  // All variables, with their addresses.
  virtual std::map<std::string, void*> variables() const = 0;
  // Whether the variable is __managed__.
  virtual bool is_managed(const std::string& symbol) const = 0;
  // Puts the variables back to their initial values.
  virtual void reset_variables() = 0;
  // The shared variable at an offset of the block's memory; empty if there is none, or several, of which none has the
  // name that is `expected`.
  virtual std::string shared_name(std::uint64_t offset, std::uint64_t& begin, const std::string& expected) const = 0;
  // The bytes of all kernels that runs set where they come along; empty where nothing is checked.
  virtual std::span<std::uint8_t> marks() = 0;
  // Operations that are not modelled, whether they ran or not.
  virtual const std::vector<LeftOut>& left_out() const = 0;
  // Instructions of PTX, or operations of CUDA code that only a GPU has: all, and those that are modelled.
  virtual race::Share modelled() const = 0;
  // Templates of the file itself, not of its headers.
  virtual const std::vector<IdleTemplate>& idle_templates() const = 0;
  // The places where one barrier would keep the accesses of two sites apart; none if there is no such place or it is
  // not known.
  virtual BarrierGaps gaps(race::SiteId, race::SiteId, BarrierOf) const { return {}; }
  // The flag or lock that would order the accesses of two sites if it had all its fences; none if there is none.
  virtual std::optional<SignalGaps> signal(race::SiteId, race::SiteId, bool /*wide*/) const { return std::nullopt; }
  // The nearest place behind or before an access that a thread passes in any case.
  virtual std::optional<race::Gap> gap_behind(race::SiteId) const { return std::nullopt; }
  virtual std::optional<race::Gap> gap_before(race::SiteId) const { return std::nullopt; }
  // Operations that synchronise; none where mutants are not offered.
  virtual const std::vector<SyncPoint>& sync_points() const {
    static const std::vector<SyncPoint> kNone;
    return kNone;
  }
};

base::Result<std::unique_ptr<DeviceModule>> load_device_module(const std::string& bitcode, Machine& device,
                                                               const DeviceOptions& options);

}  // namespace weakspot::race_jit
