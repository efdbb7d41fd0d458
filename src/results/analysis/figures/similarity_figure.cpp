// SPDX-License-Identifier: MIT
#include "stats/similarity.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/figure.h"
#include "report/plot.h"
#include "stats/kmeans.h"

namespace weakspot::analysis {
namespace {

constexpr std::size_t kMostClusters = 12;

// The shares of outcomes that are not sequential, for each device, over the tests that all devices have: for devices
// that shared the work of a fleet, and have no cell in common.
stats::Matrix test_profiles(const Study& study) {
  std::vector<std::size_t> common;
  for (std::size_t test = 0; test < study.tests().size(); ++test) {
    bool everywhere = study.tests()[test].role.kind != TestKind::conformance;
    for (std::size_t device = 0; device < study.devices().size(); ++device) {
      everywhere = everywhere && study.ran(device, test);
    }
    if (everywhere) common.push_back(test);
  }
  stats::Matrix matrix(study.devices().size(), 2 * common.size());
  for (std::size_t device = 0; device < study.devices().size(); ++device) {
    for (std::size_t i = 0; i < common.size(); ++i) {
      Cell sum;
      for (std::size_t environment = 0; environment < study.environments().size(); ++environment) {
        const Cell* cell = study.cell(device, environment, common[i]);
        if (cell == nullptr) continue;
        sum.interleaved += cell->interleaved;
        sum.weak += cell->weak + cell->forbidden;
        sum.unknown += cell->total() - cell->interleaved - cell->weak - cell->forbidden;
      }
      const double total = std::max(static_cast<double>(sum.total()), 1.0);
      matrix.at(device, 2 * i) = static_cast<double>(sum.interleaved) / total;
      matrix.at(device, 2 * i + 1) = static_cast<double>(sum.weak) / total;
    }
  }
  return matrix;
}

// The counts of outcomes that are not sequential, for each device, over the cells that all devices have.
stats::Matrix profiles(const Study& study) {
  std::vector<std::pair<std::size_t, std::size_t>> common;
  for (std::size_t environment = 0; environment < study.environments().size(); ++environment) {
    for (std::size_t test = 0; test < study.tests().size(); ++test) {
      bool everywhere = study.tests()[test].role.kind != TestKind::conformance;
      for (std::size_t device = 0; device < study.devices().size(); ++device) {
        everywhere = everywhere && study.cell(device, environment, test) != nullptr;
      }
      if (everywhere) common.emplace_back(environment, test);
    }
  }
  if (common.empty()) return test_profiles(study);
  stats::Matrix matrix(study.devices().size(), 2 * common.size());
  for (std::size_t device = 0; device < study.devices().size(); ++device) {
    for (std::size_t i = 0; i < common.size(); ++i) {
      const Cell* cell = study.cell(device, common[i].first, common[i].second);
      matrix.at(device, 2 * i) = static_cast<double>(cell->interleaved);
      matrix.at(device, 2 * i + 1) = static_cast<double>(cell->weak + cell->forbidden);
    }
  }
  return matrix;
}

void add_summary(Table& table, const Study& study, const std::string& vendor, const stats::Matrix& similar) {
  std::vector<double> pairs;
  const auto counts = [&](std::size_t device) { return vendor.empty() || study.devices()[device].vendor == vendor; };
  for (std::size_t a = 0; a < similar.rows(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (counts(a) && counts(b)) pairs.push_back(similar.at(a, b));
    }
  }
  if (pairs.empty()) return;
  const auto [least, most] = std::minmax_element(pairs.begin(), pairs.end());
  table.rows.push_back({study.name(), vendor.empty() ? "all" : vendor, std::uint64_t{pairs.size()}, stats::mean(pairs),
                        stats::median(pairs), *least, *most});
}

struct Tables {
  Table pairs, vendors, clusters, curve;
};

void cluster(const Study& study, const stats::Matrix& similar, const FigureOptions& options, Tables& tables,
             std::vector<Picture>& pictures) {
  const std::size_t most = std::min(kMostClusters, similar.rows());
  const std::vector<double> curve = stats::distortions(similar, most, {});
  for (std::size_t i = 0; i < curve.size(); ++i) {
    tables.curve.rows.push_back({study.name(), std::uint64_t{i + 1}, curve[i]});
  }
  stats::KMeansOptions how;
  how.clusters = options.clusters != 0 ? options.clusters : stats::elbow(curve);
  const stats::Clusters clusters = stats::k_means(similar, how);
  for (std::size_t device = 0; device < similar.rows(); ++device) {
    tables.clusters.rows.push_back({study.name(), study.devices()[device].name, study.devices()[device].vendor,
                                    std::string(1, static_cast<char>('A' + clusters.of_row[device] % 26)),
                                    std::uint64_t{how.clusters}});
  }
  if (!options.pictures) return;
  report::Chart chart{
      "distortion", {"clusters", report::Scale::linear}, {"distortion", report::Scale::linear}, {{"", {}}}};
  for (std::size_t i = 0; i < curve.size(); ++i)
    chart.series[0].points.push_back({static_cast<double>(i + 1), curve[i]});
  pictures.push_back({fmt::format("{}: distortion by the number of clusters; {} chosen.", study.name(), how.clusters),
                      line_chart(chart)});
}

void compare(const Study& study, const FigureOptions& options, Tables& tables, std::vector<Picture>& pictures) {
  const stats::Matrix profile = profiles(study);
  if (profile.rows() < 2 || profile.columns() == 0) return;
  const stats::Matrix similar = stats::cosine_similarities(profile);
  std::set<std::string> vendors;
  for (std::size_t a = 0; a < similar.rows(); ++a) {
    vendors.insert(study.devices()[a].vendor);
    for (std::size_t b = a + 1; b < similar.rows(); ++b) {
      tables.pairs.rows.push_back({study.name(), study.devices()[a].name, study.devices()[b].name, similar.at(a, b)});
    }
  }
  for (const std::string& vendor : vendors) add_summary(tables.vendors, study, vendor, similar);
  add_summary(tables.vendors, study, "", similar);
  if (options.pictures) {
    report::HeatMap map{"similarity", {}, {}, similar.values(), 0, 1};
    for (const Device& device : study.devices()) map.rows.push_back(device.name);
    map.columns = map.rows;
    pictures.push_back({fmt::format("{}: cosine similarity of devices.", study.name()), heat_map(map)});
  }
  if (similar.rows() >= 3) cluster(study, similar, options, tables, pictures);
}

}  // namespace

Figure similarity_figure(Studies studies, const FigureOptions& options) {
  Figure figure{
      "similarity",
      "Similarity of devices",
      "The cosine of the angle between devices' counts of interleaved and weak outcomes over all tests and "
      "environments that all devices ran, or, if there are none, between the shares of these outcomes over the "
      "tests that all ran. The clusters come from k-means on the rows of the similarity matrix.",
      {},
      {}};
  Tables tables;
  tables.pairs = {"similarity",
                  "Similarity of devices",
                  {{"study", "study"}, {"device", "device"}, {"other", "other"}, {"cosine", "cosine", 3}},
                  {},
                  Audience::page};
  tables.vendors = {"similarity_by_vendor",
                    "Similarity of devices, by vendor",
                    {{"study", "study"},
                     {"vendor", "vendor"},
                     {"pairs", "pairs"},
                     {"mean", "mean", 3},
                     {"median", "median", 3},
                     {"min", "min", 3},
                     {"max", "max", 3}},
                    {}};
  tables.clusters = {
      "clusters",
      "Clusters of devices",
      {{"study", "study"}, {"device", "device"}, {"vendor", "vendor"}, {"cluster", "cluster"}, {"of", "of"}},
      {}};
  tables.curve = {"distortion",
                  "",
                  {{"study", "study"}, {"clusters", "clusters"}, {"distortion", "distortion"}},
                  {},
                  Audience::files};
  for (const Study& study : studies) compare(study, options, tables, figure.pictures);
  figure.tables = {std::move(tables.vendors), std::move(tables.clusters), std::move(tables.pairs),
                   std::move(tables.curve)};
  return figure;
}

}  // namespace weakspot::analysis
