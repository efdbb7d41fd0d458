// SPDX-License-Identifier: MIT
#include "http/gate.h"

#include <gtest/gtest.h>

namespace weakspot::http::gate_test {
namespace {

std::string asked(const Gate& gate, const std::string& path, const std::string& host, const std::string& origin = "") {
  Request request;
  request.method = "GET";
  request.path = path;
  if (!host.empty()) request.headers.emplace_back("host", host);
  if (!origin.empty()) request.headers.emplace_back("origin", origin);
  std::string below;
  const std::optional<Response> refused = gate.refuse(request, below);
  return refused ? std::to_string(refused->status) : "ok " + below;
}

TEST(Gate, AsksForTheSecretAndForOurOwnNames) {
  const Gate gate(8080, Reach::machine, "secret");
  EXPECT_EQ("http://127.0.0.1:8080/secret/", gate.url());
  EXPECT_EQ("ok ", asked(gate, "/secret/", "127.0.0.1:8080"));
  EXPECT_EQ("ok a/b.js", asked(gate, "/secret/a/b.js", "localhost:8080", "http://localhost:8080"));
  EXPECT_EQ("ok ", asked(gate, "/secret", "127.0.0.1:8080"));

  EXPECT_EQ("404", asked(gate, "/", "127.0.0.1:8080"));
  EXPECT_EQ("404", asked(gate, "/secreT/", "127.0.0.1:8080"));
  EXPECT_EQ("404", asked(gate, "/secret2/", "127.0.0.1:8080"));
  EXPECT_EQ("404", asked(gate, "/secre/", "127.0.0.1:8080"));
  EXPECT_EQ("404", asked(gate, "//secret/", "127.0.0.1:8080"));
  // A name of somebody else that leads to this machine.
  EXPECT_EQ("421", asked(gate, "/secret/", "attacker.example:8080"));
  EXPECT_EQ("421", asked(gate, "/secret/", "127.0.0.1"));
  EXPECT_EQ("421", asked(gate, "/secret/", ""));
  // A page of another site.
  EXPECT_EQ("403", asked(gate, "/secret/", "127.0.0.1:8080", "https://attacker.example"));
  EXPECT_EQ("403", asked(gate, "/secret/", "127.0.0.1:8080", "http://127.0.0.1:9090"));
  EXPECT_EQ("403", asked(gate, "/secret/", "127.0.0.1:8080", "null"));
}

TEST(Gate, OfAServerForEverybodyAnswersToAnyNameButNotToOtherSites) {
  const Gate gate(8080, Reach::everybody);
  EXPECT_EQ("http://127.0.0.1:8080/", gate.url());
  EXPECT_EQ("ok ", asked(gate, "/", "results.example", "https://results.example"));
  EXPECT_EQ("ok api/1/status", asked(gate, "/api/1/status", "results.example"));
  EXPECT_EQ("403", asked(gate, "/", "results.example", "https://attacker.example"));
}

TEST(Gate, EverySecretIsNew) { EXPECT_NE(new_secret(), new_secret()); }

}  // namespace
}  // namespace weakspot::http::gate_test
