// SPDX-License-Identifier: MIT
#include "http/loopback.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <thread>

#include "support/loopback_client.h"

namespace weakspot::http::loopback_test {
namespace {

using namespace std::chrono_literals;
using tests::connect_to;
using tests::say;

std::string hear(const base::UniqueFd& socket) {
  std::string text;
  char bytes[4096];
  ssize_t count = 0;
  while ((count = ::recv(socket.get(), bytes, sizeof bytes, 0)) > 0) {
    text.append(bytes, static_cast<std::size_t>(count));
  }
  return text;
}

struct Pair {
  Listener listener;
  base::UniqueFd client;
  Connection server;
};

Pair connected() {
  base::Result<Listener> listener = Listener::open();
  base::UniqueFd client = connect_to(listener->port());
  std::optional<Connection> server = listener->accept(Clock::now() + 5s);
  return {*std::move(listener), std::move(client), *std::move(server)};
}

TEST(Loopback, ARequestIsReadAndAnswered) {
  Pair pair = connected();
  say(pair.client, "POST /x HTTP/1.1\r\nContent-Length: 5\r\n\r\nhe");
  std::thread late([&] {
    std::this_thread::sleep_for(20ms);
    say(pair.client, "llo");
  });
  const std::optional<Request> request = pair.server.read(10, Clock::now() + 5s);
  late.join();
  ASSERT_TRUE(request);
  EXPECT_EQ("hello", request->body);
  EXPECT_FALSE(pair.server.closed());
  Response response;
  response.body = "fine";
  EXPECT_TRUE(pair.server.send(response));
  pair.server = Connection(base::UniqueFd());
  EXPECT_TRUE(hear(pair.client).ends_with("\r\n\r\nfine"));
}

TEST(Loopback, ABodyThatIsTooLongIsRefusedBeforeItIsSent) {
  Pair pair = connected();
  say(pair.client, "POST /x HTTP/1.1\r\nContent-Length: 11\r\n\r\n");
  EXPECT_FALSE(pair.server.read(10, Clock::now() + 5s));
  pair.server = Connection(base::UniqueFd());
  EXPECT_TRUE(hear(pair.client).starts_with("HTTP/1.1 413 "));
}

TEST(Loopback, ASlowOrSilentClientIsGivenUp) {
  Pair pair = connected();
  say(pair.client, "GET / HTTP/1.1\r\n");
  EXPECT_FALSE(pair.server.read(10, Clock::now() + 30ms));
}

TEST(Loopback, AClientThatLeavesIsNoticed) {
  Pair pair = connected();
  say(pair.client, "GET / HTTP/1.1\r\n\r\n");
  ASSERT_TRUE(pair.server.read(10, Clock::now() + 5s));
  EXPECT_FALSE(pair.server.closed());
  pair.client.reset();
  std::this_thread::sleep_for(20ms);
  EXPECT_TRUE(pair.server.closed());
}

TEST(Loopback, WaitingForAConnectionEnds) {
  base::Result<Listener> listener = Listener::open();
  ASSERT_TRUE(listener);
  EXPECT_FALSE(listener->accept(Clock::now() + 10ms));
}

// ---- the gate ----

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
  const Gate gate(8080, "secret");
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

TEST(Gate, EverySecretIsNew) { EXPECT_NE(Gate(1).url(), Gate(1).url()); }

}  // namespace
}  // namespace weakspot::http::loopback_test
