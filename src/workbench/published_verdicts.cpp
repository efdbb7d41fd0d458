// SPDX-License-Identifier: MIT
#include "workbench/published_verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "analysis/cuda_litmus.h"
#include "base/file.h"
#include "base/mistakes.h"
#include "desk/model_filter.h"
#include "model/library.h"

namespace weakspot::workbench {
namespace {

namespace fs = std::filesystem;

struct Cell {
  std::string_view text;
  base::Span span;
};

std::vector<std::vector<Cell>> rows_of(const base::Source& table) {
  std::vector<std::vector<Cell>> rows;
  const std::string_view text = table.text();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::vector<Cell> row;
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t comma = std::min(line.find(',', at), line.size());
      const auto offset = static_cast<std::uint32_t>(begin + at);
      row.push_back({line.substr(at, comma - at), {offset, offset + static_cast<std::uint32_t>(comma - at)}});
      at = comma + 1;
    }
    if (!line.empty()) rows.push_back(std::move(row));
    begin = end + 1;
  }
  return rows;
}

enum class ColumnKind : std::uint8_t { verdicts, device, other };

ColumnKind kind_of_cell(std::string_view text) {
  if (text == "INSTANCE" || text == "UNSAT") return ColumnKind::verdicts;
  return text == "seen" || text == "not seen" ? ColumnKind::device : ColumnKind::other;
}

// The kernels of a folder by the names that tables give them, read once each.
class Kernels {
 public:
  static base::Result<Kernels> find(const std::string& folder) {
    Kernels kernels;
    base::Result<std::vector<std::string>> paths = base::files_under(folder, ".cu");
    if (!paths) return paths.errors();
    for (const std::string& path : *paths) {
      kernels.paths_[analysis::kernel_key(fs::path(path).stem().string())] = path;
    }
    if (paths->empty()) return base::error(fmt::format("there are no kernels (*.cu) in '{}'", folder));
    return kernels;
  }

  base::Result<const base::Source*> operator[](const std::string& key) {
    if (auto read = sources_.find(key); read != sources_.end()) return &read->second;
    const auto path = paths_.find(key);
    if (path == paths_.end()) return base::error(fmt::format("there is no file for the kernel '{}'", key));
    base::Result<std::string> text = base::read_file(path->second);
    if (!text) return text.errors();
    return &sources_.emplace(key, base::Source(path->second, std::move(*text))).first->second;
  }

 private:
  std::map<std::string, std::string> paths_;
  std::map<std::string, base::Source> sources_;
};

class PublishedTable {
 public:
  PublishedTable(const base::Source& source, Kernels kernels)
      : rows_(rows_of(source)), mistakes_(source), kernels_(std::move(kernels)) {}

  base::Status prepare(const PublishedVerdictsRequest& request) {
    if (rows_.size() < 2 || rows_[0][0].text != "test") {
      return base::error_in(request.table, "expected a table whose first column is 'test'");
    }
    kinds_.push_back(ColumnKind::other);
    for (std::size_t i = 1; i < rows_[0].size(); ++i) {
      kinds_.push_back(i < rows_[1].size() ? kind_of_cell(rows_[1][i].text) : ColumnKind::other);
      const std::string name(rows_[0][i].text);
      if (kinds_[i] == ColumnKind::device) result_.devices.push_back({name, 0, {}});
      if (kinds_[i] != ColumnKind::verdicts) continue;
      result_.columns.push_back({name, name == "strengthened" ? "ptx-strong" : "ptx", 0});
    }
    return choose_models(request);
  }

  PublishedVerdicts compare() {
    for (std::size_t i = 1; i < rows_.size() && !mistakes_.full(); ++i) row(rows_[i]);
    result_.errors = mistakes_.take();
    return std::move(result_);
  }

 private:
  base::Status choose_models(const PublishedVerdictsRequest& request) {
    for (const auto& [column, model] : request.models) {
      const auto found = std::find_if(result_.columns.begin(), result_.columns.end(),
                                      [&](const PublishedColumn& one) { return one.name == column; });
      if (found == result_.columns.end()) {
        return base::error(fmt::format("the table has no column '{}' of verdicts", column));
      }
      found->model = model;
    }
    for (const PublishedColumn& column : result_.columns) {
      base::Result<model::Model> model = model::load_model(column.model);
      if (!model) return model.errors();
      models_.push_back(std::move(*model));
    }
    return base::ok_status();
  }

  void row(const std::vector<Cell>& cells) {
    if (cells.size() != kinds_.size()) {
      return mistakes_.add(cells.front().span, fmt::format("expected {} cells, found {}", kinds_.size(), cells.size()));
    }
    for (std::size_t i = 1; i < cells.size(); ++i) {
      if (kinds_[i] != ColumnKind::other && kind_of_cell(cells[i].text) != kinds_[i]) {
        return mistakes_.add(cells[i].span, kinds_[i] == ColumnKind::device ? "expected 'seen' or 'not seen'"
                                                                            : "expected INSTANCE or UNSAT");
      }
    }
    if (std::optional<litmus::LitmusTest> test = test_of(cells[0])) judge(cells, *std::move(test));
  }

  std::optional<litmus::LitmusTest> test_of(const Cell& cell) {
    std::string_view name = cell.text;
    if (name.ends_with(".als")) name.remove_suffix(4);
    const std::optional<analysis::CudaLitmusName> parts = analysis::parse_cuda_litmus_name(name);
    if (!parts) {
      mistakes_.add(cell.span, "expected a name such as wrc_TB_0_12_SCOPE_DEVICE_NO_FENCE_RELEASE");
      return std::nullopt;
    }
    base::Result<const base::Source*> kernel = kernels_[parts->kernel];
    if (!kernel) {
      mistakes_.add(cell.span, base::messages(kernel.errors()));
      return std::nullopt;
    }
    base::Result<litmus::LitmusTest> test = analysis::cuda_litmus_test(**kernel, *parts, std::string(name));
    if (test) return std::move(*test);
    mistakes_.append(test.errors());
    return std::nullopt;
  }

  void judge(const std::vector<Cell>& cells, litmus::LitmusTest test) {
    std::vector<model::Verdict::Reach> ours;
    for (const model::Model& model : models_) ours.push_back(desk::reach(model, test));
    std::size_t column = 0;
    bool all_allow = true, none_allows = true;
    for (std::size_t i = 1; i < cells.size(); ++i) {
      if (kinds_[i] != ColumnKind::verdicts) continue;
      const bool allowed = cells[i].text == "INSTANCE";
      (allowed ? none_allows : all_allow) = false;
      PublishedColumn& published = result_.columns[column];
      test.expectations[published.model] = allowed ? litmus::Expectation::allowed : litmus::Expectation::forbidden;
      if (ours[column] == (allowed ? model::Verdict::Reach::allowed : model::Verdict::Reach::forbidden)) {
        ++published.agreed;
      } else {
        result_.differences.push_back({test.name, published.name, allowed, ours[column]});
      }
      ++column;
    }
    if (!all_allow && !none_allows) ++result_.separated;
    observe(cells, test, ours);
    result_.tests.push_back(std::move(test));
  }

  void observe(const std::vector<Cell>& cells, litmus::LitmusTest& test,
               const std::vector<model::Verdict::Reach>& ours) {
    std::size_t device = 0;
    std::string seen, not_seen;
    for (std::size_t i = 1; i < cells.size(); ++i) {
      if (kinds_[i] != ColumnKind::device) continue;
      PublishedDevice& one = result_.devices[device++];
      std::string& list = cells[i].text == "seen" ? seen : not_seen;
      list += fmt::format("{}{}", list.empty() ? "" : ", ", one.name);
      if (cells[i].text != "seen") continue;
      ++one.seen;
      for (std::size_t column = 0; column < ours.size(); ++column) {
        if (ours[column] != model::Verdict::Reach::forbidden) continue;
        one.forbidden.emplace_back(result_.columns[column].name, test.name);
      }
    }
    if (!seen.empty()) test.info.emplace_back("Seen", seen);
    if (!not_seen.empty()) test.info.emplace_back("NotSeen", not_seen);
  }

  std::vector<std::vector<Cell>> rows_;
  base::Mistakes mistakes_;
  Kernels kernels_;
  std::vector<ColumnKind> kinds_;
  std::vector<model::Model> models_;  // of the columns of verdicts
  PublishedVerdicts result_;
};

}  // namespace

base::Result<PublishedVerdicts> compare_published(const PublishedVerdictsRequest& request) {
  base::Result<std::string> text = base::read_file(request.table);
  if (!text) return text.errors();
  base::Result<Kernels> kernels = Kernels::find(request.kernels);
  if (!kernels) return kernels.errors();
  const base::Source source(request.table, std::move(*text));
  PublishedTable table(source, std::move(*kernels));
  if (base::Status prepared = table.prepare(request); !prepared) return prepared.errors();
  return table.compare();
}

}  // namespace weakspot::workbench
