// SPDX-License-Identifier: MIT
#include "race_jit/lower/site_table.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "race_jit/hooks/hooks.h"

#include "race_jit/bitcode/ptx_origin.h"
#include "race_jit/bitcode/signature.h"

namespace weakspot::race_jit {
namespace {

constexpr unsigned kAtomicOperation = 1, kAtomicCompare = 6;  // arguments of weakspot_atomic

// Whether the value is dead.
bool nobody_looks_at(const llvm::Instruction& instruction) {
  return std::all_of(instruction.user_begin(), instruction.user_end(), [](const llvm::User* user) {
    return (llvm::isa<llvm::CastInst>(user) || llvm::isa<llvm::BinaryOperator>(user)) &&
           nobody_looks_at(*llvm::cast<llvm::Instruction>(user));
  });
}

// Whether the loaded value goes into comparisons alone.
bool decides_branches_only(const llvm::Instruction& instruction) {
  if (!llvm::isa<llvm::LoadInst>(instruction)) return false;
  return std::all_of(instruction.user_begin(), instruction.user_end(),
                     [](const llvm::User* user) { return llvm::isa<llvm::CmpInst>(user); });
}

bool is_in_shared(const llvm::Value* pointer) {
  return llvm::getUnderlyingObject(pointer, 0)->getName().starts_with("shared.");
}

// An address as a sum. Code that comes from PTX computes that of an atomic as a number, and that of a load as a
// pointer.
struct AddressSum {
  std::vector<const llvm::Value*> terms;
  std::int64_t constant = 0;

  explicit AddressSum(const llvm::Value* pointer) {
    add(pointer, 16);
    std::sort(terms.begin(), terms.end());
  }
  bool operator==(const AddressSum&) const = default;

 private:
  void add(const llvm::Value* value, unsigned depth) {
    const auto* element = llvm::dyn_cast<llvm::GEPOperator>(value);
    const bool counts_bytes =
        element != nullptr && element->getNumIndices() == 1 && element->getSourceElementType()->isIntegerTy(8);
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value); number != nullptr) {
      constant += number->getSExtValue();
    } else if (const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
               depth > 0 && (counts_bytes || (sum != nullptr && sum->getOpcode() == llvm::Instruction::Add))) {
      for (const llvm::Use& operand : llvm::cast<llvm::User>(value)->operands()) add(operand.get(), depth - 1);
    } else if (llvm::isa<llvm::PtrToIntOperator>(value) || llvm::isa<llvm::IntToPtrInst>(value) ||
               llvm::isa<llvm::AddrSpaceCastOperator>(value)) {
      add(llvm::cast<llvm::User>(value)->getOperand(0), depth);
    } else {
      terms.push_back(value);
    }
  }
};

// Whether two pointers are computed in the same way from the same values.
bool is_same_address(const llvm::Value* a, const llvm::Value* b) {
  a = a->stripPointerCasts();
  b = b->stripPointerCasts();
  const auto* first = llvm::dyn_cast<llvm::GetElementPtrInst>(a);
  const auto* second = llvm::dyn_cast<llvm::GetElementPtrInst>(b);
  return a == b || (first != nullptr && second != nullptr && first->isIdenticalTo(second)) ||
         AddressSum(a) == AddressSum(b);
}

// The value goes on unchanged, or as the same bits.
bool carries_on(const llvm::User& user) {
  if (llvm::isa<llvm::CastInst>(user) || llvm::isa<llvm::PHINode>(user)) return true;
  // A narrow value as the low half of a wide one.
  if (const auto* half = llvm::dyn_cast<llvm::BinaryOperator>(&user)) {
    return half->getOpcode() == llvm::Instruction::Or &&
           (llvm::isa<llvm::Constant>(half->getOperand(0)) || llvm::isa<llvm::Constant>(half->getOperand(1)));
  }
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&user);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->getName().starts_with("__nv_") && callee->getName().contains("_as_");
}

// Whether the value is what an atomic operation returned, as the same bits.
bool is_from_atomic(const llvm::Value* value) {
  while (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value)) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(instruction);
    const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (callee != nullptr && callee->getName() == "weakspot_atomic") return true;
    if (llvm::isa<llvm::PHINode>(instruction) || !carries_on(*instruction)) return false;
    value = instruction->getOperand(0);
  }
  return false;
}

// How the value of a load is used, through everything that carries it on.
struct LoadedUses {
  bool swapped = false;  // a compare-and-swap of the address compares with it
  bool decides = false;  // a comparison with something else than what that found: the swap may never come
};

void look_at_uses(const llvm::Value& value, const llvm::Value* address, std::set<const llvm::Value*>& seen,
                  LoadedUses& uses) {
  if (!seen.insert(&value).second || seen.size() > 64) return;
  for (const llvm::Use& use : value.uses()) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
    const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (callee != nullptr && callee->getName() == "weakspot_atomic") {
      const auto* operation = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(kAtomicOperation));
      uses.swapped =
          uses.swapped || (operation != nullptr && operation->getZExtValue() == __ws_hook::kCompareExchange &&
                           use.getOperandNo() == kAtomicCompare && is_same_address(call->getArgOperand(0), address));
    } else if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(use.getUser())) {
      uses.decides = uses.decides || !is_from_atomic(compare->getOperand(1 - use.getOperandNo()));
    } else if (carries_on(*use.getUser())) {
      look_at_uses(*use.getUser(), address, seen, uses);
    }
  }
}

// The first read of a loop around a compare-and-swap: a value that is out of date makes the swap fail.
bool is_checked_again(const llvm::LoadInst& load) {
  if (load.isVolatile()) return false;
  std::set<const llvm::Value*> seen;
  LoadedUses uses;
  look_at_uses(load, load.getPointerOperand(), seen, uses);
  return uses.swapped && !uses.decides;
}

// Whether the thread cannot go on without the operand's value. Arithmetic can be put off.
bool waits_for_operands(const llvm::Instruction& instruction) {
  return instruction.mayReadOrWriteMemory() || instruction.isTerminator() || llvm::isa<llvm::CallInst>(instruction);
}

// Whether an instruction that needs the value comes before the next one that may synchronise. A branch on something
// else ends the search, and so does a long way: loops that were unrolled have thousands of loads.
bool is_awaited(const llvm::LoadInst& load) {
  constexpr int kFarthest = 256;
  std::set<const llvm::Value*> derived{&load};
  const llvm::Instruction* at = load.getNextNode();
  for (int steps = 0; steps < kFarthest; ++steps) {
    const bool uses = std::any_of(at->op_begin(), at->op_end(),
                                  [&](const llvm::Use& operand) { return derived.contains(operand.get()); });
    const auto* call = llvm::dyn_cast<llvm::CallInst>(at);
    const bool computes = !waits_for_operands(*at) || llvm::isa_and_nonnull<llvm::IntrinsicInst>(call);
    if (uses && !computes) return true;
    if (call != nullptr && !computes) return false;
    if (uses) derived.insert(at);
    if (!at->isTerminator()) {
      at = at->getNextNode();
      continue;
    }
    const llvm::BasicBlock* next = at->getParent()->getUniqueSuccessor();
    if (next == nullptr) return false;
    at = &next->front();
  }
  return false;
}

}  // namespace

std::string source_path(const llvm::DIFile& file) {
  namespace fs = std::filesystem;
  fs::path path = file.getFilename().str();
  if (path.is_relative() && file.getDirectory() != ".") path = fs::path(file.getDirectory().str()) / path;
  std::error_code ignored;
  const fs::path near = path.lexically_relative(fs::current_path(ignored));
  return near.empty() || near.string().starts_with("..") ? path.string() : near.string();
}

const SiteTable::File& SiteTable::file(const llvm::DIFile& file) {
  auto [known, fresh] = files_.try_emplace(&file);
  if (!fresh) return known->second;
  std::error_code ignored;
  known->second.path = source_path(file);
  const std::string path = std::filesystem::absolute(known->second.path, ignored).string();
  known->second.own = path.find("/lib/clang/") != std::string::npos ||
                      std::any_of(own_folders_.begin(), own_folders_.end(),
                                  [&](const std::string& folder) { return path.starts_with(folder); });
  return known->second;
}

race::SiteId SiteTable::of(const llvm::Instruction& instruction, const llvm::Value* pointer, std::uint64_t size) {
  race::Site site;
  bool inside_own = false;
  for (const llvm::DILocation* at = instruction.getDebugLoc(); at != nullptr; at = at->getInlinedAt()) {
    const File& where = file(*at->getFile());
    race::Place place{where.path, at->getLine(), at->getColumn()};
    if (site.place.line == 0 || inside_own) {
      site.place = std::move(place);
      inside_own = where.own;
      if (const llvm::DISubprogram* function = at->getScope()->getSubprogram()) {
        site.function = function->getName().str();
      }
    } else {
      site.called_from.push_back(std::move(place));
    }
  }
  if (site.place.line == 0) site.function = llvm::demangle(instruction.getFunction()->getName().str());
  if (std::optional<race::PtxOrigin> origin = ptx_origin(instruction)) site.origin = *std::move(origin);
  site.control_only = decides_branches_only(instruction);
  site.ignored = nobody_looks_at(instruction);
  if (pointer != nullptr) {
    site.variable = variable_name(pointer);
    site.shared = is_in_shared(pointer);
  }
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    site.awaited = is_awaited(*load);
    site.checked_again = is_checked_again(*load);
  }
  site.size = static_cast<unsigned>(size);
  if (sites_.size() >= kOverflow) {
    ++unnumbered_;
    if (sites_.size() == kOverflow) sites_.emplace_back();
    return kOverflow;
  }
  sites_.push_back(std::move(site));
  sides_.place(static_cast<race::SiteId>(sites_.size() - 1), instruction);
  gaps_.place(static_cast<race::SiteId>(sites_.size() - 1), instruction);
  return static_cast<race::SiteId>(sites_.size() - 1);
}

void SiteTable::mark_address(race::SiteId site, const llvm::Value* pointer, unsigned size) {
  sites_[site].shared = is_in_shared(pointer);
  sites_[site].size = size;
}

race::Place SiteTable::place_of(const llvm::BasicBlock& block) {
  for (const llvm::Instruction& instruction : block) {
    const llvm::DILocation* at = instruction.getDebugLoc();
    if (at == nullptr || at->getLine() == 0) continue;
    const File& where = file(*at->getFile());
    if (!where.own) return {where.path, at->getLine(), at->getColumn()};
  }
  return {};
}

std::set<std::pair<std::string, unsigned>> SiteTable::lines_of(const llvm::BasicBlock& block) {
  std::set<std::pair<std::string, unsigned>> lines;
  std::set<std::pair<const llvm::DIFile*, unsigned>> seen;
  for (const llvm::Instruction& instruction : block) {
    const llvm::DILocation* at = instruction.getDebugLoc();
    if (at == nullptr || at->getLine() == 0 || !seen.emplace(at->getFile(), at->getLine()).second) continue;
    const File& where = file(*at->getFile());
    if (!where.own) lines.emplace(where.path, at->getLine());
  }
  return lines;
}

std::string variable_name(const llvm::Value* pointer) {
  const llvm::Value* object = llvm::getUnderlyingObject(pointer, 0);
  std::string name = object->getName().str();
  if (llvm::isa<llvm::GlobalVariable>(object)) {
    if (name.starts_with(".str")) return {};
    name = llvm::demangle(source_symbol(name));
    if (const std::size_t colon = name.rfind("::"); colon != std::string::npos) name = name.substr(colon + 2);
    return name;
  }
  if (llvm::isa<llvm::Argument>(object)) return name.substr(0, name.find('.'));
  if (name.starts_with("shared.")) return name.substr(7, name.find('.', 7) - 7);
  return {};
}

}  // namespace weakspot::race_jit
