// SPDX-License-Identifier: MIT
#include "http/gate.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "http/replies.h"

namespace weakspot::http {
namespace {

// Takes as long for a wrong text as for the right one.
bool same_secret(std::string_view given, std::string_view secret) {
  unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < secret.size(); ++i) {
    const char c = i < given.size() ? given[i] : '\0';
    difference |= static_cast<unsigned>(static_cast<unsigned char>(c) ^ static_cast<unsigned char>(secret[i]));
  }
  return difference == 0;
}

}  // namespace

std::string new_secret() {
  std::array<unsigned char, 16> bytes{};
  WEAKSPOT_CHECK(::getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::string Gate::url() const {
  return fmt::format("http://127.0.0.1:{}/{}{}", port_, secret_, secret_.empty() ? "" : "/");
}

std::optional<Response> Gate::refuse(const Request& request, std::string& path) const {
  const std::string host(request.header("host"));
  const bool ours = host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
  if (reach_ == Reach::machine && !ours) return refusal(421, "this server answers to 127.0.0.1 alone");
  const std::string_view origin = request.header("origin");
  if (!origin.empty() && origin != "http://" + host && origin != "https://" + host) {
    return refusal(403, "this server does not answer pages of other sites");
  }
  path = request.path.substr(1);
  if (secret_.empty()) return std::nullopt;
  const std::size_t end = std::min(path.find('/'), path.size());
  if (!same_secret(std::string_view(path).substr(0, end), secret_)) return refusal(404, "there is no such page");
  path.erase(0, end + 1);
  return std::nullopt;
}

std::optional<Response> refuse_other_than_json(const Request& request) {
  if (request.method != "POST") return refusal(405, "expected POST");
  if (request.header("content-type").starts_with("application/json")) return std::nullopt;
  return refusal(415, "expected application/json");
}

}  // namespace weakspot::http
