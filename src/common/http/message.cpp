// SPDX-License-Identifier: MIT
#include "http/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace weakspot::http {
namespace {

std::string lower(std::string_view text) {
  std::string made(text);
  for (char& c : made) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return made;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

bool is_visible(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

bool is_value(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= ' ' ? byte != 0x7f : c == '\t';
  });
}

std::string_view phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 421:
      return "Misdirected Request";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Error";
  }
}

Head wrong(Refused& refused, int status, std::string_view sentence) {
  refused = {status, std::string(sentence)};
  return Head::wrong;
}

// "GET /path?query HTTP/1.1"
Head read_first_line(std::string_view line, Request& request, Refused& refused) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return wrong(refused, 400, "the request line is incomplete");
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return wrong(refused, 505, "expected HTTP/1.1");
  if (!is_token(method)) return wrong(refused, 400, "the method is not a word");
  if (!target.starts_with('/') || !is_visible(target)) return wrong(refused, 400, "expected a path");
  request.method = method;
  request.path = target.substr(0, target.find_first_of("?#"));
  if (const std::size_t mark = target.find('?'); mark != std::string_view::npos) {
    request.query = target.substr(mark + 1, target.find('#', mark) - mark - 1);
  }
  request.keep_open = version == "HTTP/1.1";
  return Head::complete;
}

Head read_header(std::string_view line, Request& request, Refused& refused) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon)) || !is_value(line.substr(colon + 1))) {
    return wrong(refused, 400, "a header has no name or a control character");
  }
  if (request.headers.size() == kMostHeaders) return wrong(refused, 431, "the request has too many headers");
  request.headers.emplace_back(lower(line.substr(0, colon)), trim(line.substr(colon + 1)));
  return Head::complete;
}

// The same header twice could be read differently by something between a browser and us.
Head read_length(const Request& request, std::size_t& length, Refused& refused) {
  length = 0;
  for (const std::string_view name : {"content-length", "host", "transfer-encoding"}) {
    const auto count = std::count_if(request.headers.begin(), request.headers.end(),
                                     [&](const auto& header) { return header.first == name; });
    if (count > 1) return wrong(refused, 400, fmt::format("duplicate header '{}'", name));
    if (count != 0 && name == "transfer-encoding") return wrong(refused, 501, "expected a body with a length");
  }
  const std::string_view text = request.header("content-length");
  if (text.empty()) return Head::complete;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (error != std::errc() || end != text.data() + text.size()) {
    return wrong(refused, 400, "the length of the body is not a number");
  }
  return Head::complete;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// '+' and %xx of a query; nothing for an incomplete or a zero byte.
std::optional<std::string> decoded(std::string_view text) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      made += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : hex_digit(text[i + 2]);
    if (low < 0 || high + low == 0) return std::nullopt;
    made += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return made;
}

std::string_view value_named(const Headers& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

}  // namespace

std::string_view Request::header(std::string_view name) const { return value_named(headers, name); }
std::string_view Response::header(std::string_view name) const { return value_named(headers, name); }

Head read_head(std::string_view text, Request& request, std::size_t& taken, std::size_t& body_length,
               Refused& refused) {
  const std::size_t end = text.find("\r\n\r\n");
  if (end > kMostHead) {  // or not found
    if (text.size() > kMostHead) return wrong(refused, 431, "the head of the request is too long");
    return Head::incomplete;
  }
  request = {};
  std::string_view rest = text.substr(0, end + 2);
  for (bool first = true; !rest.empty(); first = false) {
    const std::size_t line_end = rest.find("\r\n");
    const std::string_view line = rest.substr(0, line_end);
    rest.remove_prefix(line_end + 2);
    const Head read = first ? read_first_line(line, request, refused) : read_header(line, request, refused);
    if (read == Head::wrong) return read;
  }
  if (lower(request.header("connection")) == "close") request.keep_open = false;
  taken = end + 4;
  return read_length(request, body_length, refused);
}

Head read_response_head(std::string_view text, Response& response, std::size_t& taken) {
  const std::size_t end = text.find("\r\n\r\n");
  if (end > kMostHead) return text.size() > kMostHead ? Head::wrong : Head::incomplete;  // or not found
  std::string_view rest = text.substr(0, end + 2);
  const std::string_view first = rest.substr(0, rest.find("\r\n"));
  rest.remove_prefix(first.size() + 2);
  // HTTP/1.1 200 OK
  constexpr std::size_t kStatusAt = 9;
  if (!first.starts_with("HTTP/1.") || first.size() < kStatusAt + 3) return Head::wrong;
  const char* digits = first.data() + kStatusAt;
  const auto [last, error] = std::from_chars(digits, digits + 3, response.status);
  if (error != std::errc() || last != digits + 3) return Head::wrong;
  Request headers;
  Refused ignored;
  while (!rest.empty()) {
    const std::size_t line_end = rest.find("\r\n");
    if (read_header(rest.substr(0, line_end), headers, ignored) == Head::wrong) return Head::wrong;
    rest.remove_prefix(line_end + 2);
  }
  response.type = headers.header("content-type");
  response.headers = std::move(headers.headers);
  taken = end + 4;
  return Head::complete;
}

std::string write_response(const Response& response, After after) {
  std::string head =
      fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\n", response.status, phrase(response.status), response.type);
  if (after != After::stream && response.status != 304) {
    head += fmt::format("Content-Length: {}\r\n", response.body.size());
  }
  for (const auto& [name, value] : response.headers) head += fmt::format("{}: {}\r\n", name, value);
  if (response.header("Cache-Control").empty()) head += "Cache-Control: no-store\r\n";
  head +=
      "X-Content-Type-Options: nosniff\r\n"
      "Referrer-Policy: no-referrer\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n";
  head += after == After::keep_open ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
  return head + response.body;
}

std::optional<Headers> query_parameters(std::string_view query) {
  Headers parameters;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view one = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const std::size_t equals = std::min(one.find('='), one.size());
    std::optional<std::string> name = decoded(one.substr(0, equals));
    std::optional<std::string> value = decoded(one.substr(std::min(equals + 1, one.size())));
    if (!name || name->empty() || !value) return std::nullopt;
    parameters.emplace_back(*std::move(name), *std::move(value));
  }
  return parameters;
}

std::string_view content_type(std::string_view path) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".json", "application/json"},
      {".wasm", "application/wasm"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".txt", "text/plain; charset=utf-8"},
      {".litmus", "text/plain; charset=utf-8"},
      {".webmanifest", "application/manifest+json"},
  };
  for (const auto& [suffix, type] : kTypes) {
    if (path.ends_with(suffix)) return type;
  }
  return "application/octet-stream";
}

}  // namespace weakspot::http
