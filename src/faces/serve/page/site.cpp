// SPDX-License-Identifier: MIT
#include "serve/page/site.h"

#include <fmt/format.h>
#include <zlib.h>

#include "base/hash.h"
#include "http/page_files.h"
#include "http/replies.h"

namespace weakspot::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPolicyHeader = "Content-Security-Policy";
constexpr std::string_view kPagePolicy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors ";

std::string with_mark(std::string page, std::string_view mark, std::string_view content) {
  constexpr std::string_view kHead = "<head>";
  const std::size_t at = page.find(kHead);
  if (at == std::string::npos) return page;
  return page.insert(at + kHead.size(), fmt::format("<meta name=\"{}\" content=\"{}\">", mark, content));
}

// Empty if it cannot be shortened.
std::string gzip(const std::string& text) {
  constexpr int kWithHeader = 16;
  z_stream stream{};
  if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kWithHeader, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
    return {};
  }
  std::string made(text.size(), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(made.data());
  stream.avail_out = static_cast<uInt>(made.size());
  const bool ended = ::deflate(&stream, Z_FINISH) == Z_STREAM_END;
  made.resize(ended ? stream.total_out : 0);
  ::deflateEnd(&stream);
  return made;
}

bool accepts_gzip(const http::Request& request) {
  const std::string_view accepted = request.header("accept-encoding");
  const std::size_t at = accepted.find("gzip");
  return at != std::string_view::npos && !accepted.substr(at).starts_with("gzip;q=0");
}

}  // namespace

PageFile page_file_of(http::Response file) {
  file.headers.emplace_back("ETag", fmt::format("W/\"{}\"", base::hash_bytes(file.body).hex()));
  file.headers.emplace_back("Cache-Control", "no-cache");
  file.headers.emplace_back("Vary", "Accept-Encoding");
  std::string compressed = gzip(file.body);
  return {std::move(file), std::move(compressed)};
}

http::Response PageFile::answer(const http::Request& request) const {
  http::Response response;
  response.type = plain.type;
  response.headers = plain.headers;
  if (request.header("if-none-match").find(plain.header("ETag")) != std::string_view::npos) {
    response.status = 304;
  } else if (!compressed.empty() && accepts_gzip(request)) {
    response.headers.emplace_back("Content-Encoding", "gzip");
    response.body = compressed;
  } else {
    response.body = plain.body;
  }
  return response;
}

PageFiles read_page(const fs::path& folder, std::string_view mark) {
  PageFiles files;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code); !code && entry != fs::directory_iterator(); entry.increment(code)) {
    // Files for the program's own browser are not part of the page.
    if (entry->path().stem() == "device") continue;
    const std::string name = entry->path().filename().string();
    std::optional<http::Response> file = http::page_file(folder, name);
    if (!file) continue;
    file->headers.emplace_back(kPolicyHeader, fmt::format("{}'none'", kPagePolicy));
    if (name == "index.html") {
      file->body = with_mark(std::move(file->body), mark, kApi);
      files.emplace("", page_file_of(*file));
    }
    files.emplace(name, page_file_of(*std::move(file)));
  }
  return files;
}

void add_embedded(PageFiles& files) {
  const auto first = files.find("");
  if (first == files.end()) return;
  http::Response file;
  file.type = first->second.plain.type;
  file.body = with_mark(first->second.plain.body, "weakspot-embed", "true");
  file.headers.emplace_back(kPolicyHeader, fmt::format("{}*", kPagePolicy));
  files.emplace("embed.html", page_file_of(std::move(file)));
}

void Site::answer(http::Asked asked, http::Answer answer) const {
  std::string path;
  if (const std::optional<http::Response> refused = gate_.refuse(asked.request, path)) return answer->give(*refused);
  if (path.starts_with(kApi)) return api_(path.substr(kApi.size()), std::move(asked), std::move(answer));
  const auto file = files_.find(path);
  const auto first = files_.find("");
  const bool is_link = file == files_.end() && first != files_.end() && links_ && asked.request.method == "GET";
  if (is_link && links_(path, first->second.plain, answer)) return;
  if (file == files_.end()) {
    answer->give(http::refusal(404, "there is no such page"));
  } else if (asked.request.method != "GET") {
    answer->give(http::refusal(405, "expected GET"));
  } else {
    answer->give(file->second.answer(asked.request));
  }
}

}  // namespace weakspot::serve
