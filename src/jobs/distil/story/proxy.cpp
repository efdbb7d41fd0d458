// SPDX-License-Identifier: MIT
#include "distil/story/proxy.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/source.h"
#include "litmus/dialect.h"
#include "race/causes.h"

namespace weakspot::distil {
namespace {

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

// The steps of the thread that starts the copy, once it may.
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

// The steps by which a thread lets another one go on.
struct HandOver {
  std::vector<std::string> writer, issuer;
  std::string scopes;
  std::string seen;  // the condition under which the other has gone on
};

HandOver in_block() { return {{"bar"}, {"bar"}, "(wg P0 P1)", ""}; }
HandOver in_cluster() {
  return {{"bar.arrive.cluster"}, {"bar.arrive.cluster", "bar.wait.cluster"}, "(cluster (wg P0) (wg P1))", ""};
}
HandOver in_grid() {
  return {{"fence.acqrel", "st g, 1"}, {"ld r1, g", "fence.acqrel"}, "(wg P0) (wg P1)", "1:r1=1 /\\ "};
}

// Adds the copy behind the writes, in the same thread or in one that is handed over to.
void add_copy(Columns& columns, const std::vector<std::string>& copy, bool same_thread, const HandOver& by) {
  std::vector<std::string>& copying = same_thread ? columns.writer : columns.issuer;
  columns.scopes = same_thread ? "(wg P0)" : by.scopes;
  columns.question = same_thread ? "0:" + columns.question : by.seen + "1:" + columns.question;
  if (!same_thread) {
    columns.writer.insert(columns.writer.end(), by.writer.begin(), by.writer.end());
    columns.issuer = by.issuer;
  }
  copying.insert(copying.end(), copy.begin(), copy.end());
}

// A thread writes, and a copy reads that or overwrites it.
Columns copy_columns(bool overwrites, bool shared, bool same_thread, bool same_block, bool fenced) {
  Columns columns;
  columns.declared = declarations(overwrites, shared);
  columns.writer = {"st.na x, 1"};
  columns.question = overwrites ? "r0=1" : "r0=0";
  std::vector<std::string> copy = copy_steps(overwrites, shared);
  if (fenced) copy.insert(copy.begin(), "fence.proxy.async");
  add_copy(columns, copy, same_thread, same_block ? in_block() : in_cluster());
  return columns;
}

// A thread reads, and sees the copy that overwrites what it read.
Columns read_columns(bool shared, bool same_thread, bool same_block, bool fenced) {
  Columns columns;
  columns.declared = declarations(true, shared);
  columns.writer = {"ld.na r1, x"};
  std::vector<std::string> copy = copy_steps(true, shared);
  copy.pop_back();
  if (fenced) copy.insert(copy.begin(), "fence.proxy.async");
  add_copy(columns, copy, same_thread, same_block ? in_block() : in_cluster());
  columns.question = "0:r1=2";
  return columns;
}

// A thread writes a tensor map, and a copy uses what the map was before.
Columns map_columns(bool same_thread, bool same_block, bool fenced) {
  Columns columns;
  columns.declared = "m = &x; y = 2; shared f = 1; shared s; x = 1;";
  columns.writer = {"st.na m, &y"};
  columns.question = "r0=1";
  std::vector<std::string> copy = {"mbar.arrive _, f, 1, 4", "copy.bulk.map s, m, f", "mbar.wait f, 0", "ld.na r0, s"};
  if (fenced) {
    columns.writer.emplace_back("fence.proxy.tensormap.rel");
    copy.insert(copy.begin(), "fence.proxy.tensormap.acq m");
  }
  add_copy(columns, copy, same_thread, same_block ? in_block() : in_grid());
  return columns;
}

Columns columns_of(const race::Finding& finding, bool overwrites, bool fenced) {
  const race::ThreadIndex &first = finding.actor->thread, &issuer = finding.other_actor->thread;
  const bool same_thread = first == issuer, same_block = first.shares_block(issuer);
  const bool shared = finding.space == race::Space::shared;
  if (race::is_about_map(finding)) return map_columns(same_thread, same_block, fenced);
  if (finding.finding_class == race::ClassId::p2) return read_columns(shared, same_thread, same_block, fenced);
  return copy_columns(overwrites, shared, same_thread, same_block, fenced);
}

}  // namespace

bool is_missing_proxy_fence(const race::Finding& finding) {
  return is_about_proxies(finding.finding_class) && finding.other && finding.actor && finding.other_actor;
}

base::Result<litmus::LitmusTest> proxy_test(const race::Finding& finding, const std::string& name, bool fenced) {
  const bool overwrites = finding.other_actor->act == race::Act::asynchronous_write;
  const bool reads = finding.finding_class == race::ClassId::p2;
  const Columns columns = columns_of(finding, overwrites, fenced);
  base::Result<std::vector<litmus::LitmusTest>> tests =
      litmus::read_tests(base::Source(name + ".litmus", columns.text(name)));
  if (!tests) return tests.errors();
  litmus::LitmusTest test = std::move(tests->front());
  const char* copy = overwrites ? "the copy that overwrites it" : "the copy";
  test.info.emplace_back(reads ? "Load" : "Store", race::place_text(finding.place));
  test.info.emplace_back("Copy", fmt::format("{}: {}", race::place_text(*finding.other), copy));
  return test;
}

std::string proxy_repair(const race::Finding& finding) {
  if (race::is_about_map(finding)) {
    return fmt::format("fence.proxy.tensormap: release behind {}, acquire before the copy at {}",
                       race::place_text(finding.place), race::place_text(*finding.other));
  }
  return fmt::format("fence.proxy.async before the copy at {}", race::place_text(*finding.other));
}

}  // namespace weakspot::distil
