// SPDX-License-Identifier: MIT
// Kernels of Triton compute what an H200 computed: their PTX, arguments and results lie beside the checkout.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>

#include "base/file.h"
#include "json/json.h"
#include "race/npy.h"
#include "race_jit/from_ptx/translate.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/machine/machine.h"
#include "support/shared_data.h"

namespace weakspot::race_jit::values_test {
namespace {

namespace fs = std::filesystem;

// The elements of a .npy file.
std::string array_in(const fs::path& file) {
  return race::read_npy(*base::read_file(file.string()), file.string())->bytes;
}

base::JsonValue json_in(const fs::path& file) {
  return *base::read_json_text(base::Source(file.string(), *base::read_file(file.string())));
}

struct Arrays {
  std::string expected, computed;  // one after the other
};

// Runs the case of a folder and gives its output; nothing if there is no such folder.
std::optional<Arrays> run_case(const std::string& name) {
  const fs::path folder = support::shared_data("ptx-kernels") / name;
  std::error_code error;
  if (!fs::exists(folder / "case.json", error)) return std::nullopt;
  const base::JsonValue launch = json_in(folder / "case.json"), notes = json_in(folder / "kernel.json");
  const std::string file = (folder / "kernel.ptx").string();
  const base::Result<std::string> bitcode = bitcode_of_ptx(base::Source(file, *base::read_file(file)));
  if (!bitcode) throw std::runtime_error(base::render(bitcode.errors()));
  Machine machine(std::move(*Arena::create()), MachineOptions{});
  const std::unique_ptr<DeviceModule> module = std::move(*load_device_module(*bitcode, machine, {}));
  const Kernel& kernel = module->kernels().front();

  std::vector<std::uint64_t> values;
  std::map<std::string, char*> buffers;
  for (const base::JsonValue& argument : launch.find("args")->items()) {
    if (const base::JsonValue* number = argument.find("value")) {
      values.push_back(static_cast<std::uint64_t>(number->integer().value()));
      continue;
    }
    const std::string bytes = array_in(folder / argument.find("buffer")->text());
    char* memory = machine.arena().allocate(bytes.size(), argument.find("name")->text());
    std::memcpy(memory, bytes.data(), bytes.size());
    buffers[argument.find("name")->text()] = memory;
    values.push_back(reinterpret_cast<std::uint64_t>(memory));
  }
  values.resize(kernel.parameters.size(), 0);
  std::vector<void*> arguments;
  for (std::uint64_t& value : values) arguments.push_back(&value);

  LaunchRequest request;
  const std::vector<base::JsonValue>& grid = launch.find("grid")->items();
  for (unsigned axis = 0; axis < 3; ++axis) request.grid[axis] = static_cast<std::uint32_t>(*grid[axis].whole());
  request.block = kernel.block;
  request.shared = *notes.find("shared")->whole();
  request.static_shared = module->kernels().front().static_shared;
  request.entry = kernel.entry;
  request.arguments = arguments.data();
  if (!machine.launch(request, Schedule::forward)) throw std::runtime_error("the launch failed");

  Arrays arrays;
  for (const base::JsonMember& output : launch.find("outputs")->members()) {
    const std::string bytes = array_in(folder / output.value.text());
    arrays.expected += bytes;
    arrays.computed.append(buffers.at(output.key), bytes.size());
  }
  return arrays;
}

// The largest difference of two arrays of floats, relative where numbers are larger than 1.
double largest_difference(const Arrays& arrays) {
  double largest = 0;
  for (std::size_t at = 0; at + 4 <= arrays.expected.size(); at += 4) {
    float expected = 0, computed = 0;
    std::memcpy(&expected, arrays.expected.data() + at, 4);
    std::memcpy(&computed, arrays.computed.data() + at, 4);
    const double difference = std::abs(double{expected} - double{computed}) / std::max(1.0, std::abs(double{expected}));
    largest = std::isnan(difference) ? HUGE_VAL : std::max(largest, difference);
  }
  return largest;
}

double half_at(const std::string& bytes, std::size_t at) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, bytes.data() + at, 2);
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (bits >> 15) != 0 ? -size : size;
}

class ExactKernel : public testing::TestWithParam<const char*> {};

TEST_P(ExactKernel, ComputesTheBitsOfTheGpu) {
  const std::optional<Arrays> arrays = run_case(GetParam());
  if (!arrays) GTEST_SKIP() << "no data beside the checkout";
  EXPECT_FALSE(arrays->expected.empty());
  EXPECT_TRUE(arrays->expected == arrays->computed) << largest_difference(*arrays);
}

INSTANTIATE_TEST_SUITE_P(Triton, ExactKernel, testing::Values("add", "scan", "histogram"));

// Its exponentials and quotients are approximate on a GPU.
TEST(ApproximateKernel, ComputesWhatTheGpuComputes) {
  const std::optional<Arrays> arrays = run_case("softmax");
  if (!arrays) GTEST_SKIP() << "no data beside the checkout";
  EXPECT_LT(largest_difference(*arrays), 1e-7);
}

// A GPU adds the products of a row in another order and rounds once: results differ by one unit in the last place of a
// half, those of another row or column by far more.
TEST(MatrixKernel, ComputesWhatTheGpuComputes) {
  const std::optional<Arrays> arrays = run_case("matmul_mma");
  if (!arrays) GTEST_SKIP() << "no data beside the checkout";
  for (std::size_t at = 0; at < arrays->expected.size(); at += 2) {
    const double expected = half_at(arrays->expected, at);
    const double bound = std::max(std::abs(expected), 1.0) * std::ldexp(1, -10);
    EXPECT_NEAR(half_at(arrays->computed, at), expected, bound) << "element " << at / 2;
  }
}

}  // namespace
}  // namespace weakspot::race_jit::values_test
