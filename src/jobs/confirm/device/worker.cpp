// SPDX-License-Identifier: MIT
// The process that runs one form: a kernel that spins or breaks its context takes nobody else with it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <thread>

#include "backend/cuda_driver.h"
#include "base/file.h"
#include "base/hash.h"
#include "capture/address_map.h"
#include "confirm/confirm.h"
#include "confirm/device/lines.h"
#include "confirm/device/scrub.h"
#include "confirm/patch/ptx_patch.h"

namespace weakspot::confirm {
namespace {

namespace cuda = backend::cuda;
using cuda::Code;
using cuda::Driver;
using cuda::kSuccess;
using WorkerClock = std::chrono::steady_clock;

constexpr std::size_t kMostSamples = 8;
constexpr std::uint64_t kLargestSample = std::uint64_t{64} << 20;  // of all memory after a run

// Memory that a run finds as it was at first: a buffer, or a variable of a module.
struct Piece {
  cuda::Pointer here = 0, first = 0;  // first: a copy of the contents at first
  std::uint64_t size = 0;
};

void say(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

class Worker {
 public:
  Worker(const Driver& driver, const Prepared& prepared, const WorkerRequest& request)
      : driver_(driver), prepared_(prepared), request_(request) {}

  // The exit code of the process.
  int run() {
    if (const std::string problem = open_device(); !problem.empty()) return refuse(kNoDeviceLine, problem);
    if (const std::string problem = fill(); !problem.empty()) return refuse(kNoDeviceLine, problem);
    const WorkerClock::time_point end = WorkerClock::now() + request_.time;
    for (std::size_t i = request_.first; i < prepared_.forms.size(); ++i) {
      const auto share = (end - WorkerClock::now()) / static_cast<std::int64_t>(prepared_.forms.size() - i);
      if (!run_form(i, i == request_.first ? request_.done : 0, WorkerClock::now() + share)) break;
    }
    return 0;
  }

 private:
  static int refuse(std::string_view kind, const std::string& problem) {
    std::string line = problem;
    std::replace(line.begin(), line.end(), '\n', ' ');
    say(fmt::format("{} {}", kind, line));
    return 3;
  }
  std::string failed(std::string_view what, Code code) const {
    return fmt::format("{}: {}", what, driver_.describe(code));
  }

  std::string open_device() {
    cuda::DeviceNumber device = 0;
    cuda::Context context = nullptr;
    Code code = driver_.DeviceGet(&device, request_.device);
    if (code != kSuccess) return failed(fmt::format("device {}", request_.device), code);
    if ((code = driver_.DevicePrimaryCtxRetain(&context, device)) != kSuccess) return failed("context", code);
    if ((code = driver_.CtxSetCurrent(context)) != kSuccess) return failed("context", code);
    if ((code = driver_.StreamCreate(&stream_, cuda::kStreamNonBlocking)) != kSuccess) return failed("stream", code);
    if ((code = driver_.EventCreate(&ended_, 0)) != kSuccess) return failed("event", code);
    if (driver_.MemcpyDtoDAsync == nullptr) return "the driver is too old: it has no cuMemcpyDtoDAsync_v2";
    uses_shared_ = std::any_of(prepared_.capture.launches.begin(), prepared_.capture.launches.end(),
                               [](const capture::Capture::Launch& launch) { return launch.shape.shared > 0; });
    if ((code = scrubber_.open(driver_, device)) != kSuccess) return failed("a first kernel", code);
    char name[256] = {};
    if (driver_.DeviceGetName(name, sizeof name - 1, device) == kSuccess) say(fmt::format("{} {}", kDeviceLine, name));
    return {};
  }

  // False if no further run can be made.
  bool run_form(std::size_t number, std::uint64_t done, WorkerClock::time_point end) {
    say(fmt::format("{} {}", kFormLine, number));
    form_ = number;
    kernels_.clear();
    pieces_.resize(buffers_);
    for (const capture::Capture::Launch& launch : prepared_.capture.launches) {
      if (const std::string problem = load(launch); !problem.empty()) {
        refuse(kRefusedLine, problem);
        return true;
      }
    }
    arguments_.clear();
    for (const capture::Capture::Launch& launch : prepared_.capture.launches) {
      std::vector<std::string> arguments = launch.arguments;
      for (std::string& bytes : arguments) here_.translate(bytes);
      arguments_.push_back(std::move(arguments));
    }
    for (const auto& [module, variables] : variables_) {
      if (is_used(module)) pieces_.insert(pieces_.end(), variables.begin(), variables.end());
    }
    while (done < request_.runs && WorkerClock::now() < end) {
      if (!run_once()) return false;
      ++done;
    }
    return true;
  }

  bool is_used(std::size_t module) const {
    const auto& launches = prepared_.capture.launches;
    return std::any_of(launches.begin(), launches.end(), [&](const auto& one) { return module_of(one) == module; });
  }

  struct Loaded {
    cuda::Function function = nullptr;
    bool own_cluster = false;  // the kernel states its clusters itself
  };

  // The module in the place of the launch's: that of the form, for the module of the original.
  std::size_t module_of(const capture::Capture::Launch& launch) const {
    return launch.module == prepared_.forms.front().module ? prepared_.forms[form_].module : launch.module;
  }

  // The driver reads as many bytes of arguments as the kernel has, so they are compared first.
  std::string load(const capture::Capture::Launch& launch) {
    const std::size_t number = module_of(launch);
    const capture::Capture::Module& module = prepared_.capture.modules[number];
    base::Result<PtxText> ptx = PtxText::read(module.name, module.ptx);
    if (!ptx) return ptx.errors().front().message;
    const auto& functions = ptx->module().functions;
    const auto entry = std::find_if(functions.begin(), functions.end(), [&](const race::ptx::Function& one) {
      return one.entry && one.defined && one.name == launch.kernel;
    });
    if (entry == functions.end()) return fmt::format("{} has no kernel '{}'", module.name, launch.kernel);
    bool fits = entry->parameters.size() == launch.arguments.size();
    for (std::size_t i = 0; fits && i < launch.arguments.size(); ++i) {
      fits = entry->parameters[i].size() == launch.arguments[i].size();
    }
    if (!fits) return fmt::format("the arguments are not those of kernel '{}'", launch.kernel);
    if (!modules_.contains(number)) {
      std::string log(8 * 1024, '\0');
      int names[] = {cuda::kErrorLogBuffer, cuda::kErrorLogBufferSize};
      void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};  // NOLINT: a number as a pointer
      cuda::Module loaded = nullptr;
      const Code code = driver_.ModuleLoadDataEx(&loaded, module.ptx.c_str(), 2, names, values);
      log.resize(std::min(log.find('\0'), log.size()));
      if (code != kSuccess) return failed(module.name, code) + (log.empty() ? "" : "; it says: " + log);
      modules_[number] = loaded;
      if (const Code kept = add_variables(loaded, number, ptx->module()); kept != kSuccess) {
        return failed("variables", kept);
      }
    }
    const auto is_shared = [](const race::ptx::Variable& one) { return one.space == race::ptx::Space::shared; };
    for (const race::ptx::Function& one : functions) {
      uses_shared_ = uses_shared_ || std::any_of(one.variables.begin(), one.variables.end(), is_shared);
    }
    uses_shared_ =
        uses_shared_ || std::any_of(ptx->module().variables.begin(), ptx->module().variables.end(), is_shared);
    Loaded kernel{.function = nullptr, .own_cluster = entry->directives.contains("reqnctapercluster")};
    if (const Code code = driver_.ModuleGetFunction(&kernel.function, modules_[number], launch.kernel.c_str());
        code != kSuccess) {
      return failed(launch.kernel, code);
    }
    constexpr std::uint64_t kAlwaysAllowed = 48 * 1024;
    if (launch.shape.shared > kAlwaysAllowed && driver_.FuncSetAttribute != nullptr) {
      driver_.FuncSetAttribute(kernel.function, cuda::kMostDynamicShared, static_cast<int>(launch.shape.shared));
    }
    kernels_.push_back(kernel);
    return {};
  }

  // What the capture has of a variable of that module, or of the one in whose place it is.
  const capture::Capture::Buffer* captured_variable(std::size_t module, const std::string& name,
                                                    std::uint64_t size) const {
    const std::size_t original = prepared_.forms.front().module;
    for (const capture::Capture::Buffer& buffer : prepared_.capture.buffers) {
      const bool same =
          buffer.module == module || (buffer.module == original && module == prepared_.forms[form_].module);
      if (same && buffer.variable == name && buffer.size == size) return &buffer;
    }
    return nullptr;
  }

  // Kernels change variables of global memory alone; those of constant memory keep what they begin with.
  Code add_variables(cuda::Module module, std::size_t number, const race::ptx::Module& text) {
    if (driver_.ModuleGetGlobal == nullptr) return kSuccess;
    for (const race::ptx::Variable& variable : text.variables) {
      const bool global = variable.space == race::ptx::Space::global;
      if ((!global && variable.space != race::ptx::Space::constant) || variable.external) continue;
      Piece piece;
      std::size_t bytes = 0;
      if (driver_.ModuleGetGlobal(&piece.here, &bytes, module, variable.name.c_str()) != kSuccess) continue;
      piece.size = bytes;
      Code code = kSuccess;
      if (const capture::Capture::Buffer* captured = captured_variable(number, variable.name, bytes)) {
        add_addresses(*captured, piece);
        code = put_contents(*captured, piece);
      }
      if (code == kSuccess && global) code = keep_first(piece);
      if (code != kSuccess) return code;
      if (global) variables_[number].push_back(piece);
    }
    return driver_.StreamSynchronize(stream_);
  }

  // Copies what is there now, for all runs to come.
  Code keep_first(Piece& piece) const {
    const Code code = driver_.MemAlloc(&piece.first, piece.size + 4);
    return code == kSuccess ? driver_.MemcpyDtoDAsync(piece.first, piece.here, piece.size, stream_) : code;
  }

  void add_addresses(const capture::Capture::Buffer& buffer, const Piece& piece) {
    here_.add(buffer.address, piece.size, piece.here);
    there_.add(piece.here, piece.size, buffer.address);
  }

  Code put_contents(const capture::Capture::Buffer& buffer, const Piece& piece) {
    std::string own = buffer.contents;
    if (here_.translate(own)) has_addresses_ = true;
    own.resize(piece.size);  // zeros
    const Code code = driver_.MemcpyHtoDAsync(piece.here, own.data(), own.size(), stream_);
    return code == kSuccess ? driver_.StreamSynchronize(stream_) : code;
  }

  // Memory with what the launches find.
  std::string fill() {
    std::vector<const capture::Capture::Buffer*> buffers;
    for (const capture::Capture::Buffer& buffer : prepared_.capture.buffers) {
      if (!buffer.variable.empty()) continue;  // a module has it
      Piece piece{.size = buffer.size};
      if (const Code code = driver_.MemAlloc(&piece.here, buffer.size + 4); code != kSuccess) {
        return failed("memory", code);
      }
      buffers.push_back(&buffer);
      add_addresses(buffer, piece);
      pieces_.push_back(piece);
    }
    buffers_ = pieces_.size();
    for (std::size_t i = 0; i < buffers_; ++i) {
      if (const Code code = put_contents(*buffers[i], pieces_[i]); code != kSuccess) return failed("copy", code);
    }
    for (Piece& piece : pieces_) {
      if (const Code code = keep_first(piece); code != kSuccess) return failed("memory", code);
    }
    const Code code = driver_.StreamSynchronize(stream_);
    if (code != kSuccess) return failed("copy", code);
    return {};
  }

  // False if no further run can be made.
  bool run_once() {
    Code code = kSuccess;
    for (const Piece& piece : pieces_) {
      if (code == kSuccess) code = driver_.MemcpyDtoDAsync(piece.here, piece.first, piece.size, stream_);
    }
    if (code == kSuccess && uses_shared_) code = scrubber_.launch(driver_, stream_);
    for (std::size_t i = 0; i < kernels_.size() && code == kSuccess; ++i) code = launch(i);
    if (code == kSuccess) code = driver_.EventRecord(ended_, stream_);
    if (code == kSuccess) code = wait();
    if (code == cuda::kNotReady) {
      say(std::string(kNotEndedLine));
      std::_Exit(0);  // the driver would wait for the kernel
    }
    std::uint64_t total = 0;
    for (const Piece& piece : pieces_) total += piece.size;
    std::string memory(code == kSuccess ? total : 0, '\0');
    std::size_t at = 0;
    for (const Piece& piece : pieces_) {
      if (code == kSuccess) code = driver_.MemcpyDtoHAsync(memory.data() + at, piece.here, piece.size, stream_);
      at += piece.size;
    }
    if (code == kSuccess) code = driver_.StreamSynchronize(stream_);
    if (code != kSuccess) {
      const char* name = nullptr;
      if (driver_.GetErrorName(code, &name) != kSuccess || name == nullptr) name = "an unknown error";
      say(fmt::format("{} {}", kFailedLine, name));
      return false;  // most errors are those of all later calls as well
    }
    if (has_addresses_) put_back_addresses(memory);
    const std::string hash = base::hash_bytes(memory).hex();
    keep(hash, memory);
    say(fmt::format("{} {}", kMemoryLine, hash));
    return true;
  }

  // As they were captured, so that results of two processes can be compared. Each piece has words of its own.
  void put_back_addresses(std::string& memory) const {
    std::size_t at = 0;
    for (const Piece& piece : pieces_) {
      there_.translate({memory.data() + at, piece.size});
      at += piece.size;
    }
  }

  Code launch(std::size_t number) {
    const race::LaunchShape& shape = prepared_.capture.launches[number].shape;
    const Loaded& kernel = kernels_[number];
    std::vector<void*> pointers;
    for (std::string& bytes : arguments_[number]) pointers.push_back(bytes.data());
    const auto shared = static_cast<unsigned>(shape.shared);
    const race::Extent &grid = shape.grid, &block = shape.block;
    if (shape.cluster.count() != 1 && !kernel.own_cluster) {
      if (driver_.LaunchKernelEx == nullptr) return kUnsupported;
      cuda::LaunchAttribute cluster;
      cluster.id = cuda::kClusterDimension;
      for (unsigned axis = 0; axis < 3; ++axis) cluster.value[axis] = static_cast<int>(shape.cluster[axis]);
      const cuda::LaunchConfig config{.grid = {grid.x, grid.y, grid.z},
                                      .block = {block.x, block.y, block.z},
                                      .shared = shared,
                                      .stream = stream_,
                                      .attributes = &cluster,
                                      .attribute_count = 1};
      return driver_.LaunchKernelEx(&config, kernel.function, pointers.data(), nullptr);
    }
    if (shape.cooperative) {
      return driver_.LaunchCooperativeKernel(kernel.function, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared,
                                             stream_, pointers.data());
    }
    return driver_.LaunchKernel(kernel.function, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, stream_,
                                pointers.data(), nullptr);
  }

  Code wait() const {
    const WorkerClock::time_point start = WorkerClock::now();
    while (true) {
      const Code code = driver_.EventQuery(ended_);
      if (code != cuda::kNotReady) return code;
      const auto waited = WorkerClock::now() - start;
      if (waited > request_.launch_limit) return code;
      if (waited > std::chrono::milliseconds(2)) std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }

  void keep(const std::string& hash, const std::string& memory) {
    if (request_.results.empty() || memory.size() > kLargestSample || kept_.size() >= kMostSamples) return;
    if (!kept_.insert(hash).second) return;
    (void)base::write_file((std::filesystem::path(request_.results) / hash).string(), memory, base::Durable::no);
  }

  static constexpr Code kUnsupported = 801;

  const Driver& driver_;
  const Prepared& prepared_;
  const WorkerRequest& request_;
  cuda::Stream stream_ = nullptr;
  cuda::Event ended_ = nullptr;
  std::map<std::size_t, cuda::Module> modules_;
  std::vector<Loaded> kernels_;                          // by launch
  std::vector<Piece> pieces_;                            // the buffers, then the variables of the form
  std::size_t buffers_ = 0;                              // of pieces_
  std::map<std::size_t, std::vector<Piece>> variables_;  // by module
  std::size_t form_ = 0;
  std::vector<std::vector<std::string>> arguments_;
  Scrubber scrubber_;
  bool uses_shared_ = false;
  capture::AddressMap here_, there_;  // from where memory was captured to here, and back
  bool has_addresses_ = false;        // contents of buffers are addresses
  std::set<std::string> kept_;
};

}  // namespace

int serve(const WorkerRequest& request) {
  const base::Result<Prepared> prepared = read_prepared(request.folder);
  if (!prepared || request.first >= prepared->forms.size()) {
    say(fmt::format("{} {}", kRefusedLine, prepared ? "no such form" : prepared.errors().front().message));
    return 2;
  }
  const base::Result<const Driver*> driver = cuda::driver();
  if (!driver) {
    say(fmt::format("{} {}", kNoDeviceLine, driver.errors().front().message));
    return 3;
  }
  return Worker(**driver, *prepared, request).run();
}

}  // namespace weakspot::confirm
