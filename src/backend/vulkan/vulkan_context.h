// An opened Vulkan device, and handles that give themselves back.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "backend/vulkan/vulkan_driver.h"
#include "backend/vulkan/vulkan_features.h"
#include "base/result.h"

namespace weakspot::backend::vulkan {

struct Context {
  const Instance* instance = nullptr;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  DeviceFunctions call;
  StatisticFunctions statistics;
  Features features;  // those in use
  std::uint32_t queue_family = 0;
  VkQueue queue = VK_NULL_HANDLE;
  VkPhysicalDeviceMemoryProperties memory{};
  double nanoseconds_per_tick = 0;  // 0: no timestamps
  // A device that does not answer any more: its handles are left alone, since giving them back would wait for it.
  bool lost = false;
};

base::Diagnostic failure(std::string_view what, VkResult result);

// A handle of the device, given back once.
template <typename Handle>
class Owned {
 public:
  using Destroy = void(VKAPI_PTR*)(VkDevice, Handle, const VkAllocationCallbacks*);

  Owned() = default;
  Owned(const Context& context, Handle handle, Destroy destroy)
      : context_(&context), handle_(handle), destroy_(destroy) {}
  Owned(Owned&& other) noexcept
      : context_(other.context_), handle_(std::exchange(other.handle_, Handle{})), destroy_(other.destroy_) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(handle_, other.handle_);
    std::swap(destroy_, other.destroy_);
    return *this;
  }
  ~Owned() {
    if (handle_ != Handle{} && !context_->lost) destroy_(context_->device, handle_, nullptr);
  }
  Handle get() const { return handle_; }

 private:
  const Context* context_ = nullptr;
  Handle handle_{};
  Destroy destroy_ = nullptr;
};

// A buffer with memory of its own.
struct Allocation {
  Owned<VkDeviceMemory> memory;
  Owned<VkBuffer> buffer;  // given back before its memory
  std::uint64_t words = 0;
  VkDeviceAddress address = 0;
  std::uint32_t* mapped = nullptr;  // where the host can reach it
};

enum class Place : std::uint8_t {
  device,  // as near to the device as there is
  shared,  // the host reaches it while the device works on it; near to the device if possible
  host,    // for copies, cached by the host if possible
};

// Fails with VK_ERROR_OUT_OF_DEVICE_MEMORY or the like.
VkResult allocate(const Context& context, std::uint64_t words, Place place, Allocation& made);

}  // namespace weakspot::backend::vulkan
