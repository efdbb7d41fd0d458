// SPDX-License-Identifier: MIT
// Runs mp.spv again and again and counts how often a reader that saw the flag missed the data.
//   ./mp mp.spv [SECONDS [DEVICE]]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vulkan/vulkan.h>

enum { INSTANCES = 1 << 17, LANES = 32, SPREAD = 16, BUFFERS = 3 };

static void check(VkResult result, const char* what) {
  if (result == VK_SUCCESS) return;
  fprintf(stderr, "mp: %s failed: %d\n", what, result);
  exit(3);
}

static uint32_t* read_words(const char* path, size_t* bytes) {
  FILE* file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "mp: cannot open %s\n", path);
    exit(2);
  }
  fseek(file, 0, SEEK_END);
  *bytes = (size_t)ftell(file);
  rewind(file);
  uint32_t* words = malloc(*bytes);
  if (!words || fread(words, 1, *bytes, file) != *bytes) exit(2);
  fclose(file);
  return words;
}

static VkPhysicalDevice pick_device(VkInstance instance, uint32_t index) {
  VkPhysicalDevice devices[16];
  uint32_t count = 16;
  vkEnumeratePhysicalDevices(instance, &count, devices);
  if (index >= count) {
    fprintf(stderr, "mp: there is no Vulkan device %u\n", index);
    exit(3);
  }
  VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  VkPhysicalDeviceProperties2 device = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
  vkGetPhysicalDeviceProperties2(devices[index], &device);
  printf("%s, %s %s\n", device.properties.deviceName, driver.driverName, driver.driverInfo);
  return devices[index];
}

// A kind of memory that the host can map; every device has one.
static uint32_t host_memory(VkPhysicalDevice device, uint32_t allowed) {
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(device, &memory);
  const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i)
    if ((allowed >> i & 1) && (memory.memoryTypes[i].propertyFlags & wanted) == wanted) return i;
  exit(3);
}

int main(int count, char** words) {
  if (count < 2) {
    fprintf(stderr, "usage: mp mp.spv [SECONDS [DEVICE]]\n");
    return 2;
  }
  const double seconds = count > 2 ? atof(words[2]) : 10;
  const uint32_t index = count > 3 ? (uint32_t)atoi(words[3]) : 0;

  const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
  const VkInstanceCreateInfo wanted = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
  VkInstance instance;
  check(vkCreateInstance(&wanted, NULL, &instance), "vkCreateInstance");
  const VkPhysicalDevice physical = pick_device(instance, index);

  VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                               .vulkanMemoryModel = VK_TRUE,
                                               .vulkanMemoryModelDeviceScope = VK_TRUE};
  const float priority = 1;
  const VkDeviceQueueCreateInfo queues = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
  const VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                          .pNext = &features,
                                          .queueCreateInfoCount = 1,
                                          .pQueueCreateInfos = &queues};
  VkDevice device;
  check(vkCreateDevice(physical, &device_info, NULL, &device), "vkCreateDevice");
  VkQueue queue;
  vkGetDeviceQueue(device, 0, 0, &queue);

  // Three buffers: the data, the flags, and the two counts.
  const VkDeviceSize sizes[BUFFERS] = {4ull * INSTANCES * SPREAD, 4ull * INSTANCES, 8};
  VkDescriptorSetLayoutBinding bindings[BUFFERS];
  for (uint32_t i = 0; i < BUFFERS; ++i)
    bindings[i] =
        (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
  const VkDescriptorSetLayoutCreateInfo layout_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = BUFFERS, .pBindings = bindings};
  VkDescriptorSetLayout set_layout;
  check(vkCreateDescriptorSetLayout(device, &layout_info, NULL, &set_layout), "vkCreateDescriptorSetLayout");
  const VkDescriptorPoolSize pool_size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BUFFERS};
  const VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                .maxSets = 1,
                                                .poolSizeCount = 1,
                                                .pPoolSizes = &pool_size};
  VkDescriptorPool pool;
  check(vkCreateDescriptorPool(device, &pool_info, NULL, &pool), "vkCreateDescriptorPool");
  const VkDescriptorSetAllocateInfo set_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                .descriptorPool = pool,
                                                .descriptorSetCount = 1,
                                                .pSetLayouts = &set_layout};
  VkDescriptorSet set;
  check(vkAllocateDescriptorSets(device, &set_info, &set), "vkAllocateDescriptorSets");

  uint32_t* mapped[BUFFERS];
  for (uint32_t i = 0; i < BUFFERS; ++i) {
    const VkBufferCreateInfo buffer_info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = sizes[i], .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkBuffer buffer;
    check(vkCreateBuffer(device, &buffer_info, NULL, &buffer), "vkCreateBuffer");
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, buffer, &needs);
    const VkMemoryAllocateInfo memory_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                              .allocationSize = needs.size,
                                              .memoryTypeIndex = host_memory(physical, needs.memoryTypeBits)};
    VkDeviceMemory memory;
    check(vkAllocateMemory(device, &memory_info, NULL, &memory), "vkAllocateMemory");
    check(vkBindBufferMemory(device, buffer, memory, 0), "vkBindBufferMemory");
    check(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, (void**)&mapped[i]), "vkMapMemory");
    const VkDescriptorBufferInfo part = {buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .dstBinding = i,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &part};
    vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
  }

  size_t bytes;
  uint32_t* code = read_words(words[1], &bytes);
  const VkShaderModuleCreateInfo module_info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes, .pCode = code};
  VkShaderModule module;
  check(vkCreateShaderModule(device, &module_info, NULL, &module), "vkCreateShaderModule");
  const VkPipelineLayoutCreateInfo pipeline_layout_info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set_layout};
  VkPipelineLayout pipeline_layout;
  check(vkCreatePipelineLayout(device, &pipeline_layout_info, NULL, &pipeline_layout), "vkCreatePipelineLayout");
  const VkComputePipelineCreateInfo pipeline_info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main"},
      .layout = pipeline_layout};
  VkPipeline pipeline;
  check(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &pipeline_info, NULL, &pipeline),
        "vkCreateComputePipelines");

  const VkCommandPoolCreateInfo commands_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  VkCommandPool commands;
  check(vkCreateCommandPool(device, &commands_info, NULL, &commands), "vkCreateCommandPool");
  const VkCommandBufferAllocateInfo buffer_info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = commands, .commandBufferCount = 1};
  VkCommandBuffer command;
  check(vkAllocateCommandBuffers(device, &buffer_info, &command), "vkAllocateCommandBuffers");
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  check(vkBeginCommandBuffer(command, &begin), "vkBeginCommandBuffer");
  vkCmdBindPipeline(command, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(command, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, 0, 1, &set, 0, NULL);
  vkCmdDispatch(command, 2 * INSTANCES / LANES, 1, 1);
  check(vkEndCommandBuffer(command), "vkEndCommandBuffer");

  unsigned long long weak = 0, seen = 0, run = 0;
  const time_t start = time(NULL);
  do {
    for (uint32_t i = 0; i < BUFFERS; ++i) memset(mapped[i], 0, sizes[i]);
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &command};
    check(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
    weak += mapped[2][0];
    seen += mapped[2][1];
    run += INSTANCES;
  } while (difftime(time(NULL), start) < seconds);
  printf("%llu weak outcomes; the flag was seen in %llu of %llu instances\n", weak, seen, run);
  return weak != 0;
}
