// SPDX-License-Identifier: MIT
// The front of a server with a page: the gate, then files of the page, then the interface for programs.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "http/gate.h"
#include "http/server.h"

namespace weakspot::serve {

// The path of the interface, with its version.
inline constexpr std::string_view kApi = "api/1/";

// A file as it is, and compressed by gzip if that is shorter. Browsers keep files and ask whether they have changed.
struct PageFile {
  http::Response plain;
  std::string compressed;

  http::Response answer(const http::Request& request) const;
};
PageFile page_file_of(http::Response file);

// Files of the page by path, "" for its first.
using PageFiles = std::map<std::string, PageFile>;

// The whole page in memory, each file with a policy: no request leads to a file. Its first file says which server is
// behind it: <meta name="MARK" content="api/1/">.
PageFiles read_page(const std::filesystem::path& folder, std::string_view mark);

// Adds embed.html, the first file as other sites may frame it: the page shows one test there and nothing else, since a
// frame may cover what a click means.
void add_embedded(PageFiles& files);

class Site {
 public:
  // Called in the server's thread; `name` is what follows api/1/.
  using Api = std::function<void(const std::string& name, http::Asked asked, http::Answer answer)>;

  // Answers GET of a path that is no file, with the page's first file; false: there is no such path.
  using Links = std::function<bool(const std::string& path, const http::Response& page, http::Answer& answer)>;

  Site(http::Gate gate, PageFiles files, Api api, Links links = {})
      : gate_(std::move(gate)), files_(std::move(files)), api_(std::move(api)), links_(std::move(links)) {}

  void answer(http::Asked asked, http::Answer answer) const;

 private:
  http::Gate gate_;
  PageFiles files_;
  Api api_;
  Links links_;
};

}  // namespace weakspot::serve
