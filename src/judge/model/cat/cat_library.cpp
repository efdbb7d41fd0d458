// SPDX-License-Identifier: MIT
#include "model/cat/cat_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/check.h"
#include "base/source.h"

namespace weakspot::model::cat {
namespace {

struct LibraryFile {
  std::string_view name;
  std::string_view text;
};

constexpr LibraryFile kFiles[] = {
    {"stdlib.cat", R"cat("Standard library"

let emptyset = domain(0)

(* Program order and communication. *)
let po-loc = po & loc
let rfe = rf & ext
let rfi = rf & int
let coe = co & ext
let coi = co & int
let fr = rf^-1; co
let fre = fr & ext
let fri = fr & int
let ca = fr | co

(* Initial writes come first; the engine's coherence orders contain this. *)
let co0 = loc & (IW * (W \ IW))
let pco = co0
(* Final writes. *)
let FW = W \ domain(co)

let PoD = B
let BR = B

let toid(s) = [s]
let fencerel(s) = (po & (_ * s)); po
let ctrlcfence(dep, s) = (dep & (_ * s)); po
let imply(a, b) = ~a | b
let nodetour(r, s, t) = r \ (s; t)
let singlestep(r) = nodetour(r, r, r)
let udr(r) = domain(r) | range(r)

procedure subseteq(a, b) = empty (a \ b) end
procedure inclusion(r, s) = empty (r \ s) end
procedure total(r, s) = empty (s * s) \ (r | r^-1) end

let map f =
  let rec walk s = match s with || {} -> {} || e ++ rest -> f e ++ walk rest end in
  walk
let fold f =
  let rec walk (s, y) = match s with || {} -> y || e ++ rest -> walk (rest, f (e, y)) end in
  walk
)cat"},
    {"cos.cat", R"cat("Total coherence"
with co from generate_cos(co0)
let coe = co & ext
let coi = co & int
let invrf = rf^-1
let fr = rf^-1; co
let fre = fr & ext
let fri = fr & int
let ca = fr | co
show co, fr
)cat"},
    {"filters.cat", R"cat("Filters"
let P = M \ A
let WW(r) = r & (W * W)
let WR(r) = r & (W * R)
let RW(r) = r & (R * W)
let RR(r) = r & (R * R)
let RM(r) = r & (R * M)
let MR(r) = r & (M * R)
let WM(r) = r & (W * M)
let MW(r) = r & (M * W)
let MM(r) = r & (M * M)
let AA(r) = r & (A * A)
let AP(r) = r & (A * P)
let PA(r) = r & (P * A)
let PP(r) = r & (P * P)
let AM(r) = r & (A * M)
let MA(r) = r & (M * A)
let noid(r) = r \ id
let atom = [A]
)cat"},
    {"x86fences.cat", R"cat("x86 fences"
let mfence = fencerel(MFENCE)
let sfence = fencerel(SFENCE)
let lfence = fencerel(LFENCE)
)cat"},
    {"aarch64fences.cat", R"cat("AArch64 fences"
let dmb.full = DMB.SY | DMB.ISH | DMB.OSH | DMB.NSH
let dmb.ld = DMB.LD | DMB.ISHLD | DMB.OSHLD | DMB.NSHLD
let dmb.st = DMB.ST | DMB.ISHST | DMB.OSHST | DMB.NSHST
let dsb.full = DSB.SY | DSB.ISH | DSB.OSH | DSB.NSH
let dsb.ld = DSB.LD | DSB.ISHLD | DSB.OSHLD | DSB.NSHLD
let dsb.st = DSB.ST | DSB.ISHST | DSB.OSHST | DSB.NSHST
)cat"},
    {"fences.cat", R"cat("Fences"
include "x86fences.cat"
include "aarch64fences.cat"
)cat"},
};

const LibraryFile* find(std::string_view name) {
  const auto* at =
      std::find_if(std::begin(kFiles), std::end(kFiles), [&](const auto& file) { return file.name == name; });
  return at == std::end(kFiles) ? nullptr : at;
}

}  // namespace

bool has_library_file(std::string_view name) { return find(name) != nullptr; }

base::Source library_source(std::string_view name) {
  const LibraryFile* file = find(name);
  WEAKSPOT_CHECK(file != nullptr);
  return base::Source(fmt::format("<library>/{}", name), std::string(file->text));
}

}  // namespace weakspot::model::cat
