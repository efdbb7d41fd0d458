// SPDX-License-Identifier: MIT
#include "backend/vulkan/vulkan_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "base/names.h"
#include "base/source.h"
#include "json/json.h"

namespace weakspot::backend::vulkan {
namespace {

namespace fs = std::filesystem;

constexpr base::Named<VkResult> kResults[] = {
    {"VK_SUCCESS", VK_SUCCESS},
    {"VK_TIMEOUT", VK_TIMEOUT},
    {"VK_ERROR_OUT_OF_HOST_MEMORY", VK_ERROR_OUT_OF_HOST_MEMORY},
    {"VK_ERROR_OUT_OF_DEVICE_MEMORY", VK_ERROR_OUT_OF_DEVICE_MEMORY},
    {"VK_ERROR_INITIALIZATION_FAILED", VK_ERROR_INITIALIZATION_FAILED},
    {"VK_ERROR_DEVICE_LOST", VK_ERROR_DEVICE_LOST},
    {"VK_ERROR_MEMORY_MAP_FAILED", VK_ERROR_MEMORY_MAP_FAILED},
    {"VK_ERROR_FEATURE_NOT_PRESENT", VK_ERROR_FEATURE_NOT_PRESENT},
    {"VK_ERROR_EXTENSION_NOT_PRESENT", VK_ERROR_EXTENSION_NOT_PRESENT},
    {"VK_ERROR_INCOMPATIBLE_DRIVER", VK_ERROR_INCOMPATIBLE_DRIVER},
    {"VK_ERROR_TOO_MANY_OBJECTS", VK_ERROR_TOO_MANY_OBJECTS},
    {"VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS", VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS},
    {"VK_ERROR_UNKNOWN", VK_ERROR_UNKNOWN},
};

// Drivers that may be installed without a manifest.
constexpr const char* kKnownDrivers[] = {"libEGL_nvidia.so.0", "libGLX_nvidia.so.0", "libvulkan_lvp.so"};

// The one function that a loader and a driver export under different names.
PFN_vkGetInstanceProcAddr entry_of(void* library) {
  if (void* loader = dlsym(library, "vkGetInstanceProcAddr")) {
    return reinterpret_cast<PFN_vkGetInstanceProcAddr>(loader);
  }
  using Negotiate = VkResult (*)(std::uint32_t*);
  if (const auto negotiate = reinterpret_cast<Negotiate>(dlsym(library, "vk_icdNegotiateLoaderICDInterfaceVersion"))) {
    std::uint32_t version = 5;
    if (negotiate(&version) != VK_SUCCESS) return nullptr;
  }
  return reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vk_icdGetInstanceProcAddr"));
}

base::Result<Instance> open_library(const std::string& name) {
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return base::error(fmt::format("{} cannot be opened", name));
  const PFN_vkGetInstanceProcAddr get = entry_of(library);
  if (get == nullptr) return base::error(fmt::format("{} is not a Vulkan library", name));
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(get(VK_NULL_HANDLE, "vkCreateInstance"));
  if (create == nullptr) return base::error(fmt::format("{} has no vkCreateInstance", name));

  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = "weakspot";
  application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  Instance instance;
  instance.library = name;
  if (const VkResult result = create(&info, nullptr, &instance.handle); result != VK_SUCCESS) {
    return base::error(fmt::format("{} does not start: {}", name, describe(result)));
  }
  const char* missing = nullptr;
#define WEAKSPOT_FIND(name)                                                       \
  instance.call.name = reinterpret_cast<PFN_##name>(get(instance.handle, #name)); \
  if (instance.call.name == nullptr && missing == nullptr) missing = #name;
  WEAKSPOT_VULKAN_INSTANCE_FUNCTIONS(WEAKSPOT_FIND)
#undef WEAKSPOT_FIND
  if (missing != nullptr) return base::error(fmt::format("{} is too old: it has no {}", name, missing));

  std::uint32_t count = 0;
  instance.call.vkEnumeratePhysicalDevices(instance.handle, &count, nullptr);
  instance.devices.resize(count);
  if (count != 0) instance.call.vkEnumeratePhysicalDevices(instance.handle, &count, instance.devices.data());
  instance.devices.resize(count);
  if (instance.devices.empty()) return base::error(fmt::format("{} finds no device", name));
  return instance;
}

std::vector<std::string> manifests() {
  std::vector<std::string> files;
  for (const char* variable : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}) {
    const char* list = std::getenv(variable);
    if (list == nullptr) continue;
    const std::string_view text = list;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(':', at), text.size());
      files.emplace_back(text.substr(at, end - at));
      at = end + 1;
    }
    return files;
  }
  for (const char* folder : {"/etc/vulkan/icd.d", "/usr/share/vulkan/icd.d"}) {
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> driver_libraries() {
  std::vector<std::string> libraries;
  for (const std::string& file : manifests()) {
    const base::Result<std::string> text = base::read_file(file);
    if (!text) continue;
    std::string library = manifest_library(base::Source(file, *text));
    // A path with a folder in it is relative to the manifest.
    if (library.find('/') != std::string::npos && !library.starts_with('/')) {
      library = (fs::path(file).parent_path() / library).string();
    }
    if (!library.empty()) libraries.push_back(library);
  }
  for (const char* known : kKnownDrivers) {
    const bool named = std::any_of(libraries.begin(), libraries.end(),
                                   [&](const std::string& library) { return fs::path(library).filename() == known; });
    if (!named) libraries.emplace_back(known);
  }
  return libraries;
}

base::Result<std::vector<Instance>> open_all() {
  std::vector<Instance> opened;
  std::string problems;
  auto attempt = [&](const std::string& library) {
    base::Result<Instance> instance = open_library(library);
    if (instance) {
      opened.push_back(*std::move(instance));
    } else {
      problems += fmt::format("{}{}", problems.empty() ? "" : "; ", instance.errors().front().message);
    }
  };
  if (const char* only = std::getenv("WEAKSPOT_VULKAN_DRIVER"); only != nullptr && *only != '\0') {
    attempt(only);
  } else {
    attempt("libvulkan.so.1");
    if (opened.empty()) {
      for (const std::string& library : driver_libraries()) {
        attempt(library);
        // Both of NVIDIA's libraries hold the same driver.
        if (!opened.empty() && opened.back().library == kKnownDrivers[0]) break;
      }
    }
  }
  if (opened.empty()) return base::error(fmt::format("vulkan: no device: {}", problems));
  return opened;
}

}  // namespace

base::Result<DeviceFunctions> Instance::device_functions(VkDevice device) const {
  DeviceFunctions functions;
  const char* missing = nullptr;
#define WEAKSPOT_FIND(name)                                                               \
  functions.name = reinterpret_cast<PFN_##name>(call.vkGetDeviceProcAddr(device, #name)); \
  if (functions.name == nullptr && missing == nullptr) missing = #name;
  WEAKSPOT_VULKAN_DEVICE_FUNCTIONS(WEAKSPOT_FIND)
#undef WEAKSPOT_FIND
  if (missing != nullptr) return base::error(fmt::format("vulkan: the driver is too old: it has no {}", missing));
  return functions;
}

StatisticFunctions Instance::statistic_functions(VkDevice device) const {
  StatisticFunctions functions;
#define WEAKSPOT_FIND(name) functions.name = reinterpret_cast<PFN_##name>(call.vkGetDeviceProcAddr(device, #name));
  WEAKSPOT_FIND(vkGetPipelineExecutablePropertiesKHR)
  WEAKSPOT_FIND(vkGetPipelineExecutableStatisticsKHR)
  WEAKSPOT_FIND(vkGetPipelineExecutableInternalRepresentationsKHR)
#undef WEAKSPOT_FIND
  return functions;
}

base::Result<const std::vector<Instance>*> instances() {
  static const base::Result<std::vector<Instance>> opened = open_all();
  if (!opened) return opened.errors();
  return &*opened;
}

std::string describe(VkResult result) {
  for (const base::Named<VkResult>& known : kResults) {
    if (known.value == result) return std::string(known.name);
  }
  return fmt::format("error {}", static_cast<int>(result));
}

std::string manifest_library(const base::Source& manifest) {
  const base::Result<base::JsonValue> json = base::read_json_text(manifest);
  if (!json) return {};
  const base::JsonValue* icd = json->find("ICD");
  const base::JsonValue* path = icd != nullptr ? icd->find("library_path") : nullptr;
  return path != nullptr ? path->text() : "";
}

}  // namespace weakspot::backend::vulkan
