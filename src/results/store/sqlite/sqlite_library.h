// SPDX-License-Identifier: MIT
// The functions of SQLite that we use, from the library that is opened at run time. Within weakspot::store their names
// are these pointers, which hide the declarations of the header.
#pragma once

#include <sqlite3.h>

#include "base/result.h"

namespace weakspot::store {

inline decltype(&::sqlite3_bind_double) sqlite3_bind_double = nullptr;
inline decltype(&::sqlite3_bind_int64) sqlite3_bind_int64 = nullptr;
inline decltype(&::sqlite3_bind_null) sqlite3_bind_null = nullptr;
inline decltype(&::sqlite3_bind_parameter_index) sqlite3_bind_parameter_index = nullptr;
inline decltype(&::sqlite3_bind_parameter_name) sqlite3_bind_parameter_name = nullptr;
inline decltype(&::sqlite3_bind_text64) sqlite3_bind_text64 = nullptr;
inline decltype(&::sqlite3_busy_handler) sqlite3_busy_handler = nullptr;
inline decltype(&::sqlite3_changes64) sqlite3_changes64 = nullptr;
inline decltype(&::sqlite3_clear_bindings) sqlite3_clear_bindings = nullptr;
inline decltype(&::sqlite3_close) sqlite3_close = nullptr;
inline decltype(&::sqlite3_close_v2) sqlite3_close_v2 = nullptr;
inline decltype(&::sqlite3_column_blob) sqlite3_column_blob = nullptr;
inline decltype(&::sqlite3_column_bytes) sqlite3_column_bytes = nullptr;
inline decltype(&::sqlite3_column_count) sqlite3_column_count = nullptr;
inline decltype(&::sqlite3_column_name) sqlite3_column_name = nullptr;
inline decltype(&::sqlite3_column_text) sqlite3_column_text = nullptr;
inline decltype(&::sqlite3_column_type) sqlite3_column_type = nullptr;
inline decltype(&::sqlite3_errcode) sqlite3_errcode = nullptr;
inline decltype(&::sqlite3_errmsg) sqlite3_errmsg = nullptr;
inline decltype(&::sqlite3_exec) sqlite3_exec = nullptr;
inline decltype(&::sqlite3_finalize) sqlite3_finalize = nullptr;
inline decltype(&::sqlite3_get_autocommit) sqlite3_get_autocommit = nullptr;
inline decltype(&::sqlite3_open_v2) sqlite3_open_v2 = nullptr;
inline decltype(&::sqlite3_prepare_v2) sqlite3_prepare_v2 = nullptr;
inline decltype(&::sqlite3_prepare_v3) sqlite3_prepare_v3 = nullptr;
inline decltype(&::sqlite3_reset) sqlite3_reset = nullptr;
inline decltype(&::sqlite3_step) sqlite3_step = nullptr;
inline decltype(&::sqlite3_system_errno) sqlite3_system_errno = nullptr;

// Before any other of them is called. Opened once per process; the error says what is missing.
base::Status load_sqlite();

}  // namespace weakspot::store
