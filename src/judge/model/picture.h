// SPDX-License-Identifier: MIT
// Executions as pictures: threads are columns inside boxes of their scopes, program order runs down, communication goes
// across, and the cycle of a failed check is the one loud thing.
//
// What is shown is chosen once, by picture_of(). The writers lay it out for their medium and need neither the test nor
// the model. Labels never overlap and lines never run through boxes, by construction: see picture/layout.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/limits.h"

namespace weakspot::model {

class Model;
struct Verdict;

struct PictureEvent {
  std::string letter;       // as texts have it: "a", or "init x"
  std::string effect;       // "W y=1"; "x=0" for an initial write
  std::string instruction;  // may be empty
  std::size_t column = 0;
  std::size_t row = 0;  // in the column: initial writes have rows of their own, above those of the threads
  bool initial = false;
  bool loud = false;  // on the cycle
};

struct PictureArrow {
  enum class Tone : std::uint8_t { order, dependency, communication, synchronisation, loud };
  std::size_t from = 0, to = 0;  // indices of events
  std::string label;             // may be empty
  Tone tone = Tone::order;
  bool both_ways = false;
};

// A node of the scope tree, around neighbouring columns.
struct PictureScope {
  std::string label;
  std::size_t depth = 0;  // 0 is the outermost level
  std::size_t first = 0, last = 0;
};

// A step of the story that an allowed execution tells: every event of the threads has one.
struct PictureStep {
  std::size_t event = 0;  // its index
  std::string words;
  bool remarkable = false;  // no interleaving has it so
};

struct Picture {
  std::string test, model, verdict;  // "MP", "ptx", "forbidden"
  std::vector<std::string> remarks;  // the outcome shown, the failed check
  std::vector<std::string> columns;  // titles, "P0"
  std::vector<PictureScope> scopes;  // outer ones first
  std::vector<PictureEvent> events;
  std::vector<PictureArrow> arrows;  // at most one from one event to another; loud ones last
  std::vector<PictureStep> steps;    // empty for a forbidden execution, and where there is no story (picture/telling.h)
  std::size_t initial_rows = 0, rows = 0;
};

// The witness of an allowed verdict, or the counterexample of a forbidden one; none if the verdict, which must have
// been made with JudgeOptions::explain, has neither. The limits are for finding the cycle, which is left out beyond
// them.
std::optional<Picture> picture_of(const Verdict& verdict, const Model& model, std::string_view model_name,
                                  const Limits& limits = {});

// Follows the reader's choice of light or dark, and says in words what it shows.
std::string svg_picture(const Picture& picture);
// Draws on white, with two pixels for a unit of the SVG picture.
std::string png_picture(const Picture& picture);
// Writes positions, so that `neato -n2` keeps the layout; dot makes its own.
std::string dot_picture(const Picture& picture);

struct TextPictureOptions {
  std::size_t width = 80;  // in characters; boxes give up what they say until the picture fits
  bool ascii = false;      // lines of + - | instead of line-drawing characters
};
// Draws with characters. If even boxes with letters alone are too wide, arrows that are not loud become words, and in
// the end the whole picture does.
std::string text_picture(const Picture& picture, const TextPictureOptions& options = {});

}  // namespace weakspot::model
