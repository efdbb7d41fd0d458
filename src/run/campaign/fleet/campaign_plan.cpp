// SPDX-License-Identifier: MIT
#include "campaign/campaign_plan.h"

#include <algorithm>
#include <limits>
#include <set>

#include "base/hash.h"
#include "base/source.h"
#include "json/json_fields.h"
#include "litmus/dialect.h"

namespace weakspot::campaign {
namespace {

using base::json_array;
using base::json_object;
using base::JsonFields;
using base::JsonValue;

constexpr std::uint64_t kPlanFormat = 1;
constexpr std::uint64_t kAnyWhole = std::numeric_limits<std::uint64_t>::max();
constexpr double kLongestPlanned = 1e7;  // seconds of one run

JsonValue class_json(const DeviceClass& device_class) {
  JsonValue environments = json_array();
  for (const codegen::TestEnvironment& environment : device_class.environments) {
    environments.push_back(codegen::to_text(environment));
  }
  return json_object({{"name", device_class.name}, {"environments", std::move(environments)}});
}

class PlanReader {
 public:
  explicit PlanReader(const base::Source& source) : mistakes_(source) {}

  base::Result<CampaignPlan> read() {
    const std::optional<JsonValue> json = base::read_json_text(mistakes_);
    if (!json) return mistakes_.take();
    JsonFields fields(*json, mistakes_, "a plan");
    if (!fields.valid() || !fields.format(kPlanFormat)) return mistakes_.take();
    CampaignPlan plan;
    plan.suite = fields.text("suite");
    plan.seconds = fields.real("seconds", 0, kLongestPlanned);
    plan.instances = fields.whole("instances", kAnyWhole);
    plan.first_seed = fields.whole("first_seed", kAnyWhole);
    plan.seeds = fields.whole("seeds", kAnyWhole);
    plan.seeds_per_shard = std::max<std::uint64_t>(fields.whole("seeds_per_shard", kAnyWhole), 1);
    plan.model = fields.text("model");
    plan.memory = fields.whole("memory", kAnyWhole);
    for (const JsonValue& item : fields.list("tests")) read_test(item, plan);
    for (const JsonValue& item : fields.list("classes")) read_class(item, plan);
    if (mistakes_.any()) return mistakes_.take();
    return plan;
  }

 private:
  void read_test(const JsonValue& json, CampaignPlan& plan) {
    if (!json.is(JsonValue::Kind::string)) return mistakes_.add(json.span(), "expected the text of a test");
    base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("test", json.text()));
    if (!tests) return mistakes_.add(json.span(), base::messages(tests.errors()));
    for (litmus::LitmusTest& test : *tests) plan.tests.emplace_back(std::move(test));
  }

  void read_class(const JsonValue& json, CampaignPlan& plan) {
    JsonFields fields(json, mistakes_, "a class of devices");
    DeviceClass& device_class = plan.classes.emplace_back();
    device_class.name = fields.text("name");
    for (const JsonValue& text : fields.list("environments")) {
      const auto read = codegen::parse_environment(base::Source("environment", text.text()));
      if (read) {
        device_class.environments.push_back(*read);
      } else {
        mistakes_.add(text.span(), base::messages(read.errors()));
      }
    }
  }

  base::Mistakes mistakes_;
};

// The number of pieces of this size, the last of which may be smaller.
std::uint64_t pieces(std::uint64_t whole, std::uint64_t size) { return whole / size + (whole % size != 0 ? 1 : 0); }

}  // namespace

std::string CampaignPlan::id() const { return base::hash_bytes(to_json(*this)).hex().substr(0, 16); }

const RunTest* CampaignPlan::test_with(std::string_view hash) const {
  const auto found = std::find_if(tests.begin(), tests.end(), [&](const RunTest& test) { return test.hash() == hash; });
  return found == tests.end() ? nullptr : &*found;
}

std::string to_json(const CampaignPlan& plan) {
  JsonValue tests = json_array(), classes = json_array();
  for (const RunTest& test : plan.tests) tests.push_back(test.text());
  for (const DeviceClass& device_class : plan.classes) classes.push_back(class_json(device_class));
  return base::json_compact(json_object({{"format", kPlanFormat},
                                         {"suite", plan.suite},
                                         {"seconds", plan.seconds},
                                         {"instances", plan.instances},
                                         {"first_seed", plan.first_seed},
                                         {"seeds", plan.seeds},
                                         {"seeds_per_shard", plan.seeds_per_shard},
                                         {"model", plan.model},
                                         {"memory", plan.memory},
                                         {"classes", std::move(classes)},
                                         {"tests", std::move(tests)}}));
}

base::Result<CampaignPlan> plan_from_json(const base::Source& text) { return PlanReader(text).read(); }

std::uint64_t count_shards(const CampaignPlan& plan) {
  std::uint64_t cells = 0;
  for (const DeviceClass& device_class : plan.classes) cells += plan.tests.size() * device_class.environments.size();
  return cells * pieces(plan.seeds, plan.seeds_per_shard);
}

std::vector<Shard> shards_of(const CampaignPlan& plan) {
  std::vector<Shard> shards;
  shards.reserve(count_shards(plan));
  for (const DeviceClass& device_class : plan.classes) {
    for (const RunTest& test : plan.tests) {
      for (const codegen::TestEnvironment& environment : device_class.environments) {
        for (std::uint64_t begin = 0; begin < plan.seeds; begin += plan.seeds_per_shard) {
          shards.push_back({test.hash(), device_class.name, environment, plan.first_seed + begin,
                            std::min(plan.seeds_per_shard, plan.seeds - begin), plan.seconds, plan.instances});
        }
      }
    }
  }
  return shards;
}

std::size_t drop_duplicates(std::vector<RunTest>& tests) {
  std::set<std::string> seen;
  return std::erase_if(tests, [&](const RunTest& test) { return !seen.insert(test.hash()).second; });
}

}  // namespace weakspot::campaign
