// SPDX-License-Identifier: MIT
#include "model/cat_model.h"

#include <filesystem>

#include "model/evaluate/cat_program.h"

namespace weakspot::model {

base::Result<Model> Model::compile(const base::Source& source, const IncludeLoader& include,
                                   const std::vector<std::string>& variants) {
  base::Result<cat::Resolved> text = cat::resolve(source, include, variants);
  if (!text) return text.errors();
  cat::Checked checked = cat::check_types(*text, variants);
  if (!checked.mistakes.empty()) return checked.mistakes;

  auto program = std::make_shared<Program>();
  program->text = std::move(*text);
  program->name = program->text.header_name;
  if (program->name.empty()) program->name = std::filesystem::path(source.name()).stem().string();
  program->description = program->text.first_comment;
  program->partial_coherence = checked.partial_coherence;
  // Coherence is partial where scopes may keep writes apart.
  program->text.properties.scopes = program->text.properties.scopes || checked.partial_coherence;
  program->variants = variants;
  program->warnings = std::move(checked.warnings);
  program->check_infos = std::move(checked.checks);
  for (const cat::CheckInfo& info : program->check_infos) program->checks.push_back(info.check);

  program->built = cat::build(program->text, program->check_infos, variants, nullptr);
  program->needs = program->built.needs;
  if (program->needs == kConstant) {
    if (program->built.mistake) return *program->built.mistake;
    program->schedule = make_schedule(program->built, program->check_infos);
  }
  Model model;
  model.program_ = std::move(program);
  return model;
}

const std::string& Model::name() const { return program_->name; }
const std::string& Model::description() const { return program_->description; }
const ModelProperties& Model::properties() const { return program_->text.properties; }
bool Model::partial_coherence() const { return program_->partial_coherence; }
const std::vector<Check>& Model::checks() const { return program_->checks; }
const base::Diagnostics& Model::warnings() const { return program_->warnings; }

}  // namespace weakspot::model
