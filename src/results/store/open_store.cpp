// SPDX-License-Identifier: MIT
#include "store/open_store.h"

#include <fmt/format.h>

#include <cstdio>

#include "store/connection/address.h"
#include "store/schema.h"
#if WEAKSPOT_HAS_SQLITE
#include "store/sqlite/sqlite_database.h"
#endif
#if WEAKSPOT_HAS_POSTGRES
#include "store/postgres/postgres_database.h"
#endif

namespace weakspot::store {
namespace {

base::Result<std::unique_ptr<Database>> open_database(const std::string& place, Access access, Duration patience) {
  if (is_address(place)) {
#if WEAKSPOT_HAS_POSTGRES
    return open_postgres(place, access, patience);
#else
    return base::error_in(without_password(place), "this program was built without PostgreSQL (libpq)");
#endif
  }
#if WEAKSPOT_HAS_SQLITE
  return open_sqlite(place, access, patience);
#else
  return base::error_in(place, "this program was built without SQLite");
#endif
}

}  // namespace

base::Result<std::unique_ptr<Database>> open_store(const std::string& place, Access access, Duration patience) {
  base::Result<std::unique_ptr<Database>> database = open_database(place, access, patience);
  if (!database) return database;
  const base::Result<int> version = stored_version(**database);
  if (!version) return version.errors();
  if (*version == schema_version()) return database;
  if (*version == 0 && access != Access::create) {
    return base::error_in((*database)->place(), "this database is empty: not a store of weakspot");
  }
  if (access == Access::read) {
    return base::error_in(
        (*database)->place(),
        fmt::format("the store has the old version {}: 'weakspot store vacuum' brings it up to date", *version));
  }
  if (base::Status done = migrate(**database); !done) return done.errors();
  return database;
}

bool is_store(const std::string& place) {
  if (is_address(place)) return true;
  if (!looks_like_store(place)) return false;
  const base::Result<std::unique_ptr<Database>> database = open_database(place, Access::read, Duration(10'000));
  if (!database) return false;
  const base::Result<bool> ours = has_store_tables(**database);
  return ours && *ours;
}

bool looks_like_store(const std::string& place) {
  if (is_address(place)) return true;
  constexpr std::string_view kMagic = "SQLite format 3";
  std::FILE* file = std::fopen(place.c_str(), "rb");
  if (file == nullptr) return false;
  char begin[kMagic.size()] = {};
  const std::size_t read = std::fread(begin, 1, sizeof begin, file);
  std::fclose(file);
  return std::string_view(begin, read) == kMagic;
}

}  // namespace weakspot::store
