// SPDX-License-Identifier: MIT
// A test of stores, which is done once for each database.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "store/open_store.h"
#include "support/postgres_server.h"
#include "system/temporary_folder.h"
#if WEAKSPOT_HAS_POSTGRES
#include "store/postgres/postgres_database.h"
#endif

namespace weakspot::support {

// The server that all tests of a program share; started by the first one that asks, ended with the program.
inline PostgresServer& postgres_server() {
  static PostgresServer server;
  return server;
}

class StoreTest : public testing::TestWithParam<store::Engine> {
 protected:
  void SetUp() override {
    const std::string missing = problem();
    if (!missing.empty()) GTEST_SKIP() << missing;
  }

  // A place for a new store, a different one each time.
  std::string new_place() {
    const std::string name = "store" + std::to_string(++places_);
    if (GetParam() == store::Engine::sqlite) return (folder_.path() / (name + ".db")).string();
#if WEAKSPOT_HAS_POSTGRES
    static int schemas = 0;
    const std::string schema = "s" + std::to_string(++schemas);
    auto server = store::open_postgres(postgres_server().address(), store::Access::create, store::Duration(10'000));
    EXPECT_TRUE(server) << base::render(server.errors());
    EXPECT_TRUE((*server)->run_script("CREATE SCHEMA " + schema));
    return postgres_server().address(schema);
#else
    return "";
#endif
  }

  std::unique_ptr<store::Database> open(const std::string& place, store::Access access = store::Access::create) {
    base::Result<std::unique_ptr<store::Database>> database = store::open_store(place, access);
    EXPECT_TRUE(database) << base::render(database.errors());
    return database ? *std::move(database) : nullptr;
  }
  std::unique_ptr<store::Database> new_store() { return open(new_place()); }

 private:
  static std::string problem() {
    if (GetParam() == store::Engine::sqlite) return WEAKSPOT_HAS_SQLITE ? "" : "built without SQLite";
    return WEAKSPOT_HAS_POSTGRES ? postgres_server().problem() : "built without PostgreSQL (libpq)";
  }

  base::TemporaryFolder folder_;
  int places_ = 0;
};

inline std::string engine_name(const testing::TestParamInfo<store::Engine>& info) {
  return info.param == store::Engine::sqlite ? "sqlite" : "postgresql";
}

// Both databases, as the parameter of a StoreTest.
inline auto both_engines() { return testing::Values(store::Engine::sqlite, store::Engine::postgresql); }

}  // namespace weakspot::support
