// SPDX-License-Identifier: MIT
#include "http/server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <fmt/format.h>

#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "http/replies.h"
#include "support/loopback_client.h"

namespace weakspot::http::server_test {
namespace {

using namespace std::chrono_literals;
using tests::connect_to;
using tests::say;

class Served {
 public:
  explicit Served(Handler handler, ServerLimits limits = {}) : handler_(std::move(handler)), limits_(limits) {
    base::Result<Listener> listener = Listener::open();
    port_ = listener->port();
    thread_ = std::thread(
        [this, taken = *std::move(listener)]() mutable { serve(std::move(taken), limits_, handler_, stop_); });
  }
  ~Served() {
    stop_ = true;
    thread_.join();
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  Handler handler_;
  ServerLimits limits_;
  std::atomic<bool> stop_ = false;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

void echo(Asked asked, Answer answer) {
  Response response;
  response.body = fmt::format("{} {} {}", asked.request.method, asked.request.path, asked.request.body);
  answer->give(std::move(response));
}

std::string post(std::string_view body) {
  return fmt::format("POST /x HTTP/1.1\r\nContent-Length: {}\r\n\r\n{}", body.size(), body);
}

// Reads until `text` has come, the other side closes, or nothing comes for a while.
std::string hear_until(const base::UniqueFd& socket, std::string_view text) {
  const timeval patience = {10, 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::string heard;
  char bytes[4096];
  ssize_t count = 0;
  while (heard.find(text) == std::string::npos && (count = ::recv(socket.get(), bytes, sizeof bytes, 0)) > 0) {
    heard.append(bytes, static_cast<std::size_t>(count));
  }
  return heard;
}

bool closes(const base::UniqueFd& socket) {
  hear_until(socket, "no such text");
  char byte = 0;
  return ::recv(socket.get(), &byte, 1, 0) == 0;
}

TEST(Server, RequestsFollowEachOtherOnOneConnection) {
  const Served server(echo);
  const base::UniqueFd client = connect_to(server.port());
  for (const char* body : {"one", "two", "three"}) {
    say(client, post(body));
    EXPECT_NE(std::string::npos, hear_until(client, body).find("keep-alive"));
  }
  // Two at once are answered in their order.
  say(client, post("four") + post("five"));
  const std::string heard = hear_until(client, "five");
  EXPECT_LT(heard.find("four"), heard.find("five"));
  say(client, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(closes(client));
}

TEST(Server, SlowSilentAndHalfOpenClientsKeepNobodyWaiting) {
  const Served server(echo);
  std::vector<base::UniqueFd> others;
  for (int i = 0; i < 100; ++i) others.push_back(connect_to(server.port()));
  for (std::size_t i = 0; i < others.size(); i += 2)
    say(others[i], "POST /slow HTTP/1.1\r\nContent-Length: 100\r\n\r\nhal");
  for (std::size_t i = 0; i < others.size(); i += 4) ::shutdown(others[i].get(), SHUT_WR);
  const base::UniqueFd client = connect_to(server.port());
  const auto start = std::chrono::steady_clock::now();
  say(client, post("quick"));
  EXPECT_NE("", hear_until(client, "quick"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
}

// Five hundred slow or idle connections of one address, on a server with room for twenty of an address or forty in all.
TEST(Server, ManySlowConnectionsKeepNobodyOut) {
  for (const std::size_t per_address : {20u, 1000u}) {
    ServerLimits limits;
    limits.connections = 40;
    limits.per_address = per_address;
    const Served server(echo, limits);
    for (const std::string& begun : {std::string("GET / HT"), post("idle")}) {
      std::vector<base::UniqueFd> others;
      for (int i = 0; i < 500; ++i) {
        others.push_back(connect_to(server.port()));
        say(others.back(), begun);
      }
      const base::UniqueFd client = connect_to(server.port());
      const auto start = std::chrono::steady_clock::now();
      say(client, post("quick"));
      EXPECT_NE(std::string::npos, hear_until(client, "quick").find("200 OK"));
      EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
      EXPECT_TRUE(closes(others.front())) << "the quietest makes room";
    }
  }
}

// One that is owed an answer is never the one that makes room.
TEST(Server, WaitingClientsKeepTheirConnections) {
  std::promise<Answer> first;
  ServerLimits limits;
  limits.per_address = 5;
  const Served server(
      [&](Asked asked, Answer answer) {
        if (asked.request.path == "/late") return first.set_value(std::move(answer));
        echo(std::move(asked), std::move(answer));
      },
      limits);
  const base::UniqueFd late = connect_to(server.port());
  say(late, "GET /late HTTP/1.1\r\n\r\n");
  const Answer answer = first.get_future().get();
  std::vector<base::UniqueFd> others;
  for (int i = 0; i < 50; ++i) {
    others.push_back(connect_to(server.port()));
    say(others.back(), post("quick"));
    EXPECT_NE("", hear_until(others.back(), "quick"));
  }
  answer->give(refusal(200, "at last"));
  EXPECT_NE(std::string::npos, hear_until(late, "at last").find("at last"));
}

TEST(Server, RequestsHaveASender) {
  ServerLimits limits;
  const auto whose = [](Asked asked, Answer answer) {
    answer->give(refusal(200, asked.sender.address + (asked.sender.is_this_machine ? " here." : " there.")));
  };
  const auto said = [](const Served& server, std::string_view headers) {
    const base::UniqueFd client = connect_to(server.port());
    say(client, fmt::format("GET / HTTP/1.1\r\n{}\r\n", headers));
    return hear_until(client, "here.");
  };
  const Served alone(whose, limits);
  EXPECT_NE(std::string::npos, said(alone, "").find("127.0.0.1 here."));
  EXPECT_NE(std::string::npos, said(alone, "X-Forwarded-For: 203.0.113.7\r\n").find("127.0.0.1 there."));
  limits.proxies = {"127.0.0.1"};
  const Served behind(whose, limits);
  EXPECT_NE(std::string::npos, said(behind, "X-Forwarded-For: 203.0.113.7\r\n").find("203.0.113.7 there."));
}

TEST(Server, AClientThatDoesNotReadKeepsNobodyWaiting) {
  const std::string large(8u << 20, 'a');
  const Served server([&](Asked asked, Answer answer) {
    Response response;
    response.body = asked.request.path == "/large" ? large : "small";
    answer->give(std::move(response));
  });
  const base::UniqueFd deaf = connect_to(server.port());
  say(deaf, "GET /large HTTP/1.1\r\n\r\n");
  const base::UniqueFd client = connect_to(server.port());
  say(client, "GET / HTTP/1.1\r\n\r\n");
  EXPECT_NE(std::string::npos, hear_until(client, "small").find("small"));
}

TEST(Server, TimesEnd) {
  ServerLimits limits;
  limits.request = 50ms;
  limits.idle = 50ms;
  const Served server(echo, limits);
  const base::UniqueFd silent = connect_to(server.port());
  const base::UniqueFd slow = connect_to(server.port());
  say(slow, "GET / HTT");
  const base::UniqueFd idle = connect_to(server.port());
  say(idle, post("x"));
  EXPECT_TRUE(closes(silent));
  EXPECT_TRUE(closes(slow));
  EXPECT_TRUE(closes(idle));
}

TEST(Server, HostileRequestsGetARefusalAndTheServerLives) {
  ServerLimits limits;
  limits.body = 10;
  const Served server(echo, limits);
  const std::pair<std::string, std::string> cases[] = {
      {"nonsense\r\n\r\n", "HTTP/1.1 400 "},
      {post("more than ten bytes"), "HTTP/1.1 413 "},
      {"POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", "HTTP/1.1 413 "},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "HTTP/1.1 501 "},
      {"GET /" + std::string(kMostHead, 'a'), "HTTP/1.1 431 "},
  };
  for (const auto& [text, status] : cases) {
    const base::UniqueFd client = connect_to(server.port());
    say(client, text);
    const std::string heard = hear_until(client, "no such text");
    EXPECT_TRUE(heard.starts_with(status)) << text.substr(0, 60);
    EXPECT_NE(std::string::npos, heard.find("\r\nContent-Type: application/json\r\n")) << heard;
    EXPECT_NE(std::string::npos, heard.find("\r\n\r\n{\"error\":\"")) << heard;
  }
  const base::UniqueFd client = connect_to(server.port());
  say(client, post("alive"));
  EXPECT_NE(std::string::npos, hear_until(client, "alive").find("200 OK"));
}

TEST(Server, AnAnswerMayComeLateFromAnotherThreadOrNever) {
  std::vector<std::thread> threads;
  std::mutex mutex;
  {
    const Served server([&](Asked asked, Answer answer) {
      if (asked.request.path == "/never") return;
      const std::lock_guard<std::mutex> lock(mutex);
      threads.emplace_back([taken = std::move(answer)] {
        std::this_thread::sleep_for(30ms);
        Response response;
        response.body = "late";
        taken->give(std::move(response));
      });
    });
    const base::UniqueFd never = connect_to(server.port());
    say(never, "GET /never HTTP/1.1\r\n\r\n");
    EXPECT_TRUE(hear_until(never, "not answered").starts_with("HTTP/1.1 500 "));
    const base::UniqueFd late = connect_to(server.port());
    say(late, "GET /late HTTP/1.1\r\n\r\n");
    EXPECT_NE(std::string::npos, hear_until(late, "late").find("200 OK"));
    // One whose client has left, and one that comes after the end of the server.
    say(connect_to(server.port()), "GET /gone HTTP/1.1\r\n\r\n");
    say(late, "GET /end HTTP/1.1\r\n\r\n");
    std::this_thread::sleep_for(10ms);
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Server, AStreamGoesOnUntilItsSenderEndsIt) {
  std::promise<std::unique_ptr<Stream>> begun;
  Served server([&](const Asked&, const Answer& answer) {
    Response response;
    response.body = "one ";
    begun.set_value(answer->stream(std::move(response)));
  });
  const base::UniqueFd socket = connect_to(server.port());
  say(socket, "GET / HTTP/1.1\r\n\r\n");
  std::unique_ptr<Stream> stream = begun.get_future().get();
  EXPECT_NE(std::string::npos, hear_until(socket, "one ").find("Connection: close"));
  EXPECT_TRUE(stream->send("two "));
  EXPECT_EQ("two ", hear_until(socket, "two "));
  stream->send("three");
  stream.reset();
  EXPECT_EQ("three", hear_until(socket, "never")) << "the connection ends with it";
}

TEST(Server, AListenerThatLeavesOrDoesNotReadIsGivenUp) {
  std::mutex mutex;
  std::vector<std::unique_ptr<Stream>> streams;
  ServerLimits limits;
  limits.stream = 10'000;
  Served server(
      [&](const Asked& asked, const Answer& answer) {
        if (asked.request.path == "/echo") return answer->give(refusal(200, "here"));
        const std::lock_guard lock(mutex);
        streams.push_back(answer->stream({}));
      },
      limits);
  const base::UniqueFd deaf = connect_to(server.port());
  say(deaf, "GET / HTTP/1.1\r\n\r\n");
  {
    const base::UniqueFd leaving = connect_to(server.port());
    say(leaving, "GET / HTTP/1.1\r\n\r\n");
    hear_until(leaving, "\r\n\r\n");
  }
  const base::UniqueFd other = connect_to(server.port());
  bool all_gone = false;
  for (int i = 0; i < 2000 && !all_gone; ++i) {
    say(other, "GET /echo HTTP/1.1\r\n\r\n");
    EXPECT_NE("", hear_until(other, "here"));
    const std::lock_guard lock(mutex);
    all_gone = streams.size() == 2;
    for (const std::unique_ptr<Stream>& one : streams) {
      if (one->send(std::string(9'000, 'x'))) all_gone = false;
    }
  }
  EXPECT_TRUE(all_gone);
}

TEST(Server, AStreamMayOutliveItsServer) {
  std::unique_ptr<Stream> stream;
  {
    std::promise<std::unique_ptr<Stream>> begun;
    Served server([&](const Asked&, const Answer& answer) { begun.set_value(answer->stream({})); });
    const base::UniqueFd socket = connect_to(server.port());
    say(socket, "GET / HTTP/1.1\r\n\r\n");
    stream = begun.get_future().get();
    hear_until(socket, "\r\n\r\n");
  }
  EXPECT_FALSE(stream->send("late"));
  EXPECT_TRUE(stream->gone());
}

TEST(Server, AStreamThatBeginsAfterTheEndOfItsServerIsGone) {
  std::promise<Answer> asked;
  Answer answer;
  {
    const Served server([&](const Asked&, Answer taken) { asked.set_value(std::move(taken)); });
    const base::UniqueFd socket = connect_to(server.port());
    say(socket, "GET / HTTP/1.1\r\n\r\n");
    answer = asked.get_future().get();
  }
  EXPECT_TRUE(answer->stream({})->gone());
}

TEST(Server, ClientsWaitBetweenTwoTurns) {
  base::Result<Listener> listener = Listener::open();
  ASSERT_TRUE(listener);
  const std::uint16_t port = listener->port();
  Answer waiting;
  const std::unique_ptr<Server> server =
      make_server(*std::move(listener), {}, [&](const Asked&, Answer answer) { waiting = std::move(answer); });
  const base::UniqueFd silent = connect_to(port);
  const base::UniqueFd client = connect_to(port);
  say(client, post("a job"));
  for (int i = 0; i < 100 && !waiting; ++i) server->turn();
  ASSERT_TRUE(waiting);
  Response response;
  response.body = "done";
  waiting->give(std::move(response));
  server->turn();
  EXPECT_TRUE(hear_until(client, "done").ends_with("done"));
}

TEST(Server, ManyClientsAtOnce) {
  ServerLimits limits;
  limits.connections = 20;  // the others wait for a place
  limits.idle = 100ms;
  const Served server(echo, limits);
  std::vector<std::thread> threads;
  std::atomic<int> answered = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 25; ++k) {
        const base::UniqueFd client = connect_to(server.port());
        const std::string body = fmt::format("client-{}-{}.", i, k);
        say(client, post(body));
        if (hear_until(client, body).find(body) != std::string::npos) ++answered;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(100, answered);
}

}  // namespace
}  // namespace weakspot::http::server_test
