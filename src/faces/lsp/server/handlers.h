// SPDX-License-Identifier: MIT
// Answers to the methods of the protocol, by the parameters that the editor sent.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lsp/server/session.h"

namespace weakspot::lsp {

// Questions about a place in a document, or about all of it.
Answer hover(Session& session, const Json& id, const Json& params);
Answer completion(Session& session, const Json& id, const Json& params);
Answer definition(Session& session, const Json& id, const Json& params);
Answer references(Session& session, const Json& id, const Json& params);
Answer symbols(Session& session, const Json& id, const Json& params);
Answer format(Session& session, const Json& id, const Json& params);
Answer tokens(Session& session, const Json& id, const Json& params);

// Actions on a test: the list of them, and one of them carried out.
Answer code_actions(Session& session, const Json& id, const Json& params);
Answer execute(Session& session, const Json& id, const Json& params);

// Checks a CUDA file with 'weakspot race' in the background and publishes its findings. Answers the request, if there
// is one.
void check_races(Session& session, const Document& document, const std::optional<Json>& id = std::nullopt);
Answer run_race(Session& session, const Json& id, const Json& arguments);
// Proves a launch that a CUDA file states: the commands that a place offers, and one of them carried out.
Answer code_lenses(Session& session, const Json& id, const Json& params);
std::vector<Json> proof_actions(const Document& document, std::size_t line);
Answer run_prove(Session& session, const Json& id, const Json& arguments);
// Its answer holds no more: the text has changed.
void drop_proof(Session& session, const std::string& uri);
// Says what a class of findings means.
Answer explain_class(const Json& arguments);

// Documents that open, change and close.
void opened(Session& session, const Json& params);
void changed(Session& session, const Json& params);
void closed(Session& session, const Json& params);
void saved(Session& session, const Json& params);
void files_changed(Session& session, const Json& params);

// Publishes the diagnostics that are due or have become known.
void publish_due(Session& session);

}  // namespace weakspot::lsp
