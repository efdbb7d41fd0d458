#include "cli/run_session.h"

#include "base/file.h"
#include "campaign/html_report.h"
#include "campaign/junit.h"
#include "cli/interrupt.h"

namespace weakspot::cli {

void RunOutputs::add_options(CLI::App& command) {
  command.add_option("--out", records, "write a record of each run, one line of JSON, while it goes on");
  command.add_option("--junit", junit, "write the verdicts as JUnit XML");
  command.add_option("--html", html, "write a report to look at");
}

base::Result<std::unique_ptr<RunSession>> RunSession::begin(std::unique_ptr<campaign::Executor> executor,
                                                            RunOutputs outputs, std::size_t runs, bool quiet) {
  std::unique_ptr<RunSession> session(new RunSession(std::move(executor), std::move(outputs), runs, quiet));
  // Better now than after an hour.
  for (const std::string* path : {&session->outputs_.junit, &session->outputs_.html}) {
    if (path->empty()) continue;
    if (base::Status written = base::write_file(*path, ""); !written) return written.errors();
  }
  if (!session->outputs_.records.empty()) {
    base::Result<RecordFile> file = RecordFile::create(session->outputs_.records);
    if (!file) return file.errors();
    session->file_ = *std::move(file);
  }
  return session;
}

void RunSession::note(const base::Status& status) {
  if (!status && problems_.empty()) problems_ = status.errors();
}

void RunSession::progress(const campaign::RunRecord& so_far) {
  group_->records.back() = so_far;
  if (file_) note(file_->update(so_far));
  if (!quiet_) live_.draw(*group_);
}

bool RunSession::cancelled() { return InterruptGuard::interrupted(); }

void RunSession::run(const campaign::RunRequest& request, campaign::RunGroup& group) {
  group.records.push_back(campaign::begin_record(request));
  group_ = &group;
  if (file_) note(file_->update(group.records.back()));
  campaign::RunRecord record = executor_->execute(request, *this);
  if (file_) note(file_->finish(record));
  live_.count_run();
  records_.push_back(record);
  group.records.back() = std::move(record);
}

void RunSession::note_failure(const campaign::RunRequest& request, const std::string& problem,
                              campaign::RunGroup& group) {
  campaign::RunRecord record = campaign::begin_record(request);
  record.status = campaign::RunState::failed;
  record.message = problem;
  if (file_) note(file_->finish(record));
  live_.count_run();
  records_.push_back(record);
  group.records.push_back(std::move(record));
}

base::Status RunSession::end() {
  live_.clear();
  if (!outputs_.junit.empty()) note(base::write_file(outputs_.junit, campaign::junit_xml(records_)));
  if (!outputs_.html.empty()) note(base::write_file(outputs_.html, campaign::html_report(records_)));
  if (!problems_.empty()) return problems_;
  return base::ok_status();
}

}  // namespace weakspot::cli
