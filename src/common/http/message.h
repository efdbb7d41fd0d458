// SPDX-License-Identifier: MIT
// Requests and responses of HTTP/1.1, as far as our servers need it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weakspot::http {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method;  // GET, POST
  std::string path;    // without the query
  std::string query;   // the text after the question mark, not decoded
  Headers headers;     // names in lower case
  std::string body;
  bool keep_open = false;  // the other side would like to ask again on this connection

  // The value of the first header of this name, in lower case; "" if there is none.
  std::string_view header(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  Headers headers;  // further ones

  // The value of the first of them with this name; "" if there is none.
  std::string_view header(std::string_view name) const;
};

// Why a request is refused.
struct Refused {
  int status = 0;
  std::string sentence;
};

inline constexpr std::size_t kMostHead = 16 * 1024;
inline constexpr std::size_t kMostHeaders = 100;

// The state of a request's head.
enum class Head { incomplete, complete, wrong };

// Reads the head, up to the empty line, from the front of `text`. Complete: fills `request` without its body, the
// number of bytes that the head takes, and the length of the body. Wrong: `refused` says why.
Head read_head(std::string_view text, Request& request, std::size_t& taken, std::size_t& body_length, Refused& refused);

// Reads the head of a response from the front of `text`: fills the status, the type and the headers, with names in
// lower case, and the number of bytes that the head takes.
Head read_response_head(std::string_view text, Response& response, std::size_t& taken);

// The end of a response: the connection closes, stays open for the next request, or carries more of the body, which
// then has no length and ends with the connection.
enum class After : std::uint8_t { close, keep_open, stream };

// The response as bytes. Length and safety headers are added.
std::string write_response(const Response& response, After after = After::close);

// The parameters of a query, decoded; nothing if it is not one.
std::optional<Headers> query_parameters(std::string_view query);

// By the suffix of a file's name.
std::string_view content_type(std::string_view path);

}  // namespace weakspot::http
