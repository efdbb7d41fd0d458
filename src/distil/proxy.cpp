// SPDX-License-Identifier: MIT
#include "distil/proxy.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/source.h"
#include "litmus/dialect.h"

namespace weakspot::distil {
namespace {

constexpr std::string_view kBy = " by ", kBlock = "blockIdx=";

std::string after(const std::string& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  return at == std::string::npos ? "" : text.substr(at + mark.size());
}

// The instructions of two threads, or of one, and what is asked.
struct Columns {
  std::vector<std::string> writer, issuer;
  std::string declared, question;
  std::string scopes;

  std::string text(const std::string& name) const {
    std::string rows;
    const bool one = issuer.empty();
    rows += one ? " P0 ;\n" : " P0 | P1 ;\n";
    for (std::size_t i = 0; i < std::max(writer.size(), issuer.size()); ++i) {
      const std::string left = i < writer.size() ? writer[i] : "";
      rows +=
          one ? fmt::format(" {} ;\n", left) : fmt::format(" {} | {} ;\n", left, i < issuer.size() ? issuer[i] : "");
    }
    return fmt::format("weakspot {}\nArch=ptx\n{{ {} }}\n{}scopes {}\nexists ({})\n", name, declared, rows, scopes,
                       question);
  }
};

// What the thread does that starts the copy, once it may.
std::vector<std::string> copy_steps(bool overwrites, bool shared) {
  if (shared != overwrites) {
    const char* copy = overwrites ? "copy.bulk x, t" : "copy.bulk y, x";
    return {copy, "commit.bulk", "wait.bulk 0", overwrites ? "ld.na r0, x" : "ld.na r0, y"};
  }
  const char* copy = overwrites ? "copy.bulk x, y, b" : "copy.bulk t, x, b";
  return {"mbar.arrive _, b, 1, 4", copy, "mbar.wait b, 0", overwrites ? "ld.na r0, x" : "ld.na r0, t"};
}

std::string declarations(bool overwrites, bool shared) {
  if (shared) return overwrites ? "shared x; shared b = 1; y = 2;" : "shared x;";
  return overwrites ? "shared t = 2;" : "shared t; shared b = 1;";
}

}  // namespace

bool is_missing_proxy_fence(const race::Finding& finding) {
  return finding.finding_class == race::ClassId::p1 && finding.other.has_value();
}

base::Result<litmus::LitmusTest> proxy_test(const race::Finding& finding, const std::string& name, bool fenced) {
  const bool overwrites = finding.other_label.starts_with("asynchronous write");
  const bool shared = finding.space == "shared";
  const std::string writer = after(finding.label, kBy), issuer = after(finding.other_label, kBy);
  const bool same_block = after(writer, kBlock) == after(issuer, kBlock);
  Columns columns;
  columns.declared = declarations(overwrites, shared);
  columns.writer = {"st.na x, 1"};
  columns.question = overwrites ? "r0=1" : "r0=0";
  std::vector<std::string> rest = copy_steps(overwrites, shared);
  if (fenced) rest.insert(rest.begin(), "fence.proxy.async");
  if (writer == issuer) {
    columns.scopes = "(wg P0)";
    columns.question = "0:" + columns.question;
    columns.writer.insert(columns.writer.end(), rest.begin(), rest.end());
  } else {
    columns.question = "1:" + columns.question;
    columns.scopes = same_block ? "(wg P0 P1)" : "(cluster (wg P0) (wg P1))";
    columns.writer.emplace_back(same_block ? "bar" : "bar.arrive.cluster");
    if (same_block) {
      columns.issuer = {"bar"};
    } else {
      columns.issuer = {"bar.arrive.cluster", "bar.wait.cluster"};
    }
    columns.issuer.insert(columns.issuer.end(), rest.begin(), rest.end());
  }
  base::Result<std::vector<litmus::LitmusTest>> tests =
      litmus::read_tests(base::Source(name + ".litmus", columns.text(name)));
  if (!tests) return tests.errors();
  litmus::LitmusTest test = std::move(tests->front());
  const char* copy = overwrites ? "the copy that overwrites it" : "the copy";
  test.info.emplace_back("Store", race::place_text(finding.place));
  test.info.emplace_back("Copy", fmt::format("{}: {}", race::place_text(*finding.other), copy));
  return test;
}

std::string proxy_repair(const race::Finding& finding) {
  return fmt::format("fence.proxy.async before the copy at {}", race::place_text(*finding.other));
}

}  // namespace weakspot::distil
