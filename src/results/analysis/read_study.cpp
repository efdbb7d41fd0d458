// SPDX-License-Identifier: MIT
#include "analysis/read_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "analysis/read/cuda_litmus_log.h"
#include "analysis/read/records.h"
#include "analysis/read/results_json.h"
#include "analysis/stored_runs.h"
#include "base/file.h"
#include "store/open_store.h"
#if WEAKSPOT_HAS_SQLITE
#include "base/source.h"
#include "store/sqlite_reader.h"
#endif

namespace weakspot::analysis {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStudySuffixes[] = {".json", ".jsonl", ".db", ".sqlite", ".sqlite3"};

struct Collected {
  fs::path place;  // the folder or file that holds all of the study
  std::string name;
  std::vector<DeviceResults> devices;
};

struct Reading {
  std::vector<Collected> studies;
  base::Diagnostics errors;

  // Each place is a study of its own; a second one of the same name is named by its path.
  void add(const fs::path& place, std::string name, DeviceResults results) {
    auto found = std::find_if(studies.begin(), studies.end(), [&](const Collected& c) { return c.place == place; });
    if (found == studies.end()) {
      if (name.empty() || name == ".") name = "results";
      const bool taken =
          std::any_of(studies.begin(), studies.end(), [&](const Collected& c) { return c.name == name; });
      found = studies.insert(studies.end(), {place, taken ? place.string() : name, {}});
    }
    found->devices.push_back(std::move(results));
  }

  void fail(const base::Diagnostics& more) { errors.insert(errors.end(), more.begin(), more.end()); }
};

std::string stem(const std::string& file) { return fs::path(file).stem().string(); }

#if WEAKSPOT_HAS_SQLITE
void read_database(const std::string& file, Reading& reading) {
  const base::Result<store::QueryResult> table = store::query_sqlite(file, "SELECT * FROM tuning_results");
  if (!table) return reading.fail(table.errors());
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::find(table->columns.begin(), table->columns.end(), name) -
                                    table->columns.begin());
  };
  const std::size_t results = column("results"), vendor = column("gpu_vendor");
  if (results == table->columns.size()) {
    return reading.errors.push_back(base::error_in(file, "table tuning_results has no column 'results'"));
  }
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const store::Row& row = table->rows[i];
    const std::string place = fmt::format("{} (row {})", file, i + 1);
    const std::string named = vendor < row.size() ? row[vendor].value_or("") : "";
    base::Result<DeviceResults> device = read_results_json(place, row[results].value_or(""), "");
    if (!device) {
      reading.fail(device.errors());
      continue;
    }
    if (!named.empty()) device->vendor = named;
    if (device->device.empty()) device->device = named.empty() ? fmt::format("row {}", i + 1) : named;
    reading.add(file, stem(file), *std::move(device));
  }
}
#endif

// Records are one object per line with a "test"; results are one object over the whole text.
bool looks_like_records(const std::string& file, std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return file.ends_with(".jsonl") || (line.starts_with('{') && line.find("\"outcomes\"") != std::string_view::npos);
}

// Our own runs; other databases have tables of their own. Searches are a study beside them: a slice does not say what
// was seen beside the behaviour that was searched for.
void read_store(const std::string& place, Reading& reading) {
  base::Result<StoredResults> results = read_stored_results(place);
  if (!results) return reading.fail(results.errors());
  const std::string name = stem(place);
  for (DeviceResults& device : results->runs) reading.add(place, name, std::move(device));
  for (DeviceResults& device : results->searches) {
    reading.add(place + " searches", name + " searches", std::move(device));
  }
}

void read_one(const std::string& file, Reading& reading) {
  if (store::is_store(file)) return read_store(file, reading);
  const base::Result<std::string> text = base::read_file(file);
  if (!text) return reading.fail(text.errors());
  if (std::string_view(*text).starts_with("SQLite format 3")) {
#if WEAKSPOT_HAS_SQLITE
    return read_database(file, reading);
#else
    return reading.errors.push_back(base::error_in(file, "this program was built without SQLite"));
#endif
  }
  if (looks_like_records(file, *text)) {
    base::Result<std::vector<DeviceResults>> devices = read_run_records(file);
    if (!devices) return reading.fail(devices.errors());
    for (DeviceResults& device : *devices) reading.add(file, stem(file), std::move(device));
    return;
  }
  base::Result<DeviceResults> results = looks_like_cuda_litmus_log(*text)
                                            ? read_cuda_litmus_log(base::Source(file, *text), stem(file))
                                            : read_results_json(file, *text, stem(file));
  if (!results) return reading.fail(results.errors());
  const fs::path folder = fs::path(file).parent_path().lexically_normal();
  reading.add(folder, folder.filename().string(), *std::move(results));
}

// Other texts end in .txt as well.
bool is_log(const std::string& file) {
  if (!file.ends_with(".txt")) return false;
  const base::Result<std::string> text = base::read_file(file);
  return text && looks_like_cuda_litmus_log(*text);
}

}  // namespace

ReadStudies read_studies(const std::vector<std::string>& paths) {
  Reading reading;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
      read_one(path, reading);
      continue;
    }
    const base::Result<std::vector<std::string>> files = base::files_under(path, "");
    if (!files) {
      reading.fail(files.errors());
      continue;
    }
    bool any = false;
    for (const std::string& file : *files) {
      const bool known = std::any_of(std::begin(kStudySuffixes), std::end(kStudySuffixes),
                                     [&](std::string_view suffix) { return file.ends_with(suffix); }) ||
                         is_log(file);
      if (known) read_one(file, reading);
      any |= known;
    }
    if (!any) reading.errors.push_back(base::error_in(path, "the folder has no results"));
  }
  ReadStudies read;
  for (Collected& study : reading.studies) read.studies.emplace_back(study.name, std::move(study.devices));
  read.errors = std::move(reading.errors);
  return read;
}

}  // namespace weakspot::analysis
