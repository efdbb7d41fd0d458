// SPDX-License-Identifier: MIT
#include "serve/result_server.h"

#include <fmt/format.h>

#include <chrono>

#include "http/page_files.h"
#include "http/server.h"
#include "serve/api.h"
#include "serve/page_marks.h"
#include "serve/work_api.h"
#include "store/open_store.h"
#include "store/token_store.h"
#include "workbench/work_source.h"

namespace weakspot::serve {
namespace {

namespace fs = std::filesystem;

store::Time now() { return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

class StoredSubmissions final : public Submissions {
 public:
  explicit StoredSubmissions(store::Database& database) : store_(database) {}

  base::Result<std::vector<store::SubmissionAnswer>> submit(std::span<const store::Submission> submissions) override {
    return store_.submit(submissions, now());
  }
  base::Status reject(const std::string& document, const std::string& reason) override {
    return store_.reject(document, reason, now());
  }
  base::Result<bool> remove(const std::string& token) override { return store_.remove(token); }
  base::Result<std::vector<store::ShownRow>> shown(const store::ShownFilter& filter) override {
    return store_.shown(filter);
  }
  base::Result<store::SubmissionCounts> count() override { return store_.count(); }

 private:
  store::SubmissionStore store_;
};

// The whole page in memory: no request leads to a file.
PageFiles read_page(const fs::path& folder) {
  PageFiles files;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code); !code && entry != fs::directory_iterator(); entry.increment(code)) {
    // What the program's own browser runs is not part of the page.
    if (entry->path().stem() == "device") continue;
    const std::string name = entry->path().filename().string();
    std::optional<http::Response> file = http::page_file(folder, name);
    if (!file) continue;
    file->headers.emplace_back("Content-Security-Policy", kPagePolicy);
    if (name == "index.html") {
      file->body = with_mark(std::move(file->body), "weakspot-submissions", "api/1/");
      files.emplace("", *file);
    }
    files.emplace(name, *std::move(file));
  }
  return files;
}

}  // namespace

base::Status serve_results(const ResultServer& server) {
  const base::Result<KnownTests> known = load_known_tests();
  if (!known) return known.errors();
  const base::Result<std::unique_ptr<store::Database>> database =
      store::open_store(server.store, store::Access::create);
  if (!database) return database.errors();
  using Reach = http::Listener::Reach;
  base::Result<http::Listener> listener =
      http::Listener::open(server.port, server.is_public ? Reach::everybody : Reach::machine);
  if (!listener) return listener.errors();

  ApiOptions options;
  options.is_public = server.is_public;
  options.port = listener->port();
  options.submissions_per_minute = server.submissions_per_minute;
  options.problem = server.problem;
  StoredSubmissions submissions(**database);
  // Agents have connections of their own to the store: they wait for nobody else.
  const base::Result<std::unique_ptr<workbench::WorkSource>> source = workbench::store_source(server.store);
  if (!source) return source.errors();
  const base::Result<std::unique_ptr<store::Database>> tokens = store::open_store(server.store, store::Access::read);
  if (!tokens) return tokens.errors();
  TokenBook book([&] { return store::TokenStore(**tokens).list(); });
  if (const auto read = book.owner(""); !read) return read.errors();
  WorkApi work(**source, book, server.problem);
  const std::unique_ptr<Lab> lab = stored_lab(server.store);
  CampaignApi campaigns(*lab, book, {server.is_public, {}});
  Api api(options, *known, server.folder.empty() ? PageFiles() : read_page(server.folder), submissions, work, campaigns,
          http::new_secret());
  http::ServerLimits limits;
  limits.most_body = [&](const http::Request& head) { return work.most_body(head); };
  server.ready(fmt::format("http://127.0.0.1:{}/", listener->port()));
  http::serve(
      *std::move(listener), limits,
      [&](http::Asked asked, http::Answer answer) { api.answer(std::move(asked), std::move(answer)); }, *server.stop);
  return base::ok_status();
}

}  // namespace weakspot::serve
