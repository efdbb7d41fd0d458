// SPDX-License-Identifier: MIT
#include "http/client.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <thread>

#include "http/server.h"
#include "support/loopback_client.h"

namespace weakspot::http::client_test {
namespace {

using namespace std::chrono_literals;

TEST(ServerAddress, IsReadFromAnUrl) {
  const base::Result<ServerAddress> plain = read_address("http://lab.example");
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ("http://lab.example:80/", plain->url());
  EXPECT_EQ("http://10.0.0.1:8080/lab/", read_address("http://10.0.0.1:8080/lab")->url());
  for (const char* wrong : {"", "lab.example", "ftp://a", "http://", "http://:80", "http://a:b", "http://a:99999",
                            "http://a:1:2", "http://a b", "http://user@a/", "http://a/\r\nX: y", "http://a/?q"}) {
    EXPECT_FALSE(read_address(wrong).ok()) << wrong;
  }
  EXPECT_NE(std::string::npos, base::messages(read_address("https://a").errors()).find("tunnel"));
}

// A server that says what it was asked.
class ClientTest : public testing::Test {
 protected:
  void start(ServerLimits limits = {}, std::uint16_t port = 0) {
    base::Result<Listener> listener = Listener::open(port);
    ASSERT_TRUE(listener.ok()) << base::messages(listener.errors());
    port_ = listener->port();
    limits_ = limits;
    stop_ = false;
    thread_ = std::thread([this, listener = *std::move(listener)]() mutable {
      serve(
          std::move(listener), limits_,
          [](const Asked& asked, const Answer& answer) {
            Response response;
            response.status = asked.request.path == "/lab/missing" ? 404 : 200;
            response.body = asked.request.method + asked.request.path + std::string(asked.request.header("x")) + "\n" +
                            asked.request.body;
            answer->give(response);
          },
          stop_);
    });
  }
  void stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  void TearDown() override { stop(); }

  Client client(ClientLimits limits = {}) const {
    return Client(*read_address("http://127.0.0.1:" + std::to_string(port_) + "/lab"), limits);
  }

  std::uint16_t port_ = 0;
  ServerLimits limits_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

TEST_F(ClientTest, AsksAgainOnOneConnection) {
  ServerLimits limits;
  limits.connections = 1;  // a second one would wait
  start(limits);
  Client asking = client();
  const std::string large(1 << 20, 'x');
  for (int i = 0; i < 5; ++i) {
    const base::Result<Response> answer = asking.ask("POST", "a", {{"X", "y"}}, large);
    ASSERT_TRUE(answer.ok()) << base::messages(answer.errors());
    EXPECT_EQ("POST/lab/ay\n" + large, answer->body);
  }
  EXPECT_EQ(404, asking.ask("GET", "missing", {}, "")->status);
}

TEST_F(ClientTest, FindsTheServerAgain) {
  start();
  Client asking = client();
  ASSERT_TRUE(asking.ask("GET", "", {}, "").ok());
  stop();
  const base::Result<Response> none = asking.ask("GET", "", {}, "");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(base::ErrorKind::environment, base::kind_of(none.errors()));
  EXPECT_NE(std::string::npos, base::messages(none.errors()).find("cannot be reached"));
  start({}, port_);
  EXPECT_TRUE(asking.ask("GET", "", {}, "").ok());
}

TEST_F(ClientTest, HearsWhyALongBodyIsRefused) {
  ServerLimits limits;
  limits.body = 1000;
  start(limits);
  const base::Result<Response> answer = client().ask("POST", "", {}, std::string(100'000, 'x'));
  ASSERT_TRUE(answer.ok()) << base::messages(answer.errors());
  EXPECT_EQ(413, answer->status);
}

// Answers that servers of others, or broken ones, may give.
TEST(ClientAnswers, OfManyForms) {
  const struct {
    std::string_view said;
    std::string_view body;  // "!": an error
  } kCases[] = {
      {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "hi"},
      {"HTTP/1.0 200 OK\r\n\r\nhi", "hi"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n1;a=b\r\ni\r\n0\r\n\r\n", "hi"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhi", "!"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\nhi", "!"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nhi", "!"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi", "!"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\nhi", "!"},
      {"HTTP/1.1 abc\r\n\r\n", "!"},
      {"SSH-2.0-OpenSSH\r\n", "!"},
      {"", "!"},
  };
  for (const auto& one : kCases) {
    base::Result<Listener> listener = Listener::open();
    ASSERT_TRUE(listener.ok());
    std::thread server([&] {
      pollfd watched = {listener->descriptor(), POLLIN, 0};
      ::poll(&watched, 1, 10'000);
      const base::UniqueFd socket(::accept(listener->descriptor(), nullptr, nullptr));
      char asked[1000];
      ASSERT_GT(::recv(socket.get(), asked, sizeof asked, 0), 0);
      tests::say(socket, one.said);
    });
    Client client({"127.0.0.1", listener->port(), "/"}, {1s, 1s, 1000});
    const base::Result<Response> answer = client.ask("GET", "", {}, "");
    server.join();
    EXPECT_EQ(one.body, answer ? answer->body : "!") << one.said;
  }
}

TEST(ClientAnswers, AreNotWaitedForForever) {
  base::Result<Listener> listener = Listener::open();
  ASSERT_TRUE(listener.ok());
  Client client({"127.0.0.1", listener->port(), "/"}, {1s, 50ms, 1000});
  const base::Result<Response> answer = client.ask("GET", "", {}, "");
  ASSERT_FALSE(answer.ok());
  EXPECT_NE(std::string::npos, base::messages(answer.errors()).find("does not answer"));
}

}  // namespace
}  // namespace weakspot::http::client_test
