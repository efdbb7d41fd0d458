// SPDX-License-Identifier: MIT
// Executions as pictures, laid out as people draw them by hand: threads are columns, program order runs down, initial
// writes stand above, and communication goes across.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/markup.h"
#include "litmus/text.h"
#include "model/explain.h"

namespace weakspot::model {
namespace {

struct Edge {
  EventId from, to;
  std::string label;
  const char* colour;
};

bool is_drawn(const Frame& frame, EventId event) { return frame.events[event].kind != EventKind::branch; }

// Pairs with nothing between them.
Relation immediate(const Relation& relation) {
  Relation twice(relation.events());
  twice.assign_composition(relation, relation);
  Relation direct = relation;
  direct -= twice;
  return direct;
}

std::vector<Edge> edges_of(const Witness& witness) {
  std::vector<Edge> edges;
  const Frame& frame = witness.frame;
  auto add = [&](const Relation& relation, const char* label, const char* colour) {
    relation.for_each([&](EventId from, EventId to) {
      if (is_drawn(frame, from) && is_drawn(frame, to)) edges.push_back({from, to, label, colour});
    });
  };
  Relation po = frame.po;
  for (EventId event = 0; event < frame.size(); ++event) {
    if (is_drawn(frame, event)) continue;
    for (EventId other = 0; other < frame.size(); ++other) {
      po.erase(event, other);
      po.erase(other, event);
    }
  }
  add(immediate(po), "po", "#555555");
  add(frame.addr, "addr", "#8a2be2");
  add(frame.data, "data", "#8a2be2");
  add(frame.rmw, "rmw", "#999900");
  add(witness.rf, "rf", "#c00000");
  add(immediate(witness.co), "co", "#0040c0");
  Relation inverse(frame.size()), fr(frame.size());
  inverse.assign_inverse(witness.rf);
  fr.assign_composition(inverse, witness.co);
  fr -= Relation::identity(EventSet::all(frame.size()));
  // Only the next write overwrites what was read; the others follow from coherence.
  Relation later(frame.size());
  later.assign_composition(fr, witness.co);
  fr -= later;
  add(fr, "fr", "#c08000");
  return edges;
}

std::set<EventId> cycle_of(const Witness& witness, const Model& model, const Limits& limits) {
  Allowance allowance(limits);
  Evaluator evaluator(model, &allowance);
  evaluator.begin(witness.frame);
  const Candidate candidate = witness.candidate();
  if (evaluator.allows(candidate) || allowance.used_up()) return {};
  const Evaluator::Failure failure = evaluator.explain(candidate);
  return {failure.events.begin(), failure.events.end()};
}

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

struct Point {
  double x = 0, y = 0;
};

constexpr double kColumnWidth = 300, kRowHeight = 70, kBoxWidth = 200, kBoxHeight = 34, kMargin = 40;

// The centre of each event's box. Threads are columns from the left; initial writes have their own row.
std::vector<Point> layout(const Frame& frame) {
  std::vector<Point> centres(frame.size());
  std::vector<std::size_t> depth(frame.test->threads.size(), 0);
  std::size_t initial = 0;
  for (EventId event = 0; event < frame.size(); ++event) {
    const Event& e = frame.events[event];
    if (!is_drawn(frame, event)) continue;
    std::size_t column = initial, row = 0;
    if (e.thread) {
      column = e.thread->index;
      row = ++depth[column];
    } else {
      ++initial;
    }
    centres[event] = {kMargin + kColumnWidth * static_cast<double>(column) + kBoxWidth / 2,
                      kMargin + kRowHeight * static_cast<double>(row) + kBoxHeight / 2};
  }
  return centres;
}

// Where the line from the centre of a box towards `to` leaves the box.
Point border(Point from, Point to) {
  const double dx = to.x - from.x, dy = to.y - from.y;
  if (dx == 0 && dy == 0) return from;
  const double scale =
      std::min(dx == 0 ? 1e9 : kBoxWidth / 2 / std::abs(dx), dy == 0 ? 1e9 : kBoxHeight / 2 / std::abs(dy));
  return {from.x + dx * scale, from.y + dy * scale};
}

std::string svg_edge(const Edge& edge, Point from, Point to, std::size_t lane) {
  // Edges between the same boxes are bowed apart.
  const double bow = 18.0 * static_cast<double>(lane);
  const Point a = border(from, to), b = border(to, from);
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double length = std::max(1.0, std::sqrt(dx * dx + dy * dy));
  const Point middle{(a.x + b.x) / 2 - dy / length * bow, (a.y + b.y) / 2 + dx / length * bow};
  return fmt::format(
      "<path d=\"M{:.1f},{:.1f} Q{:.1f},{:.1f} {:.1f},{:.1f}\" fill=\"none\" stroke=\"{}\" "
      "marker-end=\"url(#arrow)\"/>\n"
      "<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\" font-size=\"12\">{}</text>\n",
      a.x, a.y, middle.x, middle.y, b.x, b.y, edge.colour, middle.x + 4, middle.y - 3, edge.colour,
      base::escaped(edge.label));
}

}  // namespace

std::string dot_graph(const Witness& witness, const Model& model, const Limits& limits) {
  const Frame& frame = witness.frame;
  const EventTexts event_text(frame);
  const std::set<EventId> cycle = cycle_of(witness, model, limits);
  std::string text = fmt::format("digraph {} {{\n  node [shape=box, fontname=monospace];\n", quote(frame.test->name));
  for (std::size_t thread = 0; thread < frame.test->threads.size(); ++thread) {
    text += fmt::format("  subgraph cluster_{} {{ label=\"P{}\";", thread, thread);
    for (EventId event = 0; event < frame.size(); ++event) {
      const Event& e = frame.events[event];
      if (e.thread && e.thread->index == thread && is_drawn(frame, event)) text += fmt::format(" e{};", event);
    }
    text += " }\n";
  }
  for (EventId event = 0; event < frame.size(); ++event) {
    if (!is_drawn(frame, event)) continue;
    text += fmt::format("  e{} [label={}{}];\n", event, quote(event_text(event, witness.values)),
                        cycle.contains(event) ? ", penwidth=2.5" : "");
  }
  for (const Edge& edge : edges_of(witness)) {
    text += fmt::format("  e{} -> e{} [label={}, color=\"{}\"];\n", edge.from, edge.to, quote(edge.label), edge.colour);
  }
  return text + "}\n";
}

std::string svg_graph(const Witness& witness, const Model& model, const Limits& limits) {
  const Frame& frame = witness.frame;
  const EventTexts event_text(frame);
  const std::vector<Point> centres = layout(frame);
  const std::set<EventId> cycle = cycle_of(witness, model, limits);
  Point size;
  for (const Point& centre : centres) {
    size.x = std::max(size.x, centre.x + kBoxWidth / 2 + kMargin);
    size.y = std::max(size.y, centre.y + kBoxHeight / 2 + kMargin);
  }
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\" font-family=\"monospace\">\n"
      "<title>{}</title>\n"
      "<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" "
      "orient=\"auto\"><path d=\"M0,0 L10,5 L0,10 z\"/></marker></defs>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      size.x, size.y, base::escaped(frame.test->name));
  std::map<std::pair<EventId, EventId>, std::size_t> lanes;
  for (const Edge& edge : edges_of(witness)) {
    const std::size_t lane = lanes[std::minmax(edge.from, edge.to)]++;
    text += svg_edge(edge, centres[edge.from], centres[edge.to], lane);
  }
  for (EventId event = 0; event < frame.size(); ++event) {
    if (!is_drawn(frame, event)) continue;
    const Point centre = centres[event];
    text += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"#f8f8f8\" stroke=\"black\" "
        "stroke-width=\"{}\"/>\n<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" text-anchor=\"middle\">{}</text>\n",
        centre.x - kBoxWidth / 2, centre.y - kBoxHeight / 2, kBoxWidth, kBoxHeight, cycle.contains(event) ? 2.5 : 1.0,
        centre.x, centre.y + 4, base::escaped(event_text(event, witness.values)));
  }
  return text + "</svg>\n";
}

}  // namespace weakspot::model
