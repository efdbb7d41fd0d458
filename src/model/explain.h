// A verdict's reason for a person: executions and failed checks as text, and as drawings.
#pragma once

#include <string>
#include <vector>

#include "litmus/test.h"
#include "model/cat_model.h"
#include "model/judge.h"

namespace weakspot::model {

// "P0 line 2: st.rel y, 1" and what it did: "W y=1".
std::string event_text(const Frame& frame, EventId event, const std::vector<litmus::Value>& values);

// Why the model forbids the execution: the failed check and its cycle, each step with the names of the relations it is
// in.
std::string explain_forbidden(const Witness& witness, const Model& model);

// The execution itself: each event in program order, what each read reads from, and the coherence order.
std::string explain_execution(const Witness& witness);

// Drawings: one column per thread, po downwards, rf, co and fr as arrows; `cycle` events are emphasised.
std::string dot_graph(const Witness& witness, const Model& model);
std::string svg_graph(const Witness& witness, const Model& model);

}  // namespace weakspot::model
