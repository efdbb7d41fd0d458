// SPDX-License-Identifier: MIT
#include "store/sqlite/sqlite_library.h"

#include "store/connection/shared_library.h"

namespace weakspot::store {

base::Status load_sqlite() {
  static const base::Status loaded = [] {
    SharedLibrary library("libsqlite3.so.0");
    library.find("sqlite3_bind_double", sqlite3_bind_double);
    library.find("sqlite3_bind_int64", sqlite3_bind_int64);
    library.find("sqlite3_bind_null", sqlite3_bind_null);
    library.find("sqlite3_bind_parameter_index", sqlite3_bind_parameter_index);
    library.find("sqlite3_bind_parameter_name", sqlite3_bind_parameter_name);
    library.find("sqlite3_bind_text64", sqlite3_bind_text64);
    library.find("sqlite3_busy_handler", sqlite3_busy_handler);
    library.find("sqlite3_changes64", sqlite3_changes64);
    library.find("sqlite3_clear_bindings", sqlite3_clear_bindings);
    library.find("sqlite3_close", sqlite3_close);
    library.find("sqlite3_close_v2", sqlite3_close_v2);
    library.find("sqlite3_column_blob", sqlite3_column_blob);
    library.find("sqlite3_column_bytes", sqlite3_column_bytes);
    library.find("sqlite3_column_count", sqlite3_column_count);
    library.find("sqlite3_column_name", sqlite3_column_name);
    library.find("sqlite3_column_text", sqlite3_column_text);
    library.find("sqlite3_column_type", sqlite3_column_type);
    library.find("sqlite3_errcode", sqlite3_errcode);
    library.find("sqlite3_errmsg", sqlite3_errmsg);
    library.find("sqlite3_exec", sqlite3_exec);
    library.find("sqlite3_finalize", sqlite3_finalize);
    library.find("sqlite3_get_autocommit", sqlite3_get_autocommit);
    library.find("sqlite3_open_v2", sqlite3_open_v2);
    library.find("sqlite3_prepare_v2", sqlite3_prepare_v2);
    library.find("sqlite3_prepare_v3", sqlite3_prepare_v3);
    library.find("sqlite3_reset", sqlite3_reset);
    library.find("sqlite3_step", sqlite3_step);
    library.find("sqlite3_system_errno", sqlite3_system_errno);
    return library.found("a store in a file");
  }();
  return loaded;
}

}  // namespace weakspot::store
