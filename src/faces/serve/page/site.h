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

class Site {
 public:
  // Called in the server's thread; `name` is what follows api/1/.
  using Api = std::function<void(const std::string& name, http::Asked asked, http::Answer answer)>;

  Site(http::Gate gate, PageFiles files, Api api)
      : gate_(std::move(gate)), files_(std::move(files)), api_(std::move(api)) {}

  void answer(http::Asked asked, http::Answer answer) const;

 private:
  http::Gate gate_;
  PageFiles files_;
  Api api_;
};

}  // namespace weakspot::serve
