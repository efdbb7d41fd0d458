// SPDX-License-Identifier: MIT
#include "lsp/protocol/uri.h"

#include <fmt/format.h>

#include <optional>

namespace weakspot::lsp {
namespace {

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return std::nullopt;
}

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/+@").find(c) != std::string_view::npos;
}

}  // namespace

std::string path_of(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return {};
  uri.remove_prefix(kScheme.size());
  if (uri.starts_with("localhost/")) uri.remove_prefix(9);
  if (!uri.starts_with('/')) return {};
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size()) {
      const std::optional<unsigned> high = hex_digit(uri[i + 1]), low = hex_digit(uri[i + 2]);
      if (high && low) {
        path += static_cast<char>(*high * 16 + *low);
        i += 2;
        continue;
      }
    }
    path += uri[i];
  }
  return path.find('\0') == std::string::npos ? path : std::string();
}

std::string uri_of(std::string_view path) {
  std::string uri = "file://";
  for (char c : path) {
    if (is_unreserved(c)) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

}  // namespace weakspot::lsp
