// SPDX-License-Identifier: MIT
#include "serve/result_server.h"

#include <algorithm>
#include <chrono>

#include "serve/agents/work_api.h"
#include "serve/api/api.h"
#include "serve/page/site.h"
#include "serve/submissions/gpu_card.h"
#include "store/open_store.h"
#include "store/token_store.h"
#include "workbench/work_source.h"

namespace weakspot::serve {
namespace {

constexpr std::size_t kMostDescriptors = 8192;
constexpr std::size_t kOwnDescriptors = 200;  // for the store and everything else that is not a connection

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

}  // namespace

base::Status serve_results(const ResultServer& server) {
  const base::Result<KnownTests> known = load_known_tests();
  if (!known) return known.errors();
  const base::Result<std::unique_ptr<store::Database>> database =
      store::open_store(server.store, store::Access::create);
  if (!database) return database.errors();
  const http::Reach reach = server.is_public ? http::Reach::everybody : http::Reach::machine;
  base::Result<http::Listener> listener = http::Listener::open(server.port, reach);
  if (!listener) return listener.errors();

  ApiOptions options;
  options.is_public = server.is_public;
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
  Api api(options, *known, submissions, work, campaigns, http::new_secret());
  const http::Gate gate(listener->port(), reach);
  PageFiles files = server.folder.empty() ? PageFiles() : read_page(server.folder, "weakspot-submissions");
  add_embedded(files);
  const Site site(
      gate, std::move(files),
      [&](const std::string& name, http::Asked asked, http::Answer answer) {
        api.answer(name, std::move(asked), std::move(answer));
      },
      [&](const std::string& path, const http::Response& page, http::Answer& answer) {
        if (!path.starts_with(kGpuLink)) return false;
        api.gpu(path, page, std::move(answer));
        return true;
      });
  http::ServerLimits limits;
  limits.most_body = [&](const http::Request& head) { return work.most_body(head); };
  limits.proxies = server.proxies;
  limits.connections =
      std::clamp(http::allow_descriptors(kMostDescriptors), 2 * kOwnDescriptors, kMostDescriptors) - kOwnDescriptors;
  server.ready(gate.url(), limits.connections);
  http::serve(
      *std::move(listener), limits,
      [&](http::Asked asked, http::Answer answer) { site.answer(std::move(asked), std::move(answer)); }, *server.stop);
  return base::ok_status();
}

}  // namespace weakspot::serve
