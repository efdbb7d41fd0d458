// SPDX-License-Identifier: MIT
#include "backend/opencl/opencl_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <thread>
#include <utility>

#include "base/check.h"

namespace weakspot::backend::opencl {
namespace {

using Clock = std::chrono::steady_clock;

using OwnedKernel = Owned<cl_kernel, ReleaseBy<Driver, &Driver::ReleaseKernel>>;
using OwnedMemory = Owned<cl_mem, ReleaseBy<Driver, &Driver::ReleaseMemObject>>;
using OwnedQueue = Workplace::OwnedQueue;
using OwnedEvent = Owned<cl_event, ReleaseBy<Driver, &Driver::ReleaseEvent>>;

using SharedMemory = Owned<std::uint32_t*, FreeShared>;

SharedMemory allocate_shared(const DeviceContext& context, std::size_t bytes) {
  void* words = context.driver->SVMAlloc(context.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, 0);
  return {static_cast<std::uint32_t*>(words), {&context}};
}

base::Diagnostic failure(std::string_view what, cl_int code) {
  return base::error(fmt::format("opencl: {}: {}", what, describe(code)));
}

// Clears memory faster than clEnqueueFillBuffer does on GPUs.
constexpr std::string_view kZeroKernel =
    "kernel void weakspot_zero(global uint4* memory, ulong count) {\n"
    "  for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) memory[i] = (uint4)(0);\n"
    "}\n";
constexpr std::uint64_t kZeroWords = 1u << 16;  // from here on

struct LoadedEntry {
  std::shared_ptr<Built> built;
  OwnedKernel kernel;
  std::uint32_t workgroup_size = 1;
  std::uint32_t resident = 1;
};

class OpenclProgram final : public LoadedProgram {
 public:
  // `zero` may be empty.
  OpenclProgram(DeviceContext& context, Workplace& place, LoadedEntry zero, std::vector<LoadedEntry> entries,
                const codegen::DeviceProgram& program)
      : context_(context),
        driver_(*context.driver),
        place_(place),
        zero_(std::move(zero)),
        entries_(std::move(entries)),
        buffers_(program.buffers.size()) {}

  ~OpenclProgram() override {
    // Nothing may be released while a kernel runs. A lost one is leaked: a CPU driver still runs it in this process.
    if (!context_.lost) {
      if (place_.queue.get() != nullptr) driver_.Finish(place_.queue.get());
      return;
    }
    new std::vector<LoadedEntry>(std::move(entries_));
    new LoadedEntry(std::move(zero_));
  }

  std::uint32_t resident_workgroups(std::uint32_t entry) const override { return entries_.at(entry).resident; }

  base::Result<RunResult> run(const codegen::Launch& launch, std::chrono::milliseconds deadline) override {
    WEAKSPOT_CHECK(launch.buffers.size() == buffers_);
    const Clock::time_point start = Clock::now();
    if (context_.lost) return base::error(fmt::format("opencl: {} was lost", context_.info.id));
    if (base::Status status = prepare(launch); !status) return status.errors();
    RunResult result;
    cl_int code = execute(launch, start + deadline, result);
    if (code == CL_SUCCESS && result.status != RunStatus::lost) code = read_back(launch, result);
    if (code != CL_SUCCESS && result.status != RunStatus::lost) {
      result.status = RunStatus::lost;
      result.message = describe(code);
    }
    if (result.status == RunStatus::lost) std::atomic_ref(context_.lost).store(true);
    result.host_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return result;
  }

  MachineCode machine_code() const override {
    MachineCode code;
    if (context_.is_cpu) code.reason = "optcheck does not read the code that OpenCL drivers make for a CPU";
    return code;
  }

  bool release_memory() override { return true; }  // a program has no memory of its own

 private:
  // Rounds that may wait: enough to keep the device busy, few enough to stop soon.
  static constexpr std::size_t kQueued = 3;

  base::Status prepare(const codegen::Launch& launch) {
    if (place_.buffers.size() < buffers_) place_.buffers.resize(buffers_);
    for (std::size_t i = 0; i < buffers_; ++i) {
      const std::uint64_t words = std::max<std::uint64_t>(launch.buffers[i].words, 1);
      if (place_.buffers[i].words >= words) continue;
      place_.buffers[i] = {};
      base::Result<Allocation> made = allocate(words, context_.shares_memory && i == launch.control);
      if (!made) return made.errors();
      place_.buffers[i] = *std::move(made);
    }
    for (const LoadedEntry& entry : entries_) {
      for (cl_uint i = 0; i < buffers_; ++i) {
        const cl_mem memory = place_.buffers[i].memory.get();
        if (const cl_int code = driver_.SetKernelArg(entry.kernel.get(), i, sizeof memory, &memory);
            code != CL_SUCCESS) {
          return failure("kernel argument", code);
        }
      }
    }
    for (OwnedQueue* queue : {&place_.queue, &place_.side_queue}) {
      if (queue->get() != nullptr) continue;
      const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
      cl_int code = CL_SUCCESS;
      *queue = OwnedQueue(
          driver_.CreateCommandQueueWithProperties(context_.context, context_.device, properties, &code), {&driver_});
      if (code != CL_SUCCESS) return failure("queue", code);
    }
    return base::ok_status();
  }

  base::Result<Allocation> allocate(std::uint64_t words, bool shared) {
    auto too_much = [&] {
      return base::error(
          fmt::format("opencl: out of memory: another {} MiB do not fit on {}", words >> 18, context_.info.id));
    };
    if (words * 4 > context_.largest_buffer) return too_much();
    Allocation made;
    made.words = words;
    if (shared) made.shared = allocate_shared(context_, words * 4);
    std::uint32_t* host = made.shared.get();
    cl_int code = CL_SUCCESS;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (host == nullptr ? 0 : CL_MEM_USE_HOST_PTR);
    made.memory = OwnedMemory(driver_.CreateBuffer(context_.context, flags, words * 4, host, &code), {&driver_});
    if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES) return too_much();
    if (code != CL_SUCCESS) return failure("allocation", code);
    return made;
  }

  // The events of a round's commands, the last pass at the end.
  using Round = std::vector<OwnedEvent>;

  // Some drivers fill faster with long patterns, which are powers of two of up to 128 bytes.
  cl_int zero(std::uint32_t buffer, std::uint64_t words, Round& events) {
    if (zero_.kernel.get() != nullptr && words >= kZeroWords && words % 4 == 0)
      return zero_by_kernel(buffer, words, events);
    static constexpr std::array<std::uint32_t, 32> kZeros{};
    const std::uint64_t in_blocks = words / kZeros.size() * sizeof kZeros;
    cl_int code = CL_SUCCESS;
    if (in_blocks != 0) code = fill(buffer, kZeros.data(), sizeof kZeros, 0, in_blocks, events);
    if (code == CL_SUCCESS && words * 4 != in_blocks) {
      code = fill(buffer, kZeros.data(), 4, in_blocks, words * 4 - in_blocks, events);
    }
    return code;
  }

  cl_int zero_by_kernel(std::uint32_t buffer, std::uint64_t words, Round& events) {
    const cl_mem memory = place_.buffers[buffer].memory.get();
    const cl_ulong count = words / 4;
    const std::size_t local = 256;
    const std::size_t global = local * 16 * context_.info.multiprocessors;
    cl_int code = driver_.SetKernelArg(zero_.kernel.get(), 0, sizeof memory, &memory);
    if (code == CL_SUCCESS) code = driver_.SetKernelArg(zero_.kernel.get(), 1, sizeof count, &count);
    if (code != CL_SUCCESS) return code;
    cl_event event = nullptr;
    code = driver_.EnqueueNDRangeKernel(place_.queue.get(), zero_.kernel.get(), 1, nullptr, &global, &local, 0, nullptr,
                                        &event);
    if (code == CL_SUCCESS) events.push_back(OwnedEvent(event, {&driver_}));
    return code;
  }

  cl_int fill(std::uint32_t buffer, const std::uint32_t* pattern, std::size_t pattern_bytes, std::uint64_t from,
              std::uint64_t bytes, Round& events) {
    cl_event event = nullptr;
    const cl_int code = driver_.EnqueueFillBuffer(place_.queue.get(), place_.buffers[buffer].memory.get(), pattern,
                                                  pattern_bytes, from, bytes, 0, nullptr, &event);
    if (code == CL_SUCCESS) events.push_back(OwnedEvent(event, {&driver_}));
    return code;
  }

  cl_int fill_once(const codegen::Launch& launch) {
    cl_int code = CL_SUCCESS;
    Round events;
    for (std::uint32_t i = 0; i < launch.buffers.size() && code == CL_SUCCESS; ++i) {
      const codegen::BufferSetup& buffer = launch.buffers[i];
      if (buffer.zero_first && buffer.words != 0) code = zero(i, buffer.words, events);
      if (code == CL_SUCCESS && !buffer.content.empty()) {
        code = driver_.EnqueueWriteBuffer(place_.queue.get(), place_.buffers[i].memory.get(), CL_FALSE, 0,
                                          buffer.content.size() * 4, buffer.content.data(), 0, nullptr, nullptr);
      }
    }
    return code;
  }

  cl_int enqueue_round(const codegen::Launch& launch, std::uint32_t number, Round& events) {
    cl_int code = fill(launch.control, &number, 4, std::uint64_t{launch.round_word} * 4, 4, events);
    for (std::uint32_t i = 0; i < launch.buffers.size() && code == CL_SUCCESS; ++i) {
      if (launch.buffers[i].zero_each_round && launch.buffers[i].words != 0) {
        code = zero(i, launch.buffers[i].words, events);
      }
    }
    for (const codegen::Pass& pass : launch.passes) {
      if (code != CL_SUCCESS) break;
      const LoadedEntry& entry = entries_.at(pass.entry);
      const std::size_t local = entry.workgroup_size;
      const std::size_t global = local * pass.workgroups;
      cl_event event = nullptr;
      code = driver_.EnqueueNDRangeKernel(place_.queue.get(), entry.kernel.get(), 1, nullptr, &global, &local, 0,
                                          nullptr, &event);
      if (code == CL_SUCCESS) events.push_back(OwnedEvent(event, {&driver_}));
    }
    if (code == CL_SUCCESS) code = driver_.Flush(place_.queue.get());
    return code;
  }

  void tell_to_stop(const codegen::Launch& launch) {
    static constexpr std::uint32_t kOne = 1;
    const Allocation& control = place_.buffers[launch.control];
    if (std::uint32_t* words = control.shared.get()) {
      std::atomic_ref(words[launch.stop_word]).store(1, std::memory_order_relaxed);
      return;
    }
    driver_.EnqueueWriteBuffer(place_.side_queue.get(), control.memory.get(), CL_FALSE,
                               std::size_t{launch.stop_word} * 4, 4, &kOne, 0, nullptr, nullptr);
    driver_.Flush(place_.side_queue.get());
  }

  // Waits until the event has happened; past the deadline it tells the kernels to stop and waits a little longer.
  cl_int await(const OwnedEvent& event, const codegen::Launch& launch, Clock::time_point deadline, RunResult& result) {
    constexpr auto kGrace = std::chrono::seconds(10);
    bool told = result.status == RunStatus::stopped;
    for (auto pause = std::chrono::microseconds(5);;) {
      cl_int status = CL_QUEUED;
      if (const cl_int code = status_of(event, status); code != CL_SUCCESS) return code;
      if (status < 0) return status;
      if (status == CL_COMPLETE) return CL_SUCCESS;
      const Clock::time_point now = Clock::now();
      if (now > deadline && !told) {
        told = true;
        result.status = RunStatus::stopped;
        tell_to_stop(launch);
      }
      if (now > deadline + kGrace) {
        result.status = RunStatus::lost;
        result.message = "the device did not stop at the deadline";
        return CL_SUCCESS;
      }
      std::this_thread::sleep_for(pause);
      pause = std::min(pause * 2, std::chrono::microseconds(500));
    }
  }

  cl_int status_of(const OwnedEvent& event, cl_int& status) const {
    return driver_.GetEventInfo(event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  }

  // PoCL compiles a kernel just before its first run, which should not count as run time. GPU drivers compile earlier,
  // and NVIDIA's never reports that a command is running.
  cl_int await_compiler(const Round& round, const codegen::Launch& launch, Clock::time_point& deadline,
                        RunResult& result) {
    constexpr auto kMost = std::chrono::minutes(2);
    for (const OwnedEvent& event : round) {
      const Clock::time_point start = Clock::now();
      cl_int status = CL_QUEUED;
      for (;;) {
        if (const cl_int code = status_of(event, status); code != CL_SUCCESS) return code;
        if (status <= CL_RUNNING || Clock::now() > start + kMost) break;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
      deadline += Clock::now() - start;
      const cl_int code = await(event, launch, deadline, result);
      if (code != CL_SUCCESS || result.status == RunStatus::lost) return code;
    }
    return CL_SUCCESS;
  }

  cl_int execute(const codegen::Launch& launch, Clock::time_point deadline, RunResult& result) {
    cl_int code = fill_once(launch);
    std::deque<Round> waiting;
    auto await_oldest = [&] {
      const Round oldest = std::move(waiting.front());
      waiting.pop_front();
      const cl_int awaited = await(oldest.back(), launch, deadline, result);
      if (awaited != CL_SUCCESS || result.status == RunStatus::lost) return awaited;
      return add_time(oldest, result);
    };
    std::uint32_t enqueued = 0;
    while (enqueued < launch.rounds && code == CL_SUCCESS && result.status == RunStatus::finished) {
      if (Clock::now() > deadline) {
        result.status = RunStatus::stopped;
        break;
      }
      Round round;
      code = enqueue_round(launch, enqueued, round);
      if (code != CL_SUCCESS) break;
      if (std::exchange(fresh_, false) && context_.is_cpu) code = await_compiler(round, launch, deadline, result);
      waiting.push_back(std::move(round));
      ++enqueued;
      if (code != CL_SUCCESS || result.status == RunStatus::lost) break;
      if (waiting.size() > kQueued) code = await_oldest();
    }
    while (!waiting.empty() && code == CL_SUCCESS && result.status != RunStatus::lost) code = await_oldest();
    result.rounds = enqueued;
    return code;
  }

  // Only the time of the commands: between them the driver may compile a kernel for its first use.
  cl_int add_time(const Round& round, RunResult& result) {
    for (const OwnedEvent& event : round) {
      cl_ulong begin = 0;
      cl_ulong end = 0;
      cl_int code =
          driver_.GetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_START, sizeof begin, &begin, nullptr);
      if (code == CL_SUCCESS) {
        code = driver_.GetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
      }
      if (code != CL_SUCCESS) return code;
      result.device_seconds += static_cast<double>(end - begin) * 1e-9;
    }
    return CL_SUCCESS;
  }

  cl_int read_back(const codegen::Launch& launch, RunResult& result) {
    result.buffers.resize(launch.buffers.size());
    for (std::uint32_t i = 0; i < launch.buffers.size(); ++i) {
      if (!launch.buffers[i].read_back) continue;
      result.buffers[i].resize(launch.buffers[i].words);
      const cl_int code =
          driver_.EnqueueReadBuffer(place_.queue.get(), place_.buffers[i].memory.get(), CL_FALSE, 0,
                                    launch.buffers[i].words * 4, result.buffers[i].data(), 0, nullptr, nullptr);
      if (code != CL_SUCCESS) return code;
    }
    return driver_.Finish(place_.queue.get());
  }

  DeviceContext& context_;
  const Driver& driver_;
  Workplace& place_;
  LoadedEntry zero_;
  std::vector<LoadedEntry> entries_;
  std::size_t buffers_;
  bool fresh_ = true;  // has not run yet
};

std::string build_log(const DeviceContext& context, cl_program program) {
  std::size_t size = 0;
  context.driver->GetProgramBuildInfo(program, context.device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  context.driver->GetProgramBuildInfo(program, context.device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  log.resize(std::min(log.find('\0'), log.size()));
  return log;
}

std::uint32_t resident(const DeviceContext& context, cl_kernel kernel, const codegen::Entry& entry,
                       std::string_view log) {
  // A CPU driver runs one workgroup per thread. For other GPUs, all that is known is that every compute unit holds one.
  if (!context.is_nvidia) return context.info.multiprocessors;
  cl_ulong shared = entry.shared_bytes;
  context.driver->GetKernelWorkGroupInfo(kernel, context.device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof shared, &shared,
                                         nullptr);
  return context.info.multiprocessors *
         nvidia_occupancy(entry.workgroup_size, registers_in_log(log, entry.name), shared);
}

constexpr const char* kOptions = "-cl-std=CL3.0";
constexpr const char* kNvidiaOptions = "-cl-std=CL3.0 -cl-nv-verbose";

SharedKernels<Built>::Made build(const DeviceContext& context, const std::string& text) {
  const Driver& driver = *context.driver;
  const char* const texts[] = {text.c_str()};
  cl_int code = CL_SUCCESS;
  auto built = std::make_shared<Built>();
  built->program = {driver.CreateProgramWithSource(context.context, 1, const_cast<const char**>(texts), nullptr, &code),
                    {&driver}};
  if (code != CL_SUCCESS) return failure("program", code);
  const char* options = context.is_nvidia ? kNvidiaOptions : kOptions;
  code = driver.BuildProgram(built->program.get(), 1, &context.device, options, nullptr, nullptr);
  built->log = build_log(context, built->program.get());
  if (code != CL_SUCCESS) return compile_errors(text, built->log, describe(code));
  return built;
}

// What another process has compiled; nullptr if the driver does not take it.
std::shared_ptr<Built> load_binary(const DeviceContext& context, const Compiled& compiled) {
  const Driver& driver = *context.driver;
  const auto* bytes = reinterpret_cast<const unsigned char*>(compiled.binary.data());
  const std::size_t size = compiled.binary.size();
  cl_int code = CL_SUCCESS;
  auto built = std::make_shared<Built>();
  built->program = {driver.CreateProgramWithBinary(context.context, 1, &context.device, &size, &bytes, nullptr, &code),
                    {&driver}};
  if (code != CL_SUCCESS) return nullptr;
  if (driver.BuildProgram(built->program.get(), 1, &context.device, "", nullptr, nullptr) != CL_SUCCESS) return nullptr;
  built->log = compiled.log;
  return built;
}

SharedKernels<Built>::Made compile_or_build(const DeviceContext& context, Compilers& compilers,
                                            const std::string& text) {
  if (const std::optional<Compiled> compiled = compilers.compile(text)) {
    if (std::shared_ptr<Built> built = load_binary(context, *compiled)) return built;
  }
  return build(context, text);
}

// A kernel of its own: its arguments are part of it.
base::Result<LoadedEntry> load_entry(const DeviceContext& context, Compiling& compiling, const std::string& text,
                                     const std::string& name) {
  SharedKernels<Built>::Made built =
      compiling.kernels.get(text, [&] { return compile_or_build(context, compiling.processes, text); });
  if (!built) return built.errors();
  cl_int code = CL_SUCCESS;
  LoadedEntry loaded;
  loaded.built = *std::move(built);
  loaded.kernel =
      OwnedKernel(context.driver->CreateKernel(loaded.built->program.get(), name.c_str(), &code), {context.driver});
  if (code != CL_SUCCESS) return failure(fmt::format("entry '{}'", name), code);
  return loaded;
}

}  // namespace

std::optional<Compiled> compile_for_others(const DeviceContext& context, const std::string& text) {
  const base::Result<std::shared_ptr<Built>> built = build(context, text);
  if (!built) return std::nullopt;
  const cl_program program = (*built)->program.get();
  std::size_t size = 0;
  Compiled compiled;
  if (context.driver->GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS) {
    return std::nullopt;
  }
  compiled.binary.resize(size);
  char* bytes = compiled.binary.data();
  if (context.driver->GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, nullptr) != CL_SUCCESS) {
    return std::nullopt;
  }
  compiled.log = (*built)->log;
  return compiled;
}

base::Result<std::unique_ptr<LoadedProgram>> load_program(DeviceContext& context, Compiling& compiling,
                                                          Workplace& place, const codegen::DeviceProgram& program) {
  WEAKSPOT_CHECK(program.target == codegen::Target::opencl);
  const Compilers::Loading loading(compiling.processes);
  LoadedEntry zero;
  if (!context.is_cpu) {
    base::Result<LoadedEntry> loaded = load_entry(context, compiling, std::string(kZeroKernel), "weakspot_zero");
    if (!loaded) return loaded.errors();
    zero = *std::move(loaded);
  }
  std::vector<LoadedEntry> entries;
  for (const codegen::Entry& entry : program.entries) {
    // Drivers for CPUs compile a kernel when it first runs: nothing is gained by parting the text.
    const bool is_whole = context.is_cpu || entry.text.empty();
    base::Result<LoadedEntry> loaded = load_entry(context, compiling, is_whole ? program.text : entry.text, entry.name);
    if (!loaded) return loaded.errors();
    loaded->workgroup_size = entry.workgroup_size;
    loaded->resident = resident(context, loaded->kernel.get(), entry, loaded->built->log);
    entries.push_back(*std::move(loaded));
  }
  return std::unique_ptr<LoadedProgram>(
      std::make_unique<OpenclProgram>(context, place, std::move(zero), std::move(entries), program));
}

}  // namespace weakspot::backend::opencl
