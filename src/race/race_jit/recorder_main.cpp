// SPDX-License-Identifier: MIT
// The recorder of 'weakspot capture': a library that is loaded before a program's others (LD_PRELOAD). It stands
// between the program and CUDA's driver where modules are loaded and kernels are launched, and writes chosen launches
// as captures. Whatever goes wrong here, the program gets what the driver says.
//
// Programs come to the driver in three ways, and the recorder stands in each: they are linked with it, they look for
// its functions with dlsym(), or they ask it with cuGetProcAddress(), as CUDA's runtime does.
#include <dlfcn.h>
#include <fmt/format.h>
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
#include <string>
#include <vector>

#include "base/source.h"
#include "capture/capture.h"
#include "race/ptx_text.h"
#include "race_jit/driver/image.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;
using Code = int;  // CUresult
using Handle = void*;
constexpr Code kDone = 0, kNotFoundCode = 500;

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

using Dlsym = void* (*)(void*, const char*);
Dlsym real_dlsym() {
#if defined(__x86_64__)
  constexpr const char* kFirstVersion = "GLIBC_2.2.5";
#else
  constexpr const char* kFirstVersion = "GLIBC_2.17";
#endif
  static const auto found = [&] {
    void* function = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    if (function == nullptr) function = dlvsym(RTLD_NEXT, "dlsym", kFirstVersion);
    return reinterpret_cast<Dlsym>(function);
  }();
  return found;
}

// The driver's own function; null without a driver.
void* driver_function(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  return driver == nullptr || real_dlsym() == nullptr ? nullptr : real_dlsym()(driver, name);
}

template <typename... Arguments>
Code call_driver(const char* name, Arguments... arguments) {
  auto* function = reinterpret_cast<Code (*)(Arguments...)>(driver_function(name));
  return function == nullptr ? kNotFoundCode : function(arguments...);
}

void tell(const std::string& line) {
  const std::string text = "weakspot capture: " + line + "\n";
  (void)!write(STDERR_FILENO, text.data(), text.size());
}

// What 'weakspot capture' asks for, by variables of the environment.
struct Wishes {
  std::string folder, kernel;
  std::uint64_t most_bytes = std::uint64_t{64} << 20;
  unsigned launches = 1;  // of each kernel

  static const Wishes& get() {
    static const Wishes wishes = [] {
      Wishes read;
      const auto text = [](const char* name) { return std::string(getenv(name) != nullptr ? getenv(name) : ""); };
      read.folder = text("WEAKSPOT_CAPTURE_FOLDER");
      read.kernel = text("WEAKSPOT_CAPTURE_KERNEL");
      if (const std::string size = text("WEAKSPOT_CAPTURE_BYTES"); !size.empty()) read.most_bytes = std::stoull(size);
      if (const std::string count = text("WEAKSPOT_CAPTURE_LAUNCHES"); !count.empty()) {
        read.launches = static_cast<unsigned>(std::stoul(count));
      }
      return read;
    }();
    return wishes;
  }
};

// A module that was loaded, or why its kernels cannot be captured.
struct LoadedText {
  std::string ptx;
  std::optional<race::ptx::Module> module;
};

struct KnownKernel {
  std::shared_ptr<LoadedText> text;
  std::string name;
  unsigned launches = 0;
};

class Recorder {
 public:
  static Recorder& get() {
    static auto* const recorder = new Recorder;  // programs launch kernels while they end, too
    return *recorder;
  }

  void loaded(Handle module, const void* image) {
    constexpr unsigned kNewest = 1000;  // of several texts the newest: which device there is does not matter here
    auto text = std::make_shared<LoadedText>();
    driver::Image found = driver::image_at(image, kNewest);
    if (found.kind == driver::Image::Kind::ptx) {
      text->ptx = std::move(found.text);
      base::Result<race::ptx::Module> read = race::ptx::read_module(base::Source("module.ptx", text->ptx));
      if (read) text->module = *std::move(read);
    }
    const std::lock_guard lock(mutex_);
    modules_[module] = std::move(text);
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
      if (found == kernels_.end() || found->second.launches >= wishes.launches) return nullptr;
      if (!wishes.kernel.empty() && found->second.name.find(wishes.kernel) == std::string::npos) return nullptr;
      // Work that a stream only notes down is not made now, and must not be waited for.
      int capturing = 0;
      if (call_driver("cuStreamIsCapturing", stream, &capturing) == kDone && capturing != 0) return nullptr;
      ++found->second.launches;
      known = found->second;
    }
    if (!known.text->module) {
      tell(fmt::format("kernel {} is there as machine code alone, or its PTX cannot be read: it is left out",
                       known.name));
      return nullptr;
    }
    return snapshot(known, shape, arguments, extra);
  }

  void after(std::unique_ptr<capture::Capture> kept) {
    if (kept == nullptr) return;
    if (call_driver("cuCtxSynchronize") != kDone) {
      tell("the launch failed: what it left is missing in its capture");
    } else {
      for (std::size_t i = 0; i < kept->buffers.size(); ++i) {
        std::optional<std::string> bytes = memory_at(kept->buffers[i].address, kept->buffers[i].size);
        if (bytes) kept->launches.front().outputs.push_back({i, *std::move(bytes)});
      }
    }
    write(*kept);
  }

 private:
  static std::optional<std::string> memory_at(std::uint64_t address, std::uint64_t size) {
    std::string bytes(size, '\0');
    if (call_driver("cuMemcpyDtoH_v2", static_cast<void*>(bytes.data()), address, static_cast<std::size_t>(size)) !=
        kDone) {
      return std::nullopt;
    }
    return bytes;
  }

  static std::vector<std::string> bytes_of(const race::ptx::Function& kernel, void** arguments, void** extra) {
    std::vector<std::string> all;
    // CU_LAUNCH_PARAM_BUFFER_POINTER is 1; the arguments lie in one buffer, aligned.
    const char* buffer = nullptr;
    for (void** word = extra; arguments == nullptr && word != nullptr && word[0] != nullptr; word += 2) {
      if (reinterpret_cast<std::uintptr_t>(word[0]) == 1) buffer = static_cast<const char*>(word[1]);
    }
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
      const race::ptx::Variable& parameter = kernel.parameters[i];
      const std::uint64_t alignment = std::max<std::uint64_t>({parameter.alignment, parameter.element(), 1});
      offset = (offset + alignment - 1) / alignment * alignment;
      const char* from = arguments != nullptr ? static_cast<const char*>(arguments[i])
                         : buffer != nullptr  ? buffer + offset
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
    if (entry == functions.end()) return nullptr;
    auto kept = std::make_unique<capture::Capture>();
    kept->program = "weakspot capture";
    kept->modules.push_back({known.name + ".ptx", known.text->ptx});
    capture::Capture::Launch launch;
    launch.kernel = known.name;
    launch.shape = shape;
    launch.arguments = bytes_of(*entry, arguments, extra);
    if (launch.arguments.size() != entry->parameters.size()) return nullptr;
    if (call_driver("cuCtxSynchronize") != kDone) return nullptr;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
      const std::string& bytes = launch.arguments[i];
      for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0, begin = 0;
        std::size_t size = 0;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        if (word == 0 || call_driver("cuMemGetAddressRange_v2", &begin, &size, word) != kDone || size == 0) continue;
        const bool seen = std::any_of(kept->buffers.begin(), kept->buffers.end(),
                                      [&](const capture::Capture::Buffer& other) { return other.address == begin; });
        if (seen) continue;
        total += size;
        if (total > Wishes::get().most_bytes) {
          tell(fmt::format("a launch of {} reaches more than {} bytes (--max-size): it is left out", known.name,
                           Wishes::get().most_bytes));
          return nullptr;
        }
        std::optional<std::string> contents = memory_at(begin, size);
        if (!contents) continue;
        kept->buffers.push_back({fmt::format("argument_{}", i), begin, size, *std::move(contents)});
      }
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

  std::mutex mutex_;
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

Code cuModuleLoadData(Handle* module, const void* image) {
  const Code code = call_driver("cuModuleLoadData", module, image);
  if (code == kDone) Recorder::get().loaded(*module, image);
  return code;
}
Code cuModuleLoadDataEx(Handle* module, const void* image, unsigned count, int* options, void** values) {
  const Code code = call_driver("cuModuleLoadDataEx", module, image, count, options, values);
  if (code == kDone) Recorder::get().loaded(*module, image);
  return code;
}
Code cuModuleLoadFatBinary(Handle* module, const void* image) {
  const Code code = call_driver("cuModuleLoadFatBinary", module, image);
  if (code == kDone) Recorder::get().loaded(*module, image);
  return code;
}
Code cuLibraryLoadData(Handle* library, const void* image, int* options, void** values, unsigned count,
                       int* library_options, void** library_values, unsigned library_count) {
  const Code code = call_driver("cuLibraryLoadData", library, image, options, values, count, library_options,
                                library_values, library_count);
  if (code == kDone) Recorder::get().loaded(*library, image);
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
const Replaced kReplaced[] = {
#define WEAKSPOT_REPLACED(name) {#name, reinterpret_cast<void*>(&name)},
    WEAKSPOT_REPLACED(cuModuleLoadData) WEAKSPOT_REPLACED(cuModuleLoadDataEx) WEAKSPOT_REPLACED(cuModuleLoadFatBinary)
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
