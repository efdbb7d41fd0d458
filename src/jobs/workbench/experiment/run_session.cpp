// SPDX-License-Identifier: MIT
#include "workbench/run_session.h"

#include "base/file.h"
#include "campaign/html_report.h"
#include "campaign/junit.h"
#include "workbench/results/writable.h"

namespace weakspot::workbench {

base::Status write_reports(const RunFiles& files, const std::vector<campaign::RunRecord>& records) {
  base::Status html = base::ok_status(), junit = base::ok_status();
  if (!files.html.empty()) html = base::write_file(files.html, campaign::html_report(records));
  if (!files.junit.empty()) junit = base::write_file(files.junit, campaign::junit_xml(records));
  return html ? junit : html;
}

base::Result<std::unique_ptr<RunSession>> RunSession::begin(campaign::Executor& executor, RunFiles files,
                                                            RunWatch& watch) {
  std::unique_ptr<RunSession> session(new RunSession(executor, std::move(files), watch));
  // Better to fail now than after an hour.
  for (const std::string* path : {&session->files_.junit, &session->files_.html}) {
    if (base::Status writable = can_write(*path); !writable) return writable.errors();
  }
  if (!session->files_.records.empty()) {
    std::string note;
    base::Result<RecordFile> file = RecordFile::create(session->files_.records, session->files_.append, note);
    if (!file) return file.errors();
    if (!note.empty()) watch.note(note);
    session->record_file_ = *std::move(file);
  }
  base::Result<StoreSink> store = StoreSink::open(session->files_.store);
  if (!store) return store.errors();
  session->store_ = *std::move(store);
  return session;
}

void RunSession::note(const base::Status& status) {
  if (!status && problems_.empty()) problems_ = base::of_kind(base::ErrorKind::environment, status.errors());
}

// A run that has ended.
void RunSession::keep(const campaign::RunRecord& record) {
  if (record_file_) note(record_file_->finish(record));
  note(store_.add(record));
  records_.push_back(record);
}

void RunSession::progress(const campaign::RunRecord& so_far) {
  group_->records.back() = so_far;
  if (record_file_) note(record_file_->update(so_far));
  watch_.progress(*group_, records_.size());
}

void RunSession::run(const campaign::RunRequest& request, campaign::RunGroup& group) {
  group.records.push_back(campaign::begin_record(request));
  group_ = &group;
  if (record_file_) note(record_file_->update(group.records.back()));
  campaign::RunRecord record = executor_.execute(request, *this);
  keep(record);
  group.records.back() = std::move(record);
}

void RunSession::note_failure(const campaign::RunRequest& request, const std::string& problem,
                              campaign::RunGroup& group) {
  campaign::RunRecord record = campaign::begin_record(request);
  record.status = campaign::RunState::failed;
  record.message = problem;
  keep(record);
  group.records.push_back(std::move(record));
}

base::Status RunSession::end() {
  note(write_reports(files_, records_));
  if (!problems_.empty()) return problems_;
  return base::ok_status();
}

}  // namespace weakspot::workbench
