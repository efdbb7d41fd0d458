// SPDX-License-Identifier: MIT
#include "prove/repair/places.h"

#include <algorithm>

#include "prove/repair/cuda_places.h"

namespace weakspot::prove {
namespace {

// A line that would be left empty goes.
TextEdit left_out(std::string_view text, const SourcePlace& place) {
  const std::size_t line_end = std::min(text.find('\n', place.end), text.size());
  const bool alone = begins_line(text, place.begin) &&
                     text.substr(place.end, line_end - place.end).find_first_not_of(" \t\r") == std::string_view::npos;
  if (!alone || line_end == text.size()) return {place.begin, place.end, ""};
  return {place.begin - indent_at(text, place.begin).size(), line_end + 1, ""};
}

// Only the forms from `first` to `last`.
SourcePlace with_forms(const SourcePlace& place, std::size_t first, std::size_t last) {
  SourcePlace made = place;
  made.forms.all.assign(place.forms.all.begin() + static_cast<std::ptrdiff_t>(first),
                        place.forms.all.begin() + static_cast<std::ptrdiff_t>(last));
  return made;
}

// The forms that are stronger than the written one, without those that say no more than the launch's threads can tell.
void add_stronger(const SourcePlace& place, const std::vector<WordScope>& scopes, std::vector<SourcePlace>& stronger) {
  if (place.kind == SourcePlace::Kind::gap) {
    stronger.push_back(place);
    return;
  }
  SourcePlace made = place;
  const Form written = place.forms.all[place.forms.written];
  std::erase_if(made.forms.all, [&](const Form& form) {
    const bool useful = form.scope == WordScope::none || form.scope <= written.scope ||
                        std::find(scopes.begin(), scopes.end(), form.scope) != scopes.end() ||
                        (form.scope == WordScope::system && written.scope == WordScope::system);
    return form.text == written.text || !at_most_as_strong(written, form) || !useful;
  });
  if (!made.forms.all.empty()) stronger.push_back(std::move(made));
}

}  // namespace

std::vector<TextEdit> edits_for(std::string_view text, const SourcePlace& place, const Form& form, Layout layout) {
  if (place.kind != SourcePlace::Kind::gap) {
    if (form.text.empty() && layout == Layout::own_lines && !place.wraps) return {left_out(text, place)};
    return {{place.begin, place.end, form.text.empty() && place.wraps ? ";" : form.text}};
  }
  const bool before = place.side == SourcePlace::Side::before;
  if (place.wraps) {
    if (before) return {{place.begin, place.begin, "{ " + form.text + " "}, {place.end, place.end, " }"}};
    return {{place.begin, place.begin, "{ "}, {place.end, place.end, " " + form.text + " }"}};
  }
  if (layout == Layout::same_lines) {
    return before ? std::vector<TextEdit>{{place.begin, place.begin, form.text + " "}}
                  : std::vector<TextEdit>{{place.end, place.end, " " + form.text}};
  }
  const std::string indent = indent_at(text, place.begin);
  if (before && begins_line(text, place.begin)) return {{place.begin, place.begin, form.text + "\n" + indent}};
  if (before) return {{place.begin, place.begin, form.text + " "}};
  return {{place.end, place.end, "\n" + indent + form.text}};
}

SourcePlaces source_places(const residual::Residual& residual, const std::string& file, std::string_view text,
                           bool of_ptx) {
  const UsedPlaces used = used_places(residual, file, text);
  const WrittenPlaces written = of_ptx ? ptx_places(text, used) : cuda_places(text, used);
  SourcePlaces places;
  places.elsewhere = written.elsewhere;
  for (const SourcePlace& place : written.all) {
    add_stronger(place, used.scopes, places.stronger);
    if (place.kind != SourcePlace::Kind::gap && place.forms.written > 0) {
      // Forms that cost no less may lie beside the written one: only weaker ones are of use.
      SourcePlace made = with_forms(place, 0, place.forms.written + 1);
      const Form own = made.forms.all.back();
      std::erase_if(made.forms.all, [&](const Form& form) { return !at_most_as_strong(form, own); });
      made.forms.written = made.forms.all.size() - 1;
      if (made.forms.written > 0) places.present.push_back(std::move(made));
    }
  }
  return places;
}

}  // namespace weakspot::prove
