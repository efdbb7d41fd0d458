// SPDX-License-Identifier: MIT
#include "workbench/devices.h"

#include <gtest/gtest.h>

#include <map>

namespace weakspot::workbench::devices_test {
namespace {

backend::DeviceInfo device(std::string id, codegen::Target target, bool is_host = false) {
  backend::DeviceInfo info;
  info.id = std::move(id);
  info.target = target;
  info.is_host = is_host;
  return info;
}

const backend::DeviceInfo kCpu = device("cpu", codegen::Target::cpu);
const backend::DeviceInfo kHostDriver = device("opencl:0", codegen::Target::opencl, true);
const backend::DeviceInfo kGpu = device("vulkan:0", codegen::Target::spirv);
const backend::DeviceInfo kOtherGpu = device("vulkan:1", codegen::Target::spirv);

// A machine with these devices by family. "closed:0" cannot be opened, and no other id is known.
DeviceCatalog machine(std::map<std::string, std::vector<backend::DeviceInfo>> devices,
                      std::vector<std::string>* listed = nullptr) {
  DeviceCatalog catalog;
  catalog.families = {"cpu", "opencl", "vulkan", "late"};
  catalog.list = [devices = std::move(devices), listed](std::string_view family) {
    const std::string name(family.substr(0, family.find(':')));
    if (listed != nullptr) listed->push_back(name);
    const auto found = devices.find(name);
    return found == devices.end() ? std::vector<backend::DeviceInfo>{} : found->second;
  };
  catalog.describe = [](const std::string& id) -> base::Result<backend::DeviceInfo> {
    if (id == "closed:0") return base::error("closed:0 does not open", base::ErrorKind::device);
    return base::error("unknown device '" + id + "'");
  };
  return catalog;
}

DeviceCatalog usual_machine() {
  return machine({{"cpu", {kCpu}}, {"opencl", {kHostDriver}}, {"vulkan", {kGpu, kOtherGpu}}});
}

std::vector<std::string> ids_of(const base::Result<std::vector<backend::DeviceInfo>>& found) {
  std::vector<std::string> ids;
  if (!found) return {base::render(found.errors())};
  for (const backend::DeviceInfo& info : *found) ids.push_back(info.id);
  return ids;
}

using Ids = std::vector<std::string>;

TEST(Devices, WithoutANameTheFirstGpu) { EXPECT_EQ(ids_of(find_devices({}, usual_machine())), Ids{"vulkan:0"}); }

TEST(Devices, DriversBehindTheFirstGpuStayClosed) {
  std::vector<std::string> listed;
  EXPECT_TRUE(find_devices({}, machine({{"cpu", {kCpu}}, {"vulkan", {kGpu}}}, &listed)).ok());
  EXPECT_EQ(listed, (Ids{"cpu", "opencl", "vulkan"}));
}

TEST(Devices, WithoutAGpuTheFirstDevice) {
  EXPECT_EQ(ids_of(find_devices({}, machine({{"cpu", {kCpu}}, {"opencl", {kHostDriver}}}))), Ids{"cpu"});
}

TEST(Devices, AllLeavesOutTwoThatAreThereAnyway) {
  const backend::DeviceInfo both = device("vulkan:0+cpu", codegen::Target::mixed);
  const auto found = find_devices({"all"}, machine({{"cpu", {kCpu}}, {"vulkan", {kGpu}}, {"late", {both}}}));
  EXPECT_EQ(ids_of(found), (Ids{"cpu", "vulkan:0"}));
}

TEST(Devices, NoneAtAllIsTheMachinesFault) {
  for (const Ids& ids : {Ids{}, Ids{"all"}}) {
    const auto found = find_devices(ids, machine({}));
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(base::kind_of(found.errors()), base::ErrorKind::device);
  }
}

TEST(Devices, EachOnceInTheOrderOfTheirNames) {
  EXPECT_EQ(ids_of(find_devices({"vulkan:1", "cpu", "vulkan", "all"}, usual_machine())),
            (Ids{"vulkan:1", "cpu", "vulkan:0", "opencl:0"}));
}

TEST(Devices, AMissingOneAndAnUnknownOneAreDifferentErrors) {
  const auto closed = find_devices({"cpu", "closed:0"}, usual_machine());
  ASSERT_FALSE(closed.ok());
  EXPECT_EQ(base::kind_of(closed.errors()), base::ErrorKind::device);
  const auto unknown = find_devices({"cpu", "gpu"}, usual_machine());
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(base::kind_of(unknown.errors()), base::ErrorKind::bad_input);
}

TEST(Devices, OneOfSeveralMayBeUnusable) {
  const auto found = find_usable_devices({"cpu", "closed:0"}, usual_machine());
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->size(), 2u);
  EXPECT_EQ((*found)[0].problem, "");
  EXPECT_EQ((*found)[1].info.id, "closed:0");
  EXPECT_EQ((*found)[1].problem, "closed:0 does not open");
  EXPECT_FALSE(find_usable_devices({"closed:0"}, usual_machine()).ok());
  EXPECT_FALSE(find_usable_devices({"cpu", "gpu"}, usual_machine()).ok());
}

TEST(Devices, ThisMachineKnowsItsTestingDevices) {
  EXPECT_EQ(ids_of(find_devices({"testing:one"})), Ids{"testing:one"});
  const auto unknown = find_devices({"testing:none-such"});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(base::kind_of(unknown.errors()), base::ErrorKind::bad_input);
  const auto closed = find_devices({"testing:closed"});
  ASSERT_FALSE(closed.ok());
  EXPECT_EQ(base::kind_of(closed.errors()), base::ErrorKind::device);
  const auto number = find_devices({"cuda:x"});
  ASSERT_FALSE(number.ok());
  EXPECT_EQ(base::render(number.errors()), "error: unknown device 'cuda:x'; expected cuda:NUMBER\n");
}

TEST(Devices, FamiliesOfCuratedSuites) {
  backend::DeviceInfo info = device("cuda:0", codegen::Target::ptx);
  EXPECT_EQ(family_of(info), "nvidia");
  info = device("vulkan:0", codegen::Target::spirv);
  info.name = "NVIDIA H200";
  EXPECT_EQ(family_of(info), "nvidia");
  info.name = "llvmpipe";
  EXPECT_EQ(family_of(info), "llvmpipe");
}

TEST(Devices, SlicesGetAPartOfTheMemory) {
  backend::DeviceInfo info;
  EXPECT_EQ(slice_memory(info), std::uint64_t{64} << 20);
  info.memory_bytes = std::uint64_t{16} << 30;
  EXPECT_EQ(slice_memory(info), std::uint64_t{512} << 20);
  info.memory_bytes = std::uint64_t{1} << 40;
  EXPECT_EQ(slice_memory(info), std::uint64_t{1} << 30);
}

}  // namespace
}  // namespace weakspot::workbench::devices_test
