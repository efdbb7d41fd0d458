// SPDX-License-Identifier: MIT
// Proofs of the launches that a CUDA file states, by 'weakspot prove' in a process of its own.
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <filesystem>

#include "base/file.h"
#include "lsp/features/actions.h"
#include "lsp/features/proofs.h"
#include "lsp/server/handlers.h"
#include "lsp/server/own_program.h"

namespace weakspot::lsp {
namespace {

constexpr std::chrono::milliseconds kProofTime{60'000};
constexpr const char* kProofSeconds = "30";  // somebody waits

std::vector<std::string> prove_command(const std::string& file, const LaunchInText& launch) {
  std::error_code error;
  std::vector<std::string> words = {std::filesystem::read_symlink("/proc/self/exe", error).string(),
                                    "prove",
                                    file,
                                    "--json",
                                    "--seconds",
                                    kProofSeconds};
  words.insert(words.end(), launch.words.begin(), launch.words.end());
  return words;
}

Json prove_call(const Document& document, const LaunchInText& launch) {
  return base::json_object({{"title", fmt::format("Prove this launch: {}", launch.title)},
                            {"command", kProve},
                            {"arguments", std::vector<std::string>{document.uri, std::to_string(launch.line + 1)}}});
}

std::size_t number_in(const std::string& text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::vector<Json> proof_actions(const Document& document, std::size_t line) {
  const std::vector<LaunchInText> launches = launches_in(document.name(), document.text.text());
  const LaunchInText* launch = launch_at(launches, line);
  if (launch == nullptr || document.path.empty()) return {};
  Json call = prove_call(document, *launch);
  Json title = call.at("title");
  return {base::json_object({{"title", std::move(title)}, {"kind", "weakspot.show"}, {"command", std::move(call)}})};
}

Answer code_lenses(Session& session, const Json&, const Json& params) {
  const Document* document = session.document(params);
  if (document == nullptr) return RpcError{kInvalidParams, "the document is not open"};
  Json lenses = base::json_array();
  if (document->language != Language::cuda || document->path.empty() || document->too_large()) return lenses;
  for (const LaunchInText& launch : launches_in(document->name(), document->text.text())) {
    const TextRange range = document->text.line_range(launch.line);
    lenses.push_back(base::json_object({{"range", to_json(range)}, {"command", prove_call(*document, launch)}}));
  }
  return lenses;
}

void drop_proof(Session& session, const std::string& uri) {
  if (const auto check = session.proof_checks.find(uri); check != session.proof_checks.end()) {
    check->second->store(true);
    session.proof_checks.erase(check);
  }
  session.proofs.erase(uri);
}

Answer run_prove(Session& session, const Json& id, const Json& arguments) {
  const Document* document = session.workspace.find(arguments.at(0).text());
  if (document == nullptr || document->language != Language::cuda || document->path.empty()) {
    return RpcError{kInvalidParams, "expected the URI of an open CUDA file, and a line"};
  }
  const std::size_t line = number_in(arguments.at(1).text());
  const std::vector<LaunchInText> launches = launches_in(document->name(), document->text.text());
  const LaunchInText* launch = launch_at(launches, line == 0 ? 0 : line - 1);
  if (launch == nullptr) {
    return RpcError{kRequestFailed, "the file states no launch; expected a line '// weakspot: launch grid=2 block=1'"};
  }
  const base::Result<std::string> saved = base::read_file(document->path);
  if (!saved || *saved != document->text.text()) {
    return RpcError{kRequestFailed, "the file has changes that are not saved"};
  }
  drop_proof(session, document->uri);
  Ticket& ticket = session.proof_checks[document->uri];
  ticket = new_ticket();
  session.pending.add(id, *document, kProofTime + std::chrono::seconds(5));
  session.race_worker->add(
      [&session, id, uri = document->uri, path = document->path, launch = *launch](const std::atomic<bool>& stop) {
        const base::Result<ProofReport> report =
            read_proof(output_of(prove_command(path, launch), kProofTime, stop), path, launch);
        const bool stopped = stop;
        return Worker::Afterwards([&session, id, uri, report, stopped] {
          if (stopped || !report) {
            session.pending.settle(id, RpcError{kRequestFailed, stopped ? "the text has changed"
                                                                        : "the launch could not be proved; the log of "
                                                                          "the server says why"});
            return;
          }
          session.proofs[uri] = report->findings;
          session.due.insert(uri);
          session.pending.settle(id, base::json_object({{"uri", uri}, {"verdict", report->verdict}}));
        });
      },
      ticket);
  return Later{};
}

}  // namespace weakspot::lsp
