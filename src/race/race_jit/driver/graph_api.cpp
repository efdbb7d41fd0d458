// SPDX-License-Identifier: MIT
// The driver's interface: graphs. Nodes have the layouts of the runtime's, which begin in the same way.
#include <cstring>

#include "race_jit/driver/api.h"
#include "race_jit/driver/modules.h"
#include "race_jit/driver/runtime_calls.h"

namespace weakspot::race_jit::driver {
namespace {

using Graph = cudaGraph_t;
using Node = cudaGraphNode_t;

// A node of a launch: its kernel must have code.
bool is_launch(const cudaKernelNodeParams* launch) {
  if (launch == nullptr) return false;
  const Function* function = known(static_cast<Function*>(launch->func));
  return function != nullptr && function->has_code && launch->extra == nullptr;
}

}  // namespace

void use_graph_api() {}

extern "C" {

Result cuGraphCreate(Graph* graph, unsigned flags) { return result_of(cudaGraphCreate(graph, flags)); }
Result cuGraphClone(Graph* made, Graph graph) { return result_of(cudaGraphClone(made, graph)); }
Result cuGraphDestroy(Graph graph) { return result_of(cudaGraphDestroy(graph)); }
Result cuGraphAddKernelNode_v2(Node* node, Graph graph, const Node* after, std::size_t count,
                               const cudaKernelNodeParams* launch) {
  if (!is_launch(launch)) return not_modelled("a graph's launch of machine code, or with a buffer of arguments");
  return result_of(cudaGraphAddKernelNode(node, graph, after, count, launch));
}
Result cuGraphAddKernelNode(Node* node, Graph graph, const Node* after, std::size_t count,
                            const cudaKernelNodeParams* launch) {
  return cuGraphAddKernelNode_v2(node, graph, after, count, launch);
}
Result cuGraphAddMemcpyNode(Node* node, Graph graph, const Node* after, std::size_t count, const Copy3D* copy,
                            Context) {
  if (copy == nullptr) return kInvalidValue;
  if (copy->height > 1 || copy->depth > 1 || copy->from_type == kArrayMemory || copy->to_type == kArrayMemory) {
    return not_modelled("cuGraphAddMemcpyNode of several rows or arrays");
  }
  const char* from = copy->from_type == kHostMemory ? static_cast<const char*>(copy->from_host)
                                                    : static_cast<const char*>(pointer_of(copy->from_device));
  char* to = copy->to_type == kHostMemory ? static_cast<char*>(copy->to_host)
                                          : static_cast<char*>(pointer_of(copy->to_device));
  return result_of(cudaGraphAddMemcpyNode1D(node, graph, after, count, to + copy->to_x, from + copy->from_x,
                                            copy->width, cudaMemcpyDefault));
}
Result cuGraphAddMemsetNode(Node* node, Graph graph, const Node* after, std::size_t count, const cudaMemsetParams* set,
                            Context) {
  return result_of(cudaGraphAddMemsetNode(node, graph, after, count, set));
}
Result cuGraphAddHostNode(Node* node, Graph graph, const Node* after, std::size_t count,
                          const cudaHostNodeParams* call) {
  return result_of(cudaGraphAddHostNode(node, graph, after, count, call));
}
Result cuGraphAddChildGraphNode(Node* node, Graph graph, const Node* after, std::size_t count, Graph child) {
  return result_of(cudaGraphAddChildGraphNode(node, graph, after, count, child));
}
Result cuGraphAddEmptyNode(Node* node, Graph graph, const Node* after, std::size_t count) {
  return result_of(cudaGraphAddEmptyNode(node, graph, after, count));
}
Result cuGraphAddDependencies(Graph graph, const Node* from, const Node* to, std::size_t count) {
  return result_of(__wsGraphAddDependencies(graph, from, to, count));
}
Result cuGraphAddDependencies_v2(Graph graph, const Node* from, const Node* to, const void*, std::size_t count) {
  return result_of(__wsGraphAddDependencies(graph, from, to, count));
}
Result cuGraphGetNodes(Graph graph, Node* nodes, std::size_t* count) {
  return result_of(cudaGraphGetNodes(graph, nodes, count));
}
Result cuGraphGetRootNodes(Graph graph, Node* nodes, std::size_t* count) {
  return result_of(cudaGraphGetRootNodes(graph, nodes, count));
}
Result cuGraphNodeGetType(Node node, cudaGraphNodeType* type) { return result_of(cudaGraphNodeGetType(node, type)); }
Result cuGraphKernelNodeSetParams_v2(Node node, const cudaKernelNodeParams* launch) {
  return is_launch(launch) ? result_of(cudaGraphKernelNodeSetParams(node, launch)) : kInvalidValue;
}
Result cuGraphInstantiateWithFlags(cudaGraphExec_t* made, Graph graph, unsigned long long flags) {
  return result_of(cudaGraphInstantiateWithFlags(reinterpret_cast<void**>(made), graph, flags));
}
Result cuGraphInstantiate_v2(cudaGraphExec_t* made, Graph graph, Node*, char*, std::size_t) {
  return cuGraphInstantiateWithFlags(made, graph, 0);
}
Result cuGraphExecKernelNodeSetParams_v2(cudaGraphExec_t graph, Node node, const cudaKernelNodeParams* launch) {
  return is_launch(launch) ? result_of(cudaGraphExecKernelNodeSetParams(graph, node, launch)) : kInvalidValue;
}
Result cuGraphExecUpdate_v2(cudaGraphExec_t graph, Graph from, cudaGraphExecUpdateResultInfo* info) {
  cudaGraphExecUpdateResult result{};
  const Result done = result_of(__wsGraphExecUpdate(graph, from, &result));
  if (info != nullptr) *info = {result, nullptr, nullptr};
  return done;
}
Result cuGraphLaunch(cudaGraphExec_t graph, Stream stream) { return result_of(cudaGraphLaunch(graph, stream)); }
Result cuGraphUpload(cudaGraphExec_t, Stream) { return kSuccess; }
Result cuGraphExecDestroy(cudaGraphExec_t graph) { return result_of(cudaGraphExecDestroy(graph)); }

}  // extern "C"

}  // namespace weakspot::race_jit::driver
