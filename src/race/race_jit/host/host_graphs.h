// SPDX-License-Identifier: MIT
// The graphs of the CUDA runtime, as far as they come from capturing streams: work that is recorded instead of done, to
// be done later any number of times. Captured work is done in the order in which it was requested.
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
  // Returns the handle of the captured graph; 0 if no capture was begun.
  std::uint64_t end();
  void add(Work work) { captured_.push_back(std::move(work)); }
  // Returns the handle of a copy of the graph; 0 if there is no such graph.
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
