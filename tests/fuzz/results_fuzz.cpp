// SPDX-License-Identifier: MIT
// Results of devices: whatever can be read can be analysed and shown.
#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/read/cuda_litmus_log.h"
#include "analysis/read/results_json.h"
#include "analysis/report.h"
#include "base/source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weakspot;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  base::Result<analysis::DeviceResults> results =
      analysis::looks_like_cuda_litmus_log(text)
          ? analysis::read_cuda_litmus_log(base::Source("fuzz", std::string(text)), "fuzz")
          : analysis::read_results_json("fuzz", text, "fuzz");
  if (!results) {
    base::render(results.errors());
    return 0;
  }
  analysis::DeviceResults twin = *results;
  twin.vendor = "other";
  std::vector<analysis::DeviceResults> devices;
  devices.push_back(*std::move(results));
  devices.push_back(std::move(twin));
  std::vector<analysis::Study> studies;
  studies.emplace_back("fuzz", std::move(devices));
  const analysis::Analysis analysis = analysis::analyse(studies, {}, {.pictures = true});
  analysis::to_text(analysis);
  analysis::to_html(analysis);
  analysis::to_json(analysis);
  for (const analysis::Table* table : analysis::tables_of(analysis)) analysis::to_csv(*table);
  return 0;
}
