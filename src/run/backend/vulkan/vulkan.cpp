// SPDX-License-Identifier: MIT
#include "backend/vulkan/vulkan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <mutex>
#include <optional>

#include "backend/vulkan/vulkan_context.h"
#include "backend/vulkan/vulkan_host.h"
#include "backend/vulkan/vulkan_pipeline.h"
#include "backend/vulkan/vulkan_program.h"
#include "base/check.h"

namespace weakspot::backend {
namespace {

using namespace vulkan;

// Some drivers run workgroups on a few threads, each a range of consecutive numbers: these settings make them meet.
constexpr const char* kHostEnvironment = "workgroup_size=256,pairing=half";
// Mesa's CPU driver leaves all loops of an invocation after 65535 rounds in total.
constexpr std::uint32_t kLavapipeLoopRounds = 65000;

struct Found {
  const Instance* instance = nullptr;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
};

std::vector<Found> find_devices() {
  std::vector<Found> found;
  const base::Result<const std::vector<Instance>*> opened = instances();
  if (!opened) return found;
  for (const Instance& instance : **opened) {
    for (const VkPhysicalDevice physical : instance.devices) found.push_back({&instance, physical});
  }
  return found;
}

bool has_extension(const Found& found, const char* name) {
  std::uint32_t count = 0;
  found.instance->call.vkEnumerateDeviceExtensionProperties(found.physical, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  found.instance->call.vkEnumerateDeviceExtensionProperties(found.physical, nullptr, &count, extensions.data());
  return std::any_of(extensions.begin(), extensions.end(), [&](const VkExtensionProperties& extension) {
    return std::strcmp(extension.extensionName, name) == 0;
  });
}

// All properties of a device.
struct Properties {
  explicit Properties(const Found& found) {
    core.pNext = &subgroup;
    subgroup.pNext = &driver;
    driver.pNext = &maintenance;
    if (has_extension(found, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME)) maintenance.pNext = &sm;
    tells_statistics = has_extension(found, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
    found.instance->call.vkGetPhysicalDeviceProperties2(found.physical, &core);
    VkPhysicalDeviceMemoryProperties2 memory2{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
    found.instance->call.vkGetPhysicalDeviceMemoryProperties2(found.physical, &memory2);
    memory = memory2.memoryProperties;
  }
  Properties(const Properties&) = delete;

  bool is_host() const { return core.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU; }

  std::uint64_t device_bytes() const {
    std::uint64_t most = 0;
    for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
      if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) {
        most = std::max(most, memory.memoryHeaps[i].size);
      }
    }
    return most;
  }

  Occupancy occupancy() const {
    const VkPhysicalDeviceLimits& limits = core.properties.limits;
    if (is_host()) return {.units = host_threads()};
    Occupancy made;
    made.shared_bytes_per_unit = limits.maxComputeSharedMemorySize;
    if (sm.shaderSMCount != 0) {
      // The number of workgroups that every generation can hold.
      made.units = sm.shaderSMCount;
      made.threads_per_unit = sm.shaderWarpsPerSM * subgroup.subgroupSize;
      made.groups_per_unit = 16;
      made.registers_per_unit = 65536;
    } else {
      // Unknown: nearly every device has room for two workgroups of the largest size.
      made.threads_per_unit = limits.maxComputeWorkGroupInvocations * 2;
      made.groups_per_unit = 8;
    }
    return made;
  }

  VkPhysicalDeviceProperties2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  VkPhysicalDeviceSubgroupProperties subgroup{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
  VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  VkPhysicalDeviceMaintenance3Properties maintenance{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
  VkPhysicalDeviceShaderSMBuiltinsPropertiesNV sm{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV};
  VkPhysicalDeviceMemoryProperties memory{};
  bool tells_statistics = false;
};

DeviceInfo describe_device(const Properties& properties, std::size_t ordinal) {
  const VkPhysicalDeviceProperties& core = properties.core.properties;
  DeviceInfo info;
  info.id = fmt::format("vulkan:{}", ordinal);
  info.name = core.deviceName;
  info.driver =
      fmt::format("Vulkan {}.{}, {} {}", VK_API_VERSION_MAJOR(core.apiVersion), VK_API_VERSION_MINOR(core.apiVersion),
                  properties.driver.driverName, properties.driver.driverInfo);
  info.target = codegen::Target::spirv;
  info.limits.subgroup_size = std::max(1u, properties.subgroup.subgroupSize);
  info.limits.max_workgroup_size =
      std::min(core.limits.maxComputeWorkGroupInvocations, core.limits.maxComputeWorkGroupSize[0]);
  info.limits.max_shared_bytes = core.limits.maxComputeSharedMemorySize;
  info.multiprocessors = properties.occupancy().units;
  info.memory_bytes = properties.device_bytes();
  info.is_host = properties.is_host();
  info.loads_in_parallel = !info.is_host;
  if (info.is_host) info.environment = kHostEnvironment;
  if (properties.driver.driverID == VK_DRIVER_ID_MESA_LLVMPIPE) info.limits.loop_rounds = kLavapipeLoopRounds;
  return info;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
  return text;
}

class VulkanDevice final : public Device {
 public:
  VulkanDevice(DeviceInfo info, const Properties& properties, Context context)
      : info_(std::move(info)),
        context_(std::move(context)),
        occupancy_(properties.occupancy()),
        most_bytes_(std::min(properties.device_bytes(), properties.maintenance.maxMemoryAllocationSize)) {}
  ~VulkanDevice() override {
    clearing_ = {};
    place_ = {};
    if (!context_.lost) context_.call.vkDestroyDevice(context_.device, nullptr);
  }

  const DeviceInfo& info() const override { return info_; }

  // No more than the largest allocation.
  std::uint64_t free_bytes() override { return most_bytes_; }

  base::Result<std::unique_ptr<LoadedProgram>> load(const codegen::DeviceProgram& program) override {
    WEAKSPOT_CHECK(program.target == codegen::Target::spirv);
    const std::vector<std::string> missing = missing_features(context_.features, program.words);
    if (!missing.empty()) {
      return base::error(
          fmt::format("vulkan: {} lacks features that the program needs: {}", info_.id, joined(missing)));
    }
    if (base::Status made = make_clearing(); !made) return made.errors();
    return load_program(context_, info_, occupancy_, clearing_ ? &*clearing_ : nullptr, shared_, place_, program);
  }

 private:
  // On the host's processor the driver clears memory as fast.
  base::Status make_clearing() {
    const std::lock_guard<std::mutex> lock(clearing_mutex_);
    if (info_.is_host || clearing_) return base::ok_status();
    Clearing made;
    const VkResult result = made.create(context_);
    if (result != VK_SUCCESS) return failure("the driver cannot compile the kernel that clears memory", result);
    clearing_ = std::move(made);
    return base::ok_status();
  }

  DeviceInfo info_;
  Context context_;
  Occupancy occupancy_;
  std::uint64_t most_bytes_;
  std::mutex clearing_mutex_;
  std::optional<Clearing> clearing_;
  SharedKernels<Pipeline> shared_;
  Workplace place_;
};

// A compute family, without graphics if possible.
std::optional<std::uint32_t> compute_family(const Found& found, std::uint32_t& timestamp_bits) {
  std::uint32_t count = 0;
  found.instance->call.vkGetPhysicalDeviceQueueFamilyProperties(found.physical, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  found.instance->call.vkGetPhysicalDeviceQueueFamilyProperties(found.physical, &count, families.data());
  std::optional<std::uint32_t> chosen;
  for (std::uint32_t i = 0; i < count; ++i) {
    if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) continue;
    const bool alone = (families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0;
    if (chosen && !alone) continue;
    chosen = i;
    timestamp_bits = families[i].timestampValidBits;
    if (alone) break;
  }
  return chosen;
}

base::Result<Context> create_context(const Found& found, const Properties& properties, const std::string& id) {
  if (properties.core.properties.apiVersion < VK_API_VERSION_1_2) {
    return base::error(fmt::format("vulkan: {} has Vulkan {}.{}; tests need 1.2", id,
                                   VK_API_VERSION_MAJOR(properties.core.properties.apiVersion),
                                   VK_API_VERSION_MINOR(properties.core.properties.apiVersion)));
  }
  Features supported;
  found.instance->call.vkGetPhysicalDeviceFeatures2(found.physical, &supported.core);
  if (const std::vector<std::string> missing = missing_features(supported); !missing.empty()) {
    return base::error(fmt::format("vulkan: {} lacks {}", id, joined(missing)));
  }
  std::uint32_t timestamp_bits = 0;
  const std::optional<std::uint32_t> family = compute_family(found, timestamp_bits);
  if (!family) return base::error(fmt::format("vulkan: {} has no compute queue", id));

  Context context;
  context.instance = found.instance;
  context.physical = found.physical;
  context.features = usable(supported);
  context.queue_family = *family;
  context.memory = properties.memory;
  if (timestamp_bits != 0) {
    context.nanoseconds_per_tick = static_cast<double>(properties.core.properties.limits.timestampPeriod);
  }
  const float priority = 1;
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = *family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.pNext = &context.features.core;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  const char* const extension = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
  statistics.pipelineExecutableInfo = VK_TRUE;
  if (properties.tells_statistics) {
    statistics.pNext = &context.features.core;
    info.pNext = &statistics;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
  }
  const std::vector<int> before = threads_of_process();
  const VkResult result = found.instance->call.vkCreateDevice(found.physical, &info, nullptr, &context.device);
  if (result != VK_SUCCESS) return failure(fmt::format("{} cannot be opened", id), result);
  if (properties.is_host()) {
    std::vector<int> started;
    const std::vector<int> after = threads_of_process();
    std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(started));
    // The threads that run workgroups come last. An earlier one takes commands and compiles; it is not pinned.
    const std::size_t workers = std::min<std::size_t>(started.size(), host_threads());
    spread_over_processors({started.end() - static_cast<std::ptrdiff_t>(workers), started.end()});
  }
  base::Result<DeviceFunctions> functions = found.instance->device_functions(context.device);
  if (!functions) return functions.errors();
  context.call = *functions;
  if (properties.tells_statistics) context.statistics = found.instance->statistic_functions(context.device);
  context.call.vkGetDeviceQueue(context.device, *family, 0, &context.queue);
  return context;
}

}  // namespace

std::vector<DeviceInfo> list_vulkan_devices() {
  std::vector<DeviceInfo> devices;
  for (const Found& found : find_devices()) {
    devices.push_back(describe_device(Properties(found), devices.size()));
  }
  return devices;
}

namespace {

base::Result<std::unique_ptr<Device>> open_vulkan_numbered(std::string_view id, std::size_t ordinal) {
  if (const base::Result<const std::vector<Instance>*> opened = instances(); !opened) return opened.errors();
  const std::vector<Found> found = find_devices();
  if (ordinal >= found.size()) {
    return base::error(fmt::format("vulkan: there is no device {}; this machine has {}", id, found.size()));
  }
  const Properties properties(found[ordinal]);
  DeviceInfo info = describe_device(properties, ordinal);
  base::Result<Context> context = create_context(found[ordinal], properties, info.id);
  if (!context) return context.errors();
  return std::unique_ptr<Device>(std::make_unique<VulkanDevice>(std::move(info), properties, *std::move(context)));
}

}  // namespace

base::Result<std::unique_ptr<Device>> open_vulkan_device(std::string_view id) {
  const base::Result<std::size_t> number = device_number(id);
  if (!number) return number.errors();
  return base::of_kind(base::ErrorKind::device, open_vulkan_numbered(id, *number));
}

}  // namespace weakspot::backend
