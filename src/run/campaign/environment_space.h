// SPDX-License-Identifier: MIT
// The environments that a search may try. A space hands out numbers; the environment behind a number never changes.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "codegen/environment.h"

namespace weakspot::campaign {

// True if the environment has been tried.
using Tried = std::function<bool(std::size_t)>;

class EnvironmentSpace {
 public:
  virtual ~EnvironmentSpace() = default;
  virtual const codegen::TestEnvironment& at(std::size_t number) const = 0;
  // True if there are few enough environments to try them all.
  virtual bool is_finite() const { return false; }
  // The start of a search: environments known to be good elsewhere.
  virtual std::vector<std::size_t> known() const { return {}; }
  // A random one that has not been tried; nothing if none is left.
  virtual std::optional<std::size_t> draw(const Tried& tried, base::Rng& rng) = 0;
  // A similar environment.
  virtual std::optional<std::size_t> vary(std::size_t number, const Tried& tried, base::Rng& rng) = 0;
  // The first with some parameters of the second.
  virtual std::optional<std::size_t> cross(std::size_t a, std::size_t b, const Tried& tried, base::Rng& rng) = 0;
};

// All environments that make sense on a device, `known` first. On a GPU some variations keep the program, so
// that nothing has to be compiled.
enum class SpaceFor : std::uint8_t { gpu, cpu };
std::unique_ptr<EnvironmentSpace> parameter_space(SpaceFor machine, std::vector<codegen::TestEnvironment> known);

// Only these environments; `vary` and `cross` give the nearest ones.
std::unique_ptr<EnvironmentSpace> listed_space(std::vector<codegen::TestEnvironment> environments);

}  // namespace weakspot::campaign
