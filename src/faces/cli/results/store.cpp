// SPDX-License-Identifier: MIT
#include "workbench/store.h"

#include <fmt/format.h>

#include "base/plural.h"
#include "cli/command/commands.h"
#include "store/result_store.h"

namespace weakspot::cli {
namespace {

using Json = base::JsonValue;

std::string added_text(const store::Added& added, std::string_view one, std::string_view several = {}) {
  const std::string grown = added.grown == 0 ? "" : fmt::format(", {} longer than before", added.grown);
  return fmt::format("{} added, {} known already{}\n", base::counted(added.added, one, several), added.known, grown);
}

Json added_json(const store::Added& added) {
  return base::json_object({{"added", added.added}, {"known", added.known}, {"grown", added.grown}});
}

struct StoreInfoCommand {
  std::string place;
  bool json = false;

  int run() const {
    const base::Result<workbench::StoreInfo> info = workbench::store_info(place);
    if (!info) return fail(info.errors());
    if (json) {
      print_output(json_text(as_json(*info)));
    } else {
      print_results(as_text(*info));
    }
    return kFine;
  }

 private:
  static std::string as_text(const workbench::StoreInfo& info) {
    std::string text =
        fmt::format("{}: {}, version {}, {} kB\n", info.place, info.engine, info.version, (info.bytes + 1023) / 1024);
    for (const store::KindCount& kind : info.kinds) {
      text += fmt::format("  {:<14}{:>8}\n", store::to_string(kind.kind), kind.records);
    }
    text += fmt::format("  {:<14}{:>8}\n", "campaigns", info.campaigns);
    const store::SubmissionCounts& counts = info.submissions;
    text += fmt::format("  {:<14}{:>8} ({} withheld), {} rejected\n", "submissions",
                        counts.accepted + counts.withheld + counts.released, counts.withheld, counts.rejected);
    return text;
  }

  static Json as_json(const workbench::StoreInfo& info) {
    Json object;
    object["store"] = info.place;
    object["engine"] = info.engine;
    object["version"] = info.version;
    object["bytes"] = info.bytes;
    Json kinds = base::json_object();
    for (const store::KindCount& kind : info.kinds) kinds[store::to_string(kind.kind)] = kind.records;
    object["records"] = kinds;
    object["campaigns"] = info.campaigns;
    Json submissions;
    submissions["accepted"] = info.submissions.accepted;
    submissions["withheld"] = info.submissions.withheld;
    submissions["released"] = info.submissions.released;
    submissions["rejected"] = info.submissions.rejected;
    object["submissions"] = submissions;
    return object;
  }
};

struct StoreImport {
  std::string place;
  std::vector<std::string> files;
  bool json = false;

  int run() const {
    const base::Result<workbench::ImportResult> result = workbench::import_files(place, files);
    if (!result) return fail(result.errors());
    if (json) {
      print_output(
          json_text(base::json_object({{"records", added_json(result->records)}, {"still_running", result->running}})));
      return kFine;
    }
    print_results(added_text(result->records, "record"));
    if (result->running > 0) {
      print_error(fmt::format("note: {} still running and left out\n",
                              result->running == 1 ? "1 record is" : fmt::format("{} records are", result->running)));
    }
    return kFine;
  }
};

struct StoreExport {
  std::string place, out, kind;
  store::RecordFilter filter;

  int run() {
    if (!kind.empty()) filter.kind = store::record_kind_named(kind);
    for (const auto& [name, time] : {std::pair("--since", filter.since), std::pair("--until", filter.until)}) {
      if (!time.empty() && !store::is_record_time(time)) {
        return fail({base::error(fmt::format("{}: {}", name, store::kRecordTimes))});
      }
    }
    if (out.empty()) {
      const base::Result<std::string> text = workbench::export_text(place, filter);
      if (!text) return fail(text.errors());
      print_bytes(*text);
      return kFine;
    }
    const base::Result<std::vector<workbench::ExportedFile>> files = workbench::export_files(place, filter, out);
    if (!files) return fail(files.errors());
    for (const workbench::ExportedFile& file : *files) {
      print_results(fmt::format("{}: {}\n", file.path, base::counted(file.records, "record")));
    }
    if (files->empty()) print_error("note: no record fits\n");
    return kFine;
  }
};

struct StoreMerge {
  std::string place;
  std::vector<std::string> others;
  bool json = false;

  int run() const {
    const base::Result<store::Merged> merged = workbench::merge_stores(place, others);
    if (!merged) return fail(merged.errors());
    if (json) {
      print_output(json_text(base::json_object({{"records", added_json(merged->records)},
                                                {"campaigns", added_json(merged->campaigns)},
                                                {"shard_results", added_json(merged->shard_results)},
                                                {"submissions", added_json(merged->submissions)}})));
      return kFine;
    }
    print_results(added_text(merged->records, "record") + added_text(merged->campaigns, "campaign") +
                  added_text(merged->shard_results, "result of a shard", "results of shards") +
                  added_text(merged->submissions, "submission"));
    return kFine;
  }
};

struct StoreVerify {
  std::string place;
  bool json = false;

  int run() const {
    const base::Result<store::Verified> verified = workbench::verify(place);
    if (!verified) return fail(verified.errors());
    if (json) {
      print_output(json_text(base::json_object(
          {{"records", verified->records}, {"submissions", verified->submissions}, {"problems", verified->problems}})));
      return verified->problems.empty() ? kFine : kFinding;
    }
    for (const std::string& problem : verified->problems) print_results(fmt::format("damaged: {}\n", problem));
    if (!verified->problems.empty()) return kFinding;
    print_results(fmt::format("fine: {}, {}\n", base::counted(static_cast<std::uint64_t>(verified->records), "record"),
                              base::counted(static_cast<std::uint64_t>(verified->submissions), "submission")));
    return kFine;
  }
};

struct StoreSubmissions {
  std::string place, release;
  std::string state = "withheld";
  bool json = false;

  int run() const {
    if (!release.empty()) {
      const base::Status released = workbench::release_submission(place, release);
      return released ? kFine : fail(released.errors());
    }
    const base::Result<std::vector<workbench::ListedSubmission>> listed = workbench::list_submissions(place, state);
    if (!listed) return fail(listed.errors());
    Json array = base::json_array();
    for (const workbench::ListedSubmission& one : *listed) {
      if (json) {
        array.push_back(as_json(one));
      } else {
        print_results(as_text(one));
      }
    }
    if (json) print_output(json_text(array));
    return kFine;
  }

 private:
  static std::string as_text(const workbench::ListedSubmission& one) {
    return one.id.empty()
               ? fmt::format("{}  {}  {}\n", one.state, one.received, one.reason)
               : fmt::format("{}  {}  {}  {} {}\n", one.state, one.received, one.id, one.vendor, one.architecture);
  }

  static Json as_json(const workbench::ListedSubmission& one) {
    return base::json_object({{"id", one.id},
                              {"state", one.state},
                              {"vendor", one.vendor},
                              {"architecture", one.architecture},
                              {"received", one.received},
                              {"reason", one.reason},
                              {"document", one.document}});
  }
};

struct StoreVacuum {
  std::string place;
  bool json = false;

  int run() const {
    const base::Result<workbench::Vacuumed> done = workbench::vacuum(place);
    if (!done) return fail(done.errors());
    if (json) {
      print_output(json_text(base::json_object({{"bytes_before", done->before}, {"bytes", done->after}})));
      return kFine;
    }
    print_results(fmt::format("{} kB before, {} kB now\n", (done->before + 1023) / 1024, (done->after + 1023) / 1024));
    return kFine;
  }
};

constexpr const char* kStorePlace = "a file of SQLite, or postgresql://USER@HOST/DATABASE";

// A command below 'store', with the store as its first argument.
template <typename Options>
Command* add_store_command(Command& store, std::string_view name, const char* description,
                           const std::shared_ptr<Options>& options, int& exit_code) {
  Command* command = store.add_subcommand(std::string(name), description);
  command->add_option("STORE", options->place, kStorePlace)->required();
  command->callback([options, &exit_code] { exit_code = options->run(); });
  return command;
}

void add_store_export(Command& store, int& exit_code) {
  auto options = std::make_shared<StoreExport>();
  Command* command =
      add_store_command(store, "export", "Write records as the files they came from", options, exit_code);
  command->add_option("--out FOLDER", options->out, "write files there (default: print the documents)");
  command->add_option("--kind KIND", options->kind, "only run, tune-journal, tune, score, conform or race")
      ->one_of({"run", "tune-journal", "tune", "score", "conform", "race"});
  command->add_option("--test TEST", options->filter.test, "only of this test, by name or hash");
  command->add_option("--device DEVICE", options->filter.device, "only of this device");
  command->add_option("--model MODEL", options->filter.model, "only judged by this model");
  command->add_option("--campaign ID", options->filter.campaign, "only of this campaign");
  command->add_option("--since TIME", options->filter.since, "only from this time on (2026-11-16 or with T10:30:00Z)");
  command->add_option("--until TIME", options->filter.until, "only before this time");
  command->footer(
      "Examples:\n  weakspot store export results.db --out exported\n"
      "  weakspot store export results.db --kind run --test mp > mp.jsonl");
}

void add_store_submissions(Command& store, int& exit_code) {
  auto options = std::make_shared<StoreSubmissions>();
  Command* command = add_store_command(store, "submissions", "List what people sent in, and release what was withheld",
                                       options, exit_code);
  command->add_option("--state STATE", options->state, "accepted, withheld, released or rejected (default: withheld)")
      ->one_of({"accepted", "withheld", "released", "rejected"});
  command->add_option("--release ID", options->release,
                      "let everyone see the rows of this submission, which has forbidden outcomes");
  command->add_flag("--json", options->json, "print an array with the documents");
  command->footer(
      "At most a thousand, the oldest first.\n\nExamples:\n  weakspot store submissions results.db\n"
      "  weakspot store submissions results.db --release 5f0c6e2a9b1d4c3e8a7f6b5d4c3e2a1f");
}

}  // namespace

void add_store(Command& app, int& exit_code) {
  Command* command = app.add_subcommand("store", "Keep results in a database: import, export, merge, check");
  command->require_subcommand(1, 1);
  auto info = std::make_shared<StoreInfoCommand>();
  Command* about = add_store_command(*command, "info", "Say what is in a store", info, exit_code);
  about->add_flag("--json", info->json, "print an object");
  about->footer(
      "Examples:\n  weakspot store info results.db\n  weakspot store info postgresql://me@host/results --json");

  auto import = std::make_shared<StoreImport>();
  Command* importing =
      add_store_command(*command, "import", "Add files of records, journals, scores and reports; known ones count once",
                        import, exit_code);
  importing->add_option("FILE ...", import->files, "what run, tune, score, conform and race wrote")->required();
  importing->add_flag("--json", import->json, "print an object");
  importing->footer(
      "Examples:\n  weakspot store import results.db runs.jsonl\n"
      "  weakspot store import results.db tuned.json tuned.json.journal score.json");

  add_store_export(*command, exit_code);

  auto merge = std::make_shared<StoreMerge>();
  Command* merging =
      add_store_command(*command, "merge", "Add what other stores have; a second time adds nothing", merge, exit_code);
  merging->add_option("OTHER ...", merge->others, "stores that stay as they are")->required();
  merging->add_flag("--json", merge->json, "print an object");
  merging->footer(
      "Examples:\n  weakspot store merge all.db monday.db tuesday.db\n"
      "  weakspot store merge postgresql://me@host/results laptop.db");

  add_store_submissions(*command, exit_code);

  auto verify = std::make_shared<StoreVerify>();
  Command* verifying =
      add_store_command(*command, "verify", "Check every document and the database itself", verify, exit_code);
  verifying->add_flag("--json", verify->json, "print an object");
  verifying->footer(
      "Exit code 1: something is damaged.\n\nExamples:\n  weakspot store verify results.db\n"
      "  weakspot store verify postgresql://me@host/results");
  auto vacuum = std::make_shared<StoreVacuum>();
  Command* vacuuming =
      add_store_command(*command, "vacuum", "Give unused space back; bring an old store up to date", vacuum, exit_code);
  vacuuming->add_flag("--json", vacuum->json, "print an object");
  vacuuming->footer(
      "Examples:\n  weakspot store vacuum results.db\n  weakspot store vacuum postgresql://me@host/results");
  command->footer("Examples:\n  weakspot store import results.db runs.jsonl\n  weakspot store info results.db");
}

}  // namespace weakspot::cli
