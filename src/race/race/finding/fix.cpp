// SPDX-License-Identifier: MIT
#include "race/fix.h"

#include <fmt/format.h>

#include <algorithm>

#include "race/report.h"

namespace weakspot::race {
namespace {

std::string line_text(const std::string& of, unsigned line, const std::string& file) {
  return of == file ? fmt::format("line {}", line) : fmt::format("{}:{}", of, line);
}

std::string gap_text(const Gap& gap, const std::string& file) {
  return fmt::format("{} {}", gap.after ? "after" : "before", line_text(gap.file, gap.line, file));
}

std::string about_text(const FixPlace& place, const std::string& file) {
  return line_text(place.about.file, place.about.line, file);
}

// "__threadfence()", without the end of the statement
std::string call_text(const Fix& fix) {
  switch (fix.kind) {
    case FixKind::warp_barrier:
      return "__syncwarp()";
    case FixKind::block_barrier:
      return "__syncthreads()";
    case FixKind::cluster_barrier:
      return "cluster.sync()";
    case FixKind::grid_wait:
      return "cudaGridDependencySynchronize()";
    case FixKind::async_fence:
      return fix.scope == Scope::block ? "fence.proxy.async.shared::cta" : "fence.proxy.async";
    default:
      return fix.scope == Scope::block ? "__threadfence_block()" : "__threadfence()";
  }
}

std::string role_text(const FixPlace& place, const std::string& file) {
  switch (place.role) {
    case FixRole::release:
      return fmt::format(", since the store at {} is not a release", about_text(place, file));
    case FixRole::acquire:
      return fmt::format(", since the load at {} is not an acquire", about_text(place, file));
    case FixRole::lock_taken:
      return fmt::format(", where the lock of {} has been taken", about_text(place, file));
    case FixRole::lock_given:
      return fmt::format(", where it is given back at {}", about_text(place, file));
    default:
      return "";
  }
}

std::string pairs_text(const Fix& fix) {
  return fix.pairs == 2 ? "both pairs of lines" : fmt::format("all {} pairs of lines", fix.pairs);
}

// "put X before line 3", "put X after line 3, since ..., and before line 7, since ..."
std::string insertion_text(const Fix& fix, const std::string& file) {
  const bool in_lock = std::any_of(fix.places.begin(), fix.places.end(), [](const FixPlace& place) {
    return place.role == FixRole::lock_taken || place.role == FixRole::lock_given;
  });
  if (fix.places.empty()) {
    if (fix.kind == FixKind::async_fence) return fmt::format("consider {} {}", call_text(fix), fix.detail);
    return fmt::format("look for a place for {} {} that all threads pass together", call_text(fix), fix.detail);
  }
  std::string text = fmt::format("{} {}", fix.certain ? "put" : "consider", call_text(fix));
  for (std::size_t i = 0; i < fix.places.size(); ++i) {
    const FixPlace& place = fix.places[i];
    text += fmt::format("{} {}{}", i == 0 ? (in_lock ? " inside the lock:" : "") : ", and", gap_text(place.gap, file),
                        role_text(place, file));
  }
  if (fix.pairs > 1) text += ", which orders " + pairs_text(fix);
  return text + fix.detail;
}

// "the one at line 12", "those at line 12 and column 5 of this line"
std::string those_at(const std::vector<const FixPlace*>& places, const Place& here) {
  std::string text = places.size() == 1 ? "the one at " : "those at ";
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Place& place = places[i]->about;
    if (i > 0) text += i + 1 == places.size() ? " and " : ", ";
    const bool same_line = place.file == here.file && place.line == here.line;
    text += same_line ? fmt::format("column {} of this line", place.column) : about_text(*places[i], here.file);
  }
  return text;
}

std::string removal_text(const Fix& fix) {
  const Place& here = fix.places.front().about;
  std::vector<const FixPlace*> others, kept;
  for (auto place = fix.places.begin() + 1; place != fix.places.end(); ++place) {
    (place->role == FixRole::keep ? kept : others).push_back(&*place);
  }
  std::string text = "if these runs are representative, remove it";
  if (!others.empty()) text += fmt::format(" and {}", those_at(others, here));
  if (!kept.empty()) text += fmt::format(", but then keep {}", those_at(kept, here));
  return text;
}

std::string atomic_text(const Fix& fix) {
  return fix.scope == Scope::block ? "an atomic of block scope" : "an atomic of device scope";
}

// Only a person can do it.
std::string hint_text(const Fix& fix, const std::string& file) {
  const std::string at = fix.places.empty() ? "" : about_text(fix.places.front(), file);
  const std::string then = fix.places.size() < 2 ? "" : about_text(fix.places[1], file);
  switch (fix.kind) {
    case FixKind::two_launches:
      return fmt::format("consider two launches instead of one kernel, split {}{}",
                         fix.places.empty() ? fix.detail : gap_text(fix.places.front().gap, file),
                         fix.pairs > 1 ? ", for " + pairs_text(fix) : "");
    case FixKind::own_elements:
      return "consider elements of its own for each block";
    case FixKind::atomic:
      return fmt::format("consider {} at {}{}", atomic_text(fix), at, then.empty() ? "" : " and " + then);
    case FixKind::atomic_read:
      return fmt::format("consider an atomic read at {}, such as atomicAdd(p, 0) or cuda::atomic_ref", at);
    case FixKind::one_writer:
      return fmt::format("consider letting only one thread write at {}", at);
    case FixKind::read_first:
      return fmt::format("consider reading first at {}, then __syncthreads(), then writing", at);
    case FixKind::late_acquire:
      return "consider __threadfence() between reading the flag and reading the data";
    case FixKind::release_acquire:
      if (then.empty()) return "consider an atomic flag, with __threadfence() before it is set and after it is seen";
      return fmt::format(
          "consider cuda::atomic_ref for both: the store at {} is not a release, and the load at {} is "
          "not an acquire",
          at, then);
    case FixKind::release:
      return fmt::format("consider a release at {}: memory_order_release, or __threadfence() before it", at);
    case FixKind::acquire:
      return fmt::format("consider an acquire at {}: memory_order_acquire, or __threadfence() after it", at);
    case FixKind::sc_fences:
      return fmt::format(
          "consider a sequentially consistent fence, such as __threadfence(), between the store at {} and the read at "
          "{}, and in the other thread between its store and its read",
          at, then);
    case FixKind::device_scope:
      return fmt::format("consider device scope at {}{} (atomicAdd instead of atomicAdd_block, thread_scope_device)",
                         at, then.empty() || then == at ? "" : " and " + then);
    case FixKind::same_width:
      return "consider the same width for both accesses of these bytes";
    case FixKind::inside_lock:
      return fmt::format(
          "look at the lock taken at {} and given back at {}: it has its fences, so the two accesses are "
          "not both inside it, or it is not one lock",
          at, then);
    case FixKind::one_stream:
      return "consider one stream for both, or an event of the first that the second stream waits for";
    case FixKind::wait_for_copy:
    case FixKind::wait_for_product:
      return fmt::format("look for where to wait for the {}{}", fix.kind == FixKind::wait_for_copy ? "copy" : "product",
                         fix.detail);
    case FixKind::map_fences:
    case FixKind::tensor_order:
      return "consider " + fix.detail;
    case FixKind::move_barrier:
      return "consider moving the barrier out of the branch, so that all threads meet at one";
    case FixKind::reach_barrier:
      return fmt::format("consider letting every {} reach the barrier, and guarding the work instead", fix.detail);
    case FixKind::live_mask:
      return "consider computing the mask from the lanes that still run";
    case FixKind::first_cluster_barrier:
      return "consider a first cluster.sync(), at which the blocks of the cluster meet before any of them does this";
    case FixKind::last_cluster_barrier:
      return "consider a last cluster.sync(), at which the blocks of the cluster meet before any of them ends";
    case FixKind::check_relation:
      return fmt::format("consider a check of '{}' before the launch", fix.detail);
    default:
      return fix.detail;
  }
}

// "consider A", "consider B" -> "A, or B": said once.
std::string as_alternative(const std::string& text) {
  constexpr std::string_view kConsider = "consider ";
  return text.starts_with(kConsider) ? text.substr(kConsider.size()) : text;
}

}  // namespace

std::string advice_text(const Finding& finding) {
  std::string text;
  for (const Fix& fix : finding.fixes) {
    const std::string one = fix_text(fix, finding.place.file);
    text += text.empty() ? one : ", or " + as_alternative(one);
    if (fix.certain) break;
  }
  return text;
}

std::string advice_sentence(const Finding& finding) {
  if (finding.fixes.empty()) return {};
  return fmt::format(". {} {}", has_fix(finding) ? "To fix it," : "Hint:", advice_text(finding));
}

std::string between_text(const Place& a, const Place& b) {
  if (a.file != b.file) return fmt::format("between {}:{} and {}:{}", a.file, a.line, b.file, b.line);
  if (a.line == b.line) return fmt::format("between one execution of line {} and the next", a.line);
  return fmt::format("between lines {} and {}", std::min(a.line, b.line), std::max(a.line, b.line));
}

std::string fix_code(const Fix& fix) {
  if (fix.kind > FixKind::remove_barrier) return {};
  if (fix.kind == FixKind::remove_barrier) return "__syncthreads();";
  if (fix.kind == FixKind::cluster_barrier) return "cooperative_groups::this_cluster().sync();";
  if (fix.kind == FixKind::async_fence) return fmt::format("asm volatile(\"{};\" ::: \"memory\");", call_text(fix));
  return call_text(fix) + ";";
}

std::string fix_text(const Fix& fix, const std::string& file) {
  if (fix.kind < FixKind::remove_barrier) return insertion_text(fix, file);
  return fix.kind == FixKind::remove_barrier ? removal_text(fix) : hint_text(fix, file);
}

}  // namespace weakspot::race
