// SPDX-License-Identifier: MIT
// Code actions on tests, and the commands behind them.
#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "lsp/features/actions.h"
#include "lsp/protocol/uri.h"
#include "lsp/server/handlers.h"

namespace weakspot::lsp {
namespace {

constexpr std::chrono::milliseconds kCommandTime{30'000};

constexpr std::string_view kRewrite = "refactor.rewrite";
constexpr std::string_view kShow = "weakspot.show";

// Whether an editor that asks for these kinds wants this one: "refactor" means "refactor.rewrite" as well.
bool wants(const Json& only, std::string_view kind) {
  if (only.items().empty()) return true;
  return std::any_of(only.items().begin(), only.items().end(), [&](const Json& item) {
    const std::string& asked = item.text();
    return kind == asked || (kind.starts_with(asked) && kind[asked.size()] == '.');
  });
}

Json command_action(const std::string& title, std::string_view kind, std::string_view command, const std::string& uri,
                    const std::string& test, const std::string& argument) {
  Json call = base::json_object(
      {{"title", title}, {"command", command}, {"arguments", std::vector<std::string>{uri, test, argument}}});
  return base::json_object({{"title", title}, {"kind", kind}, {"command", std::move(call)}});
}

const TestInText* test_named(const LitmusReading& reading, const std::string& name) {
  const auto found = std::find_if(reading.tests.begin(), reading.tests.end(),
                                  [&](const TestInText& one) { return one.test->name == name; });
  return found == reading.tests.end() ? nullptr : &*found;
}

// Time for a search is more than for a verdict.
model::Limits search_limits(const VerdictOptions& options, const std::atomic<bool>& stop) {
  model::Limits limits = Verdicts::options_for(options, stop).limits;
  limits.time *= 5;
  return limits;
}

// Editors that can open a file get the picture as one; others have it in the reply.
void show_picture(Session& session, const Json& shown) {
  if (!session.editor.shows_documents || shown.find("svg") == nullptr || session.folder.path().empty()) return;
  const std::string path = (session.folder.path() / fmt::format("execution-{}.svg", ++session.pictures)).string();
  if (!base::write_file(path, shown.at("svg").text(), base::Durable::no)) return;
  session.editor.request("window/showDocument", base::json_object({{"uri", uri_of(path)}, {"external", true}}));
}

Answer run_make_forbidden(Session& session, const Json& id, Document& document, const TestInText& found,
                          const std::string& model) {
  const Pending& pending = session.pending.add(id, document, kCommandTime);
  session.worker->add(
      [&session, id, found, model, shelf = session.verdicts->shelf(), options = session.verdicts->options(),
       uri = document.uri, version = document.version, text = document.text](const std::atomic<bool>& stop) {
        base::Result<Strengthening> made = base::error("");
        if (const base::Result<model::BatchJudge*> judge = shelf->get(model); judge) {
          made = make_forbidden(text.text(), found, (*judge)->model(), search_limits(options, stop));
        } else {
          made = judge.errors();
        }
        return Worker::Afterwards([&session, id, made, uri, version, text] {
          if (!made) {
            session.pending.settle(id, RpcError{kRequestFailed, base::messages(made.errors())});
            return;
          }
          const Document* open = session.workspace.find(uri);
          if (open == nullptr || open->version != version) {
            session.pending.settle(id, RpcError{kContentModified, "the text has changed"});
            return;
          }
          std::vector<Json> edits;
          for (const SpanEdit& edit : made->edits) edits.push_back(text_edit(text.range(edit.span), edit.text));
          if (!session.pending.settle(id, base::json_object({{"changes", made->changes}}))) return;
          Json apply = base::json_object(
              {{"label", "make it forbidden"},
               {"edit", document_edit(uri, version, session.editor.versioned_edits, std::move(edits))}});
          session.editor.request("workspace/applyEdit", std::move(apply));
        });
      },
      pending.ticket, Worker::Urgency::next);
  return Later{};
}

Answer run_show_execution(Session& session, const Json& id, Document& document, const TestInText& found,
                          const std::string& model) {
  const Pending& pending = session.pending.add(id, document, kCommandTime);
  session.worker->add(
      [&session, id, test = found.test, model, shelf = session.verdicts->shelf(),
       options = session.verdicts->options()](const std::atomic<bool>& stop) {
        const base::Result<Json> shown = show_execution(*test, *shelf, model, Verdicts::options_for(options, stop));
        return Worker::Afterwards([&session, id, shown] {
          if (!shown) {
            session.pending.settle(id, RpcError{kRequestFailed, base::messages(shown.errors())});
          } else if (session.pending.settle(id, *shown)) {
            show_picture(session, *shown);
          }
        });
      },
      pending.ticket, Worker::Urgency::next);
  return Later{};
}

// An explanation for each class among the findings that the editor asks about.
std::vector<Json> finding_actions(const Json& context) {
  std::vector<Json> actions;
  std::vector<std::string> named;
  if (!wants(context.at("only"), kShow)) return actions;
  for (const Json& diagnostic : context.at("diagnostics").items()) {
    const std::string& code = diagnostic.at("code").text();
    if (diagnostic.at("source").text() != "weakspot" || code.empty()) continue;
    if (std::find(named.begin(), named.end(), code) != named.end()) continue;
    named.push_back(code);
    const std::string title = fmt::format("Explain {}", code);
    Json call =
        base::json_object({{"title", title}, {"command", kExplain}, {"arguments", std::vector<std::string>{code}}});
    actions.push_back(base::json_object({{"title", title}, {"kind", kShow}, {"command", std::move(call)}}));
  }
  return actions;
}

}  // namespace

Answer code_actions(Session& session, const Json&, const Json& params) {
  Document* document = session.document(params);
  const std::optional<TextRange> range = range_from(params.at("range"));
  if (document == nullptr || !range)
    return RpcError{kInvalidParams, "the document is not open, or the range is missing"};
  if (document->language == Language::cuda) {
    std::vector<Json> offered = finding_actions(params.at("context"));
    if (wants(params.at("context").at("only"), kShow)) {
      std::vector<Json> proofs = proof_actions(*document, range->begin.line);
      offered.insert(offered.end(), proofs.begin(), proofs.end());
    }
    return Json(std::move(offered));
  }
  std::vector<Json> actions;
  const TestInText* found = document->language == Language::litmus
                                ? session.workspace.litmus(*document).at(document->text.offset(range->begin))
                                : nullptr;
  if (found == nullptr) return Json(std::move(actions));
  const litmus::LitmusTest& test = *found->test;
  const Json& only = params.at("context").at("only");
  const std::string model = action_model(test);
  const std::optional<KnownVerdict> known = session.verdicts->of(test, model);
  const bool forbidden = known && known->state == KnownVerdict::State::forbidden;
  if (!model.empty() && !forbidden && wants(only, kRewrite)) {
    actions.push_back(command_action(fmt::format("Make {} forbidden by {}", test.name, model), kRewrite, kMakeForbidden,
                                     document->uri, test.name, model));
  }
  if (!model.empty() && wants(only, kShow)) {
    actions.push_back(command_action(fmt::format("Show an execution of {} ({})", test.name, model), kShow,
                                     kShowExecution, document->uri, test.name, model));
  }
  if (!wants(only, kRewrite)) return Json(std::move(actions));
  for (const Conversion& conversion : conversions(*found)) {
    const bool new_file = session.editor.creates_files && !document->path.empty();
    Json edit = new_file ? new_file_edit(document->path, test, conversion)
                         : document_edit(document->uri, document->version, session.editor.versioned_edits,
                                         {text_edit(document->text.range(found->extent), conversion.text)});
    actions.push_back(
        base::json_object({{"title", fmt::format("Convert {} to {}", test.name, to_string(conversion.dialect))},
                           {"kind", kRewrite},
                           {"edit", std::move(edit)}}));
  }
  return Json(std::move(actions));
}

Answer execute(Session& session, const Json& id, const Json& params) {
  const std::string& command = params.at("command").text();
  const Json& arguments = params.at("arguments");
  if (command == kRace) return run_race(session, id, arguments);
  if (command == kProve) return run_prove(session, id, arguments);
  if (command == kExplain) return explain_class(arguments);
  if (command != kMakeForbidden && command != kShowExecution && command != kConvert) {
    return RpcError{kInvalidParams, fmt::format("there is no command '{}'", base::clipped(command))};
  }
  Document* document = session.workspace.find(arguments.at(0).text());
  const TestInText* found = document != nullptr && document->language == Language::litmus
                                ? test_named(session.workspace.litmus(*document), arguments.at(1).text())
                                : nullptr;
  if (found == nullptr) return RpcError{kInvalidParams, "expected the URI of an open document, and a test in it"};
  const std::string& third = arguments.at(2).text();
  if (command == kConvert) {
    const std::optional<litmus::Dialect> dialect = litmus::dialect_named(third);
    if (!dialect) return RpcError{kInvalidParams, fmt::format("there is no dialect '{}'", base::clipped(third))};
    const base::Result<std::string> text = litmus::print(*found->test, *dialect);
    if (!text) return RpcError{kRequestFailed, base::messages(text.errors())};
    return base::json_object({{"test", found->test->name}, {"dialect", third}, {"text", *text}});
  }
  const std::string model = third.empty() ? action_model(*found->test) : third;
  if (model.empty()) return RpcError{kInvalidParams, "weakspot has no model for this test; name one"};
  return command == kMakeForbidden ? run_make_forbidden(session, id, *document, *found, model)
                                   : run_show_execution(session, id, *document, *found, model);
}

}  // namespace weakspot::lsp
