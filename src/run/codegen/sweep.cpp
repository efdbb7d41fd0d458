// SPDX-License-Identifier: MIT
#include "codegen/sweep.h"

#include <string>

#include "base/check.h"
#include "base/source.h"

namespace weakspot::codegen {
namespace {

// Found by an evolutionary search over all parameters on an H200, for the mutants of the conformance suite: the first
// ones serve unfenced tests and coherence, the others one-sided fences.
constexpr std::string_view kGpu[] = {
    "workgroup_size=256,occupancy_percent=50,barrier=partner,barrier_spacing=4,role_order=by_block,pairing=half,"
    "layout=arrays,iterations=1024,result_store=reversed,permute_threads=1,permute_locations=1",
    "workgroup_size=128,barrier=partner,barrier_spacing=2,assignment=one,pairing=half,layout=arrays,permute_threads=1,"
    "permute_locations=1",
    "workgroup_size=256,occupancy_percent=25,memory_stride=2,assignment=one,pairing=neighbour,iterations=32,"
    "permute_threads=7",
    "workgroup_size=256,occupancy_percent=12,role_order=descending,pairing=half,iterations=128,result_store=reversed",
    "workgroup_size=512,occupancy_percent=50,barrier=partner,memory_stride=3,assignment=one,pairing=next,iterations=32,"
    "permute_threads=1,access_gap=8",
    "workgroup_size=256,occupancy_percent=75,pairing=next,iterations=1024,result_store=reversed,permute_threads=1,"
    "access_gap=32",
    "workgroup_size=512,occupancy_percent=25,assignment=one,pairing=next,iterations=128,permute_threads=1",
    "workgroup_size=1024,occupancy_percent=50,pairing=half,iterations=32,result_store=reversed,access_gap=32",
    "workgroup_size=512,occupancy_percent=25,barrier=partner,memory_stride=3,assignment=one,pairing=next,"
    "layout=arrays,iterations=32,permute_threads=1,access_gap=128",
    "workgroup_size=1024,barrier_spacing=4,role_order=descending,layout=arrays,iterations=1024,permute_threads=3,"
    "pre_stress_percent=100,pre_stress_iterations=4,stress_target_lines=16",
    "workgroup_size=512,barrier=partner,barrier_spacing=4,memory_stride=2,assignment=one,pairing=half,layout=arrays,"
    "iterations=1024,permute_threads=1,permute_locations=1",
    "workgroup_size=256,occupancy_percent=25,barrier=block,barrier_spacing=2,pairing=half,layout=arrays,"
    "iterations=1024,result_store=reversed,permute_threads=3,permute_locations=1",
    "workgroup_size=32,occupancy_percent=50,barrier=block,barrier_spacing=2,role_order=descending,pairing=half,"
    "layout=arrays,iterations=128,permute_threads=7,permute_locations=1",
    "workgroup_size=96,occupancy_percent=75,barrier_spacing=4,assignment=one,pairing=half,layout=arrays,"
    "iterations=1024,permute_threads=1,permute_locations=1",
    "workgroup_size=1024,barrier=partner,memory_stride=3,assignment=one,pairing=half,layout=arrays,iterations=128,"
    "permute_threads=1,pre_stress_percent=100,pre_stress_iterations=1,stress_spread=line,access_gap=512",

    "workgroup_size=96,occupancy_percent=25,assignment=one,pairing=half,layout=arrays,permute_threads=3,"
    "permute_locations=1,memory_stress_percent=100,memory_stress_iterations=64,stress_spread=line,"
    "stress_target_lines=16",
    "occupancy_percent=25,barrier_spacing=16,assignment=one,pairing=half,layout=arrays,iterations=32,"
    "permute_threads=7,pre_stress_percent=100,pre_stress_iterations=4",
    "workgroup_size=512,occupancy_percent=12,barrier_spacing=4,memory_stride=32,assignment=one,iterations=1024",
    "occupancy_percent=75,barrier=partner,memory_stride=4,role_order=by_warp,pairing=half,layout=arrays,iterations=32,"
    "result_store=reversed,permute_threads=1,permute_locations=1,pre_stress_percent=100,pre_stress_iterations=4",
    "barrier=partner,assignment=one,pairing=half,layout=arrays,iterations=32,permute_threads=3,permute_locations=1,"
    "pre_stress_percent=100,pre_stress_iterations=4,access_gap=32",
    "workgroup_size=256,occupancy_percent=25,barrier=partner,memory_stride=3,assignment=one,pairing=next,iterations=32,"
    "pre_stress_percent=100,pre_stress_iterations=1,stress_spread=line",
    "workgroup_size=512,occupancy_percent=75,barrier_spacing=4,memory_stride=2,assignment=one,pairing=half,"
    "layout=arrays,iterations=32,permute_locations=1",
    "workgroup_size=256,occupancy_percent=25,barrier=partner,memory_stride=8,role_order=by_block,pairing=half,"
    "layout=arrays,iterations=128,result_store=reversed,permute_threads=1,permute_locations=1",
    "workgroup_size=512,occupancy_percent=50,barrier=partner,memory_stride=8,role_order=by_block,pairing=half,"
    "permute_threads=1",
    "workgroup_size=96,occupancy_percent=12,barrier_spacing=2,memory_stride=2,assignment=one,pairing=half,"
    "layout=arrays,iterations=128,access_gap=8",
    "workgroup_size=32,occupancy_percent=50,barrier=partner,memory_stride=4,assignment=one,pairing=half,layout=arrays,"
    "permute_threads=7,permute_locations=1,access_gap=8",
    "occupancy_percent=50,barrier_spacing=2,memory_stride=2,pairing=half,layout=arrays,result_store=at_once,"
    "permute_threads=1,permute_locations=1,pre_stress_percent=100,pre_stress_iterations=1,stress_spread=line",
    "workgroup_size=32,barrier=partner,assignment=one",
    "workgroup_size=64,barrier=none",
    "workgroup_size=256,barrier=none",
};

// A driver that runs workgroups on a few threads of the host: the workgroups that meet must be on different threads.
constexpr std::string_view kHostDriver[] = {
    "workgroup_size=64,pairing=half",
    "workgroup_size=256,pairing=half",
    "workgroup_size=256,pairing=half,barrier_spacing=4",
    "workgroup_size=256,pairing=half,barrier=none",
    "workgroup_size=1024,pairing=half,barrier=none",
    "workgroup_size=1024,pairing=half,layout=arrays,memory_stride=1,second_stride=16",
    "workgroup_size=256,pairing=half,layout=arrays,memory_stride=16,second_stride=1",
    "workgroup_size=256,pairing=half,layout=arrays,memory_stride=16",
    "workgroup_size=256,pairing=half,barrier=none,layout=arrays,memory_stride=16,second_stride=1",
    "workgroup_size=256,pairing=half,memory_stride=16",
    "workgroup_size=64,pairing=neighbour",
    "workgroup_size=256,pairing=half,role_order=by_block",
};

// Found by a random and then an evolutionary search on two Neoverse-V1 cores, for MP, SB, S, R and 2+2W; the last ones
// are for speed alone.
constexpr std::string_view kCpu[] = {
    "workgroup_size=16,testing_workgroups=32,assignment=one,barrier=partner,layout=arrays,second_stride=4,pairing=next,"
    "permute_locations=17,permute_threads=7",
    "workgroup_size=96,testing_workgroups=64,assignment=one,barrier=partner,layout=arrays,memory_stride=2,"
    "second_stride=1,pairing=neighbour",
    "workgroup_size=28,testing_workgroups=16,assignment=one,barrier=partner,layout=arrays,pairing=neighbour,"
    "permute_locations=3",
    "workgroup_size=16,testing_workgroups=12,assignment=one,barrier=partner,layout=arrays,second_stride=4,pairing=next,"
    "permute_locations=33",
    "workgroup_size=48,testing_workgroups=8,assignment=one,barrier=partner,layout=arrays,pairing=next,"
    "permute_locations=33",
    "workgroup_size=64,testing_workgroups=32,assignment=one,layout=arrays,memory_stride=16,second_stride=1",
    "workgroup_size=128,testing_workgroups=16,assignment=one,layout=arrays",
    "workgroup_size=8,testing_workgroups=8,assignment=one,barrier=partner,layout=arrays,second_stride=2,"
    "pairing=neighbour",
    "workgroup_size=16,testing_workgroups=8,assignment=one,barrier=partner,layout=arrays,second_stride=4,pairing=next",
    "workgroup_size=128,testing_workgroups=24,barrier=partner,layout=arrays,second_stride=2,pairing=half",
    "workgroup_size=64,testing_workgroups=12,assignment=one,layout=arrays,memory_stride=2,second_stride=16,"
    "pairing=neighbour",
    "workgroup_size=16,testing_workgroups=16,assignment=one,layout=arrays,second_stride=16,pairing=neighbour",
    "workgroup_size=64,barrier=partner,layout=arrays,memory_stride=16,role_order=by_lane",
    "workgroup_size=4,barrier_spacing=8,barrier=partner,layout=arrays,second_stride=2,role_order=by_block",
    "workgroup_size=1,barrier_spacing=32,barrier=partner,layout=arrays,memory_stride=16",
    "basic",
    "stress,workgroup_size=32,layout=arrays",
    "workgroup_size=1024,testing_workgroups=4,assignment=one,barrier=none,layout=arrays",
    "workgroup_size=1024,testing_workgroups=2,assignment=one,barrier=none,layout=arrays",
};

// Few instances at a time meet best over a bus. Locations of one instance in one line of the GPU's cache stay in order,
// so most of these keep them apart.
constexpr std::string_view kMixed[] = {
    "workgroup_size=32,testing_workgroups=8,layout=arrays,memory_stride=16",
    "workgroup_size=32,testing_workgroups=8,layout=arrays,memory_stride=16,permute_locations=419",
    "workgroup_size=32,testing_workgroups=2,layout=arrays,memory_stride=16",
    "workgroup_size=32,testing_workgroups=8,memory_stride=64",
    "workgroup_size=32,testing_workgroups=8,layout=arrays,memory_stride=16,access_gap=64",
    "workgroup_size=64,testing_workgroups=32,layout=arrays,memory_stride=16,iterations=64",
    "workgroup_size=128,testing_workgroups=16,layout=arrays,memory_stride=1,iterations=64",
    "workgroup_size=32,testing_workgroups=8,layout=arrays,memory_stride=16,memory_kind=managed_cpu",
};

}  // namespace

std::span<const std::string_view> default_sweep_texts(SweepFor machine) {
  switch (machine) {
    case SweepFor::gpu:
      return kGpu;
    case SweepFor::host_driver:
      return kHostDriver;
    case SweepFor::mixed:
      return kMixed;
    case SweepFor::cpu:
      break;
  }
  return kCpu;
}

std::vector<TestEnvironment> default_sweep(SweepFor machine) {
  std::vector<TestEnvironment> sweep;
  for (const std::string_view text : default_sweep_texts(machine)) {
    const base::Result<TestEnvironment> environment = parse_environment(base::Source("sweep", std::string(text)));
    WEAKSPOT_CHECK(environment.ok());
    sweep.push_back(*environment);
  }
  return sweep;
}

}  // namespace weakspot::codegen
