// SPDX-License-Identifier: MIT
#include "json/diagnostic_json.h"

namespace weakspot::base {

JsonValue error_json(const Diagnostic& error) {
  JsonValue json;
  json["message"] = error.message;
  if (!error.file.empty()) json["file"] = error.file;
  if (!error.located()) return json;
  json["line"] = error.position.line;
  json["column"] = error.position.column;
  json["text"] = error.excerpt;
  json["caret"] = error.caret;
  json["length"] = error.caret_length;
  return json;
}

JsonValue errors_json(const Diagnostics& errors) {
  JsonValue array = json_array();
  for (const Diagnostic& error : errors) array.push_back(error_json(error));
  return array;
}

}  // namespace weakspot::base
