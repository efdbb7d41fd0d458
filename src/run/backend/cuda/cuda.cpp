// SPDX-License-Identifier: MIT
#include "backend/cuda/cuda.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <thread>

#include "backend/cuda/cuda_image.h"
#include "backend/cuda_driver.h"
#include "backend/driver/owned.h"
#include "backend/driver/shared_kernels.h"
#include "base/check.h"
#include "base/source.h"

namespace weakspot::backend {
namespace {

using cuda::Code;
using cuda::Driver;
using cuda::kSuccess;
using Clock = std::chrono::steady_clock;

base::Diagnostic failure(const Driver& driver, std::string_view what, Code code) {
  return base::error(fmt::format("cuda: {}: {}", what, driver.describe(code)));
}

using OwnedLibrary = Owned<cuda::Library, ReleaseBy<Driver, &Driver::LibraryUnload>>;
using OwnedModule = Owned<cuda::Module, ReleaseBy<Driver, &Driver::ModuleUnload>>;
using OwnedMemory = Owned<cuda::Pointer, ReleaseBy<Driver, &Driver::MemFree>>;
using OwnedStream = Owned<cuda::Stream, ReleaseBy<Driver, &Driver::StreamDestroy>>;
using OwnedTexture = Owned<cuda::Texture, ReleaseBy<Driver, &Driver::TexObjectDestroy>>;
using OwnedEvent = Owned<cuda::Event, ReleaseBy<Driver, &Driver::EventDestroy>>;

// A compiled kernel, in a library or a module.
struct Kernel {
  OwnedLibrary library;
  OwnedModule module;
  cuda::Module code_of = nullptr;  // the module that has the function, whoever owns it
  cuda::Function function = nullptr;
  std::shared_ptr<const MachineCode> code;  // if it is to be inspected
};
using Kernels = std::vector<std::shared_ptr<Kernel>>;

struct Allocation {
  OwnedMemory memory;
  std::uint64_t words = 0;
};

// Memory and streams shared by the programs of a device, because one of them runs at a time: the next one need not
// allocate again.
struct Workplace {
  std::vector<Allocation> allocations;  // by the number of the buffer
  OwnedStream stream;
  OwnedStream side_stream;
  std::vector<OwnedEvent> events;
};

int attribute(const Driver& driver, cuda::DeviceNumber device, int which) {
  int value = 0;
  return driver.DeviceGetAttribute(&value, which, device) == kSuccess ? value : 0;
}

base::Result<DeviceInfo> describe_device(const Driver& driver, int ordinal) {
  cuda::DeviceNumber device = 0;
  if (const Code code = driver.DeviceGet(&device, ordinal); code != kSuccess) {
    return failure(driver, fmt::format("device {}", ordinal), code);
  }
  DeviceInfo info;
  info.id = fmt::format("cuda:{}", ordinal);
  char name[256] = {};
  if (driver.DeviceGetName(name, sizeof name - 1, device) == kSuccess) info.name = name;
  int version = 0;
  if (driver.DriverGetVersion(&version) == kSuccess) {
    info.driver = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
  }
  std::size_t bytes = 0;
  if (driver.DeviceTotalMem(&bytes, device) == kSuccess) info.memory_bytes = bytes;
  auto number = [&](int which) { return static_cast<std::uint32_t>(attribute(driver, device, which)); };
  info.multiprocessors = number(cuda::kMultiprocessorCount);
  info.l2_bytes = number(cuda::kL2CacheSize);
  info.limits.subgroup_size = number(cuda::kWarpSize);
  info.limits.max_workgroup_size = number(cuda::kMaxThreadsPerBlock);
  info.limits.max_shared_bytes = number(cuda::kMaxSharedMemoryPerBlock);
  info.limits.ptx_arch = number(cuda::kComputeCapabilityMajor) * 10 + number(cuda::kComputeCapabilityMinor);
  info.limits.max_cluster = info.limits.ptx_arch >= 90 ? 8 : 1;
  info.loads_in_parallel = driver.LibraryLoadData != nullptr;  // the driver compiles in the calling thread
  return info;
}

// The driver's log names lines ("..., line 12; error : ..."): each becomes a diagnostic that shows the line.
base::Diagnostics compile_errors(const std::string& text, std::string_view log, const std::string& reason) {
  const base::Source source("program.ptx", text);
  base::Diagnostics errors;
  std::size_t begin = 0;
  while (begin < log.size()) {
    const std::size_t end = std::min(log.find('\n', begin), log.size());
    const std::string_view line = log.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t at = line.find("line ");
    if (at == std::string_view::npos || line.find("error") == std::string_view::npos) continue;
    std::size_t number = 0;
    std::from_chars(line.data() + at + 5, line.data() + line.size(), number);
    std::size_t offset = 0;
    for (std::size_t i = 1; i < number && offset != std::string::npos; ++i) {
      offset = text.find('\n', offset);
      if (offset != std::string::npos) ++offset;
    }
    if (number == 0 || offset == std::string::npos) continue;
    const std::size_t message = line.find(": ", at);
    const auto first = static_cast<std::uint32_t>(std::min(text.find_first_not_of(" \t", offset), text.size()));
    const auto last = static_cast<std::uint32_t>(std::min(text.find('\n', first), text.size()));
    errors.push_back(base::error_at(source, {first, std::max(last, first + 1)},
                                    std::string(message == std::string_view::npos ? line : line.substr(message + 2))));
  }
  if (errors.empty()) {
    errors.push_back(base::error(fmt::format("cuda: the driver cannot compile the program: {}{}{}", reason,
                                             log.empty() ? "" : "; it says: ", log)));
  }
  return errors;
}

class CudaProgram final : public LoadedProgram {
 public:
  CudaProgram(const Driver& driver, cuda::Context context, const DeviceInfo& info, Workplace& place, Kernels kernels,
              const codegen::DeviceProgram& program)
      : driver_(driver),
        context_(context),
        info_(info),
        place_(place),
        kernels_(std::move(kernels)),
        buffers_(program.buffers.size()),
        viewed_(program.viewed) {
    for (std::size_t i = 0; i < program.entries.size(); ++i) {
      sizes_.push_back(program.entries[i].workgroup_size);
      needs_texture_ = needs_texture_ || program.entries[i].texture;
      if (program.entries[i].constant) constant_entry_ = i;
    }
  }

  std::uint32_t resident_workgroups(std::uint32_t entry) const override {
    driver_.CtxSetCurrent(context_);
    const cuda::Function function = kernels_.at(entry)->function;
    if (const std::uint32_t blocks = resident_in_clusters(function, sizes_.at(entry)); blocks != 0) return blocks;
    int blocks = 0;
    driver_.OccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, static_cast<int>(sizes_.at(entry)), 0);
    return std::max(1u, static_cast<std::uint32_t>(std::max(blocks, 0)) * info_.multiprocessors);
  }

  base::Result<RunResult> run(const codegen::Launch& launch, std::chrono::milliseconds deadline) override {
    WEAKSPOT_CHECK(launch.buffers.size() == buffers_);
    const Clock::time_point start = Clock::now();
    driver_.CtxSetCurrent(context_);
    if (base::Status status = prepare(launch); !status) return status.errors();

    RunResult result;
    const Code code = execute(launch, start + deadline, result);
    if (code != kSuccess && result.status != RunStatus::lost) {
      result.status = RunStatus::lost;
      result.message = driver_.describe(code);
    }
    if (result.status != RunStatus::lost) {
      if (const Code read = read_back(launch, result); read != kSuccess) {
        result.status = RunStatus::lost;
        result.message = driver_.describe(read);
      }
    }
    result.host_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return result;
  }

  MachineCode machine_code() const override {
    for (const std::shared_ptr<Kernel>& kernel : kernels_) {
      if (kernel->code) return *kernel->code;
    }
    return {};
  }

  bool release_memory() override { return true; }  // a program has no memory of its own

 private:
  // Rounds that may wait in the stream: enough to keep the device busy, few enough to stop soon.
  static constexpr std::size_t kQueued = 3;

  // The workgroups of all clusters that fit: a cluster stays within a part of the device, so fewer than without. 0 if
  // the kernel has no clusters, or the driver does not say.
  std::uint32_t resident_in_clusters(cuda::Function function, std::uint32_t workgroup_size) const {
    if (driver_.OccupancyMaxActiveClusters == nullptr) return 0;
    int width = 0;
    if (driver_.FuncGetAttribute(&width, cuda::kRequiredClusterWidth, function) != kSuccess || width <= 1) return 0;
    cuda::LaunchConfig config;
    config.grid[0] = static_cast<unsigned>(width);
    config.block[0] = workgroup_size;
    int clusters = 0;
    if (driver_.OccupancyMaxActiveClusters(&clusters, function, &config) != kSuccess || clusters <= 0) return 0;
    return static_cast<std::uint32_t>(clusters) * static_cast<std::uint32_t>(width);
  }

  base::Status prepare(const codegen::Launch& launch) {
    for (const codegen::Pass& pass : launch.passes) {
      if (pass.dependent && driver_.LaunchKernelEx == nullptr) {
        return base::error("cuda: the driver is too old for dependent launches: it has no cuLaunchKernelEx");
      }
      const std::uint32_t fit = resident_workgroups(pass.entry);
      if (!pass.all_resident || pass.workgroups <= fit) continue;
      return base::error(fmt::format("cuda: {} workgroups of {} threads must run at once; {} fit on {}",
                                     pass.workgroups, sizes_.at(pass.entry), fit, info_.id));
    }
    if (base::Status status = find_constant_memory(launch); !status) return status;
    std::vector<Allocation>& allocations = place_.allocations;
    if (allocations.size() < buffers_) allocations.resize(buffers_);
    for (std::size_t i = 0; i < buffers_; ++i) {
      if (constant_entry_ && i == viewed_) continue;
      const std::uint64_t words = std::max<std::uint64_t>(launch.buffers[i].words, 1);
      if (allocations[i].words >= words) continue;
      allocations[i] = {};
      cuda::Pointer pointer = 0;
      const Code code = driver_.MemAlloc(&pointer, words * 4);
      if (code == cuda::kOutOfMemory) {
        return base::error(fmt::format("cuda: out of memory: another {} MiB do not fit on {}", words >> 18, info_.id));
      }
      if (code != kSuccess) return failure(driver_, "allocation", code);
      allocations[i] = {OwnedMemory(pointer, {&driver_}), words};
    }
    if (base::Status status = make_texture(launch); !status) return status;
    for (OwnedStream* stream : {&place_.stream, &place_.side_stream}) {
      if (stream->get() != nullptr) continue;
      cuda::Stream made = nullptr;
      if (const Code code = driver_.StreamCreate(&made, cuda::kStreamNonBlocking); code != kSuccess) {
        return failure(driver_, "stream", code);
      }
      *stream = OwnedStream(made, {&driver_});
    }
    while (place_.events.size() < kQueued + 2) {
      cuda::Event made = nullptr;
      if (const Code code = driver_.EventCreate(&made, 0); code != kSuccess) return failure(driver_, "event", code);
      place_.events.push_back(OwnedEvent(made, {&driver_}));
    }
    return base::ok_status();
  }

  // The viewed buffer of a program that reads constant memory is that memory, at the address by which it can be stored
  // to. Only one kernel of a program may read it: each is compiled alone and has its own.
  base::Status find_constant_memory(const codegen::Launch& launch) {
    if (!constant_entry_) return base::ok_status();
    if (driver_.TexObjectCreate == nullptr) return base::error("cuda: the driver does not show constant memory");
    std::size_t bytes = 0;
    const Code code = driver_.ModuleGetGlobal(&constant_memory_, &bytes, kernels_.at(*constant_entry_)->code_of,
                                              codegen::kConstantMemory);
    if (code != kSuccess) return failure(driver_, "constant memory", code);
    WEAKSPOT_CHECK(launch.buffers[viewed_].words * 4 <= bytes);
    return base::ok_status();
  }

  base::Status make_texture(const codegen::Launch& launch) {
    if (!needs_texture_) return base::ok_status();
    if (driver_.TexObjectCreate == nullptr) return base::error("cuda: the driver has no texture objects");
    cuda::LinearResource resource;
    resource.pointer = word(viewed_, 0);
    resource.bytes = std::max<std::uint64_t>(launch.buffers[viewed_].words, 1) * 4;
    const cuda::TextureDescription description;
    cuda::Texture made = 0;
    const Code code = driver_.TexObjectCreate(&made, &resource, &description, nullptr);
    if (code != kSuccess) return failure(driver_, "texture", code);
    texture_ = OwnedTexture(made, {&driver_});
    return base::ok_status();
  }

  cuda::Pointer word(std::uint32_t buffer, std::uint64_t index) const {
    if (constant_entry_ && buffer == viewed_) return constant_memory_ + index * 4;
    return place_.allocations[buffer].memory.get() + index * 4;
  }

  Code fill_once(const codegen::Launch& launch) {
    Code code = kSuccess;
    for (std::uint32_t i = 0; i < launch.buffers.size() && code == kSuccess; ++i) {
      const codegen::BufferSetup& buffer = launch.buffers[i];
      if (buffer.zero_first && buffer.words != 0) {
        code = driver_.MemsetD32Async(word(i, 0), 0, buffer.words, place_.stream.get());
      }
      if (code == kSuccess && !buffer.content.empty()) {
        code =
            driver_.MemcpyHtoDAsync(word(i, 0), buffer.content.data(), buffer.content.size() * 4, place_.stream.get());
      }
    }
    return code;
  }

  Code enqueue_round(const codegen::Launch& launch, std::uint32_t round) {
    Code code = driver_.MemsetD32Async(word(launch.control, launch.round_word), round, 1, place_.stream.get());
    for (std::uint32_t i = 0; i < launch.buffers.size() && code == kSuccess; ++i) {
      if (!launch.buffers[i].zero_each_round || launch.buffers[i].words == 0) continue;
      code = driver_.MemsetD32Async(word(i, 0), 0, launch.buffers[i].words, place_.stream.get());
    }
    std::vector<cuda::Pointer> pointers;
    std::vector<void*> arguments;
    pointers.reserve(buffers_);
    arguments.reserve(buffers_ + 1);
    for (std::uint32_t i = 0; i < buffers_; ++i) pointers.push_back(word(i, 0));
    for (cuda::Pointer& pointer : pointers) arguments.push_back(&pointer);
    cuda::Texture texture = texture_.get();
    arguments.push_back(&texture);  // ignored by kernels without a parameter for it
    for (const codegen::Pass& pass : launch.passes) {
      if (code != kSuccess) break;
      const cuda::Function function = kernels_.at(pass.entry)->function;
      const unsigned size = sizes_.at(pass.entry);
      if (pass.dependent) {
        code = launch_dependent(function, pass.workgroups, size, arguments.data());
        continue;
      }
      code = pass.all_resident ? driver_.LaunchCooperativeKernel(function, pass.workgroups, 1, 1, size, 1, 1, 0,
                                                                 place_.stream.get(), arguments.data())
                               : driver_.LaunchKernel(function, pass.workgroups, 1, 1, size, 1, 1, 0,
                                                      place_.stream.get(), arguments.data(), nullptr);
    }
    return code;
  }

  // Without waiting for the launch before it, which says when this one may begin.
  Code launch_dependent(cuda::Function function, unsigned workgroups, unsigned size, void** arguments) {
    cuda::LaunchAttribute overlap;
    overlap.id = cuda::kProgrammaticStreamSerialization;
    overlap.value[0] = 1;
    cuda::LaunchConfig config;
    config.grid[0] = workgroups;
    config.block[0] = size;
    config.stream = place_.stream.get();
    config.attributes = &overlap;
    config.attribute_count = 1;
    return driver_.LaunchKernelEx(&config, function, arguments, nullptr);
  }

  // Waits until the event has happened; past the deadline it tells the kernels to stop and waits a little longer.
  Code await(cuda::Event event, const codegen::Launch& launch, Clock::time_point deadline, RunResult& result) {
    constexpr auto kGrace = std::chrono::seconds(3);
    static constexpr std::uint32_t kOne = 1;
    bool told = result.status == RunStatus::stopped;
    for (auto pause = std::chrono::microseconds(5);;) {
      const Code code = driver_.EventQuery(event);
      if (code != cuda::kNotReady) return code;
      const Clock::time_point now = Clock::now();
      if (now > deadline && !told) {
        told = true;
        result.status = RunStatus::stopped;
        driver_.MemcpyHtoDAsync(word(launch.control, launch.stop_word), &kOne, 4, place_.side_stream.get());
      }
      if (now > deadline + kGrace) {
        result.status = RunStatus::lost;
        result.message = "the device did not stop at the deadline";
        return cuda::kNotReady;
      }
      std::this_thread::sleep_for(pause);
      pause = std::min(pause * 2, std::chrono::microseconds(200));
    }
  }

  Code execute(const codegen::Launch& launch, Clock::time_point deadline, RunResult& result) {
    const cuda::Event first = place_.events[kQueued].get();
    const cuda::Event last = place_.events[kQueued + 1].get();
    Code code = driver_.EventRecord(first, place_.stream.get());
    if (code == kSuccess) code = fill_once(launch);
    std::uint32_t enqueued = 0;
    for (; enqueued < launch.rounds && code == kSuccess; ++enqueued) {
      if (enqueued >= kQueued) code = await(place_.events[enqueued % kQueued].get(), launch, deadline, result);
      if (code != kSuccess || result.status != RunStatus::finished) break;
      if (Clock::now() > deadline) {
        result.status = RunStatus::stopped;
        break;
      }
      code = enqueue_round(launch, enqueued);
      if (code == kSuccess) code = driver_.EventRecord(place_.events[enqueued % kQueued].get(), place_.stream.get());
    }
    if (code == kSuccess) code = driver_.EventRecord(last, place_.stream.get());
    if (code == kSuccess) code = await(last, launch, deadline, result);
    if (code != kSuccess) return code;
    result.rounds = enqueued;
    float milliseconds = 0;
    code = driver_.EventElapsedTime(&milliseconds, first, last);
    result.device_seconds = static_cast<double>(milliseconds) / 1000;
    return code;
  }

  Code read_back(const codegen::Launch& launch, RunResult& result) {
    result.buffers.resize(launch.buffers.size());
    for (std::uint32_t i = 0; i < launch.buffers.size(); ++i) {
      if (!launch.buffers[i].read_back) continue;
      result.buffers[i].resize(launch.buffers[i].words);
      const Code code = driver_.MemcpyDtoHAsync(result.buffers[i].data(), word(i, 0), launch.buffers[i].words * 4,
                                                place_.stream.get());
      if (code != kSuccess) return code;
    }
    return driver_.StreamSynchronize(place_.stream.get());
  }

  const Driver& driver_;
  cuda::Context context_;
  const DeviceInfo& info_;
  Workplace& place_;
  Kernels kernels_;                   // by entry
  std::vector<std::uint32_t> sizes_;  // workgroup sizes
  std::size_t buffers_;
  std::uint32_t viewed_;  // the buffer of the texture and of constant memory
  bool needs_texture_ = false;
  OwnedTexture texture_;
  std::optional<std::size_t> constant_entry_;
  cuda::Pointer constant_memory_ = 0;
};

class CudaDevice final : public Device {
 public:
  CudaDevice(const Driver& driver, DeviceInfo info, cuda::DeviceNumber number, cuda::Context context)
      : driver_(driver), info_(std::move(info)), number_(number), context_(context) {}
  ~CudaDevice() override {
    driver_.CtxSetCurrent(context_);
    place_ = {};
    driver_.DevicePrimaryCtxRelease(number_);
  }

  const DeviceInfo& info() const override { return info_; }

  std::uint64_t free_bytes() override {
    std::size_t free = 0;
    std::size_t total = 0;
    driver_.CtxSetCurrent(context_);
    return driver_.MemGetInfo(&free, &total) == kSuccess ? free : 0;
  }

  base::Result<std::unique_ptr<LoadedProgram>> load(const codegen::DeviceProgram& program) override {
    WEAKSPOT_CHECK(program.target == codegen::Target::ptx);
    driver_.CtxSetCurrent(context_);
    Kernels kernels;
    for (const codegen::Entry& entry : program.entries) {
      const std::string& text = entry.text.empty() ? program.text : entry.text;
      const std::string key = fmt::format("{} {}\n{}", entry.name, entry.inspected, text);
      auto kernel =
          shared_.get(key, [&] { return entry.inspected ? inspected(text, entry.name) : compile(text, entry.name); });
      if (!kernel) return kernel.errors();
      kernels.push_back(*std::move(kernel));
    }
    return std::unique_ptr<LoadedProgram>(
        std::make_unique<CudaProgram>(driver_, context_, info_, place_, std::move(kernels), program));
  }

 private:
  // From machine code that is kept. Where there is none to be had, the driver compiles as always.
  base::Result<std::shared_ptr<Kernel>> inspected(const std::string& text, const std::string& entry) {
    MachineCode code;
    base::Result<std::vector<std::uint8_t>> image = cuda::make_image(driver_, text, info_.limits.ptx_arch);
    base::Result<std::shared_ptr<Kernel>> kernel =
        image ? compile(std::string(image->begin(), image->end()), entry) : compile(text, entry);
    if (image && !kernel) {
      // Code of an assembler that is newer than the driver, for example.
      image = kernel.errors();
      kernel = compile(text, entry);
    }
    if (!kernel) return kernel;
    if (image) {
      code.form = CodeForm::cubin;
      code.image = *std::move(image);
      code.arch = info_.limits.ptx_arch;
    } else {
      code.reason = base::messages(image.errors());
    }
    code.source = text;
    code.entry = entry;
    (*kernel)->code = std::make_shared<const MachineCode>(std::move(code));
    return kernel;
  }

  // `text` is PTX, or machine code.
  base::Result<std::shared_ptr<Kernel>> compile(const std::string& text, const std::string& entry) {
    std::string log(16 * 1024, '\0');
    int options[] = {cuda::kErrorLogBuffer, cuda::kErrorLogBufferSize};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};  // NOLINT: the size is passed as a pointer
    Code code = kSuccess;
    auto kernel = std::make_shared<Kernel>();
    cuda::Module raw = nullptr;
    // cuModuleLoadDataEx() compiles one program at a time, even from several threads. Libraries are compiled in
    // parallel, to the same code. (So does the linker, but its code differs, and with it the rates of weak outcomes.)
    if (driver_.LibraryLoadData != nullptr) {
      cuda::Library library = nullptr;
      code = driver_.LibraryLoadData(&library, text.c_str(), options, values, 2, nullptr, nullptr, 0);
      if (code == kSuccess) {
        kernel->library = OwnedLibrary(library, {&driver_});
        code = driver_.LibraryGetModule(&raw, library);
      }
    } else {
      code = driver_.ModuleLoadDataEx(&raw, text.c_str(), 2, options, values);
      if (code == kSuccess) kernel->module = OwnedModule(raw, {&driver_});
    }
    log.resize(std::min(log.find('\0'), log.size()));
    if (code != kSuccess) return compile_errors(text, log, driver_.describe(code));
    kernel->code_of = raw;
    code = driver_.ModuleGetFunction(&kernel->function, raw, entry.c_str());
    if (code != kSuccess) return failure(driver_, fmt::format("entry '{}'", entry), code);
    return kernel;
  }

  const Driver& driver_;
  DeviceInfo info_;
  cuda::DeviceNumber number_;
  cuda::Context context_;
  SharedKernels<Kernel> shared_;
  Workplace place_;
};

}  // namespace

std::vector<DeviceInfo> list_cuda_devices() {
  std::vector<DeviceInfo> devices;
  const base::Result<const Driver*> driver = cuda::driver();
  int count = 0;
  if (!driver || (*driver)->DeviceGetCount(&count) != kSuccess) return devices;
  for (int i = 0; i < count; ++i) {
    if (base::Result<DeviceInfo> info = describe_device(**driver, i); info) devices.push_back(*std::move(info));
  }
  return devices;
}

namespace {

base::Result<std::unique_ptr<Device>> open_cuda_numbered(std::string_view id, std::size_t number) {
  const base::Result<const Driver*> opened = cuda::driver();
  if (!opened) return opened.errors();
  const Driver& driver = **opened;
  int count = 0;
  if (const Code code = driver.DeviceGetCount(&count); code != kSuccess) return failure(driver, "devices", code);
  if (number >= static_cast<std::size_t>(count)) {
    return base::error(fmt::format("cuda: there is no device {}; this machine has {}", id, count));
  }
  const auto ordinal = static_cast<int>(number);
  base::Result<DeviceInfo> info = describe_device(driver, ordinal);
  if (!info) return info.errors();
  cuda::DeviceNumber device = 0;
  cuda::Context context = nullptr;
  Code code = driver.DeviceGet(&device, ordinal);
  if (code == kSuccess) code = driver.DevicePrimaryCtxRetain(&context, device);
  if (code != kSuccess) return failure(driver, "context", code);
  return std::unique_ptr<Device>(std::make_unique<CudaDevice>(driver, *std::move(info), device, context));
}

}  // namespace

base::Result<std::unique_ptr<Device>> open_cuda_device(std::string_view id) {
  const base::Result<std::size_t> number = device_number(id);
  if (!number) return number.errors();
  return base::of_kind(base::ErrorKind::device, open_cuda_numbered(id, *number));
}

}  // namespace weakspot::backend
