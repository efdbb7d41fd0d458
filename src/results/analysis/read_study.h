// SPDX-License-Identifier: MIT
// Reads studies from files. The content of a file tells its kind:
//
//   JSON                 results of one device (results_json.h); the device is named after the file,
//                        the study after its folder
//   JSON lines           records of runs, as 'weakspot run --out' writes them; the study is named after the file
//   log of cuda-litmus   runs of one device (cuda_litmus_log.h); named as JSON results are
//   store                runs and journals of searches, as '--store' keeps them; the study is named after the store;
//                        searches are a study of their own
//   SQLite database      table tuning_results with a row per device and its results as JSON; named after the file
#pragma once

#include <string>
#include <vector>

#include "analysis/study.h"
#include "base/result.h"

namespace weakspot::analysis {

// A second study of the same name goes by its path instead.
struct ReadStudies {
  std::vector<Study> studies;  // in the order of their first files
  base::Diagnostics errors;    // for the files and rows that were left out
};

// Folders stand for all the files under them that end in .json, .jsonl, .db, .sqlite or .sqlite3, and
// for the logs of cuda-litmus that end in .txt.
ReadStudies read_studies(const std::vector<std::string>& paths);

}  // namespace weakspot::analysis
