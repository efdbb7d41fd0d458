// SPDX-License-Identifier: MIT
#include "race/report.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/invocation.h"
#include "base/source.h"
#include "json/json.h"
#include "race/classes.h"
#include "race/gate_reports.h"
#include "race/kernel_names.h"
#include "race/suppressions.h"

namespace weakspot::race::report_test {
namespace {

Finding race_of(ClassId finding_class, unsigned line, unsigned other_line) {
  Finding finding;
  classify(finding, finding_class);
  finding.message = "write and read of shared tile[3] are not ordered";
  finding.place = {"a/b <1>.cu", line, 3};
  finding.function = "fill";
  finding.actor = Actor{Act::write, {{{3}}, {}, {}}};
  finding.other = Place{"a/b <1>.cu", other_line, 5};
  finding.other_function = "reverse";
  finding.other_actor = Actor{Act::read, {{{60}}, {}, {}}};
  finding.variable = {"tile", "[3]", {}};
  finding.space = Space::shared;
  finding.kernel = "reverse<int>";
  finding.launch = "grid=2 block=64";
  finding.why = "no barrier lies between";
  finding.fixes = {{.certain = true, .places = {{{"a/b <1>.cu", 6, false}, {}, {}}}}};
  finding.replay = "weakspot race 'a/b <1>.cu' --schedule forward";
  finding.count = 5;
  return finding;
}

Report example() {
  Report report;
  report.kernels.push_back({"reverse<int>", {"a/b <1>.cu", 2, 1}, 3, 384});
  report.findings.push_back(race_of(ClassId::e1, 4, 6));
  report.search = SearchReport{1000, 10, 8, 7, 12, 0.5};
  return report;
}

std::optional<std::string> line_of(const std::string&, unsigned line) {
  if (line > 8) return std::nullopt;
  return line == 4 ? "\ttile[i] = in[i] && x < 3;" : "    out[i] = tile[63 - i];";
}

base::JsonValue parsed(const std::string& text) { return base::read_json_text(base::Source("sarif", text)).value(); }

TEST(Report, SeverityAndExtentOfTheCodeAreReadBack) {
  Report report;
  report.kernels.push_back({"k", {"a.cu", 2, 1}, 3, 96});
  report.code = {3, 20, 11};
  Finding finding = race_of(ClassId::e1, 4, 6);
  finding.severity = Severity::warning;
  report.findings.push_back(finding);
  const base::Result<Report> again = report_from_json(to_json(report));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->findings.at(0).severity, Severity::warning);
  EXPECT_EQ(summary(*again),
            "found: 0 errors, 1 warning, 0 hints in 1 of 3 kernels, 3 launches, 96 threads, 11 of 20 lines reached");
}

TEST(Report, MarkdownNamesFilesThatCouldNotBeChecked) {
  Report clean;
  const Report all = merged({{"a.cu", clean}, {"b_1.cu", std::nullopt}});
  EXPECT_EQ(verdict(all), RaceVerdict::incomplete);
  EXPECT_NE(to_markdown(all, "2 files").find("Could not be checked:\n\n- b\\_1.cu\n"), std::string::npos);
}

TEST(Report, MarkdownHasFindingsFirstAndHintsLast) {
  Report report = example();
  Finding hint = race_of(ClassId::r1, 5, 5);
  hint.severity = Severity::hint;
  hint.other.reset();
  hint.message = "redundant";
  hint.fixes.clear();
  report.findings.insert(report.findings.begin(), hint);
  report.not_exercised = {{"fill", {"a.cu", 9, 1}, "never launched"}};
  EXPECT_EQ(to_markdown(report, "a.cu"),
            "### weakspot race: a.cu\n\n"
            "**found: 1 error, 0 warnings, 1 hint in 1 kernel, 3 launches, 384 threads; 1 kernel not exercised**\n\n"
            "| place | what | fix |\n|---|---|---|\n"
            "| a/b \\<1>.cu:4 | error E1: write and read of shared tile\\[3] are not ordered; the other access is at "
            "a/b \\<1>.cu:6:5 | put \\_\\_syncthreads() before line 6 |\n\n"
            "Not looked at:\n\n- not exercised: kernel fill at a.cu:9: never launched\n\n"
            "Hints:\n\n| place | what | fix |\n|---|---|---|\n| a/b \\<1>.cu:5 | hint R1: redundant |  |\n\n"
            "Checked:\n\n- reverse\\<int> at a/b \\<1>.cu:2: 3 launches, 384 threads\n");
}

TEST(Report, EvidenceForABarrierIsInEveryForm) {
  Report report;
  Finding finding;
  classify(finding, ClassId::r1);
  finding.kind = FindingKind::redundant_barrier;
  finding.severity = Severity::hint;
  finding.place = {"a.cu", 4, 3};
  finding.evidence = BarrierEvidence{3, 6, 64, 9, 8, {{"a.cu", 6, 3}}, {{"a.cu", 7, 3}}};
  report.findings.push_back(finding);
  const base::Result<Report> again = report_from_json(to_json(report));
  ASSERT_TRUE(again.ok());
  ASSERT_TRUE(again->findings.at(0).evidence.has_value());
  EXPECT_EQ(to_json(*again), to_json(report));
  EXPECT_EQ(again->findings[0].evidence->compared, 8u);
  EXPECT_EQ(again->findings[0].evidence->instead, (std::vector<Place>{{"a.cu", 7, 3}}));
  const auto sarif = parsed(to_sarif(report, "1", line_of));
  const auto& result = sarif.at("runs").at(0).at("results").at(0);
  EXPECT_EQ(result.at("properties").at("evidence").at("confirmedRuns"), 9);
  EXPECT_EQ(result.at("relatedLocations").at(0).at("message").at("text"), "may be removed together with this one");
  EXPECT_EQ(result.at("relatedLocations").at(1).at("physicalLocation").at("region").at("startLine"), 7);
  EXPECT_NE(to_html(report, "a.cu", line_of).find("9 runs without it, 8 with the same memory"), std::string::npos);
}

TEST(Report, TextShowsBothLines) {
  EXPECT_EQ(to_text(example(), line_of),
            "a/b <1>.cu:4:3: error: E1 race: write and read of shared tile[3] are not ordered\n"
            "     4 | \ttile[i] = in[i] && x < 3;\n"
            "       | \t ^ write by threadIdx=3 blockIdx=0\n"
            "     6 |     out[i] = tile[63 - i];\n"
            "       |     ^ read by threadIdx=60 blockIdx=0\n"
            "  why: no barrier lies between\n"
            "  fix: put __syncthreads() before line 6\n"
            "  in reverse<int> with grid=2 block=64, 5 times\n"
            "  replay: weakspot race 'a/b <1>.cu' --schedule forward\n"
            "\n"
            "searched: 1000 runs, 7 of 8 branches reached, 12 conflicting pairs, 10 runs not judged\n"
            "found: 1 error, 0 warnings, 0 hints in 1 kernel, 3 launches, 384 threads\n");
}

// Code of Triton: the user's line, the line of its library that was inlined there, and the instruction.
TEST(Report, FindingsOfPtxNameThreePlaces) {
  Report report = example();
  Finding& finding = report.findings[0];
  finding.origin = {{"lib/standard.py", 170, 27}, {"k.ptx", 81, 1}};
  finding.other_origin.instruction = {"k.ptx", 90, 2};
  const std::string text = to_text(finding, line_of);
  EXPECT_NE(text.find("blockIdx=0\n         inside lib/standard.py:170:27\n         PTX k.ptx:81:1\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("blockIdx=0\n         PTX k.ptx:90:2\n"), std::string::npos) << text;
  const base::Result<Report> read = report_from_json(to_json(report));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->findings[0].origin, finding.origin);
  EXPECT_EQ(read->findings[0].other_origin, finding.other_origin);
  const base::JsonValue sarif = parsed(to_sarif(report, "1", line_of));
  const base::JsonValue& related = sarif.at("runs").at(0).at("results").at(0).at("relatedLocations");
  EXPECT_EQ(related.at(0).at("physicalLocation").at("region").at("startLine"), 170);
  EXPECT_EQ(related.at(1).at("physicalLocation").at("artifactLocation").at("uri"), "k.ptx");
  EXPECT_EQ(related.at(3).at("physicalLocation").at("region").at("startLine"), 90);
  EXPECT_NE(to_html(report, "k.ptx", line_of).find("lib/standard.py:170:27"), std::string::npos);
  // PTX without lines of a source is what the finding names.
  finding.place = finding.origin.instruction;
  EXPECT_EQ(to_text(finding, line_of).find("PTX k.ptx:81"), std::string::npos);
}

TEST(Report, JsonReadsBack) {
  Report report = example();
  report.suppressed.push_back(race_of(ClassId::w1, 1, 1));
  base::Result<Report> read = report_from_json(to_json(report));
  ASSERT_TRUE(read);
  EXPECT_EQ(to_json(*read), to_json(report));
  EXPECT_EQ(read->search->pairs, 12u);
  EXPECT_EQ(read->findings[0].other_function, "reverse");
}

TEST(Report, SaysWhoCompiledTheDevicePart) {
  Report report;
  const LineReader none = [](const std::string&, unsigned) { return std::nullopt; };
  const std::string by_clang = to_text(report, none);
  EXPECT_EQ(to_json(report).find("\"front\""), std::string::npos);
  report.front = FrontUsed::nvcc;
  EXPECT_EQ(to_text(report, none), "device part: compiled by nvcc\n" + by_clang);
  report.front = FrontUsed::nvcc_instead;
  EXPECT_EQ(to_text(report, none), "device part: compiled by nvcc, since clang could not\n" + by_clang);
  const base::Result<Report> read = report_from_json(to_json(report));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->front, FrontUsed::nvcc_instead);
  const base::Result<Report> both = report_from_json(to_json(merged({{"a.cu", report}, {"b.cu", Report()}})));
  ASSERT_TRUE(both);
  EXPECT_EQ(both->front, FrontUsed::clang);
  EXPECT_EQ(both->files[0].front, FrontUsed::nvcc_instead);
  EXPECT_EQ(both->files[1].front, FrontUsed::clang);
}

// A record of a run is the same when the run is repeated.
TEST(Report, JsonForReadersNamesItsCommand) {
  base::set_invocation({"weakspot 1.2", "2026-01-31T12:00:00Z", "weakspot race a.cu --json"});
  const std::string text = to_json_with_command(example()), record = to_json(example());
  base::set_invocation({});
  const base::JsonValue json = parsed(text);
  EXPECT_EQ(json.at("program"), "weakspot 1.2");
  EXPECT_EQ(json.at("date"), "2026-01-31T12:00:00Z");
  EXPECT_EQ(json.at("command"), "weakspot race a.cu --json");
  const base::Result<Report> read = report_from_json(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(to_json(*read), record);
  EXPECT_EQ(parsed(record).find("date"), nullptr);
  EXPECT_EQ(to_json_with_command(example()), record) << "no command made it";
}

TEST(Report, SarifHasWhatTheSchemaRequires) {
  Report report = example();
  report.suppressed.push_back(race_of(ClassId::w1, 1, 1));
  report.not_modelled = {{"surf2Dread", {"a.cu", 3, 1}, Effect::memory, true}};
  report.not_exercised = {{"fill", {"a.cu", 9, 1}, "never launched"}};
  const base::JsonValue sarif = parsed(to_sarif(report, "1.2", line_of));
  EXPECT_EQ(sarif.at("version"), "2.1.0");
  const base::JsonValue& run = sarif.at("runs").at(0);
  const base::JsonValue& driver = run.at("tool").at("driver");
  EXPECT_EQ(driver.at("name"), "weakspot");
  EXPECT_EQ(driver.at("version"), "1.2");
  ASSERT_EQ(run.at("results").items().size(), 2u);
  for (const base::JsonValue& result : run.at("results").items()) {
    EXPECT_EQ(driver.at("rules").at(result.at("ruleIndex").whole().value()).at("id"), result.at("ruleId"));
    EXPECT_FALSE(result.at("message").at("text").text().empty());
  }
  const base::JsonValue& result = run.at("results").at(0);
  EXPECT_EQ(result.at("ruleId"), "E1");
  EXPECT_EQ(result.at("level"), "error");
  const base::JsonValue& place = result.at("locations").at(0).at("physicalLocation");
  EXPECT_EQ(place.at("artifactLocation").at("uri"), "a/b%20%3C1%3E.cu");
  EXPECT_EQ(place.at("region"), base::json_object({{"startLine", 4}, {"startColumn", 3}}));
  EXPECT_EQ(result.at("relatedLocations").at(0).at("physicalLocation").at("region").at("startLine"), 6);
  EXPECT_EQ(result.at("relatedLocations").at(0).at("message").at("text"), "read by threadIdx=60 blockIdx=0");
  EXPECT_EQ(result.at("fingerprints").at("weakspot/v1").text().size(), 32u);
  EXPECT_FALSE((result.find("suppressions") != nullptr));
  EXPECT_EQ(run.at("results").at(1).at("suppressions").at(0).at("kind"), "external");
  EXPECT_EQ(run.at("invocations").at(0).at("toolExecutionNotifications").at(0).at("message").at("text"),
            "not modelled: surf2Dread at a.cu:3: its accesses to memory are not seen");
  EXPECT_EQ(run.at("invocations").at(0).at("toolExecutionNotifications").at(1).at("message").at("text"),
            "not exercised: kernel fill at a.cu:9: never launched");
}

TEST(Report, CleanMeansThatNothingIsMissing) {
  Report report;
  report.kernels = {{"fill", {"a.cu", 9, 1}, 3, 96}};
  EXPECT_EQ(verdict(report), RaceVerdict::clean);
  report.not_modelled = {{"inline PTX 'x'", {"a.cu", 3, 1}, Effect::unknown, false}};
  EXPECT_EQ(verdict(report), RaceVerdict::clean) << "no run reached it";
  report.not_modelled[0].reached = true;
  EXPECT_EQ(verdict(report), RaceVerdict::incomplete);
  report.not_exercised = {{"idle", {"a.cu", 20, 1}, "never launched"}};
  EXPECT_EQ(to_text(report, line_of),
            "not modelled: inline PTX 'x' at a.cu:3: its meaning is not known\n"
            "not exercised: kernel idle at a.cu:20: never launched\n"
            "incomplete: 0 errors, 0 warnings, 0 hints in 1 kernel, 3 launches, 96 threads; "
            "1 operation not modelled, 1 kernel not exercised\n");
  report.not_exercised.push_back({"other", {"a.cu", 30, 1}, "never launched"});
  EXPECT_NE(to_text(report, line_of).find("\nnot exercised: kernels idle, other: never launched\n"), std::string::npos);
  report.not_exercised.pop_back();
  const std::string html = to_html(report, "a.cu", line_of);
  EXPECT_NE(html.find(" at a.cu:3: its meaning is not known</li>"), std::string::npos);
  EXPECT_NE(html.find("<h2>What is missing</h2>"), std::string::npos);
  base::Result<Report> again = report_from_json(to_json(report));
  ASSERT_TRUE(again);
  EXPECT_EQ(to_json(*again), to_json(report));
  EXPECT_EQ(verdict(*again), RaceVerdict::incomplete);
  report.not_modelled.clear();
  EXPECT_EQ(verdict(report), RaceVerdict::not_exercised);
  EXPECT_TRUE(summary(report).starts_with("not exercised: 0 errors"));
  report.findings = {race_of(ClassId::u1, 1, 2)};
  EXPECT_EQ(verdict(report), RaceVerdict::not_exercised) << "a possible race is not a race";
  report.incomplete = "the time is over";
  EXPECT_EQ(verdict(report), RaceVerdict::incomplete);
  report.findings = {race_of(ClassId::e1, 1, 2)};
  EXPECT_EQ(verdict(report), RaceVerdict::found);
}

TEST(Report, MostBranchesAreMoreThanHalf) {
  EXPECT_TRUE(are_most(0, 0)) << "a kernel without branches";
  EXPECT_FALSE(are_most(1, 2));
  EXPECT_TRUE(are_most(2, 3));
}

TEST(Report, SeveralFilesMakeOne) {
  Report clean;
  clean.kernels = {{"fill", {"b.cu", 9, 1}, 3, 96}};
  clean.search = SearchReport{.runs = 10, .branches = 2, .branches_reached = 1};
  Report cut;
  cut.incomplete = "interrupted";
  const Report all = merged({{"a.cu", example()}, {"b.cu", clean}, {"c.cu", std::nullopt}, {"d.cu", cut}});
  EXPECT_EQ(total(all), "total: 1 found, 1 failed, 1 incomplete, 1 clean in 4 files; 1 error, 0 warnings, 0 hints");
  EXPECT_EQ(all.kernels.size(), 2u);
  EXPECT_EQ(all.search->runs, 1010u);
  EXPECT_EQ(all.incomplete, "c.cu: it could not be checked; d.cu: interrupted");
  EXPECT_EQ(summary(clean, "b.cu"), "clean: b.cu: 0 errors, 0 warnings, 0 hints in 1 kernel, 3 launches, 96 threads");
  base::Result<Report> again = report_from_json(to_json(all));
  ASSERT_TRUE(again);
  EXPECT_EQ(to_json(*again), to_json(all));
  EXPECT_EQ(verdict(merged({{"b.cu", clean}, {"c.cu", std::nullopt}})), RaceVerdict::incomplete);
}

TEST(NotModelled, EffectsHaveTextsAndMeanDoubt) {
  for (const Effect effect : {Effect::none, Effect::stronger, Effect::asynchronous, Effect::grids, Effect::call,
                              Effect::value, Effect::memory, Effect::order, Effect::unknown}) {
    EXPECT_FALSE(effect_text(effect).empty());
  }
  EXPECT_FALSE(casts_doubt(Effect::asynchronous));
  EXPECT_FALSE(casts_doubt(Effect::grids));
  EXPECT_TRUE(casts_doubt(Effect::value));
  EXPECT_TRUE(casts_doubt(Effect::unknown));
}

TEST(KernelNames, FitAndSuggest) {
  EXPECT_TRUE(names_kernel("sum", "sum"));
  EXPECT_TRUE(names_kernel("sum", "ns::sum<float, 64u>"));
  EXPECT_TRUE(names_kernel("ns::sum<float,64>", "ns::sum<float, 64u>"));
  EXPECT_TRUE(names_kernel("fill<64ul>", "fill<64>"));
  EXPECT_FALSE(names_kernel("fill<6>", "fill<64>"));
  EXPECT_FALSE(names_kernel("full", "ful"));
  EXPECT_FALSE(names_kernel("su", "sum"));
  EXPECT_EQ(no_such_kernel("reduec", {"scan", "reduce"}),
            "the file has no kernel 'reduec'; did you mean 'reduce'? It has reduce and scan");
  EXPECT_EQ(no_such_kernel("x", {"scan<4>", "reduce", "scan<4>"}),
            "the file has no kernel 'x'; it has reduce and scan<4>");
  EXPECT_EQ(no_such_kernel("x", {}), "the file has no kernel");
}

TEST(Report, FingerprintsSurviveMovedLines) {
  auto fingerprint = [](unsigned line, unsigned other_line, const LineReader& lines) {
    Report report;
    report.findings.push_back(race_of(ClassId::e1, line, other_line));
    return base::json_compact(
        parsed(to_sarif(report, "1", lines)).at("runs").at(0).at("results").at(0).at("fingerprints"));
  };
  const LineReader moved = [](const std::string& file, unsigned line) { return line_of(file, line - 2); };
  EXPECT_EQ(fingerprint(4, 6, line_of), fingerprint(6, 8, moved));
  EXPECT_EQ(fingerprint(4, 6, line_of), fingerprint(6, 4, line_of));
  EXPECT_NE(fingerprint(4, 6, line_of), fingerprint(5, 6, line_of));
}

TEST(Report, HtmlEscapesItsContent) {
  const std::string html = to_html(example(), "a/b <1>.cu", line_of);
  EXPECT_NE(html.find("tile[i] = in[i] &amp;&amp; x &lt; 3;"), std::string::npos);
  EXPECT_NE(html.find("<code>weakspot race 'a/b &lt;1&gt;.cu' --schedule forward</code>"), std::string::npos);
  EXPECT_NE(html.find("^ read by threadIdx=60 blockIdx=0"), std::string::npos);
  EXPECT_EQ(html.find("://"), std::string::npos);
  EXPECT_EQ(html.find("<script"), std::string::npos);
}

TEST(FailOn, ClassesDecide) {
  Report report = example();
  EXPECT_TRUE(fails(report, nullptr));
  struct Case {
    const char* text;
    bool fails;
  };
  for (const Case& test : {Case{"E1", true}, {"D1,E1", true}, {"W1,D2", false}, {"none", false}}) {
    base::Result<std::vector<ClassId>> classes = parse_fail_on(test.text);
    ASSERT_TRUE(classes) << test.text;
    EXPECT_EQ(fails(report, &*classes), test.fails) << test.text;
  }
  report.findings = {race_of(ClassId::i1, 1, 2)};
  EXPECT_FALSE(fails(report, nullptr));
  EXPECT_EQ(parse_fail_on("E1,E7").errors()[0].message,
            "'E7' is not a class of findings; expected 'none' or some of E1, E2, P1, P2, W1, W2, W3, V1, I1, D1, D2, "
            "D3, D4, R1, A1, A2, A3, U1");
  EXPECT_TRUE(parse_fail_on("e1").errors()[0].message.ends_with("U1; did you mean 'E1'?"));
  EXPECT_TRUE(parse_fail_on("divergent-warp").errors()[0].message.ends_with("U1; did you mean 'D1'?"));
  EXPECT_TRUE(parse_fail_on("divergent-blok").errors()[0].message.ends_with("U1; did you mean 'D2'?"));
}

TEST(Suppressions, FitByClassFileLineAndFunction) {
  struct Case {
    const char* line;
    bool fits;
  };
  for (const Case& test : {Case{"E1 *.cu", true},
                           {"* a/*", true},
                           {"* b*:4", true},
                           {"E1 *:6", true},
                           {"E1 *:reverse", true},
                           {"E1 *:fill", true},
                           {"E1 *:5", false},
                           {"E1 *:other", false},
                           {"W1 *.cu", false},
                           {"* b/*", false},
                           {"E1 *.h", false}}) {
    base::Result<std::vector<Suppression>> read = read_suppressions(base::Source("s", test.line));
    ASSERT_TRUE(read) << test.line;
    Report report = example();
    EXPECT_EQ(suppress(report, *read), std::vector<bool>{test.fits}) << test.line;
    EXPECT_EQ(report.findings.size(), test.fits ? 0u : 1u) << test.line;
    EXPECT_EQ(report.suppressed.size(), test.fits ? 1u : 0u) << test.line;
  }
}

TEST(Suppressions, ProjectsHaveGlobsAndReasons) {
  Suppression suppression{ClassId::e1, "a/*.cu", std::filesystem::current_path().string()};
  suppression.reason = "on purpose";
  Report report = example();
  EXPECT_EQ(suppress(report, {suppression}), std::vector<bool>{true});
  ASSERT_EQ(report.suppressed.size(), 1u);
  EXPECT_EQ(report.suppressed[0].reason, "on purpose");
  EXPECT_EQ(report_from_json(to_json(report))->suppressed[0].reason, "on purpose");
  EXPECT_NE(to_sarif(report, "1", line_of).find("\"justification\": \"on purpose\""), std::string::npos);
  for (const char* glob : {"*.cu", "b.cu", "*"}) {
    suppression.file = glob;
    Report other = example();
    EXPECT_EQ(suppress(other, {suppression}), std::vector<bool>{false}) << glob;
  }
}

TEST(Suppressions, SlipsAreUnderstood) {
  EXPECT_EQ(read_suppressions(base::Source("s", "deadlok a.cu\n")).errors()[0].message,
            "'deadlok' is not a class of findings; expected one as in E1, or *; did you mean 'D4'?");
}

TEST(Suppressions, MistakesAreNamed) {
  base::Result<std::vector<Suppression>> read =
      read_suppressions(base::Source("s", "# known\n\nE9 a.cu\n  E1\nE1 a.cu:\r\nW1 *.cu:12\n"));
  ASSERT_FALSE(read);
  EXPECT_EQ(base::render(read.errors()),
            "s:3:1: error: 'E9' is not a class of findings; expected one as in E1, or *\n"
            " E9 a.cu\n ^~~~~~~\n"
            "s:4:3: error: expected a class and a file, as in 'E1 reduce.cu:12'\n"
            "   E1\n   ^~\n"
            "s:5:1: error: expected a line or a function after ':'\n"
            " E1 a.cu:\n ^~~~~~~~\n");
}

}  // namespace
}  // namespace weakspot::race::report_test
