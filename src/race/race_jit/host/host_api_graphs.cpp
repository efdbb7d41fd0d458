// SPDX-License-Identifier: MIT
// The stand-in CUDA runtime: graphs that are captured or made node by node. Nodes that nothing orders run in streams of
// their own, so that races between them are seen.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "race_jit/host/host_api.h"
#include "race_jit/host/host_device.h"

namespace weakspot::race_jit {

extern "C" {
cudaError_t cudaMemcpyAsync(void*, const void*, std::size_t, cudaMemcpyKind, void*);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms*, void*);
}

namespace {

GraphId id_of(const void* handle) { return reinterpret_cast<GraphId>(handle); }
template <typename Handle>
Handle handle_of(std::uint64_t id) {
  return reinterpret_cast<Handle>(id);
}

std::vector<GraphNodeId> ids_of(const cudaGraphNode_t* nodes, std::size_t count) {
  std::vector<GraphNodeId> ids;
  ids.reserve(count);
  for (std::size_t i = 0; i < count; ++i) ids.push_back(id_of(nodes[i]));
  return ids;
}

cudaError_t invalid() { return host_device->fail(cudaErrorInvalidValue); }
cudaError_t nothing(void*) { return cudaSuccess; }

// Runs the nodes of a graph in streams. A node goes on in the stream of one that it depends on, if that one is the last
// there, so that a chain needs no other stream than the one that the graph was launched in.
class GraphRun {
 public:
  explicit GraphRun(void* stream) : lanes_{{.stream = stream}} {}

  cudaError_t run(const HostGraphs::Graph& graph) {
    // An empty piece of work: the default stream waits for others here, not only at its first node.
    cudaError_t error = host_device->submit(lanes_[0].stream, false);
    const EventId start = recorded(0);
    for (const GraphNode& node : graph) {
      if (error != cudaSuccess) break;
      const std::size_t lane = lane_for(node, start);
      error = node.work(lanes_[lane].stream);
      lanes_[lane].last = node.id;
      ends_[node.id] = {lane, recorded(lane)};
    }
    for (std::size_t i = 1; i < lanes_.size(); ++i) {
      const StreamId stream = stream_id(lanes_[i].stream);
      host_device->streams().stream_waits(stream_id(lanes_[0].stream), recorded(i));
      host_device->streams().destroy_stream(stream);
    }
    for (const EventId event : events_) host_device->streams().destroy_event(event);
    return error;
  }

 private:
  struct Lane {
    void* stream = nullptr;
    GraphNodeId last = 0;
  };
  struct End {
    std::size_t lane = 0;
    EventId event = 0;
  };

  std::size_t lane_for(const GraphNode& node, EventId start) {
    std::size_t lane = lanes_.size();
    if (node.after.empty() && lanes_[0].last == 0) lane = 0;
    for (const GraphNodeId before : node.after) {
      if (lanes_[ends_[before].lane].last == before) lane = ends_[before].lane;
    }
    if (lane == lanes_.size()) {
      const StreamId made = host_device->streams().create_stream(false);
      lanes_.push_back({.stream = reinterpret_cast<void*>(made)});
      host_device->streams().stream_waits(made, start);
    }
    for (const GraphNodeId before : node.after) {
      if (ends_[before].lane == lane) continue;
      host_device->streams().stream_waits(stream_id(lanes_[lane].stream), ends_[before].event);
    }
    return lane;
  }

  EventId recorded(std::size_t lane) {
    events_.push_back(host_device->streams().create_event());
    host_device->streams().record(events_.back(), stream_id(lanes_[lane].stream));
    return events_.back();
  }

  std::vector<Lane> lanes_;  // the first is the stream that the graph was launched in
  std::map<GraphNodeId, End> ends_;
  std::vector<EventId> events_;
};

cudaError_t run_graph(const HostGraphs::SharedGraph& graph, void* stream) {
  if (graph == nullptr) return invalid();
  return GraphRun(stream).run(*graph);
}

cudaError_t run_unordered(const HostGraphs::SharedGraph& graph, void* stream) {
  const std::optional<HostGraphs::Graph> ordered = in_order(*graph);
  return ordered ? GraphRun(stream).run(*ordered) : invalid();
}

cudaError_t add(cudaGraphNode_t* node, const void* graph, const cudaGraphNode_t* after, std::size_t count,
                cudaGraphNodeType type, HostGraphs::Work work) {
  if (node == nullptr || work == nullptr || (after == nullptr && count > 0)) return invalid();
  const GraphNodeId made = host_device->graphs().add_node(
      id_of(graph), {.type = type, .work = std::move(work), .after = ids_of(after, count)});
  *node = handle_of<cudaGraphNode_t>(made);
  return made != 0 ? cudaSuccess : invalid();
}

HostGraphs::Work launch_work(const cudaKernelNodeParams* launch) {
  if (launch == nullptr || launch->extra != nullptr) return {};
  auto extent = [](const dim3& size) { return Extent{size.x, size.y, size.z}; };
  const CallConfiguration call{
      {.grid = extent(launch->gridDim), .block = extent(launch->blockDim), .shared = launch->sharedMemBytes}};
  return host_device->later(launch->func, call, launch->kernelParams);
}

HostGraphs::Work copy_work(const cudaMemcpy3DParms* copy) {
  if (copy == nullptr) return {};
  return [copy = *copy](void* stream) { return cudaMemcpy3DAsync(&copy, stream); };
}

cudaError_t set_elements(const cudaMemsetParams& set, void* stream) {
  const cudaError_t result = host_device->submit(stream, false);
  for (std::size_t y = 0; y < set.height; ++y) {
    char* row = static_cast<char*>(set.dst) + y * set.pitch;
    const std::size_t bytes = set.width * set.elementSize;
    if (!host_device->is_device(row) || !host_device->is_accessible(row, bytes)) return invalid();
    // The first bytes of the value are its low ones, as on a GPU.
    for (std::size_t x = 0; x < set.width; ++x) {
      for (unsigned i = 0; i < set.elementSize; ++i) {
        row[x * set.elementSize + i] = static_cast<char>(set.value >> (8 * i));
      }
    }
  }
  return result;
}

HostGraphs::Work set_work(const cudaMemsetParams* set) {
  if (set == nullptr || (set->elementSize != 1 && set->elementSize != 2 && set->elementSize != 4)) return {};
  return [set = *set](void* stream) { return set_elements(set, stream); };
}

HostGraphs::Work host_work(const cudaHostNodeParams* call) {
  if (call == nullptr || call->fn == nullptr) return {};
  return [call = *call](void*) {
    call.fn(call.userData);
    return cudaSuccess;
  };
}

HostGraphs::Work graph_work(const void* graph) {
  const GraphId copy = host_device->graphs().ready(id_of(graph));
  if (copy == 0) return {};
  const HostGraphs::SharedGraph nodes = host_device->graphs().find(copy);
  host_device->graphs().remove(copy);
  return [nodes](void* stream) { return run_graph(nodes, stream); };
}

HostGraphs::Work allocate_work(cudaMemAllocNodeParams& memory) {
  memory.dptr = host_device->allocate(memory.bytesize, "");
  if (memory.dptr == nullptr) return {};
  host_device->graphs().own(memory.dptr, memory.bytesize);
  return nothing;
}

// The value of a condition, which kernels set: a word of the device's memory. Its handle is the address.
unsigned* condition(cudaGraphConditionalHandle handle) {
  auto* value = reinterpret_cast<unsigned*>(handle);
  return host_device->is_device(value) && host_device->is_accessible(value, sizeof *value) ? value : nullptr;
}

HostGraphs::Work conditional_work(cudaConditionalNodeParams& node) {
  unsigned* value = condition(node.handle);
  if (value == nullptr || node.size == 0) return {};
  auto bodies = std::make_shared<std::vector<HostGraphs::SharedGraph>>();
  std::vector<cudaGraph_t> handles;
  for (unsigned i = 0; i < node.size; ++i) {
    const GraphId body = host_device->graphs().create();
    bodies->push_back(host_device->graphs().find(body));
    handles.push_back(handle_of<cudaGraph_t>(body));
  }
  node.phGraph_out = host_device->graphs().keep(std::move(handles));
  return [type = node.type, value, bodies](void* stream) {
    cudaError_t error = cudaSuccess;
    if (type == cudaGraphCondTypeWhile) {
      while (error == cudaSuccess && *value != 0) error = run_unordered(bodies->front(), stream);
    } else {
      const std::size_t chosen = type == cudaGraphCondTypeSwitch ? *value : *value != 0 ? 0 : 1;
      if (chosen < bodies->size()) error = run_unordered((*bodies)[chosen], stream);
    }
    // For the next launch of the graph; nothing reads it in this one.
    if (const std::optional<unsigned> again = host_device->graphs().default_of(value)) *value = *again;
    return error;
  };
}

HostGraphs::Work work_of(cudaGraphNodeParams& node) {
  switch (node.type) {
    case cudaGraphNodeTypeKernel:
      return launch_work(&node.kernel);
    case cudaGraphNodeTypeMemcpy:
      return copy_work(&node.memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return set_work(&node.memset);
    case cudaGraphNodeTypeHost:
      return host_work(&node.host);
    case cudaGraphNodeTypeGraph:
      return graph_work(node.graph.graph);
    case cudaGraphNodeTypeMemAlloc:
      return allocate_work(node.alloc);
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeMemFree:
      return nothing;
    case cudaGraphNodeTypeConditional:
      return conditional_work(node.conditional);
    default:
      return {};
  }
}

cudaError_t list_nodes(const void* graph, cudaGraphNode_t* nodes, std::size_t* count, bool only_roots) {
  const HostGraphs::SharedGraph found = host_device->graphs().find(id_of(graph));
  if (found == nullptr || count == nullptr) return invalid();
  std::size_t n = 0;
  for (const GraphNode& node : *found) {
    if (only_roots && !node.after.empty()) continue;
    if (nodes != nullptr && n < *count) nodes[n] = handle_of<cudaGraphNode_t>(node.id);
    ++n;
  }
  *count = nodes == nullptr ? n : std::min(n, *count);
  return cudaSuccess;
}

cudaError_t change_launch(GraphNode* node, const cudaKernelNodeParams* launch) {
  HostGraphs::Work work = launch_work(launch);
  if (node == nullptr || node->type != cudaGraphNodeTypeKernel || work == nullptr) return invalid();
  node->work = std::move(work);
  return cudaSuccess;
}

cudaError_t drop_graph(const void* graph) {
  return host_device->graphs().remove(id_of(graph)) ? cudaSuccess : invalid();
}

}  // namespace

void use_host_graph_api() {}

// NOLINTBEGIN(bugprone-reserved-identifier): names that no program has
extern "C" {

cudaError_t cudaStreamBeginCapture(void*, int) {
  return host_device->graphs().begin() ? cudaSuccess : host_device->fail(cudaErrorStreamCaptureUnsupported);
}
cudaError_t cudaStreamBeginCaptureToGraph(void*, cudaGraph_t graph, const cudaGraphNode_t* after, const void*,
                                          std::size_t count, int) {
  return host_device->graphs().begin(id_of(graph), ids_of(after, count))
             ? cudaSuccess
             : host_device->fail(cudaErrorStreamCaptureUnsupported);
}
cudaError_t cudaStreamEndCapture(void*, cudaGraph_t* graph) {
  const GraphId captured = host_device->graphs().end();
  if (graph != nullptr) *graph = handle_of<cudaGraph_t>(captured);
  return captured != 0 ? cudaSuccess : host_device->fail(cudaErrorStreamCaptureUnsupported);
}
cudaError_t cudaStreamIsCapturing(void*, int* status) {
  *status = host_device->graphs().is_capturing() ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaStreamGetCaptureInfo_v2(void* stream, int* status, unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** last, std::size_t* count) {
  static thread_local std::vector<cudaGraphNode_t> nodes;  // valid until the next call
  nodes.clear();
  for (const GraphNodeId node : host_device->graphs().captured_last())
    nodes.push_back(handle_of<cudaGraphNode_t>(node));
  if (id != nullptr) *id = host_device->graphs().captured();
  if (graph != nullptr) *graph = handle_of<cudaGraph_t>(host_device->graphs().captured());
  if (last != nullptr) *last = nodes.data();
  if (count != nullptr) *count = nodes.size();
  return cudaStreamIsCapturing(stream, status);
}
cudaError_t __wsUpdateCaptureDependencies(void*, const cudaGraphNode_t* nodes, std::size_t count, unsigned flags) {
  if (!host_device->graphs().is_capturing()) return host_device->fail(cudaErrorStreamCaptureUnsupported);
  std::vector<GraphNodeId> after = ids_of(nodes, count);
  if (flags == cudaStreamAddCaptureDependencies) {
    const std::vector<GraphNodeId>& before = host_device->graphs().captured_last();
    after.insert(after.begin(), before.begin(), before.end());
  }
  host_device->graphs().set_captured_last(after);
  return cudaSuccess;
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  *graph = handle_of<cudaGraph_t>(host_device->graphs().create());
  return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t* made, cudaGraph_t graph) {
  const GraphId copy = host_device->graphs().copy(id_of(graph));
  *made = handle_of<cudaGraph_t>(copy);
  return copy != 0 ? cudaSuccess : invalid();
}
cudaError_t cudaGraphDestroy(void* graph) { return drop_graph(graph); }
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaKernelNodeParams* launch) {
  return add(node, graph, after, count, cudaGraphNodeTypeKernel, launch_work(launch));
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaMemcpy3DParms* copy) {
  return add(node, graph, after, count, cudaGraphNodeTypeMemcpy, copy_work(copy));
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     std::size_t count, void* to, const void* from, std::size_t size,
                                     cudaMemcpyKind kind) {
  return add(node, graph, after, count, cudaGraphNodeTypeMemcpy,
             [=](void* stream) { return cudaMemcpyAsync(to, from, size, kind, stream); });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaMemsetParams* set) {
  return add(node, graph, after, count, cudaGraphNodeTypeMemset, set_work(set));
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 std::size_t count, const cudaHostNodeParams* call) {
  return add(node, graph, after, count, cudaGraphNodeTypeHost, host_work(call));
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       std::size_t count, cudaGraph_t child) {
  return add(node, graph, after, count, cudaGraphNodeTypeGraph, graph_work(child));
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  std::size_t count) {
  return add(node, graph, after, count, cudaGraphNodeTypeEmpty, nothing);
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     std::size_t count, cudaMemAllocNodeParams* memory) {
  if (memory == nullptr) return invalid();
  return add(node, graph, after, count, cudaGraphNodeTypeMemAlloc, allocate_work(*memory));
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    std::size_t count, void* memory) {
  if (!host_device->graphs().owns(memory)) return invalid();
  return add(node, graph, after, count, cudaGraphNodeTypeMemFree, nothing);
}
cudaError_t __wsGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, std::size_t count,
                             cudaGraphNodeParams* parameters) {
  if (parameters == nullptr) return invalid();
  return add(node, graph, after, count, parameters->type, work_of(*parameters));
}
cudaError_t __wsGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!host_device->graphs().add_dependency(id_of(graph), id_of(from[i]), id_of(to[i]))) return invalid();
  }
  return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return list_nodes(graph, nodes, count, false);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return list_nodes(graph, nodes, count, true);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  const GraphNode* found = host_device->graphs().find_node(id_of(node));
  if (found == nullptr) return invalid();
  *type = found->type;
  return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* launch) {
  return change_launch(host_device->graphs().find_node(id_of(node)), launch);
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t, unsigned value,
                                             unsigned flags) {
  auto* memory = static_cast<unsigned*>(host_device->allocate(sizeof(unsigned), "condition"));
  if (memory == nullptr) return host_device->fail(cudaErrorMemoryAllocation);
  *memory = value;
  *handle = reinterpret_cast<cudaGraphConditionalHandle>(memory);
  if ((flags & cudaGraphCondAssignDefault) != 0) host_device->graphs().set_default(memory, value);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(void** made, void* graph, unsigned long long) {
  const GraphId ready = host_device->graphs().ready(id_of(graph));
  *made = reinterpret_cast<void*>(ready);
  return ready != 0 ? cudaSuccess : invalid();
}
cudaError_t cudaGraphInstantiate(void** made, void* graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(made, graph, flags);
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* launch) {
  return change_launch(host_device->graphs().find_node(id_of(graph), id_of(node)), launch);
}
cudaError_t __wsGraphExecUpdate(cudaGraphExec_t graph, cudaGraph_t from, cudaGraphExecUpdateResult* result) {
  const HostGraphs::SharedGraph mine = host_device->graphs().find(id_of(graph));
  const HostGraphs::SharedGraph theirs = host_device->graphs().find(id_of(from));
  if (mine == nullptr || theirs == nullptr) return invalid();
  *result = take_work(*mine, *theirs);
  return *result == cudaGraphExecUpdateSuccess ? cudaSuccess : host_device->fail(cudaErrorGraphExecUpdateFailure);
}
cudaError_t cudaGraphLaunch(void* graph, void* stream) {
  const HostGraphs::SharedGraph found = host_device->graphs().find(id_of(graph));
  if (found == nullptr || !host_device->graphs().is_capturing()) return run_graph(found, stream);
  host_device->graphs().add(cudaGraphNodeTypeGraph, [found](void* where) { return run_graph(found, where); });
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(void*, void*) { return cudaSuccess; }
cudaError_t cudaGraphExecDestroy(void* graph) { return drop_graph(graph); }

cudaError_t cudaDeviceGetGraphMemAttribute(int, int, void* value) {
  const std::uint64_t bytes = host_device->graphs().owned_bytes();
  std::memcpy(value, &bytes, sizeof bytes);
  return cudaSuccess;
}
cudaError_t cudaDeviceSetGraphMemAttribute(int, int, void*) { return cudaSuccess; }
cudaError_t cudaDeviceGraphMemTrim(int) { return cudaSuccess; }

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)

}  // namespace weakspot::race_jit
