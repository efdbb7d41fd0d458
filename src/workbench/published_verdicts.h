// SPDX-License-Identifier: MIT
// Holds a published table of verdicts and observations against our models: results.csv of cuda-litmus, whose rows name
// variants of CUDA kernels (analysis/cuda_litmus.h). The first column is the test; a column of INSTANCE and UNSAT is
// the verdict of a model, one of "seen" and "not seen" is what a device showed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "litmus/test.h"
#include "model/judge.h"

namespace weakspot::workbench {

struct PublishedVerdictsRequest {
  std::string table;    // a CSV file
  std::string kernels;  // the folder of the .cu files
  // Our model for each column of verdicts, over the defaults: ptx-strong for "strengthened", ptx for others.
  std::vector<std::pair<std::string, std::string>> models;
};

// A verdict of the table beside ours.
struct PublishedDifference {
  std::string test, column;
  bool allowed = false;  // as published
  model::Verdict::Reach ours = model::Verdict::Reach::unknown;
};

struct PublishedColumn {
  std::string name, model;
  std::size_t agreed = 0;
};

struct PublishedDevice {
  std::string name;
  std::size_t seen = 0;
  // Tests whose outcome it showed although our model for the column forbids it: the column and the test.
  std::vector<std::pair<std::string, std::string>> forbidden;
};

struct PublishedVerdicts {
  std::vector<litmus::LitmusTest> tests;  // with the published verdicts as expectations and the devices as information
  std::vector<PublishedColumn> columns;
  std::vector<PublishedDevice> devices;
  std::size_t separated = 0;  // tests on which the columns of verdicts differ among themselves
  std::vector<PublishedDifference> differences;
  base::Diagnostics errors;  // of rows that gave no test
};

base::Result<PublishedVerdicts> compare_published(const PublishedVerdictsRequest& request);

}  // namespace weakspot::workbench
