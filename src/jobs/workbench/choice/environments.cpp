// SPDX-License-Identifier: MIT
#include "workbench/environments.h"

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/source.h"
#include "codegen/sweep.h"
#include "json/json.h"

namespace weakspot::workbench {
namespace {

bool is_file(const std::string& name) {
  std::error_code code;
  return std::filesystem::is_regular_file(name, code);
}

// The 16 combinations of the incantations of "GPU Concurrency" (ASPLOS 2015), section 4.3, in the order of its Table 6:
// memory stress, bank conflicts, synchronisation and randomisation are the bits of a number, the highest first. Without
// any of them two testing threads are alone, in fixed places. With bank conflicts the other threads of their warps
// test as well, once at a stride at which all lanes meet in one bank and once at one at which none do.
Environments incantations() {
  Environments all;
  for (unsigned combination = 0; combination < 16; ++combination) {
    codegen::TestEnvironment environment;
    environment.mode = codegen::Mode::site;
    environment.testing_workgroups = 2;
    environment.workgroup_size = 32;
    environment.iterations = 16384;
    environment.memory_stress_percent = (combination & 8) != 0 ? 100 : 0;
    environment.barrier = (combination & 2) != 0 ? codegen::BarrierKind::partner : codegen::BarrierKind::none;
    environment.shuffle_percent = (combination & 1) != 0 ? 100 : 0;
    if ((combination & 4) == 0) {
      all.push_back(environment);
      continue;
    }
    environment.mode = codegen::Mode::pte;
    environment.assignment = codegen::Assignment::one;
    environment.iterations = 2048;
    for (const int stride : {32, 1}) {
      environment.memory_stride = stride;
      all.push_back(environment);
    }
  }
  return all;
}

base::Result<Environments> parse_one(const std::string& text) {
  if (text == "incantations") return incantations();
  const auto read = codegen::parse_environment(base::Source("environment", text));
  if (!read) return read.errors();
  return Environments{*read};
}

base::Diagnostic no_environments(const std::string& file) {
  return base::error_in(file, "the file has no environments");
}

base::Result<Environments> environments_in_json(const base::JsonValue& json, const base::Source& source) {
  Environments environments;
  base::Mistakes mistakes(source);
  auto add = [&](const base::JsonValue& text) {
    if (!text.is(base::JsonValue::Kind::string)) {
      return mistakes.add(text.span(), "expected the text of an environment");
    }
    const auto read = codegen::parse_environment(base::Source(source.name(), text.text()));
    if (read) {
      add_missing(environments, {*read});
    } else {
      mistakes.add(text.span(), base::messages(read.errors()));
    }
  };
  if (const base::JsonValue* listed = json.find("environments")) {
    for (const base::JsonValue& text : listed->items()) add(text);
  } else {
    for (const base::JsonValue& test : json.at("tests").items()) {
      if (const base::JsonValue* text = test.find("environment")) add(*text);
    }
  }
  if (mistakes.any()) return mistakes.take();
  if (environments.empty()) return no_environments(source.name());
  return environments;
}

base::Result<Environments> environments_in_lines(const std::string& text, const std::string& file) {
  Environments environments;
  std::size_t begin = 0;
  for (std::size_t number = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string::npos || line.starts_with('#')) continue;
    // The empty lines before it keep its place.
    const auto read = codegen::parse_environment(base::Source(file, std::string(number, '\n') + line));
    if (!read) return read.errors();
    environments.push_back(*read);
  }
  if (environments.empty()) return no_environments(file);
  return environments;
}

base::Result<Environments> environments_in_file(const std::string& file) {
  const base::Result<std::string> text = base::read_file(file);
  if (!text) return text.errors();
  if (text->find_first_not_of(" \t\r\n") == std::string::npos || (*text)[text->find_first_not_of(" \t\r\n")] != '{') {
    return environments_in_lines(*text, file);
  }
  const base::Source source(file, *text);
  const base::Result<base::JsonValue> json = base::read_json_text(source);
  if (!json) return json.errors();
  if (json->find("environments") != nullptr || json->find("tests") != nullptr)
    return environments_in_json(*json, source);
  if (json->members().empty()) return no_environments(file);
  const auto one = codegen::environment_from_json(source);
  if (!one) return one.errors();
  return Environments{*one};
}

}  // namespace

Environments sweep_for(const backend::DeviceInfo& info) {
  using codegen::SweepFor;
  if (info.target == codegen::Target::mixed) return codegen::default_sweep(SweepFor::mixed);
  const bool cpu = info.target == codegen::Target::cpu;
  return codegen::default_sweep(cpu ? SweepFor::cpu : info.is_host ? SweepFor::host_driver : SweepFor::gpu);
}

base::Result<Environments> read_environments(const std::string& text, const backend::DeviceInfo& info) {
  if (text == "sweep") return sweep_for(info);
  if (text == "default") return parse_one(info.environment);
  return is_file(text) ? environments_in_file(text) : parse_one(text);
}

base::Result<Environments> choose_environments(const std::vector<std::string>& texts, const backend::DeviceInfo& info) {
  Environments all;
  for (const std::string& text : texts.empty() ? std::vector<std::string>{info.environment} : texts) {
    const base::Result<Environments> read = read_environments(text, info);
    if (!read) return read.errors();
    all.insert(all.end(), read->begin(), read->end());
  }
  return all;
}

base::Result<Environments> load_environments(const std::vector<std::string>& names, const Environments& sweep) {
  Environments all;
  for (const std::string& name : names) {
    const base::Result<Environments> read = name == "sweep" ? base::Result(sweep)
                                            : is_file(name) ? environments_in_file(name)
                                                            : parse_one(name);
    if (!read) return read.errors();
    add_missing(all, *read);
  }
  return all;
}

void add_missing(Environments& all, const Environments& more) {
  for (const codegen::TestEnvironment& environment : more) {
    if (std::find(all.begin(), all.end(), environment) == all.end()) all.push_back(environment);
  }
}

}  // namespace weakspot::workbench
