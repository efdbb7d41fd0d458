// SPDX-License-Identifier: MIT
#include "analysis/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "json/invocation_json.h"
#include "json/json.h"
#include "report/markup.h"
#include "report/page.h"

namespace weakspot::analysis {
namespace {

using base::JsonValue;

constexpr std::size_t kBadCellsShown = 10;

JsonValue json_of(const Value& value) {
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  if (const std::uint64_t* count = std::get_if<std::uint64_t>(&value)) return *count;
  const double* number = std::get_if<double>(&value);
  return number != nullptr ? JsonValue(*number) : JsonValue();
}

JsonValue rows_of(const Table& table) {
  JsonValue rows = base::json_array();
  for (const std::vector<Value>& row : table.rows) {
    JsonValue object = base::json_object();
    for (std::size_t i = 0; i < row.size(); ++i) object.add(table.columns[i].name, json_of(row[i]));
    rows.push_back(std::move(object));
  }
  return rows;
}

// The first ones, and how many more there are.
std::string bad_cells_text(const Table& table) {
  if (table.rows.empty()) return "";
  Table shown = table;
  shown.rows.resize(std::min(shown.rows.size(), kBadCellsShown));
  std::string text = "\n" + to_text(shown);
  if (table.rows.size() > shown.rows.size()) {
    text += fmt::format("  and {} more, which --csv, --html and --json list\n", table.rows.size() - shown.rows.size());
  }
  return text;
}

bool has_content(const Figure& figure) {
  return !figure.pictures.empty() || std::any_of(figure.tables.begin(), figure.tables.end(), [](const Table& table) {
    return !table.rows.empty() && (table.audience == Audience::everyone || table.audience == Audience::page);
  });
}

std::string section(const Figure& figure) {
  std::string html = fmt::format("<h2 id=\"{}\">{}</h2>\n<p>{}</p>\n", figure.name, report::escaped(figure.title),
                                 report::escaped(figure.meaning));
  for (const Picture& picture : figure.pictures) {
    html += fmt::format("<figure>{}<figcaption><small>{}</small></figcaption></figure>\n", picture.svg,
                        report::escaped(picture.caption));
  }
  for (const Table& table : figure.tables) {
    if (table.rows.empty()) continue;
    if (table.audience == Audience::everyone) html += to_html(table);
    if (table.audience == Audience::page) {
      html += fmt::format("<details><summary>{} ({} rows)</summary>\n{}</details>\n", report::escaped(table.title),
                          table.rows.size(), to_html(table));
    }
  }
  return html;
}

}  // namespace

Analysis analyse(Studies studies, const std::vector<std::string>& names, const FigureOptions& options) {
  Analysis analysis;
  analysis.studies = studies_table(studies);
  for (const NamedFigure& figure : all_figures()) {
    const bool wanted = names.empty() || std::find(names.begin(), names.end(), figure.name) != names.end();
    if (!wanted) continue;
    Figure made = figure.make(studies, options);
    if (!made.tables.empty()) analysis.figures.push_back(std::move(made));
  }
  analysis.bad_cells = bad_cells_table(studies);
  return analysis;
}

std::string to_text(const Analysis& analysis) {
  std::string text = to_text(analysis.studies);
  for (const Figure& figure : analysis.figures) {
    for (const Table& table : figure.tables) {
      const bool shown = table.audience == Audience::everyone || table.audience == Audience::terminal;
      if (shown && !table.rows.empty()) text += "\n" + to_text(table);
    }
  }
  return text + bad_cells_text(analysis.bad_cells);
}

std::string to_html(const Analysis& analysis) {
  std::vector<report::PageSection> sections;
  std::string figures, missing;
  for (const Figure& figure : analysis.figures) {
    if (!has_content(figure)) {
      missing += (missing.empty() ? "" : ", ") + figure.title;
      continue;
    }
    sections.push_back({figure.name, figure.title});
    figures += section(figure);
  }
  if (!analysis.bad_cells.rows.empty()) sections.push_back({"bad-cells", "Bad cells"});
  std::string body =
      "<h1>Analysis of litmus test results</h1>\n" + report::contents_html(sections) + to_html(analysis.studies);
  if (!analysis.errors.empty()) {
    body +=
        fmt::format("<p class=\"broken\">Left out:</p><pre>{}</pre>\n", report::escaped(base::render(analysis.errors)));
  }
  body += figures;
  if (!missing.empty()) body += fmt::format("<p>These results do not show: {}.</p>\n", report::escaped(missing));
  if (!analysis.bad_cells.rows.empty()) {
    body += "<h2 id=\"bad-cells\">Bad cells</h2>\n" + to_html(analysis.bad_cells);
  }
  return report::html_page("analysis", body);
}

std::string to_json(const Analysis& analysis) {
  JsonValue json;
  json["studies"] = rows_of(analysis.studies);
  for (const Figure& figure : analysis.figures) {
    for (const Table& table : figure.tables) {
      if (table.audience != Audience::terminal) json[table.name] = rows_of(table);
    }
  }
  json["bad_cells"] = rows_of(analysis.bad_cells);
  json["errors"] = base::json_array();
  for (const base::Diagnostic& error : analysis.errors) {
    std::string line = base::render(error);
    json["errors"].push_back(line.substr(0, line.find('\n')));
  }
  base::add_invocation(json);
  return base::json_indented(json) + "\n";
}

std::vector<const Table*> tables_of(const Analysis& analysis) {
  std::vector<const Table*> tables{&analysis.studies};
  for (const Figure& figure : analysis.figures) {
    for (const Table& table : figure.tables) {
      if (table.audience != Audience::terminal && !table.rows.empty()) tables.push_back(&table);
    }
  }
  if (!analysis.bad_cells.rows.empty()) tables.push_back(&analysis.bad_cells);
  return tables;
}

}  // namespace weakspot::analysis
