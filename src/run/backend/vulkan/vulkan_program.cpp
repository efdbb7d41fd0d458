// SPDX-License-Identifier: MIT
#include "backend/vulkan/vulkan_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "backend/vulkan/vulkan_pipeline.h"
#include "base/check.h"

namespace weakspot::backend::vulkan {
namespace {

using Clock = std::chrono::steady_clock;

// Rounds that may wait in the queue: enough to keep the device busy, few enough to stop soon.
constexpr std::size_t kQueued = 3;
constexpr auto kGrace = std::chrono::seconds(3);
// A driver on the host compiles when a program first runs, and the host may be busy.
constexpr auto kFirstGrace = std::chrono::seconds(60);

class Program final : public LoadedProgram {
 public:
  Program(Context& context, const DeviceInfo& info, const Occupancy& occupancy, const Clearing* clearing,
          Workplace& place, const codegen::DeviceProgram& program)
      : c_(context),
        call_(context.call),
        info_(info),
        occupancy_(occupancy),
        clearing_(clearing),
        place_(place),
        buffers_(program.buffers.size()) {
    for (const codegen::Entry& entry : program.entries) {
      entries_.push_back({entry.name, entry.workgroup_size, entry.shared_bytes, {}, {}, {}});
    }
  }

  ~Program() override {
    if (has_run_ && !c_.lost) call_.vkDeviceWaitIdle(c_.device);
  }

  base::Status create(const codegen::DeviceProgram& program, SharedKernels<Pipeline>& shared) {
    VkResult result = create_layout(c_, program.buffers.size(), layout_);
    if (result != VK_SUCCESS) return failure("layout", result);
    if (base::Status made = create_pipelines(program, shared); !made) return made;
    result = create_commands();
    if (result != VK_SUCCESS) return failure("command buffers", result);
    return base::ok_status();
  }

  std::uint32_t resident_workgroups(std::uint32_t entry) const override {
    return occupancy_.workgroups(entries_.at(entry), pipelines_.at(entry)->registers);
  }

  base::Result<RunResult> run(const codegen::Launch& launch, std::chrono::milliseconds deadline) override {
    WEAKSPOT_CHECK(launch.buffers.size() == buffers_);
    const Clock::time_point start = Clock::now();
    if (base::Status status = prepare(launch); !status) return status.errors();
    RunResult result;
    const VkResult code = execute(launch, start + deadline, result);
    if (code != VK_SUCCESS && result.status != RunStatus::lost) {
      result.status = RunStatus::lost;
      result.message = describe(code);
    }
    has_run_ = true;
    if (result.status == RunStatus::lost) c_.lost = true;
    result.host_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (queries_.get() == VK_NULL_HANDLE) result.device_seconds = result.host_seconds;
    return result;
  }

  MachineCode machine_code() const override {
    for (const std::shared_ptr<Pipeline>& pipeline : pipelines_) {
      if (pipeline->code) return *pipeline->code;
    }
    return {};
  }

  bool release_memory() override { return true; }  // a program has no memory of its own

 private:
  // A command buffer and the fence that signals its end.
  struct Commands {
    VkCommandBuffer buffer = VK_NULL_HANDLE;
    Owned<VkFence> done;
  };

  base::Status create_pipelines(const codegen::DeviceProgram& program, SharedKernels<Pipeline>& shared) {
    for (const codegen::Entry& entry : program.entries) {
      const std::vector<std::uint32_t>& words = entry.words.empty() ? program.words : entry.words;
      std::string code = entry.name + (entry.inspected ? " inspected\n" : "\n");
      code += std::to_string(program.buffers.size()) + '\n';
      code.append(reinterpret_cast<const char*>(words.data()), words.size() * 4);
      SharedKernels<Pipeline>::Made made =
          shared.get(code, [&]() -> SharedKernels<Pipeline>::Made { return compile(words, entry); });
      if (!made) return made.errors();
      pipelines_.push_back(*std::move(made));
    }
    return base::ok_status();
  }

  SharedKernels<Pipeline>::Made compile(const std::vector<std::uint32_t>& words, const codegen::Entry& entry) {
    Owned<VkShaderModule> module;
    auto pipeline = std::make_shared<Pipeline>();
    VkResult result = create_module(c_, words, module);
    if (result == VK_SUCCESS) {
      result = create_pipeline(c_, module.get(), layout_.get(), entry.name, entry.inspected, *pipeline);
    }
    if (result != VK_SUCCESS) return failure("the driver cannot compile the program", result);
    return pipeline;
  }

  VkResult create_commands() {
    VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool_info.queueFamilyIndex = c_.queue_family;
    VkCommandPool pool = VK_NULL_HANDLE;
    VkResult result = call_.vkCreateCommandPool(c_.device, &pool_info, nullptr, &pool);
    if (result != VK_SUCCESS) return result;
    pool_ = Owned<VkCommandPool>(pool, {&c_, call_.vkDestroyCommandPool});

    for (Commands* commands : all_commands()) {
      VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
      info.commandPool = pool;
      info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
      info.commandBufferCount = 1;
      result = call_.vkAllocateCommandBuffers(c_.device, &info, &commands->buffer);
      if (result != VK_SUCCESS) return result;
      const VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
      VkFence fence = VK_NULL_HANDLE;
      result = call_.vkCreateFence(c_.device, &fence_info, nullptr, &fence);
      if (result != VK_SUCCESS) return result;
      commands->done = Owned<VkFence>(fence, {&c_, call_.vkDestroyFence});
    }
    if (c_.nanoseconds_per_tick == 0) return VK_SUCCESS;
    VkQueryPoolCreateInfo query_info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    query_info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    query_info.queryCount = 2;
    VkQueryPool queries = VK_NULL_HANDLE;
    result = call_.vkCreateQueryPool(c_.device, &query_info, nullptr, &queries);
    if (result != VK_SUCCESS) return result;
    queries_ = Owned<VkQueryPool>(queries, {&c_, call_.vkDestroyQueryPool});
    return VK_SUCCESS;
  }

  std::vector<Commands*> all_commands() {
    std::vector<Commands*> all = {&first_, &last_};
    for (Commands& round : rounds_) all.push_back(&round);
    return all;
  }

  base::Status prepare(const codegen::Launch& launch) {
    std::uint64_t content = 0;
    std::uint64_t read_back = 0;
    if (place_.buffers.size() < buffers_) place_.buffers.resize(buffers_);
    for (std::uint32_t i = 0; i < buffers_; ++i) {
      const codegen::BufferSetup& setup = launch.buffers[i];
      content += setup.content.size();
      if (setup.read_back) read_back += setup.words;
      const Place place = i == launch.control ? Place::shared : Place::device;
      if (base::Status status = grow(place_.buffers[i], setup.words, place); !status) return status;
    }
    return grow(place_.staging, std::max(content, read_back), Place::host);
  }

  base::Status grow(Allocation& allocation, std::uint64_t words, Place place) {
    words = std::max<std::uint64_t>(words, 1);
    if (allocation.words >= words) return base::ok_status();
    const VkResult result = allocate(c_, words, place, allocation);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) {
      return base::error(fmt::format("vulkan: out of memory: another {} MiB do not fit on {}", words >> 18, info_.id));
    }
    if (result != VK_SUCCESS) return failure("allocation", result);
    return base::ok_status();
  }

  // ---- recording ----

  void begin(const Commands& commands) {
    VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    call_.vkBeginCommandBuffer(commands.buffer, &info);
  }

  // All earlier commands are complete and visible to all later ones.
  void barrier(const Commands& commands) {
    VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    memory.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT;
    memory.dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_HOST_READ_BIT;
    const VkPipelineStageFlags work = VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    call_.vkCmdPipelineBarrier(commands.buffer, work, work | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &memory, 0, nullptr, 0,
                               nullptr);
  }

  void timestamp(const Commands& commands, std::uint32_t number) {
    if (queries_.get() == VK_NULL_HANDLE) return;
    if (number == 0) call_.vkCmdResetQueryPool(commands.buffer, queries_.get(), 0, 2);
    call_.vkCmdWriteTimestamp(commands.buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_.get(), number);
  }

  VkResult submit(const Commands& commands) {
    VkResult result = call_.vkEndCommandBuffer(commands.buffer);
    if (result != VK_SUCCESS) return result;
    const VkFence fence = commands.done.get();
    result = call_.vkResetFences(c_.device, 1, &fence);
    if (result != VK_SUCCESS) return result;
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands.buffer;
    return call_.vkQueueSubmit(c_.queue, 1, &info, fence);
  }

  void copy(const Commands& commands, const Allocation& from, std::uint64_t from_word, const Allocation& to,
            std::uint64_t to_word, std::uint64_t words) {
    const VkBufferCopy region{from_word * 4, to_word * 4, words * 4};
    call_.vkCmdCopyBuffer(commands.buffer, from.buffer.get(), to.buffer.get(), 1, &region);
  }

  void fill(const Commands& commands, std::uint32_t buffer, std::uint64_t word, std::uint64_t words,
            std::uint32_t value) {
    call_.vkCmdFillBuffer(commands.buffer, place_.buffers[buffer].buffer.get(), word * 4, words * 4, value);
  }

  void clear(const Commands& commands, std::uint32_t buffer, std::uint64_t words) {
    const std::uint64_t cleared =
        clearing_ == nullptr ? 0 : clearing_->record(c_, commands.buffer, place_.buffers[buffer].address, words);
    if (cleared != words) fill(commands, buffer, cleared, words - cleared, 0);
  }

  VkResult fill_once(const codegen::Launch& launch) {
    begin(first_);
    for (std::uint32_t i = 0; i < launch.buffers.size(); ++i) {
      if (launch.buffers[i].zero_first && launch.buffers[i].words != 0) clear(first_, i, launch.buffers[i].words);
    }
    barrier(first_);
    std::uint64_t at = 0;
    for (std::uint32_t i = 0; i < launch.buffers.size(); ++i) {
      const std::vector<std::uint32_t>& content = launch.buffers[i].content;
      if (content.empty()) continue;
      std::memcpy(place_.staging.mapped + at, content.data(), content.size() * 4);
      copy(first_, place_.staging, at, place_.buffers[i], 0, content.size());
      at += content.size();
    }
    return submit(first_);
  }

  VkResult enqueue_round(const codegen::Launch& launch, std::uint32_t number) {
    const Commands& round = rounds_[number % kQueued];
    begin(round);
    barrier(round);
    // The first timestamp comes here, because the driver may still have been preparing memory.
    if (number == 0) timestamp(round, 0);
    fill(round, launch.control, launch.round_word, 1, number);
    for (std::uint32_t i = 0; i < launch.buffers.size(); ++i) {
      if (launch.buffers[i].zero_each_round && launch.buffers[i].words != 0) {
        clear(round, i, launch.buffers[i].words);
      }
    }
    std::vector<VkDeviceAddress> addresses;
    addresses.reserve(buffers_);
    for (std::size_t i = 0; i < buffers_; ++i) addresses.push_back(place_.buffers[i].address);
    call_.vkCmdPushConstants(round.buffer, layout_.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                             static_cast<std::uint32_t>(addresses.size() * sizeof(VkDeviceAddress)), addresses.data());
    for (const codegen::Pass& pass : launch.passes) {
      barrier(round);
      call_.vkCmdBindPipeline(round.buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines_.at(pass.entry)->handle.get());
      call_.vkCmdDispatch(round.buffer, pass.workgroups, 1, 1);
    }
    return submit(round);
  }

  VkResult enqueue_read_back(const codegen::Launch& launch, std::uint32_t rounds) {
    begin(last_);
    barrier(last_);
    if (rounds == 0) timestamp(last_, 0);
    timestamp(last_, 1);
    std::uint64_t at = 0;
    for (std::uint32_t i = 0; i < launch.buffers.size(); ++i) {
      if (!launch.buffers[i].read_back || launch.buffers[i].words == 0) continue;
      copy(last_, place_.buffers[i], 0, place_.staging, at, launch.buffers[i].words);
      at += launch.buffers[i].words;
    }
    barrier(last_);
    return submit(last_);
  }

  // ---- running ----

  VkResult wait_until(VkFence fence, Clock::time_point time) {
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(time - Clock::now()).count();
    return call_.vkWaitForFences(c_.device, 1, &fence, VK_TRUE,
                                 static_cast<std::uint64_t>(std::max<std::int64_t>(left, 0)));
  }

  // Waits for the commands; past the deadline it tells the kernels to stop and waits a little longer.
  VkResult await(const Commands& commands, const codegen::Launch& launch, Clock::time_point deadline,
                 RunResult& result) {
    if (result.status == RunStatus::finished) {
      const VkResult code = wait_until(commands.done.get(), deadline);
      if (code != VK_TIMEOUT) return code;
      result.status = RunStatus::stopped;
      std::atomic_ref<std::uint32_t>(place_.buffers[launch.control].mapped[launch.stop_word]).store(1);
    }
    const std::chrono::seconds grace = info_.is_host && !has_run_ ? kFirstGrace : kGrace;
    const VkResult code = wait_until(commands.done.get(), std::max(deadline, Clock::now()) + grace);
    if (code == VK_TIMEOUT) {
      result.status = RunStatus::lost;
      result.message = "the device did not stop at the deadline";
    }
    return code;
  }

  VkResult execute(const codegen::Launch& launch, Clock::time_point deadline, RunResult& result) {
    VkResult code = fill_once(launch);
    std::uint32_t enqueued = 0;
    for (; enqueued < launch.rounds && code == VK_SUCCESS; ++enqueued) {
      if (enqueued >= kQueued) code = await(rounds_[enqueued % kQueued], launch, deadline, result);
      if (code != VK_SUCCESS || result.status != RunStatus::finished) break;
      if (Clock::now() > deadline) {
        result.status = RunStatus::stopped;
        break;
      }
      code = enqueue_round(launch, enqueued);
    }
    const Clock::time_point submitted = Clock::now();
    if (code == VK_SUCCESS) code = enqueue_read_back(launch, enqueued);
    if (code == VK_SUCCESS) code = await(last_, launch, std::max(deadline, submitted), result);
    if (code != VK_SUCCESS) return code;
    result.rounds = enqueued;
    read_staging(launch, result);
    return device_time(result);
  }

  void read_staging(const codegen::Launch& launch, RunResult& result) const {
    result.buffers.resize(launch.buffers.size());
    const std::uint32_t* at = place_.staging.mapped;
    for (std::uint32_t i = 0; i < launch.buffers.size(); ++i) {
      if (!launch.buffers[i].read_back) continue;
      result.buffers[i].assign(at, at + launch.buffers[i].words);
      at += launch.buffers[i].words;
    }
  }

  VkResult device_time(RunResult& result) {
    if (queries_.get() == VK_NULL_HANDLE) return VK_SUCCESS;
    std::array<std::uint64_t, 2> ticks{};
    const VkResult code =
        call_.vkGetQueryPoolResults(c_.device, queries_.get(), 0, 2, sizeof ticks, ticks.data(), sizeof ticks[0],
                                    VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    result.device_seconds = static_cast<double>(ticks[1] - ticks[0]) * c_.nanoseconds_per_tick * 1e-9;
    return code;
  }

  Context& c_;
  const DeviceFunctions& call_;
  const DeviceInfo& info_;
  const Occupancy occupancy_;
  const Clearing* clearing_;
  std::vector<codegen::Entry> entries_;
  Workplace& place_;
  std::size_t buffers_;
  Owned<VkPipelineLayout> layout_;
  std::vector<std::shared_ptr<Pipeline>> pipelines_;  // by entry
  Owned<VkCommandPool> pool_;
  Owned<VkQueryPool> queries_;
  Commands first_;  // fills buffers
  std::array<Commands, kQueued> rounds_;
  Commands last_;  // reads back
  bool has_run_ = false;
};

}  // namespace

std::uint32_t Occupancy::workgroups(const codegen::Entry& entry, std::optional<std::uint32_t> registers) const {
  std::uint32_t per_unit = groups_per_unit;
  std::uint32_t threads = threads_per_unit;
  if (registers_per_unit != 0) {
    // 64 if unknown; they are allocated in eights.
    const std::uint32_t each = (std::max(registers.value_or(64), 1u) + 7) / 8 * 8;
    threads = std::min(threads, registers_per_unit / each);
  }
  if (threads_per_unit != 0) per_unit = std::min(per_unit, threads / std::max(entry.workgroup_size, 1u));
  if (shared_bytes_per_unit != 0 && entry.shared_bytes != 0) {
    per_unit = std::min(per_unit, shared_bytes_per_unit / entry.shared_bytes);
  }
  return std::max(1u, per_unit) * std::max(1u, units);
}

base::Result<std::unique_ptr<LoadedProgram>> load_program(Context& context, const DeviceInfo& info,
                                                          const Occupancy& occupancy, const Clearing* clearing,
                                                          SharedKernels<Pipeline>& shared, Workplace& place,
                                                          const codegen::DeviceProgram& program) {
  auto loaded = std::make_unique<Program>(context, info, occupancy, clearing, place, program);
  if (base::Status status = loaded->create(program, shared); !status) return status.errors();
  return std::unique_ptr<LoadedProgram>(std::move(loaded));
}

}  // namespace weakspot::backend::vulkan
