// SPDX-License-Identifier: MIT
// The recorder of 'weakspot capture': a library that is loaded before a program's others (LD_PRELOAD). It stands
// between the program and CUDA's driver where modules are loaded and kernels are launched, and writes chosen launches
// as captures. Whatever goes wrong here, the program gets what the driver says.
//
// Programs come to the driver in three ways, and the recorder stands in each: they are linked with it, they look for
// its functions with dlsym(), or they ask it with cuGetProcAddress(), as CUDA's runtime does.
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/source.h"
#include "capture/capture.h"
#include "race/ptx_text.h"
#include "race_jit/driver/image.h"
#include "race_jit/driver/triton_cache.h"
#include "race_jit/recorder/reach.h"
#include "race_jit/recorder/real_driver.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;
using Handle = void*;
using recorder::call_driver, recorder::Code, recorder::Dlsym, recorder::driver_function, recorder::kDone,
    recorder::real_dlsym;

// The functions that the recorder replaces: CUDA's binary interface.
struct LaunchConfiguration {  // CUlaunchConfig
  unsigned grid[3], block[3];
  unsigned shared;
  Handle stream;
  struct Attribute {
    int id, padding;
    unsigned value[16];
  }* attributes;
  unsigned attribute_count;
};
constexpr int kClusterAttribute = 4, kCooperativeAttribute = 2;
constexpr int kCapabilityMajor = 75, kCapabilityMinor = 76;             // CUdevice_attribute
constexpr std::uintptr_t kArgumentBuffer = 1, kArgumentBufferSize = 2;  // CU_LAUNCH_PARAM_...

void tell(const std::string& line) {
  const std::string text = "weakspot capture: " + line + "\n";
  (void)!write(STDERR_FILENO, text.data(), text.size());
}

// 90 for sm_90: of several texts in an image the driver takes the newest that the device can run. All of them where
// there is no device to ask.
unsigned device_architecture() {
  constexpr unsigned kNewest = 1000;
  int device = 0, major = 0, minor = 0;
  if (call_driver("cuCtxGetDevice", &device) != kDone && call_driver("cuDeviceGet", &device, 0) != kDone) {
    return kNewest;
  }
  const bool known = call_driver("cuDeviceGetAttribute", &major, kCapabilityMajor, device) == kDone &&
                     call_driver("cuDeviceGetAttribute", &minor, kCapabilityMinor, device) == kDone;
  return known ? static_cast<unsigned>(10 * major + minor) : kNewest;
}

// What 'weakspot capture' asks for, by variables of the environment.
struct Wishes {
  std::string folder, kernel, program;
  std::string process;  // the first one of the program
  std::uint64_t most_bytes = std::uint64_t{64} << 20;
  unsigned launches = 1;  // of each kernel

  static const Wishes& get() {
    static const auto* const wishes = new Wishes;  // programs launch kernels while they end, too
    return *wishes;
  }

  Wishes() {
    const auto text = [](const char* name) { return std::string(getenv(name) != nullptr ? getenv(name) : ""); };
    folder = text("WEAKSPOT_CAPTURE_FOLDER");
    kernel = text("WEAKSPOT_CAPTURE_KERNEL");
    program = text("WEAKSPOT_CAPTURE_PROGRAM");
    process = text("WEAKSPOT_CAPTURE_PROCESS");
    if (const std::string size = text("WEAKSPOT_CAPTURE_BYTES"); !size.empty()) most_bytes = std::stoull(size);
    if (const std::string count = text("WEAKSPOT_CAPTURE_LAUNCHES"); !count.empty()) {
      launches = static_cast<unsigned>(std::stoul(count));
    }
  }
};

// A module or library that was loaded, or why its kernels cannot be captured.
struct LoadedText {
  Handle handle = nullptr;
  bool library = false;
  std::string ptx;
  std::optional<race::ptx::Module> module;
  const char* problem = "it is there as machine code alone";
};

struct KnownKernel {
  std::shared_ptr<LoadedText> text;
  std::string name;
  unsigned launches = 0;
};

class Recorder {
 public:
  static Recorder& get() {
    static auto* const recorder = new Recorder;  // as above
    return *recorder;
  }

  // An image in memory.
  void loaded(Handle module, const void* image, bool library) {
    driver::Image found = driver::image_at(image, device_architecture());
    if (found.kind == driver::Image::Kind::machine_code) {
      std::optional<std::string> text = driver::ptx_beside(driver::machine_code_at(image), driver::triton_caches());
      if (text) found = {driver::Image::Kind::ptx, *std::move(text), {}, {}};
    }
    add(module, std::move(found), library);
  }
  // An image in a file.
  void loaded_file(Handle module, const char* path, bool library) {
    const base::Result<std::string> bytes = base::read_file(path);
    add(module, bytes ? driver::image_in(*bytes, device_architecture()) : driver::Image(), library);
  }
  void named(Handle module, Handle kernel, const char* name) {
    const std::lock_guard lock(mutex_);
    const auto found = modules_.find(module);
    if (found == modules_.end()) return;
    KnownKernel& known = kernels_[kernel];
    if (known.name != name || known.text != found->second) known = {found->second, name, 0};
  }
  // Another handle of the same.
  void renamed(Handle from, Handle to, std::map<Handle, std::shared_ptr<LoadedText>> Recorder::* map) {
    const std::lock_guard lock(mutex_);
    if (const auto found = (this->*map).find(from); found != (this->*map).end()) (this->*map)[to] = found->second;
  }
  void same_kernel(Handle from, Handle to) {
    const std::lock_guard lock(mutex_);
    if (const auto found = kernels_.find(from); found != kernels_.end()) kernels_.try_emplace(to, found->second);
  }
  void same_module(Handle from, Handle to) { renamed(from, to, &Recorder::modules_); }

  // The launch as it is before it is made, if it is one to keep.
  std::unique_ptr<capture::Capture> before(Handle kernel, const race::LaunchShape& shape, Handle stream,
                                           void** arguments, void** extra) {
    const Wishes& wishes = Wishes::get();
    if (wishes.folder.empty()) return nullptr;
    KnownKernel known;
    {
      const std::lock_guard lock(mutex_);
      const auto found = kernels_.find(kernel);
      if (found == kernels_.end()) return ++passed_.unknown, nullptr;
      if (found->second.launches >= wishes.launches) return nullptr;
      if (!wishes.kernel.empty() && found->second.name.find(wishes.kernel) == std::string::npos) {
        ++passed_.of_others;
        if (passed_.names.size() < kShownNames) passed_.names.insert(found->second.name);
        return nullptr;
      }
      // Work that a stream only notes down is not made now, and must not be waited for.
      int capturing = 0;
      if (call_driver("cuStreamIsCapturing", stream, &capturing) == kDone && capturing != 0) {
        return ++passed_.for_graphs, nullptr;
      }
      ++found->second.launches;
      passed_.any_chosen = true;
      known = found->second;
    }
    if (!known.text->module) {
      left_out(known, known.text->problem);
      return nullptr;
    }
    return snapshot(known, shape, arguments, extra);
  }

  // A process ends: if no launch was chosen, the reason.
  void end() {
    const Wishes& wishes = Wishes::get();
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || wishes.folder.empty() || passed_.any_chosen) return;
    std::vector<std::string> reasons;
    if (passed_.of_others > 0) {
      reasons.push_back(fmt::format("{} launches are of kernels without '{}' in their symbol, such as {}",
                                    passed_.of_others, wishes.kernel, fmt::join(passed_.names, " and ")));
    }
    if (passed_.for_graphs > 0) {
      reasons.push_back(fmt::format("{} launches were noted down for graphs", passed_.for_graphs));
    }
    if (passed_.unknown > 0) {
      reasons.push_back(fmt::format("{} launches are of kernels whose code came by another way", passed_.unknown));
    }
    std::error_code error;
    const bool first = wishes.process == std::to_string(getpid());
    if (reasons.empty() && (!first || fs::exists(wishes.folder, error))) return;
    if (reasons.empty()) reasons.emplace_back("no call of CUDA's driver that launches a kernel was seen");
    tell(fmt::format("nothing was recorded: {}", fmt::join(reasons, "; ")));
  }

  void after(std::unique_ptr<capture::Capture> kept) {
    if (kept == nullptr) return;
    if (call_driver("cuCtxSynchronize") != kDone) {
      tell("the launch failed: what it left is missing in its capture");
    } else {
      for (std::size_t i = 0; i < kept->buffers.size(); ++i) {
        std::optional<std::string> bytes = recorder::memory_at(kept->buffers[i].address, kept->buffers[i].size);
        if (bytes) kept->launches.front().outputs.push_back({i, *std::move(bytes)});
      }
    }
    write(*kept);
  }

 private:
  void add(Handle module, driver::Image image, bool library) {
    auto text = std::make_shared<LoadedText>();
    text->handle = module;
    text->library = library;
    if (image.kind == driver::Image::Kind::ptx) {
      text->ptx = std::move(image.text);
      base::Result<race::ptx::Module> read = race::ptx::read_module(base::Source("module.ptx", text->ptx));
      if (read) text->module = *std::move(read);
    }
    if (image.kind != driver::Image::Kind::machine_code) text->problem = "its PTX cannot be read";
    const std::lock_guard lock(mutex_);
    modules_[module] = std::move(text);
  }

  static void left_out(const KnownKernel& known, std::string_view why) {
    tell(fmt::format("a launch of {} is left out: {}", known.name, why));
  }

  // Nothing if the program gave fewer than the kernel takes.
  static std::vector<std::string> bytes_of(const race::ptx::Function& kernel, void** arguments, void** extra) {
    // Without a list the arguments lie in one buffer, aligned, whose size the program states.
    const char* buffer = nullptr;
    std::uint64_t size = 0;
    for (void** word = extra; arguments == nullptr && word != nullptr && word[0] != nullptr; word += 2) {
      if (reinterpret_cast<std::uintptr_t>(word[0]) == kArgumentBuffer) buffer = static_cast<const char*>(word[1]);
      if (reinterpret_cast<std::uintptr_t>(word[0]) == kArgumentBufferSize) {
        size = *static_cast<const std::size_t*>(word[1]);
      }
    }
    std::vector<std::string> all;
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
      const race::ptx::Variable& parameter = kernel.parameters[i];
      const std::uint64_t alignment = std::max<std::uint64_t>({parameter.alignment, parameter.element(), 1});
      offset = (offset + alignment - 1) / alignment * alignment;
      const bool in_buffer = buffer != nullptr && offset <= size && parameter.size() <= size - offset;
      const char* from = arguments != nullptr ? static_cast<const char*>(arguments[i])
                         : in_buffer          ? buffer + offset
                                              : nullptr;
      if (from == nullptr) return {};
      all.emplace_back(from, parameter.size());
      offset += parameter.size();
    }
    return all;
  }

  // The kernel, its arguments, and the allocations that they lead to. Nothing else is looked at.
  static std::unique_ptr<capture::Capture> snapshot(const KnownKernel& known, const race::LaunchShape& shape,
                                                    void** arguments, void** extra) {
    const auto& functions = known.text->module->functions;
    const auto entry = std::find_if(functions.begin(), functions.end(), [&](const race::ptx::Function& one) {
      return one.entry && one.defined && one.name == known.name;
    });
    if (entry == functions.end()) return left_out(known, "its PTX has no such kernel"), nullptr;
    auto kept = std::make_unique<capture::Capture>();
    kept->program = Wishes::get().program;
    const base::Result<race::Architecture> architecture =
        race::parse_architecture(fmt::format("sm_{}", device_architecture()));
    if (architecture) kept->architecture = *architecture;
    kept->modules.push_back({known.name + ".ptx", known.text->ptx});
    capture::Capture::Launch launch;
    launch.kernel = known.name;
    launch.shape = shape;
    launch.arguments = bytes_of(*entry, arguments, extra);
    if (launch.arguments.size() != entry->parameters.size()) {
      return left_out(known, "its arguments are not those of its PTX"), nullptr;
    }
    if (call_driver("cuCtxSynchronize") != kDone) return left_out(known, "work before it failed"), nullptr;
    recorder::Reach reach(*kept, Wishes::get().most_bytes);
    reach.add_variables(*known.text->module, known.name, known.text->handle, known.text->library);
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) reach.add_argument(launch.arguments[i], i);
    reach.follow_memory();
    if (reach.too_large()) {
      left_out(known, fmt::format("it reaches more than {} bytes (--max-size)", Wishes::get().most_bytes));
      return nullptr;
    }
    kept->launches.push_back(std::move(launch));
    return kept;
  }

  // A folder that nobody has yet: several processes may write to the same place.
  static void write(const capture::Capture& kept) {
    std::string name = kept.launches.front().kernel.substr(0, 100);
    std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
    std::error_code error;
    fs::create_directories(Wishes::get().folder, error);
    for (unsigned number = 1; number < 10'000; ++number) {
      const fs::path folder = fs::path(Wishes::get().folder) / fmt::format("{}-{}", name, number);
      if (!fs::create_directory(folder, error)) {
        if (error) break;
        continue;
      }
      const base::Status written = capture::write_files(capture::files_of(kept), folder.string());
      tell(written ? "wrote " + folder.string() : written.errors().front().message);
      return;
    }
    tell(fmt::format("cannot write to {}: {}", Wishes::get().folder, error.message()));
  }

  // Launches that were not recorded, and why.
  struct Passed {
    std::uint64_t of_others = 0, for_graphs = 0, unknown = 0;
    std::set<std::string> names;  // of other kernels, the first few
    bool any_chosen = false;
  };
  static constexpr std::size_t kShownNames = 3;

  std::mutex mutex_;
  Passed passed_;
  std::map<Handle, std::shared_ptr<LoadedText>> modules_;  // modules and libraries
  std::map<Handle, KnownKernel> kernels_;                  // functions and kernels
};

race::LaunchShape shape_of(const unsigned* grid, const unsigned* block, unsigned shared) {
  race::LaunchShape shape;
  for (unsigned axis = 0; axis < 3; ++axis) {
    shape.grid[axis] = grid[axis];
    shape.block[axis] = block[axis];
  }
  shape.shared = shared;
  return shape;
}

Code launch_as(const char* name, Handle kernel, const unsigned (&grid)[3], const unsigned (&block)[3], unsigned shared,
               Handle stream, void** arguments, void** extra) {
  auto kept = Recorder::get().before(kernel, shape_of(grid, block, shared), stream, arguments, extra);
  const Code code = call_driver(name, kernel, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared, stream,
                                arguments, extra);
  if (code == kDone) Recorder::get().after(std::move(kept));
  return code;
}

Code launch_together_as(const char* name, Handle kernel, const unsigned (&grid)[3], const unsigned (&block)[3],
                        unsigned shared, Handle stream, void** arguments) {
  race::LaunchShape shape = shape_of(grid, block, shared);
  shape.cooperative = true;
  auto kept = Recorder::get().before(kernel, shape, stream, arguments, nullptr);
  const Code code =
      call_driver(name, kernel, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared, stream, arguments);
  if (code == kDone) Recorder::get().after(std::move(kept));
  return code;
}

Code launch_configured_as(const char* name, const LaunchConfiguration* config, Handle kernel, void** arguments,
                          void** extra) {
  std::unique_ptr<capture::Capture> kept;
  if (config != nullptr) {
    race::LaunchShape shape = shape_of(config->grid, config->block, config->shared);
    for (unsigned i = 0; i < config->attribute_count; ++i) {
      const LaunchConfiguration::Attribute& one = config->attributes[i];
      if (one.id == kClusterAttribute) shape.cluster = {one.value[0], one.value[1], one.value[2]};
      if (one.id == kCooperativeAttribute) shape.cooperative = one.value[0] != 0;
    }
    kept = Recorder::get().before(kernel, shape, config->stream, arguments, extra);
  }
  const Code code = call_driver(name, config, kernel, arguments, extra);
  if (code == kDone) Recorder::get().after(std::move(kept));
  return code;
}

}  // namespace

extern "C" {

Code cuModuleLoad(Handle* module, const char* path) {
  const Code code = call_driver("cuModuleLoad", module, path);
  if (code == kDone) Recorder::get().loaded_file(*module, path, false);
  return code;
}
Code cuModuleLoadData(Handle* module, const void* image) {
  const Code code = call_driver("cuModuleLoadData", module, image);
  if (code == kDone) Recorder::get().loaded(*module, image, false);
  return code;
}
Code cuModuleLoadDataEx(Handle* module, const void* image, unsigned count, int* options, void** values) {
  const Code code = call_driver("cuModuleLoadDataEx", module, image, count, options, values);
  if (code == kDone) Recorder::get().loaded(*module, image, false);
  return code;
}
Code cuModuleLoadFatBinary(Handle* module, const void* image) {
  const Code code = call_driver("cuModuleLoadFatBinary", module, image);
  if (code == kDone) Recorder::get().loaded(*module, image, false);
  return code;
}
Code cuLibraryLoadData(Handle* library, const void* image, int* options, void** values, unsigned count,
                       int* library_options, void** library_values, unsigned library_count) {
  const Code code = call_driver("cuLibraryLoadData", library, image, options, values, count, library_options,
                                library_values, library_count);
  if (code == kDone) Recorder::get().loaded(*library, image, true);
  return code;
}
Code cuLibraryLoadFromFile(Handle* library, const char* path, int* options, void** values, unsigned count,
                           int* library_options, void** library_values, unsigned library_count) {
  const Code code = call_driver("cuLibraryLoadFromFile", library, path, options, values, count, library_options,
                                library_values, library_count);
  if (code == kDone) Recorder::get().loaded_file(*library, path, true);
  return code;
}
Code cuLibraryGetModule(Handle* module, Handle library) {
  const Code code = call_driver("cuLibraryGetModule", module, library);
  if (code == kDone) Recorder::get().same_module(library, *module);
  return code;
}
Code cuModuleGetFunction(Handle* function, Handle module, const char* name) {
  const Code code = call_driver("cuModuleGetFunction", function, module, name);
  if (code == kDone) Recorder::get().named(module, *function, name);
  return code;
}
Code cuLibraryGetKernel(Handle* kernel, Handle library, const char* name) {
  const Code code = call_driver("cuLibraryGetKernel", kernel, library, name);
  if (code == kDone) Recorder::get().named(library, *kernel, name);
  return code;
}
Code cuKernelGetFunction(Handle* function, Handle kernel) {
  const Code code = call_driver("cuKernelGetFunction", function, kernel);
  if (code == kDone) Recorder::get().same_kernel(kernel, *function);
  return code;
}

// Each launching function twice: with the stream of all threads as the default, and with one of each thread.
#define WEAKSPOT_LAUNCHES(suffix)                                                                                      \
  Code cuLaunchKernel##suffix(Handle kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,          \
                              unsigned bz, unsigned shared, Handle stream, void** arguments, void** extra) {           \
    return launch_as("cuLaunchKernel" #suffix, kernel, {gx, gy, gz}, {bx, by, bz}, shared, stream, arguments, extra);  \
  }                                                                                                                    \
  Code cuLaunchCooperativeKernel##suffix(Handle kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx,            \
                                         unsigned by, unsigned bz, unsigned shared, Handle stream, void** arguments) { \
    return launch_together_as("cuLaunchCooperativeKernel" #suffix, kernel, {gx, gy, gz}, {bx, by, bz}, shared, stream, \
                              arguments);                                                                              \
  }                                                                                                                    \
  Code cuLaunchKernelEx##suffix(const LaunchConfiguration* config, Handle kernel, void** arguments, void** extra) {    \
    return launch_configured_as("cuLaunchKernelEx" #suffix, config, kernel, arguments, extra);                         \
  }
WEAKSPOT_LAUNCHES()
WEAKSPOT_LAUNCHES(_ptsz)
#undef WEAKSPOT_LAUNCHES

Code cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags);
Code cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t flags, int* status);

}  // extern "C"

namespace {

struct Replaced {
  const char* name;
  void* ours;
};
[[gnu::destructor]] void end_of_process() { Recorder::get().end(); }

const Replaced kReplaced[] = {
#define WEAKSPOT_REPLACED(name) {#name, reinterpret_cast<void*>(&name)},
    WEAKSPOT_REPLACED(cuModuleLoad) WEAKSPOT_REPLACED(cuLibraryLoadFromFile) WEAKSPOT_REPLACED(cuModuleLoadData)
        WEAKSPOT_REPLACED(cuModuleLoadDataEx) WEAKSPOT_REPLACED(cuModuleLoadFatBinary)
            WEAKSPOT_REPLACED(cuLibraryLoadData) WEAKSPOT_REPLACED(cuLibraryGetModule)
                WEAKSPOT_REPLACED(cuModuleGetFunction) WEAKSPOT_REPLACED(cuLibraryGetKernel)
                    WEAKSPOT_REPLACED(cuKernelGetFunction) WEAKSPOT_REPLACED(cuLaunchKernel)
                        WEAKSPOT_REPLACED(cuLaunchKernel_ptsz) WEAKSPOT_REPLACED(cuLaunchCooperativeKernel)
                            WEAKSPOT_REPLACED(cuLaunchCooperativeKernel_ptsz) WEAKSPOT_REPLACED(cuLaunchKernelEx)
                                WEAKSPOT_REPLACED(cuLaunchKernelEx_ptsz) WEAKSPOT_REPLACED(cuGetProcAddress)
                                    WEAKSPOT_REPLACED(cuGetProcAddress_v2)
#undef WEAKSPOT_REPLACED
};

// The recorder's function in the place of one of the driver's, which is told by its address: a name stands for
// functions of several versions.
void* in_place_of(void* function) {
  for (const Replaced& one : kReplaced) {
    if (function != nullptr && driver_function(one.name) == function) return one.ours;
  }
  return function;
}

}  // namespace

extern "C" {

Code cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags) {
  const Code code = call_driver("cuGetProcAddress", name, function, version, flags);
  if (code == kDone && function != nullptr) *function = in_place_of(*function);
  return code;
}
Code cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t flags, int* status) {
  const Code code = call_driver("cuGetProcAddress_v2", name, function, version, flags, status);
  if (code == kDone && function != nullptr) *function = in_place_of(*function);
  return code;
}

// For all other names the way through here must not show: RTLD_NEXT goes by the caller.
void* dlsym(void* handle, const char* name) noexcept {
  const Dlsym real = real_dlsym();
  if (real == nullptr) return nullptr;
  if (name == nullptr || name[0] != 'c' || name[1] != 'u' || handle == RTLD_NEXT) return real(handle, name);
  void* found = real(handle, name);
  for (const Replaced& one : kReplaced) {
    if (found != nullptr && found != one.ours && std::strcmp(one.name, name) == 0) return one.ours;
  }
  return found;
}

}  // extern "C"

}  // namespace weakspot::race_jit
