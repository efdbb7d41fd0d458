// SPDX-License-Identifier: MIT
#include "http/message.h"

#include <gtest/gtest.h>

namespace weakspot::http::message_test {
namespace {

struct Read {
  Head head = Head::incomplete;
  Request request;
  std::size_t taken = 0;
  std::size_t length = 0;
  Refused refused;
};

Read read(std::string_view text) {
  Read made;
  made.head = read_head(text, made.request, made.taken, made.length, made.refused);
  return made;
}

TEST(Message, AHeadHasAMethodAPathAndHeaders) {
  const std::string_view text = "POST /a/b?c=d HTTP/1.1\r\nHost: 127.0.0.1:80\r\nContent-Length:  3 \r\n\r\nabc";
  const Read made = read(text);
  ASSERT_EQ(Head::complete, made.head);
  EXPECT_EQ("POST", made.request.method);
  EXPECT_EQ("/a/b", made.request.path);
  EXPECT_EQ("127.0.0.1:80", made.request.header("host"));
  EXPECT_EQ("", made.request.header("origin"));
  EXPECT_EQ(3u, made.length);
  EXPECT_EQ(text.size() - 3, made.taken);
}

TEST(Message, AnIncompleteHeadWaitsForMore) {
  const std::string_view whole = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_EQ(Head::incomplete, read(whole.substr(0, length)).head) << length;
  }
  EXPECT_EQ(Head::complete, read(whole).head);
}

TEST(Message, HostileHeadsAreRefused) {
  const std::string long_path(kMostHead, 'a');
  std::string many = "GET / HTTP/1.1\r\n";
  for (std::size_t i = 0; i <= kMostHeaders; ++i) many += "A: b\r\n";
  const std::pair<std::string, int> cases[] = {
      {"\r\n\r\n", 400},
      {"GET\r\n\r\n", 400},
      {"GET /\r\n\r\n", 400},
      {"GET / HTTP/2\r\n\r\n", 505},
      {"GET http://elsewhere/ HTTP/1.1\r\n\r\n", 400},
      {"G T / HTTP/1.1\r\n\r\n", 400},
      {std::string("GET /a\0b HTTP/1.1\r\n\r\n", 22), 400},
      {"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n: empty\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nA : b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nA: b\nC: d\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501},
      {"GET /" + long_path + " HTTP/1.1\r\n\r\n", 431},
      {long_path + long_path, 431},
      {many + "\r\n", 431},
  };
  for (const auto& [text, status] : cases) {
    const Read made = read(text);
    EXPECT_EQ(Head::wrong, made.head) << text.substr(0, 80);
    EXPECT_EQ(status, made.refused.status) << text.substr(0, 80);
  }
}

TEST(Message, AResponseSaysItsLengthAndThatNobodyMayKeepIt) {
  Response response;
  response.type = "text/html";
  response.body = "hello";
  response.headers.emplace_back("X-More", "yes");
  EXPECT_EQ(
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\nX-More: yes\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\nhello",
      write_response(response));
  EXPECT_EQ(std::string::npos, write_response(response, After::stream).find("Content-Length"));
  EXPECT_TRUE(write_response(response, After::keep_open).ends_with("\r\nConnection: keep-alive\r\n\r\nhello"));
}

TEST(Message, AConnectionStaysOpenUnlessTheRequestSaysOtherwise) {
  EXPECT_TRUE(read("GET / HTTP/1.1\r\n\r\n").request.keep_open);
  EXPECT_FALSE(read("GET / HTTP/1.1\r\nConnection: Close\r\n\r\n").request.keep_open);
  EXPECT_FALSE(read("GET / HTTP/1.0\r\n\r\n").request.keep_open);
}

TEST(Message, AQueryIsDecoded) {
  EXPECT_EQ("a=b&c", read("GET /x?a=b&c#d HTTP/1.1\r\n\r\n").request.query);
  EXPECT_EQ("", read("GET /x HTTP/1.1\r\n\r\n").request.query);
  const std::optional<Headers> parameters = query_parameters("vendor=a%20b+c&test=MP%2bx&empty=&last");
  ASSERT_TRUE(parameters);
  EXPECT_EQ((Headers{{"vendor", "a b c"}, {"test", "MP+x"}, {"empty", ""}, {"last", ""}}), *parameters);
  EXPECT_TRUE(query_parameters("")->empty());
  for (const char* wrong : {"a=%", "a=%4", "a=%zz", "a=%00", "=b", "a&&b"})
    EXPECT_FALSE(query_parameters(wrong)) << wrong;
}

TEST(Message, FilesHaveATypeByTheirName) {
  EXPECT_EQ("text/javascript; charset=utf-8", content_type("a/page.js"));
  EXPECT_EQ("application/wasm", content_type("weakspot.wasm"));
  EXPECT_EQ("application/octet-stream", content_type("LICENSE"));
}

}  // namespace
}  // namespace weakspot::http::message_test
