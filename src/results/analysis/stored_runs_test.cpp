// SPDX-License-Identifier: MIT
// A store with the runs and searches of a fleet of made-up devices.
#include "analysis/stored_runs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/read/records.h"
#include "analysis/read_study.h"
#include "analysis/report.h"
#include "campaign/record_json.h"
#include "json/json.h"
#include "store/campaign_store.h"
#include "store/open_store.h"
#include "system/temporary_folder.h"

namespace weakspot::analysis::stored_runs_test {
namespace {

#if WEAKSPOT_HAS_SQLITE

campaign::RunRecord run_of(const std::string& test, const std::string& name, std::uint64_t interleaved,
                           std::uint64_t weak, const std::string& started) {
  campaign::RunRecord record;
  record.test = test;
  record.device = "cuda:0";
  record.device_name = name;
  record.model = "ptx";
  record.text = "weakspot MP\n";
  record.started = started;
  record.instances = 1000;
  record.seconds = 0.5;
  record.status = campaign::RunState::finished;
  record.outcomes = {{"a", 1000 - interleaved - weak, stats::OutcomeClass::sequential, false, {}},
                     {"b", interleaved, stats::OutcomeClass::interleaved, false, {}},
                     {"c", weak, stats::OutcomeClass::weak, true, {}}};
  return record;
}

store::Record stored(const campaign::RunRecord& record) {
  return {.kind = store::RecordKind::run, .test = record.test, .document = campaign::to_json(record)};
}

// Five machines with a cuda:0 each: three cards that reorder much, and two that hardly do.
struct Machine {
  const char* host;
  const char* card;
  std::uint64_t interleaved, weak;  // for MP; SB is the other way round
};
constexpr Machine kMachines[] = {{"a", "NVIDIA H200", 10, 200},
                                 {"b", "NVIDIA H200", 12, 210},
                                 {"c", "NVIDIA A100", 11, 190},
                                 {"d", "AMD Radeon Pro", 300, 1},
                                 {"e", "AMD Radeon Pro", 310, 0}};

constexpr const char* kJournal =
    R"({"format":1,"strategy":"race","seed":1,"evaluation":0.02,"device":"cuda:0","device_name":"NVIDIA H200","tests":["MP"],"hashes":["00"],"start":[]}
{"test":0,"environment":"workgroup_size=32","asked":0.1,"seed":1,"kills":5,"instances":100,"seconds":0.1}
)";

class Fleet : public testing::Test {
 protected:
  Fleet() : place_((folder_.path() / "lab.db").string()) {
    const auto database = store::open_store(place_, store::Access::create);
    EXPECT_TRUE(database) << base::render(database.errors());
    store::CampaignStore campaigns(**database);
    std::vector<store::Shard> shards;
    for (int i = 0; i < 10; ++i) shards.push_back({fmt::format("s{}", i), "cuda", 0.5, "{}"});
    EXPECT_TRUE(campaigns.create({"c", "c", "{}"}, shards, now_));
    for (const Machine& machine : kMachines) {
      finish(campaigns, machine, run_of("MP", machine.card, machine.interleaved, machine.weak, "2026-11-10T10:00:00Z"));
      finish(campaigns, machine, run_of("SB", machine.card, machine.weak, machine.interleaved, "2026-11-16T10:00:00Z"));
    }
    store::ResultStore records(**database);
    EXPECT_TRUE(records.add(std::vector<store::Record>{
        stored(run_of("MP", "Mali-G715", 5, 0, "2026-11-17T10:00:00Z")),
        {.kind = store::RecordKind::tune_journal, .device = "cuda:0", .document = kJournal}}));
  }

  void finish(store::CampaignStore& campaigns, const Machine& machine, const campaign::RunRecord& record) {
    const std::string device = fmt::format("{}/cuda:0", machine.host);
    const auto claims = campaigns.claim({.agent = machine.host,
                                         .device = device,
                                         .device_classes = {"cuda"},
                                         .campaign = "",
                                         .most = 1,
                                         .lease = store::Duration(1000)},
                                        now_);
    ASSERT_TRUE(claims && claims->claims.size() == 1);
    EXPECT_EQ(store::Finished::stored,
              *campaigns.finish(machine.host, {claims->claims[0].attempt, device, 0.5, {stored(record)}}, now_));
  }

  Analysis analysed(const FigureOptions& options) const {
    const ReadStudies read = read_studies({place_});
    EXPECT_TRUE(read.errors.empty()) << base::render(read.errors);
    return analyse(read.studies, {"vendors", "devices", "similarity", "news"}, options);
  }

  base::TemporaryFolder folder_;
  std::string place_;
  store::Time now_{store::Duration(1'800'000'000'000)};
};

const Table& table_of(const Analysis& analysis, std::string_view name) {
  for (const Figure& figure : analysis.figures) {
    for (const Table& table : figure.tables) {
      if (table.name == name) return table;
    }
  }
  ADD_FAILURE() << "there is no table " << name;
  return analysis.studies;
}

TEST_F(Fleet, DevicesOfSeveralMachinesAreToldApart) {
  const base::Result<StoredResults> results = read_stored_results(place_);
  ASSERT_TRUE(results) << base::render(results.errors());
  std::vector<std::string> names;
  for (const DeviceResults& device : results->runs) names.push_back(device.device + " " + device.vendor);
  EXPECT_EQ((std::vector<std::string>{"a/cuda:0 NVIDIA", "b/cuda:0 NVIDIA", "c/cuda:0 NVIDIA", "d/cuda:0 AMD",
                                      "e/cuda:0 AMD", "cuda:0 ARM"}),
            names);
  ASSERT_EQ(1U, results->searches.size());
  EXPECT_EQ("cuda:0", results->searches[0].device);
  const Cell& cell = results->searches[0].entries.at(0).cells.at(0).cell;
  EXPECT_EQ(5U, cell.sightings);
  EXPECT_EQ(100U, cell.total());
}

TEST_F(Fleet, IsCharacterised) {
  const Analysis analysis = analysed({});
  EXPECT_EQ(
      "study,vendor,devices,models,instances,sightings,seconds\n"
      "lab,NVIDIA,3,2,6000,633,3\n"
      "lab,AMD,2,1,4000,611,2\n"
      "lab,ARM,1,1,1000,0,0.5\n"
      "lab,all,6,4,11000,1244,5.5\n"
      "lab searches,NVIDIA,1,1,100,5,0.1\n",
      to_csv(table_of(analysis, "totals")));
  const Table& spent = table_of(analysis, "device_totals");
  ASSERT_EQ(7U, spent.rows.size());
  EXPECT_EQ("study,vendor,device,model,tests,environments,instances,sightings,seconds",
            to_csv(spent).substr(0, to_csv(spent).find('\n')));
  EXPECT_NE(std::string::npos, to_csv(spent).find("\nlab,NVIDIA,c/cuda:0,NVIDIA A100,2,1,2000,201,1\n"));
}

TEST_F(Fleet, FallsIntoClustersWhoseNumberIsShown) {
  const Analysis analysis = analysed({});
  EXPECT_EQ(
      "study,device,vendor,cluster,of\nlab,a/cuda:0,NVIDIA,A,2\nlab,b/cuda:0,NVIDIA,A,2\nlab,c/cuda:0,NVIDIA,A,2\n"
      "lab,d/cuda:0,AMD,B,2\nlab,e/cuda:0,AMD,B,2\nlab,cuda:0,ARM,B,2\n",
      to_csv(table_of(analysis, "clusters")));
  EXPECT_NE(std::string::npos, to_text(analysis).find("Clusters of devices"));
  FigureOptions options;
  options.pictures = true;
  const std::string page = to_html(analysed(options));
  EXPECT_NE(std::string::npos, page.find("lab: distortion by the number of clusters; 2 chosen."));
  EXPECT_NE(std::string::npos, page.find("a/cuda:0"));
}

TEST_F(Fleet, WhatIsNewSinceADate) {
  FigureOptions options;
  options.since = "2026-11-16";
  const std::string news = to_csv(table_of(analysed(options), "news"));
  EXPECT_NE(std::string::npos, news.find("\nlab,NVIDIA,a/cuda:0,SB,test,2026-11-16T10:00:00Z\n"));
  EXPECT_NE(std::string::npos, news.find("\nlab,NVIDIA,a/cuda:0,SB,sighting,2026-11-16T10:00:00Z\n"));
  EXPECT_NE(std::string::npos, news.find("\nlab,ARM,cuda:0,,device,2026-11-17T10:00:00Z\n"));
  EXPECT_EQ(std::string::npos, news.find(",MP,"));
  options.since = "2026-11-18";
  EXPECT_TRUE(table_of(analysed(options), "news").rows.empty());
}

TEST_F(Fleet, DevicesWithoutACommonCellAreComparedByTheirTests) {
  const std::string place = (folder_.path() / "shared.db").string();
  const auto database = store::open_store(place, store::Access::create);
  std::vector<store::Record> records;
  std::uint32_t size = 32;
  for (const Machine& machine : kMachines) {
    campaign::RunRecord record = run_of("MP", machine.card, machine.interleaved, machine.weak, "");
    record.device = machine.host;
    record.environment.workgroup_size = size++;
    records.push_back(stored(record));
  }
  ASSERT_TRUE(store::ResultStore(**database).add(records));
  const ReadStudies read = read_studies({place});
  ASSERT_EQ(1U, read.studies.size());
  const Analysis analysis = analyse(read.studies, {"similarity"}, {});
  EXPECT_EQ(10U, table_of(analysis, "similarity").rows.size());
  EXPECT_EQ(
      "study,device,vendor,cluster,of\nshared,a,NVIDIA,A,2\nshared,b,NVIDIA,A,2\nshared,c,NVIDIA,A,2\n"
      "shared,d,AMD,B,2\nshared,e,AMD,B,2\n",
      to_csv(table_of(analysis, "clusters")));
}

#endif

TEST(VendorOf, FindsTheWordInTheName) {
  EXPECT_EQ("NVIDIA", vendor_of("NVIDIA H200"));
  EXPECT_EQ("NVIDIA", vendor_of("GeForce RTX 4090"));
  EXPECT_EQ("ARM", vendor_of("Mali-G715"));
  EXPECT_EQ("Intel", vendor_of("Mesa Intel(R) Arc(tm) A770"));
  EXPECT_EQ("a swarm of devices", vendor_of("a swarm of devices"));
  EXPECT_EQ("", vendor_of(""));
}

}  // namespace
}  // namespace weakspot::analysis::stored_runs_test
