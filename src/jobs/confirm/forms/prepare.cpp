// SPDX-License-Identifier: MIT
#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

#include "confirm/confirm.h"
#include "confirm/patch/ptx_patch.h"
#include "race/classes.h"
#include "race/kernel_names.h"
#include "system/temporary_folder.h"

namespace weakspot::confirm {
namespace {

using race::Finding;
using Spots = std::vector<Spot>;

bool is_write(race::Act act) {
  using enum race::Act;
  return act == write || act == atomic_write || act == volatile_write || act == asynchronous_write;
}

// "tiles" of "_Z5tilesPKiS0_Pi"; the symbol itself if it is not mangled.
std::string readable_name(const std::string& symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  const std::string name = status == 0 && text != nullptr ? text : symbol;
  std::free(text);  // NOLINT: that is how it is given back
  // The parameters; arguments of templates may have brackets of their own.
  int depth = 0;
  for (std::size_t i = name.size(); status == 0 && i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] == '(' && --depth == 0) {
      const std::string head = name.substr(0, i);
      const std::size_t blank = head.find('<') == std::string::npos ? head.rfind(' ') : head.find(' ');
      const bool typed = blank != std::string::npos && blank < head.find('<');
      return typed ? head.substr(blank + 1) : head;
    }
  }
  return name;
}

// The symbol of the finding's kernel among those that are launched; empty if there is none.
std::string launched_symbol(const capture::Capture& capture, const std::string& kernel) {
  std::set<std::string> symbols;
  for (const capture::Capture::Launch& launch : capture.launches) symbols.insert(launch.kernel);
  for (const std::string& symbol : symbols) {
    if (symbol == kernel || race::names_kernel(kernel, readable_name(symbol))) return symbol;
  }
  return {};
}

AccessPlace access_of(const race::Place& place, const race::PtxOrigin& origin, const race::Actor& actor,
                      std::optional<race::Space> space, bool own_ptx, bool own_lines) {
  AccessPlace access{place, 0, is_write(actor.act), space};
  if (own_ptx) access.ptx_line = origin.instruction.line != 0 ? origin.instruction.line : own_lines ? place.line : 0;
  return access;
}

Site site_of(const race::Place& place, const race::Actor& actor, const PtxText& ptx, const Spots& spots) {
  Site site{place, race::actor_text(actor), {}, NoDelay::none};
  for (const Spot& spot : spots) site.lines.push_back(ptx.line_of(spot));
  if (spots.empty()) site.no_delay = NoDelay::not_in_ptx;
  if (!actor.thread.kernel.empty()) site.no_delay = NoDelay::other_launch;
  return site;
}

// Findings worse than a hint, each pair by itself: its class and lines.
using FaultKey = std::tuple<race::ClassId, unsigned, unsigned>;
void add_faults(const std::vector<Finding>& findings, std::multiset<FaultKey>& faults) {
  for (const Finding& finding : findings) {
    if (finding.severity == race::Severity::hint) continue;
    const unsigned line = finding.place.line, other = finding.other ? finding.other->line : 0;
    faults.insert({finding.finding_class, std::min(line, other), std::max(line, other)});
    add_faults(finding.also, faults);
  }
}
std::multiset<FaultKey> faults_of(const race::Report& report) {
  std::multiset<FaultKey> faults;
  add_faults(report.findings, faults);
  return faults;
}

class FormMaker {
 public:
  FormMaker(const Finding& finding, capture::Capture capture, bool own_ptx, std::chrono::nanoseconds delay,
            const Checker& checker)
      : finding_(finding), own_ptx_(own_ptx), checker_(checker) {
    prepared_.capture = std::move(capture);
    prepared_.delay = static_cast<std::uint64_t>(delay.count());
  }

  base::Result<Prepared> make() {
    Subject& subject = prepared_.subject;
    subject.finding_class = std::string(race::class_of(finding_.finding_class).id);
    subject.message = finding_.message;
    subject.kernel = finding_.kernel;
    subject.launch = finding_.launch;
    subject.same_value = finding_.finding_class == race::ClassId::w1;
    symbol_ = launched_symbol(prepared_.capture, finding_.kernel);
    if (symbol_.empty()) {
      return base::error(fmt::format("the capture has no launch of kernel '{}'", finding_.kernel));
    }
    for (const capture::Capture::Launch& launch : prepared_.capture.launches) {
      if (launch.kernel == symbol_) module_ = launch.module;
    }
    const capture::Capture::Module module = prepared_.capture.modules[module_];
    base::Result<PtxText> ptx = PtxText::read(module.name, module.ptx);
    if (!ptx) return ptx.errors();
    const bool own_lines = ptx->module().locations.empty();
    const Actor actors[] = {*finding_.actor, *finding_.other_actor};
    const race::Place places[] = {finding_.place, *finding_.other};
    const race::PtxOrigin origins[] = {finding_.origin, finding_.other_origin};
    for (unsigned i = 0; i < 2; ++i) {
      sites_.push_back(
          ptx->accesses(symbol_, access_of(places[i], origins[i], actors[i], finding_.space, own_ptx_, own_lines)));
      subject.sites[i] = site_of(places[i], actors[i], *ptx, sites_[i]);
    }
    prepared_.forms.push_back({FormKind::original, 0, module_});
    if (subject.same_value) return std::move(prepared_);
    if (checker_) original_ = check(ptx->text());
    subject.only_reason = original_ && !own_lines && is_only_fault() && !depends_on_order(ptx->module(), symbol_);
    add_delays(*ptx, actors, FormKind::delayed, sites_);
    repair(*ptx);
    if (subject.no_repair != NoRepair::none) return std::move(prepared_);
    // The accesses are found again, behind what was put between them.
    base::Result<PtxText> repaired = PtxText::read("repaired.ptx", prepared_.capture.modules.back().ptx);
    if (!repaired) return repaired.errors();
    add_delays(*repaired, actors, FormKind::repaired_delayed, moved_sites());
    return std::move(prepared_);
  }

 private:
  using Actor = race::Actor;

  std::size_t add_module(std::string name, std::string ptx) {
    prepared_.capture.modules.push_back({std::move(name), std::move(ptx)});
    return prepared_.capture.modules.size() - 1;
  }

  void add_delays(const PtxText& ptx, const Actor (&actors)[2], FormKind kind, const std::vector<Spots>& sites) {
    for (unsigned i = 0; i < 2; ++i) {
      if (prepared_.subject.sites[i].no_delay != NoDelay::none) continue;
      std::optional<std::string> text;
      if (share_warp(actors)) text = with_lane_delay(ptx, sites[i], actors[i].thread, prepared_.delay);
      if (!text) text = with_delay(ptx, sites[i], actors[i].thread, prepared_.delay);
      const char* name = kind == FormKind::delayed ? "delayed" : "repaired-delayed";
      prepared_.forms.push_back({kind, i, add_module(fmt::format("{}-{}.ptx", name, i + 1), *std::move(text))});
    }
  }

  bool share_warp(const Actor (&actors)[2]) const {
    // A finding may show a thread of each of two blocks that did the same.
    const bool in_block = finding_.space == race::Space::shared;
    if (!in_block && !actors[0].thread.shares_block(actors[1].thread)) return false;
    std::uint64_t warps[2] = {};
    for (const capture::Capture::Launch& launch : prepared_.capture.launches) {
      if (launch.kernel != symbol_) continue;
      const race::Extent& block = launch.shape.block;
      for (unsigned i = 0; i < 2; ++i) {
        const auto& at = actors[i].thread.thread.at;
        warps[i] = ((std::uint64_t{at[2]} * block.y + at[1]) * block.x + at[0]) / 32;
      }
    }
    return warps[0] == warps[1];
  }

  // Instructions behind those that were put in have other numbers.
  std::vector<Spots> moved_sites() const {
    std::vector<Spots> moved = sites_;
    for (Spots& spots : moved) {
      for (Spot& spot : spots) {
        const std::size_t before =
            static_cast<std::size_t>(std::count_if(inserted_.begin(), inserted_.end(), [&](const Spot& other) {
              return other.function == spot.function && other.at <= spot.at;
            }));
        spot.at += before * instructions_;
      }
    }
    return moved;
  }

  void repair(const PtxText& ptx) {
    Subject& subject = prepared_.subject;
    subject.no_repair = NoRepair::not_in_ptx;
    if (original_ && original_->empty()) return;
    subject.no_repair = NoRepair::no_fix;
    if (finding_.fixes.empty()) return;
    const race::Fix& fix = finding_.fixes.front();
    subject.repair = repair_instruction(fix);
    if (subject.repair.empty()) return;
    // A barrier that is a hint has no place, and counts if the checker agrees with one.
    if (!fix.certain && !checker_) return;
    instructions_ = static_cast<std::size_t>(std::count(subject.repair.begin(), subject.repair.end(), ';'));
    std::vector<Spots> candidates;
    if (fix.places.size() > 1) {
      Spots all;
      for (const race::FixPlace& place : fix.places) {
        const std::vector<Spots> places = ptx.places_for(symbol_, place.gap, {});
        if (!places.empty()) all.insert(all.end(), places.front().begin(), places.front().end());
      }
      if (all.size() >= fix.places.size()) candidates.push_back(std::move(all));
    } else {
      const race::Gap gap = fix.places.empty() ? race::Gap{} : fix.places.front().gap;
      candidates = ptx.places_for(symbol_, gap, sites_);
    }
    subject.no_repair = candidates.empty() ? NoRepair::no_place : NoRepair::still_found;
    for (const Spots& spots : candidates) {
      const std::string text = with_instruction(ptx, spots, subject.repair);
      const std::optional<bool> good = is_repaired(text);
      if (good == false || (!good && !fix.certain)) continue;
      inserted_ = spots;
      for (const Spot& spot : spots) subject.repair_lines.push_back(ptx.line_of(spot));
      subject.no_repair = NoRepair::none;
      subject.repair_checked = good.value_or(false);
      prepared_.forms.push_back({FormKind::repaired, 0, add_module("repaired.ptx", text)});
      return;
    }
  }

  // Whether all faults of the launch are pairs of this finding.
  bool is_only_fault() const {
    std::multiset<FaultKey> own;
    add_faults({finding_}, own);
    const auto is_own = [&](const FaultKey& key) { return own.contains(key); };
    return !original_->empty() && std::all_of(original_->begin(), original_->end(), is_own);
  }

  // Whether the checker finds less in it, and nothing new; nothing if it cannot say.
  std::optional<bool> is_repaired(const std::string& ptx) {
    if (!original_) return std::nullopt;
    const std::optional<std::multiset<FaultKey>> repaired = check(ptx);
    if (!repaired) return std::nullopt;
    const std::multiset<FaultKey>& before = *original_;
    if (repaired->size() >= before.size()) return false;
    // Lines of the text itself move.
    const bool has_source = own_lines_known_;
    return !has_source || std::includes(before.begin(), before.end(), repaired->begin(), repaired->end());
  }

  std::optional<std::multiset<FaultKey>> check(const std::string& ptx) {
    capture::Capture one = prepared_.capture;
    one.modules.resize(std::max(module_ + 1, modules_of_launches()));
    one.modules[module_].ptx = ptx;
    own_lines_known_ = ptx.find(".loc") != std::string::npos;
    const base::TemporaryFolder folder;
    if (folder.path().empty() || !capture::write_files(capture::files_of(one), folder.path().string())) return {};
    const base::Result<race::Report> report = checker_(folder.path().string());
    if (!report || !report->incomplete.empty()) return {};
    return faults_of(*report);
  }

  std::size_t modules_of_launches() const {
    std::size_t count = 0;
    for (const capture::Capture::Launch& launch : prepared_.capture.launches)
      count = std::max(count, launch.module + 1);
    return count;
  }

  const Finding& finding_;
  bool own_ptx_;
  const Checker& checker_;
  Prepared prepared_;
  std::string symbol_;
  std::size_t module_ = 0;
  std::vector<Spots> sites_;
  Spots inserted_;
  std::size_t instructions_ = 0;  // of the repair
  bool own_lines_known_ = false;
  std::optional<std::multiset<FaultKey>> original_;  // none: the checker cannot say
};

}  // namespace

base::Result<Prepared> prepare(const race::Finding& finding, capture::Capture capture, bool own_ptx,
                               std::chrono::nanoseconds delay, const Checker& checker) {
  const bool two = finding.kind == race::FindingKind::race && finding.other && finding.actor && finding.other_actor;
  if (!two) {
    return base::error(fmt::format("finding of class {}: only races between two accesses can be delayed",
                                   race::class_of(finding.finding_class).id));
  }
  return FormMaker(finding, std::move(capture), own_ptx, delay, checker).make();
}

}  // namespace weakspot::confirm
