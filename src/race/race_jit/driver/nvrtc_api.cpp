// SPDX-License-Identifier: MIT
// The interface of nvrtc, NVIDIA's compiler in a library. The checker compiles, as it compiles a file; what the program
// gets in place of PTX is a text that holds the code.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "race_jit/driver/api.h"
#include "race_jit/driver/carried_code.h"
#include "race_jit/driver/image.h"
#include "race_jit/host/built_program.h"

namespace weakspot::race_jit::driver {
namespace {

enum NvrtcResult : int {
  kNvrtcSuccess = 0,
  kNvrtcInvalidInput = 3,
  kNvrtcInvalidProgram = 4,
  kNvrtcCompilation = 6,
  kNvrtcNoNamesAfterCompilation = 8,
  kNvrtcNoLoweredNames = 9,
  kNvrtcNameNotValid = 10,
  kNvrtcInternal = 11
};

struct NvrtcProgram {
  SourceToCompile source;
  CompiledSource compiled;
  bool was_compiled = false;
  std::string ptx, machine_code;
};

NvrtcResult put_text(const std::string& text, char* to) {
  if (to == nullptr) return kNvrtcInvalidInput;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return kNvrtcSuccess;
}

NvrtcResult put_size(const std::string& text, bool with_end, std::size_t* size) {
  if (size == nullptr) return kNvrtcInvalidInput;
  *size = text.size() + (with_end ? 1 : 0);
  return kNvrtcSuccess;
}

// "&" before a name changes nothing.
std::string plain_name(const std::string& expression) {
  const std::size_t at = expression.find_first_not_of(" &");
  return at == std::string::npos ? std::string() : expression.substr(at);
}

}  // namespace

void use_nvrtc_api() {}

extern "C" {

const char* nvrtcGetErrorString(NvrtcResult result) {
  switch (result) {
    case kNvrtcSuccess:
      return "NVRTC_SUCCESS";
    case kNvrtcInvalidInput:
      return "NVRTC_ERROR_INVALID_INPUT";
    case kNvrtcInvalidProgram:
      return "NVRTC_ERROR_INVALID_PROGRAM";
    case kNvrtcCompilation:
      return "NVRTC_ERROR_COMPILATION";
    case kNvrtcNoNamesAfterCompilation:
      return "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION";
    case kNvrtcNoLoweredNames:
      return "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
    case kNvrtcNameNotValid:
      return "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
    default:
      return "NVRTC_ERROR_INTERNAL_ERROR";
  }
}
NvrtcResult nvrtcVersion(int* major, int* minor) {
  *major = 12;
  *minor = 5;
  return kNvrtcSuccess;
}
NvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  *count = 8;
  return kNvrtcSuccess;
}
NvrtcResult nvrtcGetSupportedArchs(int* architectures) {
  for (const int one : {70, 75, 80, 86, 89, 90, 100, 120}) *architectures++ = one;
  return kNvrtcSuccess;
}

NvrtcResult nvrtcCreateProgram(NvrtcProgram** program, const char* text, const char* name, int headers,
                               const char* const* header_texts, const char* const* header_names) {
  if (program == nullptr || text == nullptr || headers < 0) return kNvrtcInvalidInput;
  auto made = std::make_unique<NvrtcProgram>();
  made->source.text = text;
  made->source.name = name == nullptr || *name == 0 ? "default_program" : name;
  for (int i = 0; i < headers; ++i) made->source.headers[header_names[i]] = header_texts[i];
  *program = made.release();
  return kNvrtcSuccess;
}
NvrtcResult nvrtcDestroyProgram(NvrtcProgram** program) {
  if (program == nullptr) return kNvrtcInvalidProgram;
  delete *program;
  *program = nullptr;
  return kNvrtcSuccess;
}
NvrtcResult nvrtcAddNameExpression(NvrtcProgram* program, const char* expression) {
  if (program == nullptr || expression == nullptr) return kNvrtcInvalidInput;
  if (program->was_compiled) return kNvrtcNoNamesAfterCompilation;
  program->source.expressions.push_back(plain_name(expression));
  return kNvrtcSuccess;
}
NvrtcResult nvrtcCompileProgram(NvrtcProgram* program, int count, const char* const* options) {
  if (program == nullptr) return kNvrtcInvalidProgram;
  program->source.options.assign(options, options + std::max(count, 0));
  const auto device = host_device.operator->();  // nobody else uses the file meanwhile
  const unsigned architecture = static_cast<unsigned>(device->architecture());
  const std::optional<CompiledSource> compiled = compile_by_checker(program->source);
  program->was_compiled = true;
  if (!compiled) {
    program->compiled.log = "this program has no checker beside it that compiles";
    return kNvrtcInternal;
  }
  program->compiled = *compiled;
  if (!compiled->done) return kNvrtcCompilation;
  program->ptx = text_with_code(compiled->code, architecture);
  program->machine_code = image_with_ptx(program->ptx);
  return kNvrtcSuccess;
}
NvrtcResult nvrtcGetLoweredName(NvrtcProgram* program, const char* expression, const char** name) {
  if (program == nullptr || expression == nullptr || name == nullptr) return kNvrtcInvalidInput;
  if (!program->was_compiled) return kNvrtcNoLoweredNames;
  const auto found = program->compiled.symbols.find(plain_name(expression));
  if (found == program->compiled.symbols.end()) return kNvrtcNameNotValid;
  *name = found->second.c_str();
  return kNvrtcSuccess;
}

NvrtcResult nvrtcGetProgramLogSize(NvrtcProgram* program, std::size_t* size) {
  return program == nullptr ? kNvrtcInvalidProgram : put_size(program->compiled.log, true, size);
}
NvrtcResult nvrtcGetProgramLog(NvrtcProgram* program, char* log) {
  return program == nullptr ? kNvrtcInvalidProgram : put_text(program->compiled.log, log);
}
NvrtcResult nvrtcGetPTXSize(NvrtcProgram* program, std::size_t* size) {
  return program == nullptr || program->ptx.empty() ? kNvrtcInvalidProgram : put_size(program->ptx, true, size);
}
NvrtcResult nvrtcGetPTX(NvrtcProgram* program, char* ptx) {
  return program == nullptr || program->ptx.empty() ? kNvrtcInvalidProgram : put_text(program->ptx, ptx);
}
NvrtcResult nvrtcGetCUBINSize(NvrtcProgram* program, std::size_t* size) {
  if (program == nullptr || program->ptx.empty()) return kNvrtcInvalidProgram;
  return put_size(program->machine_code, false, size);
}
NvrtcResult nvrtcGetCUBIN(NvrtcProgram* program, char* code) {
  if (program == nullptr || program->ptx.empty() || code == nullptr) return kNvrtcInvalidProgram;
  std::memcpy(code, program->machine_code.data(), program->machine_code.size());
  return kNvrtcSuccess;
}

}  // extern "C"

}  // namespace weakspot::race_jit::driver
