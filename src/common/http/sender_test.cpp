// SPDX-License-Identifier: MIT
#include "http/sender.h"

#include <gtest/gtest.h>

namespace weakspot::http::sender_test {
namespace {

const std::vector<std::string> kProxies = {"127.0.0.1", "10.0.0.2"};

std::string sender(const Headers& headers, const std::string& peer, const std::vector<std::string>& proxies) {
  Request request;
  request.headers = headers;
  const Sender found = sender_of(request, peer, proxies);
  return found.address + (found.is_this_machine ? " here" : "");
}

TEST(Sender, AProxyIsBelievedIfItIsKnown) {
  const struct {
    Headers headers;
    const char *behind, *alone;  // with the proxies and without, from 127.0.0.1
  } cases[] = {
      {{}, "127.0.0.1", "127.0.0.1 here"},
      {{{"x-forwarded-for", "203.0.113.7"}}, "203.0.113.7", "127.0.0.1"},
      {{{"x-forwarded-for", "127.0.0.1, 203.0.113.7"}}, "203.0.113.7", "127.0.0.1"},
      {{{"x-forwarded-for", "1.2.3.4"}, {"x-forwarded-for", "203.0.113.7"}}, "203.0.113.7", "127.0.0.1"},
      {{{"x-forwarded-for", "203.0.113.7, 10.0.0.2"}}, "203.0.113.7", "127.0.0.1"},
      {{{"x-forwarded-for", "203.0.113.7:4711"}}, "203.0.113.7", "127.0.0.1"},
      {{{"x-forwarded-for", "::ffff:203.0.113.7"}}, "203.0.113.7", "127.0.0.1"},
      {{{"x-forwarded-for", "127.0.0.1"}}, "127.0.0.1", "127.0.0.1"},
      {{{"x-forwarded-for", "1.2.3.4, nonsense"}}, "127.0.0.1", "127.0.0.1"},
      {{{"x-forwarded-for", "1.2.3.4,"}}, "127.0.0.1", "127.0.0.1"},
      {{{"x-forwarded-for", ""}}, "127.0.0.1", "127.0.0.1"},
      {{{"forwarded", "for=1.2.3.4, proto=https;For=\"[2001:db8:1:2:3::4]:80\""}}, "2001:db8:1:2::/64", "127.0.0.1"},
      {{{"forwarded", "for=203.0.113.7;proto=https"}}, "203.0.113.7", "127.0.0.1"},
      {{{"forwarded", "for=_hidden"}}, "127.0.0.1", "127.0.0.1"},
      {{{"forwarded", "by=1.2.3.4"}}, "127.0.0.1", "127.0.0.1"},
      {{{"forwarded", "for=1.2.3.4"}, {"x-forwarded-for", "203.0.113.7"}}, "127.0.0.1", "127.0.0.1"},
      {{{"x-real-ip", "203.0.113.7"}}, "127.0.0.1", "127.0.0.1"},
  };
  for (const auto& one : cases) {
    const std::string name = one.headers.empty() ? "" : one.headers.back().second;
    EXPECT_EQ(one.behind, sender(one.headers, "127.0.0.1", kProxies)) << name;
    EXPECT_EQ(one.alone, sender(one.headers, "127.0.0.1", {})) << name;
    EXPECT_EQ("192.0.2.1", sender(one.headers, "192.0.2.1", kProxies)) << "believed from anybody: " << name;
  }
}

TEST(Sender, AddressesAreRead) {
  EXPECT_EQ("10.1.2.3", sender_address(0x0a010203));
  EXPECT_EQ("fe80::/64", *read_sender_address(" fe80::1 "));
  for (const char* wrong : {"", "localhost", "1.2.3", "1.2.3.4.5", "unknown", "[", "\"\"", "1.2.3.4 5"}) {
    EXPECT_FALSE(read_sender_address(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace weakspot::http::sender_test
