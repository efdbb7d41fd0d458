// Work that is recorded instead of done, to be done later as often as asked: the graphs of the CUDA runtime, as far as
// they come from capturing streams. What was captured is done in the order in which it was asked for.
#pragma once

#include <weakspot/runtime_types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace weakspot::race_jit {

class HostGraphs {
 public:
  // Does its work in the stream it is given.
  using Work = std::function<cudaError_t(void* stream)>;
  using Graph = std::vector<Work>;

  bool is_capturing() const { return capturing_; }
  bool begin();
  // The handle of what was captured; 0 if nothing was begun.
  std::uint64_t end();
  void add(Work work) { captured_.push_back(std::move(work)); }
  // A copy of a graph, by handle; 0 if there is none.
  std::uint64_t copy(std::uint64_t handle);
  bool remove(std::uint64_t handle) { return graphs_.erase(handle) > 0; }
  const Graph* find(std::uint64_t handle) const;

 private:
  bool capturing_ = false;
  Graph captured_;
  std::map<std::uint64_t, Graph> graphs_;
  std::uint64_t next_ = 1;
};

}  // namespace weakspot::race_jit
