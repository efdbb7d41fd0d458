// SPDX-License-Identifier: MIT
#include "confirm/device/scrub.h"

#include <algorithm>

namespace weakspot::confirm {
namespace {

using backend::cuda::Code;
using backend::cuda::Driver;
using backend::cuda::kSuccess;

// Every word becomes one that is visible as a number of any type: 1065353217, a little more than 1.0f, 0.0078.
constexpr const char* kScrub = R"(.version 6.3
.target sm_70
.address_size 64
.extern .shared .align 16 .b8 all[];
.visible .entry weakspot_scrub(.param .u32 bytes)
{
	.reg .pred %p;
	.reg .b32 %r<6>;
	ld.param.u32 %r1, [bytes];
	mov.u32 %r2, %tid.x;
	shl.b32 %r2, %r2, 2;
	mov.u32 %r3, all;
	mov.u32 %r4, 1065353217;
$next:
	setp.ge.u32 %p, %r2, %r1;
	@%p bra $end;
	add.u32 %r5, %r3, %r2;
	st.volatile.shared.u32 [%r5], %r4;
	add.u32 %r2, %r2, 1024;
	bra $next;
$end:
	ret;
}
)";
constexpr unsigned kScrubThreads = 256;
constexpr unsigned kAlwaysThere = 48 * 1024;

}  // namespace

Code Scrubber::open(const Driver& driver, backend::cuda::DeviceNumber device) {
  backend::cuda::Module module = nullptr;
  Code code = driver.ModuleLoadDataEx(&module, kScrub, 0, nullptr, nullptr);
  if (code == kSuccess) code = driver.ModuleGetFunction(&function_, module, "weakspot_scrub");
  if (code != kSuccess) return code;
  int processors = 0, most = 0;
  code = driver.DeviceGetAttribute(&processors, backend::cuda::kMultiprocessorCount, device);
  if (code != kSuccess) return code;
  bytes_ = kAlwaysThere;
  const bool more = driver.DeviceGetAttribute(&most, backend::cuda::kMostSharedOnDemand, device) == kSuccess &&
                    most > static_cast<int>(bytes_) && driver.FuncSetAttribute != nullptr &&
                    driver.FuncSetAttribute(function_, backend::cuda::kMostDynamicShared, most) == kSuccess;
  if (more) bytes_ = static_cast<unsigned>(most);
  // A block fills a multiprocessor. Some may get two of them, so there are more than one for each.
  blocks_ = 2 * static_cast<unsigned>(std::max(processors, 1));
  return kSuccess;
}

Code Scrubber::launch(const Driver& driver, backend::cuda::Stream stream) const {
  unsigned bytes = bytes_;
  void* arguments[] = {&bytes};
  return driver.LaunchKernel(function_, blocks_, 1, 1, kScrubThreads, 1, 1, bytes_, stream, arguments, nullptr);
}

}  // namespace weakspot::confirm
