// SPDX-License-Identifier: MIT
#include "codegen/harness/assignment.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "base/source.h"
#include "litmus/dialect.h"

namespace weakspot::codegen::assignment_test {
namespace {

litmus::LitmusTest read(const std::string& text) {
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests->front();
}

// A test with that placement of its threads, which all do the same.
litmus::LitmusTest placed(int threads, const std::string& scopes) {
  std::string names = " P0";
  std::string cells = " st x, 1";
  for (int t = 1; t < threads; ++t) {
    names += " | P" + std::to_string(t);
    cells += " | st x, 1";
  }
  return read("weakspot T\n" + names + " ;\n" + cells + " ;\nscopes " + scopes + "\nexists (x=1)\n");
}

TEST(Permutation, IsABijectionIffCoprime) {
  for (std::uint32_t n = 1; n <= 64; ++n) {
    for (std::uint32_t factor = 1; factor <= 64; ++factor) {
      std::set<std::uint32_t> images;
      for (std::uint32_t i = 0; i < n; ++i) images.insert(permuted(i, factor, n));
      EXPECT_EQ(coprime(factor, n), images.size() == n) << factor << " mod " << n;
    }
  }
}

TEST(Permutation, GoodFactorsAreCoprimeAndNotTheIdentity) {
  for (std::uint32_t n = 1; n <= 1200; ++n) {
    const std::uint32_t factor = good_factor(n);
    EXPECT_TRUE(coprime(factor, n)) << n;
    // Below that, and for six and a few others, only 1 and n-1 are coprime.
    if (n > 12) {
      EXPECT_NE(1u, factor % n) << n;
    }
  }
  // The published factor is the identity there.
  for (const std::uint32_t n : {2u, 11u, 19u, 22u, 38u, 209u}) EXPECT_EQ(1u, 419u % n);
  for (const std::uint32_t n : {11u, 19u, 22u, 38u, 209u}) EXPECT_NE(1u, good_factor(n) % n) << n;
  for (const std::uint32_t n : {1u << 16, 135'168u, 270'336u}) {
    EXPECT_TRUE(coprime(good_factor(n), n));
    EXPECT_GT(good_factor(n), 16u);
  }
}

TEST(Permutation, AGivenFactorIsRaisedToTheNextCoprime) {
  EXPECT_EQ(419u, factor_for(419, 256));
  EXPECT_EQ(5u, factor_for(4, 256));
  EXPECT_EQ(good_factor(96), factor_for(0, 96));
  EXPECT_EQ(4u, power_mod(3, 4, 7));
  EXPECT_EQ(0u, power_mod(3, 4, 1));
}

TEST(Stripe, NeverTheSameWorkgroupAndABijectionForEachLane) {
  for (std::uint32_t workgroups = 2; workgroups <= 20; ++workgroups) {
    for (std::uint32_t l = 0; l < 40; ++l) {
      std::set<std::uint32_t> images;
      for (std::uint32_t w = 0; w < workgroups; ++w) {
        EXPECT_NE(w, stripe(w, l, workgroups));
        images.insert(stripe(w, l, workgroups));
      }
      EXPECT_EQ(workgroups, images.size());
    }
  }
}

struct Placement {
  const char* name;
  int threads;
  const char* scopes;
};

constexpr Placement kPlacements[] = {
    {"two workgroups", 2, "(wg P0) (wg P1)"},
    {"three workgroups", 3, "(wg P0) (wg P1) (wg P2)"},
    {"four workgroups", 4, "(wg P0) (wg P1) (wg P2) (wg P3)"},
    {"one workgroup", 2, "(wg P0 P1)"},
    {"one subgroup", 2, "(wg (sg P0 P1))"},
    {"three in a subgroup", 3, "(wg (sg P0 P1 P2))"},
    {"two and one", 3, "(wg P0 P1) (wg P2)"},
    {"one and two", 3, "(wg P0) (wg (sg P1 P2))"},
    {"mixed", 5, "(wg (sg P0 P1) (sg P2)) (wg P3 P4)"},
    {"cluster", 2, "(cluster (wg P0) (wg P1))"},
};

// By instance and role: the workgroup and thread that run it.
using Runs = std::map<std::pair<std::uint32_t, std::size_t>, std::pair<std::uint32_t, std::uint32_t>>;

Runs runs_of(const RolePlan& plan, std::uint32_t testing) {
  Runs runs;
  for (std::uint32_t w = 0; w < testing; ++w) {
    for (std::uint32_t l = 0; l < plan.workgroup_size; ++l) {
      for (std::size_t r = 0; r < plan.roles.size(); ++r) {
        const Role& role = plan.roles[r];
        if (plan.one_role && plan.test_workgroup(w) != role.workgroup) continue;
        if (plan.one_role && !plan.scattered() &&
            (plan.subgroup_of(l) != role.subgroup || plan.lane_of(l) != role.lane)) {
          continue;
        }
        EXPECT_TRUE(runs.emplace(std::pair(plan.instance(r, w, l, testing), r), std::pair(w, l)).second);
      }
    }
  }
  return runs;
}

// How many pairs of threads that share a workgroup share a subgroup, and how many do not.
struct Pairs {
  std::size_t together = 0;
  std::size_t apart = 0;
};

// The threads of each instance are placed as the tree says, but for what `moved` leaves open within workgroups.
Pairs check_placement(const RolePlan& plan, const litmus::ScopeTree& tree, std::uint32_t testing, bool moved) {
  Pairs pairs;
  const std::uint32_t instances = plan.instances(testing);
  const Runs runs = runs_of(plan, testing);
  EXPECT_EQ(std::size_t{instances} * plan.roles.size(), runs.size());
  for (std::uint32_t i = 0; i < instances; ++i) {
    for (std::uint32_t a = 0; a < plan.roles.size(); ++a) {
      for (std::uint32_t b = 0; b < a; ++b) {
        const auto [wa, la] = runs.at({i, a});
        const auto [wb, lb] = runs.at({i, b});
        const bool same_workgroup = tree.together({a}, {b}, litmus::Scope::workgroup);
        EXPECT_EQ(same_workgroup, wa == wb);
        if (!same_workgroup) {
          if (plan.cluster > 1) {
            EXPECT_EQ(wa / plan.cluster, wb / plan.cluster);
          }
          continue;
        }
        EXPECT_NE(la, lb);
        ++(la / 32 == lb / 32 ? pairs.together : pairs.apart);
        if (!moved) {
          EXPECT_EQ(tree.together({a}, {b}, litmus::Scope::subgroup), la / 32 == lb / 32);
        }
        // Both roles use the same cell of the workgroup's memory.
        EXPECT_EQ(plan.slot<std::uint32_t>(a, la), plan.slot<std::uint32_t>(b, lb));
        if (testing::Test::HasFailure()) return pairs;
      }
    }
  }
  return pairs;
}

// Every role of every instance is run exactly once, by threads that are placed as the test says.
TEST(RolePlan, EveryInstanceIsRunOnceAndPlacedAsTheTestSays) {
  TargetLimits limits;
  limits.max_cluster = 8;
  for (const Placement& placement : kPlacements) {
    const litmus::LitmusTest test = placed(placement.threads, placement.scopes);
    for (const Pairing pairing : {Pairing::stripe, Pairing::half, Pairing::neighbour, Pairing::next}) {
      for (const Assignment assignment : {Assignment::all, Assignment::one}) {
        for (const int size : {32, 64, 96, 160}) {
          for (const std::uint32_t about : {2u, 3u, 7u, 12u}) {
            TestEnvironment e;
            e.pairing = pairing;
            e.assignment = assignment;
            e.workgroup_size = size;
            const base::Result<RolePlan> plan = plan_roles(test, e, limits);
            ASSERT_TRUE(plan.ok()) << base::render(plan.errors());
            const std::uint32_t multiple = plan->workgroup_multiple();
            const std::uint32_t testing = std::max(plan->min_workgroups(), about / multiple * multiple);
            SCOPED_TRACE(std::string(placement.name) + ", " + to_text(e) + ", " + std::to_string(testing));
            check_placement(*plan, test.scope_tree(), testing, false);
            ASSERT_FALSE(HasFailure());
          }
        }
      }
    }
  }
}

TEST(RolePlan, NeighboursShareASubgroupOnRequest) {
  TargetLimits limits;
  limits.max_cluster = 8;
  for (const Placement& placement : kPlacements) {
    const litmus::LitmusTest test = placed(placement.threads, placement.scopes);
    for (const Assignment assignment : {Assignment::all, Assignment::one}) {
      for (const Neighbours neighbours : {Neighbours::together, Neighbours::both}) {
        for (const int size : {32, 96, 160}) {
          TestEnvironment e;
          e.assignment = assignment;
          e.neighbours = neighbours;
          e.workgroup_size = size;
          const base::Result<RolePlan> plan = plan_roles(test, e, limits);
          ASSERT_TRUE(plan.ok()) << base::render(plan.errors());
          const std::uint32_t testing = plan->min_workgroups() * 2;
          SCOPED_TRACE(std::string(placement.name) + ", " + to_text(e));
          const Pairs pairs = check_placement(*plan, test.scope_tree(), testing, true);
          ASSERT_FALSE(HasFailure());
          if (pairs.together + pairs.apart == 0) continue;
          EXPECT_GT(pairs.together, 0u);
          EXPECT_EQ(pairs.apart > 0, plan->both || plan->subgroups > 1);
          if (neighbours == Neighbours::together || assignment == Assignment::one) {
            EXPECT_EQ(pairs.apart, 0u);
          }
        }
      }
    }
  }
}

// What means a subgroup, or meets at a barrier, is not moved.
TEST(RolePlan, NeighboursStayWhereTheTestDependsOnIt) {
  for (const char* operation : {"fence.acqrel.sg", "bar"}) {
    const litmus::LitmusTest test = read(fmt::format(
        "weakspot T\n P0 | P1 ;\n st x, 1 | st x, 2 ;\n {0} | {0} ;\nscopes (wg P0 P1)\nexists (x=1)\n", operation));
    TestEnvironment e;
    e.neighbours = Neighbours::together;
    const base::Result<RolePlan> plan = plan_roles(test, e, TargetLimits{});
    ASSERT_TRUE(plan.ok()) << base::render(plan.errors());
    EXPECT_EQ(plan->subgroups, 2u) << operation;
  }
}

TEST(RolePlan, TheFirstTwoRolesFollowThePublishedFormulas) {
  TestEnvironment e;
  e.workgroup_size = 256;
  e.permute_threads = 419;
  const base::Result<RolePlan> plan = plan_roles(placed(2, "(wg P0) (wg P1)"), e, {});
  ASSERT_TRUE(plan.ok());
  const std::uint32_t testing = 551;
  for (std::uint32_t w = 0; w < testing; w += 50) {
    for (std::uint32_t l = 0; l < 256; ++l) {
      EXPECT_EQ(w * 256 + l, plan->instance<std::uint32_t>(0, w, l, testing));
      EXPECT_EQ(((w + 1 + l % (testing - 1)) % testing) * 256 + l * 419 % 256,
                plan->instance<std::uint32_t>(1, w, l, testing));
    }
  }
}

TEST(RolePlan, RefusesWhatTheDeviceLacks) {
  TargetLimits limits;
  EXPECT_EQ("error: T: cannot run: the test needs clusters of 2 workgroups; the device has none\n",
            base::render(plan_roles(placed(2, "(cluster (wg P0) (wg P1))"), {}, limits).errors()));
  limits.subgroup_size = 2;
  EXPECT_EQ("error: T: cannot run: the test has 4 threads in a subgroup; the device has 2\n",
            base::render(plan_roles(placed(3, "(wg (sg P0 P1 P2))"), {}, limits).errors()));
  limits.max_workgroup_size = 2;
  EXPECT_EQ("error: T: cannot run: the test needs workgroups of 4 threads; the device has up to 2\n",
            base::render(plan_roles(placed(2, "(wg P0 P1)"), {}, limits).errors()));
}

}  // namespace
}  // namespace weakspot::codegen::assignment_test
