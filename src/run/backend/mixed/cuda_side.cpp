// SPDX-License-Identifier: MIT
#include "backend/mixed/cuda_side.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/driver/owned.h"
#include "codegen/buffer_words.h"

namespace weakspot::backend {
namespace {

using cuda::Code;
using cuda::Driver;
using cuda::kSuccess;

using OwnedMemory = Owned<cuda::Pointer, ReleaseBy<Driver, &Driver::MemFree>>;
using OwnedHost = Owned<void*, ReleaseBy<Driver, &Driver::MemFreeHost>>;
using OwnedStream = Owned<cuda::Stream, ReleaseBy<Driver, &Driver::StreamDestroy>>;
using OwnedEvent = Owned<cuda::Event, ReleaseBy<Driver, &Driver::EventDestroy>>;

base::Diagnostic side_failure(const Driver& driver, std::string_view what, Code code) {
  return base::error(fmt::format("cuda: {}: {}", what, driver.describe(code)));
}

class CudaSide final : public GpuSide {
 public:
  CudaSide(const CudaPlace& place, const CudaKernel& kernel, const codegen::MixedProgram& program,
           const codegen::Launch& launch)
      : driver_(*place.driver), place_(place), kernel_(kernel), program_(program), launch_(launch) {}

  base::Status prepare() {
    const auto& buffers = launch_.buffers;
    pointers_.resize(buffers.size());
    for (const auto id : {codegen::kControlBuffer, codegen::kResultBuffer, codegen::kProgressBuffer}) {
      if (base::Status status = allocate(id, buffers[id].words * 4); !status) return status;
    }
    if (base::Status status = allocate_shared(buffers[codegen::kMemoryBuffer].words * 4); !status) return status;
    base::Status status = allocate_pinned(codegen::kMeetingWords * 4, meeting_, pointers_[codegen::kSyncBuffer]);
    cuda::Pointer unused = 0;
    if (status) status = allocate_pinned(buffers[codegen::kResultBuffer].words * 4, results_, unused);
    if (!status) return status;
    areas_.results = static_cast<std::byte*>(results_.get());
    areas_.meeting = static_cast<std::uint32_t*>(meeting_.get());

    cuda::Stream stream = nullptr;
    if (const Code code = driver_.StreamCreate(&stream, cuda::kStreamNonBlocking); code != kSuccess) {
      return side_failure(driver_, "stream", code);
    }
    stream_ = OwnedStream(stream, {&driver_});
    cuda::Event event = nullptr;
    if (const Code code = driver_.EventCreate(&event, 0); code != kSuccess) {
      return side_failure(driver_, "event", code);
    }
    done_ = OwnedEvent(event, {&driver_});
    const std::vector<std::uint32_t>& control = buffers[codegen::kControlBuffer].content;
    Code code = driver_.MemcpyHtoDAsync(pointers_[codegen::kControlBuffer], control.data(), control.size() * 4, stream);
    if (code == kSuccess) code = driver_.StreamSynchronize(stream);
    return code == kSuccess ? base::ok_status() : base::Status(side_failure(driver_, "control", code));
  }

  SharedAreas areas() const override { return areas_; }

  base::Status start() override {
    driver_.CtxSetCurrent(place_.context);
    const codegen::Pass& pass = launch_.passes.front();
    std::vector<void*> arguments;
    for (cuda::Pointer& pointer : pointers_) arguments.push_back(&pointer);
    Code code = driver_.MemsetD32Async(pointers_[codegen::kProgressBuffer], 0, codegen::kProgressWords, stream_.get());
    if (code == kSuccess) {
      code = driver_.LaunchCooperativeKernel(kernel_.function(), pass.workgroups, 1, 1, program_.workgroup_size, 1, 1,
                                             0, stream_.get(), arguments.data());
    }
    if (code == kSuccess) code = driver_.EventRecord(done_.get(), stream_.get());
    return code == kSuccess ? base::ok_status() : base::Status(side_failure(driver_, "launch", code));
  }

  State state() override {
    const Code code = driver_.EventQuery(done_.get());
    if (code == kSuccess) return State::done;
    if (code == cuda::kNotReady) return State::running;
    failure_ = driver_.describe(code);
    return State::failed;
  }
  std::string failure() const override { return failure_; }

  base::Status fetch() override {
    const std::uint64_t bytes = program_.host.other_result_bytes;
    if (bytes == 0) return base::ok_status();
    Code code = driver_.MemcpyDtoHAsync(results_.get(), pointers_[codegen::kResultBuffer], bytes, stream_.get());
    if (code == kSuccess) code = driver_.StreamSynchronize(stream_.get());
    return code == kSuccess ? base::ok_status() : base::Status(side_failure(driver_, "results", code));
  }

 private:
  base::Diagnostic no_room(std::uint64_t bytes, Code code) const {
    if (code != cuda::kOutOfMemory) return side_failure(driver_, "allocation", code);
    return base::error(fmt::format("cuda: out of memory: another {} MiB cannot be had", bytes >> 20));
  }

  base::Status allocate(std::uint32_t buffer, std::uint64_t bytes) {
    cuda::Pointer pointer = 0;
    const Code code = driver_.MemAlloc(&pointer, std::max<std::uint64_t>(bytes, 4));
    if (code != kSuccess) return no_room(bytes, code);
    device_.push_back(OwnedMemory(pointer, {&driver_}));
    pointers_[buffer] = pointer;
    return base::ok_status();
  }

  base::Status allocate_pinned(std::uint64_t bytes, OwnedHost& memory, cuda::Pointer& pointer) {
    void* host = nullptr;
    Code code = driver_.MemHostAlloc(&host, std::max<std::uint64_t>(bytes, 4), cuda::kHostPortable | cuda::kHostMapped);
    if (code != kSuccess) return no_room(bytes, code);
    memory = OwnedHost(host, {&driver_});
    code = driver_.MemHostGetDevicePointer(&pointer, host, 0);
    return code == kSuccess ? base::ok_status() : base::Status(side_failure(driver_, "mapping", code));
  }

  // The memory of the test.
  base::Status allocate_shared(std::uint64_t bytes) {
    cuda::Pointer& pointer = pointers_[codegen::kMemoryBuffer];
    if (program_.memory == codegen::MemoryKind::pinned) {
      base::Status status = allocate_pinned(bytes, pinned_, pointer);
      areas_.memory = static_cast<std::byte*>(pinned_.get());
      return status;
    }
    int concurrent = 0;
    driver_.DeviceGetAttribute(&concurrent, cuda::kConcurrentManagedAccess, place_.device);
    if (concurrent == 0) {
      return base::error("cuda: CPU and GPU cannot use managed memory at the same time here (concurrentManagedAccess)");
    }
    const Code code = driver_.MemAllocManaged(&pointer, std::max<std::uint64_t>(bytes, 4), cuda::kAttachGlobal);
    if (code != kSuccess) return no_room(bytes, code);
    device_.push_back(OwnedMemory(pointer, {&driver_}));
    areas_.memory = reinterpret_cast<std::byte*>(pointer);  // NOLINT: managed memory has one address
    return program_.memory == codegen::MemoryKind::managed_cpu ? advise(pointer, bytes) : base::ok_status();
  }

  base::Status advise(cuda::Pointer pointer, std::uint64_t bytes) const {
    Code code = driver_.MemAdvise(pointer, bytes, cuda::kPreferredLocation, cuda::kAtHost);
    if (code == kSuccess) code = driver_.MemAdvise(pointer, bytes, cuda::kAccessedBy, place_.device);
    return code == kSuccess ? base::ok_status() : base::Status(side_failure(driver_, "advice", code));
  }

  const Driver& driver_;
  CudaPlace place_;
  const CudaKernel& kernel_;
  const codegen::MixedProgram& program_;
  codegen::Launch launch_;
  std::vector<OwnedMemory> device_;
  OwnedHost pinned_, meeting_, results_;
  OwnedStream stream_;
  OwnedEvent done_;
  std::vector<cuda::Pointer> pointers_;  // the kernel's arguments
  SharedAreas areas_;
  std::string failure_;
};

}  // namespace

base::Result<std::unique_ptr<CudaKernel>> CudaKernel::compile(const Driver& driver, const std::string& ptx,
                                                              const std::string& entry) {
  std::string log(16 * 1024, '\0');
  int options[] = {cuda::kErrorLogBuffer, cuda::kErrorLogBufferSize};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};  // NOLINT: the size is passed as a pointer
  cuda::Module module = nullptr;
  Code code = driver.ModuleLoadDataEx(&module, ptx.c_str(), 2, options, values);
  log.resize(std::min(log.find('\0'), log.size()));
  if (code != kSuccess) {
    return base::error(fmt::format("cuda: the driver cannot compile the program: {}{}{}", driver.describe(code),
                                   log.empty() ? "" : "; it says: ", log));
  }
  cuda::Function function = nullptr;
  code = driver.ModuleGetFunction(&function, module, entry.c_str());
  auto made = std::make_unique<CudaKernel>(driver, module, function);
  if (code != kSuccess) return side_failure(driver, fmt::format("entry '{}'", entry), code);
  return made;
}

std::uint32_t CudaKernel::resident(std::uint32_t workgroup_size) const {
  int blocks = 0;
  driver_.OccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, static_cast<int>(workgroup_size), 0);
  return static_cast<std::uint32_t>(std::max(blocks, 0));
}

base::Result<std::unique_ptr<GpuSide>> make_cuda_side(const CudaPlace& place, const CudaKernel& kernel,
                                                      const codegen::MixedProgram& program,
                                                      const codegen::Launch& launch) {
  auto side = std::make_unique<CudaSide>(place, kernel, program, launch);
  if (base::Status status = side->prepare(); !status) return status.errors();
  return std::unique_ptr<GpuSide>(std::move(side));
}

}  // namespace weakspot::backend
