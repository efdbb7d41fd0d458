// SPDX-License-Identifier: MIT
#include "http/sender.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace weakspot::http {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::vector<std::string_view> parts_of(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(mark, at), text.size());
    parts.push_back(without_blanks(text.substr(at, end - at)));
    at = end + 1;
  }
  return parts;
}

// The value of "for=" in an element of Forwarded.
std::string_view forwarded_for(std::string_view element) {
  for (const std::string_view pair : parts_of(element, ';')) {
    constexpr std::size_t kName = 4;
    if (pair.size() > kName && ::strncasecmp(pair.data(), "for=", kName) == 0) return pair.substr(kName);
  }
  return {};
}

// The addresses that proxies added, the nearest last. A client may send the header that its proxy does not write: none
// is believed where both are there.
std::vector<std::string_view> chain_of(const Request& request) {
  std::vector<std::string_view> listed, forwarded;
  for (const auto& [name, value] : request.headers) {
    if (name == "x-forwarded-for") {
      for (const std::string_view part : parts_of(value, ',')) listed.push_back(part);
    } else if (name == "forwarded") {
      for (const std::string_view part : parts_of(value, ',')) forwarded.push_back(forwarded_for(part));
    }
  }
  if (!listed.empty() && !forwarded.empty()) return {};
  return listed.empty() ? forwarded : listed;
}

bool is_forwarded(const Request& request) {
  constexpr std::string_view kMarks[] = {"x-forwarded-for", "forwarded", "x-real-ip", "via"};
  return std::any_of(request.headers.begin(), request.headers.end(), [&](const auto& header) {
    return std::find(std::begin(kMarks), std::end(kMarks), header.first) != std::end(kMarks);
  });
}

std::string host_of(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  if (text.starts_with('[')) return std::string(text.substr(1, std::min(text.find(']'), text.size()) - 1));
  const std::size_t colon = text.find(':');
  const bool has_port = colon != std::string_view::npos && colon == text.rfind(':');
  return std::string(has_port ? text.substr(0, colon) : text);
}

}  // namespace

std::optional<std::string> read_sender_address(std::string_view text) {
  const std::string host = host_of(without_blanks(text));
  in_addr narrow{};
  if (::inet_pton(AF_INET, host.c_str(), &narrow) == 1) return sender_address(ntohl(narrow.s_addr));
  std::array<unsigned char, 16> wide{};
  if (::inet_pton(AF_INET6, host.c_str(), wide.data()) != 1) return std::nullopt;
  constexpr std::array<unsigned char, 12> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (std::equal(kMapped.begin(), kMapped.end(), wide.begin())) {
    std::memcpy(&narrow, wide.data() + kMapped.size(), sizeof narrow);
    return sender_address(ntohl(narrow.s_addr));
  }
  std::fill(wide.begin() + 8, wide.end(), 0);
  char name[INET6_ADDRSTRLEN];
  return std::string(::inet_ntop(AF_INET6, wide.data(), name, sizeof name)) + "/64";
}

std::string sender_address(std::uint32_t address) {
  const in_addr narrow{htonl(address)};
  char name[INET_ADDRSTRLEN];
  return ::inet_ntop(AF_INET, &narrow, name, sizeof name);
}

Sender sender_of(const Request& request, const std::string& peer, const std::vector<std::string>& proxies) {
  const auto is_proxy = [&](const std::string& address) {
    return std::find(proxies.begin(), proxies.end(), address) != proxies.end();
  };
  if (!is_proxy(peer)) return {peer, peer.starts_with("127.") && !is_forwarded(request)};
  const std::vector<std::string_view> chain = chain_of(request);
  for (auto hop = chain.rbegin(); hop != chain.rend(); ++hop) {
    const std::optional<std::string> address = read_sender_address(*hop);
    if (!address) break;
    if (!is_proxy(*address)) return {*address, false};
  }
  return {peer, false};
}

}  // namespace weakspot::http
