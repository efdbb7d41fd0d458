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

// Whether an environment has been tried.
using Tried = std::function<bool(std::size_t)>;

class EnvironmentSpace {
 public:
  virtual ~EnvironmentSpace() = default;
  virtual const codegen::TestEnvironment& at(std::size_t number) const = 0;
  // Whether there are few enough to try them all.
  virtual bool is_finite() const { return false; }
  // Known to be good elsewhere: where to begin.
  virtual std::vector<std::size_t> known() const { return {}; }
  // One at random that has not been tried; nothing if there is none left.
  virtual std::optional<std::size_t> draw(const Tried& tried, base::Rng& rng) = 0;
  // One like it.
  virtual std::optional<std::size_t> vary(std::size_t number, const Tried& tried, base::Rng& rng) = 0;
  // The first with something of the second.
  virtual std::optional<std::size_t> cross(std::size_t a, std::size_t b, const Tried& tried, base::Rng& rng) = 0;
};

// All environments that make sense on a device, `known` first. On a GPU some variations keep the program, so
// that there is nothing to compile.
enum class SpaceFor : std::uint8_t { gpu, cpu };
std::unique_ptr<EnvironmentSpace> parameter_space(SpaceFor machine, std::vector<codegen::TestEnvironment> known);

// These environments and no others; `vary` and `cross` give the ones that are most like what was meant.
std::unique_ptr<EnvironmentSpace> listed_space(std::vector<codegen::TestEnvironment> environments);

}  // namespace weakspot::campaign
