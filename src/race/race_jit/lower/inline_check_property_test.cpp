// SPDX-License-Identifier: MIT
// Accesses checked in place are judged as the detector judges them: random traces run through compiled accesses and,
// beside them, through a second detector that is told of each.
#include "race_jit/lower/inline_check.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <numeric>

#include "base/rng.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/machine/machine.h"

namespace weakspot::race_jit {
namespace {

constexpr unsigned kThreads = 40;     // a warp and a part of one
constexpr std::uint64_t kBytes = 64;  // size of shared memory and of each array
constexpr unsigned kBlocks = 3;       // blocks that may run at a time
constexpr unsigned kCopies = 2;       // copies of each access, so that sites differ

// A kernel that makes one access.
struct Access {
  unsigned size = 4;
  bool write = false, shared = false;
  void (*entry)(void**) = nullptr;
  race::SiteId site = 0;
};

const char* type_of(unsigned size) {
  return size == 1 ? "i8" : size == 2 ? "i16" : size == 4 ? "i32" : size == 8 ? "i64" : "<4 x i32>";
}

// Takes an address, or an offset in shared memory, and a value to write.
std::string kernel_text(const std::string& name, const Access& access) {
  const std::string type = type_of(access.size);
  const std::string space = access.shared ? " addrspace(3)" : "";
  std::string text = "define void @" + name + "(i64 %place, i64 %value) {\n";
  text += access.shared ? "  %p = getelementptr i8, ptr addrspace(3) @tile, i64 %place\n"
                        : "  %p = inttoptr i64 %place to ptr\n";
  if (!access.write) return text + "  %v = load " + type + ", ptr" + space + " %p, align 1\n  ret void\n}\n";
  if (access.size == 16) {
    text += "  %w = trunc i64 %value to i32\n  %v = insertelement <4 x i32> zeroinitializer, i32 %w, i32 0\n";
  } else {
    text += access.size == 8 ? "  %v = add i64 %value, 0\n" : "  %v = trunc i64 %value to " + type + "\n";
  }
  return text + "  store " + type + " %v, ptr" + space + " %p, align 1\n  ret void\n}\n";
}

struct Device {
  std::unique_ptr<Machine> machine;
  std::unique_ptr<DeviceModule> module;
  std::unique_ptr<Arena> other_cells;  // shadow memory of the detector to compare with
  std::unique_ptr<race::Detector> reference;
  std::vector<Access> accesses;
  std::vector<SiteWindow> windows;
  std::uint64_t first_window = 0;  // first window of shared memory that nobody has used

  Device() {
    std::string text = "@tile = internal addrspace(3) global [" + std::to_string(kBytes) + " x i8] undef, align 16\n";
    std::string annotations;
    std::map<std::string, Access> by_name;
    for (unsigned size : {1u, 2u, 4u, 8u, 16u}) {
      for (unsigned variant = 0; variant < 4 * kCopies; ++variant) {
        const Access access{size, (variant & 1) != 0, (variant & 2) != 0};
        const std::string name = "access_" + std::to_string(size) + "_" + std::to_string(variant);
        text += kernel_text(name, access);
        text += "!" + std::to_string(by_name.size()) + " = !{ptr @" + name + ", !\"kernel\", i32 1}\n";
        annotations += (annotations.empty() ? "!" : ", !") + std::to_string(by_name.size());
        by_name[name] = access;
      }
    }
    text += "!nvvm.annotations = !{" + annotations + "}\n";
    llvm::LLVMContext context;
    llvm::SMDiagnostic problem;
    std::unique_ptr<llvm::Module> parsed = llvm::parseAssemblyString(text, problem, context);
    if (!parsed) throw std::runtime_error(problem.getMessage().str());
    std::string bitcode;
    llvm::raw_string_ostream stream(bitcode);
    llvm::WriteBitcodeToFile(*parsed, stream);
    stream.flush();

    machine = std::make_unique<Machine>(std::move(*Arena::create()), MachineOptions{});
    module = std::move(*load_device_module(bitcode, *machine, {}));
    other_cells = std::move(*Arena::create());
    Arena& arena = machine->arena();
    reference = std::make_unique<race::Detector>(
        race::Shadow(other_cells->cells(), reinterpret_cast<std::uint64_t>(arena.base()), arena.size()),
        race::DetectorOptions{});
    windows.resize(machine->sites().size());
    for (const Kernel& kernel : module->kernels()) {
      Access access = by_name.at(kernel.symbol);
      access.entry = kernel.entry;
      accesses.push_back(access);
    }
  }
};

// The same blocks for both detectors.
struct Block {
  race::BlockState checked, reference;
  std::vector<ThreadContext> threads;
};

class Play {
 public:
  // On memory of its own: a word accessed in parts once is never again checked in place.
  Play(Device& device, std::uint64_t seed) : device_(device), rng_(seed) {
    new_memory();
    find_sites();
    new_memory();
    launch();
  }

  void step() {
    const std::uint64_t which = rng_.below(100);
    Block& block = *blocks_[rng_.below(blocks_.size())];
    const auto thread = static_cast<unsigned>(rng_.below(4) == 0 ? rng_.below(kThreads) : rng_.below(3));
    race::Detector& checked = device_.machine->detector();
    if (which == 0) {
      launch();
    } else if (which < 3) {
      start_block();
    } else if (which < 13) {
      const auto site = static_cast<race::SiteId>(1000 + rng_.below(3));
      checked.barrier(block.checked, site);
      device_.reference->barrier(block.reference, site);
    } else if (which < 15) {
      std::vector<unsigned> lanes(32);
      std::iota(lanes.begin(), lanes.end(), 0u);
      if (rng_.percent(50)) lanes.resize(2);
      checked.warp_barrier(block.checked, lanes);
      device_.reference->warp_barrier(block.reference, lanes);
    } else if (which < 17) {
      checked.fence(block.checked.threads[thread], race::Scope::device);
      device_.reference->fence(block.reference.threads[thread], race::Scope::device);
    } else if (which < 22) {
      strong(block, thread);
    } else {
      plain(block, thread);
    }
  }

  void compare() const {
    const race::Detector& checked = device_.machine->detector();
    const std::vector<race::Race>&a = checked.races(), &b = device_.reference->races();
    RC_ASSERT(checked.conflicts() == device_.reference->conflicts());
    RC_ASSERT(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      RC_ASSERT(a[i].race_class == b[i].race_class);
      RC_ASSERT(a[i].first.thread == b[i].first.thread && a[i].second.thread == b[i].second.thread);
      RC_ASSERT(a[i].first.site == b[i].first.site && a[i].second.site == b[i].second.site);
      RC_ASSERT(a[i].address == b[i].address && a[i].count == b[i].count);
    }
    for (race::SiteId site = 1000; site < 1003; ++site) {
      RC_ASSERT(checked.barrier_needed(site) == device_.reference->barrier_needed(site));
    }
  }

 private:
  void new_memory() {
    for (char*& array : arrays_) array = device_.machine->arena().allocate(kBytes, "array");
    device_.first_window = (device_.first_window + kBlocks) % (Arena::kWindows - kBlocks);
  }

  // A kernel notes the site of its first access; none of these is judged, since a launch follows.
  void find_sites() {
    if (device_.accesses.front().site != 0) return;
    launch();
    Block& block = *blocks_.front();
    for (Access& access : device_.accesses) {
      race::Access told;
      told.address = access.shared ? reinterpret_cast<std::uint64_t>(block.threads[0].shared) : address(0, 0);
      told.size = access.size;
      device_.reference->access(block.reference.threads[0], told);
      run(block, 0, access, access.shared ? 0 : address(0, 0), 0);
      access.site = block.threads[0].site;
    }
  }

  std::uint64_t address(std::size_t array, std::uint64_t offset) const {
    return reinterpret_cast<std::uint64_t>(arrays_[array]) + offset;
  }

  void launch() {
    device_.machine->detector().start_launch();
    device_.reference->start_launch();
    blocks_.clear();
    next_block_ = 0;
    start_block();
  }

  // Takes the place, and so the shared memory, of another where too many run.
  void start_block() {
    const std::size_t place = blocks_.size() < kBlocks && rng_.percent(30) ? blocks_.size() : 0;
    if (place == blocks_.size()) blocks_.emplace_back();
    blocks_[place] = std::make_unique<Block>();
    Block& block = *blocks_[place];
    Machine& machine = *device_.machine;
    machine.detector().start_block(block.checked, next_block_, kThreads);
    device_.reference->start_block(block.reference, next_block_, kThreads);
    ++next_block_;
    block.threads.resize(kThreads);
    for (unsigned i = 0; i < kThreads; ++i) {
      ThreadContext& thread = block.threads[i];
      thread.state = &block.checked.threads[i];
      thread.bounds = &block.checked.bounds;
      thread.shared = machine.arena().window(device_.first_window + place);
      thread.shared_bytes = kBytes;
      thread.shared_words = kBytes / 4;
      thread.shared_cells = machine.arena().cells() + (device_.first_window + place) * (Arena::kWindow / 4);
      thread.windows = device_.windows.data();
      thread.number = i;
    }
  }

  static void run(Block& block, unsigned thread, const Access& access, std::uint64_t place, std::uint64_t value) {
    void* arguments[] = {&place, &value};
    weakspot_current = &block.threads[thread];
    access.entry(arguments);
    weakspot_current = nullptr;
  }

  void plain(Block& block, unsigned thread) {
    const Access* chosen = &device_.accesses[rng_.below(device_.accesses.size())];
    while (chosen->size < 4 && rng_.percent(50)) chosen = &device_.accesses[rng_.below(device_.accesses.size())];
    const Access& access = *chosen;
    // Mostly the same few words; seldom not aligned.
    std::uint64_t offset = access.size * rng_.below(std::max<std::uint64_t>(8 / access.size, 1));
    if (rng_.percent(20)) offset = access.size * rng_.below(kBytes / access.size);
    if (rng_.percent(1) && offset + access.size < kBytes) ++offset;
    const std::uint64_t value = rng_.below(2);
    const std::uint64_t global = address(rng_.below(2), offset);
    race::Access told;
    told.address = access.shared ? reinterpret_cast<std::uint64_t>(block.threads[thread].shared) + offset : global;
    told.size = access.size;
    told.kind = access.write ? race::AccessKind::write : race::AccessKind::read;
    told.space = access.shared ? race::Space::shared : race::Space::global;
    told.site = access.site;
    const std::uint64_t written[2] = {value, 0};
    told.same_value =
        access.write && std::memcmp(reinterpret_cast<const void*>(told.address), written, access.size) == 0;
    device_.reference->access(block.reference.threads[thread], told);
    run(block, thread, access, access.shared ? offset : global, value);
  }

  void strong(Block& block, unsigned thread) {
    race::Access told;
    told.address = address(0, 4 * rng_.below(3));
    told.kind = rng_.percent(50) ? race::AccessKind::update : race::AccessKind::read;
    told.site = static_cast<race::SiteId>(2000 + rng_.below(2));
    told.strong = true;
    told.scope = rng_.percent(50) ? race::Scope::device : race::Scope::volatile_access;
    told.release = told.kind == race::AccessKind::update && rng_.percent(20);
    told.acquire = rng_.percent(20);
    device_.machine->detector().access(block.checked.threads[thread], told);
    device_.reference->access(block.reference.threads[thread], told);
  }

  Device& device_;
  base::Rng rng_;
  std::vector<std::unique_ptr<Block>> blocks_;
  char* arrays_[2] = {nullptr, nullptr};
  std::uint32_t next_block_ = 0;
};

RC_GTEST_PROP(InlineCheck, AgreesWithTheDetector, (std::uint64_t seed)) {
  static Device device;
  Play play(device, seed);
  for (int i = 0; i < 300; ++i) play.step();
  play.compare();
}

}  // namespace
}  // namespace weakspot::race_jit
