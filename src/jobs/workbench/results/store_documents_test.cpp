// SPDX-License-Identifier: MIT
#include "workbench/store_documents.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "campaign/record_json.h"
#include "litmus/text.h"
#include "support/read_one.h"
#include "system/temporary_folder.h"

namespace weakspot::workbench::store_documents_test {
namespace {

using store::RecordKind;

campaign::RunRecord record_of(campaign::RunState status) {
  campaign::RunRequest request;
  request.test = tests::read_one(
      "weakspot SB\n P0 | P1 ;\n st x, 1 | st y, 1 ;\n ld r0, y | ld r0, x ;\nexists (0:r0=0 /\\ 1:r0=0)\n");
  request.device = "cuda:1";
  request.started = "2026-11-16T10:00:00Z";
  campaign::RunRecord record = campaign::begin_record(request);
  record.status = status;
  record.model = "ptx";
  return record;
}

TEST(StoreDocuments, ARunIsFoundByWhatItIsAbout) {
  const campaign::RunRecord record = record_of(campaign::RunState::finished);
  const store::Record stored = stored_form(record);
  EXPECT_EQ(RecordKind::run, stored.kind);
  EXPECT_EQ("SB", stored.test);
  EXPECT_EQ(record.hash, stored.test_hash);
  EXPECT_EQ("cuda:1", stored.device);
  EXPECT_EQ("cuda", stored.device_class);
  EXPECT_EQ("ptx", stored.model);
  EXPECT_EQ("2026-11-16T10:00:00Z", stored.time);
  EXPECT_EQ(campaign::to_json(record), stored.document);
}

TEST(StoreDocuments, LinesOfAFileAreRecordsWithoutTheirPadding) {
  const base::TemporaryFolder folder;
  const std::string file = (folder.path() / "runs.jsonl").string();
  const std::string whole = campaign::to_json(record_of(campaign::RunState::finished));
  const std::string running = campaign::to_json(record_of(campaign::RunState::running));
  ASSERT_TRUE(base::write_file(file, whole + "   \n" + running + "\n" + whole.substr(0, 50)));
  const base::Result<FileRecords> records = records_of_file(file);
  ASSERT_TRUE(records) << base::render(records.errors());
  EXPECT_EQ(1U, records->running);
  ASSERT_EQ(1U, records->records.size());
  EXPECT_EQ(whole, records->records[0].document);
}

TEST(StoreDocuments, OtherFormsAreToldByTheirMembers) {
  const std::string conform =
      "{\"format\":1, \"verdict\":\"conformant\",\n \"devices\":[{\"device\":\"vulkan:0\",\"started\":\"t\"}]}\n";
  const base::Result<store::Record> report = stored_form("c.json", conform);
  ASSERT_TRUE(report) << base::render(report.errors());
  EXPECT_EQ(RecordKind::conform, report->kind);
  EXPECT_EQ("vulkan:0", report->device);
  EXPECT_EQ("vulkan", report->device_class);
  EXPECT_EQ("t", report->time);
  EXPECT_EQ(conform, report->document);
  EXPECT_EQ(RecordKind::race, stored_form("r.json", "{\"kernels\":[],\"findings\":[]}")->kind);
  EXPECT_EQ(RecordKind::tune, stored_form("t.json", "{\"strategy\":\"random\",\"budget\":1}")->kind);
  EXPECT_FALSE(stored_form("x.json", "{\"other\":1}"));
  EXPECT_FALSE(stored_form("x.json", "no JSON"));
  EXPECT_FALSE(stored_form("s.json", "{\"mutation_score\":1,\"mutators\":[]}"));  // a score lacks its mutants
}

}  // namespace
}  // namespace weakspot::workbench::store_documents_test
