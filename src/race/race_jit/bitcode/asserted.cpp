// SPDX-License-Identifier: MIT
#include "race_jit/bitcode/asserted.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <optional>
#include <set>

namespace weakspot::race_jit {
namespace {

namespace match = llvm::PatternMatch;

// "blockDim.x" for the special register.
std::optional<std::string> extent_name(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr) return std::nullopt;
  llvm::StringRef name = callee->getName();
  if (!name.consume_front("llvm.nvvm.read.ptx.sreg.")) return std::nullopt;
  if (name.consume_front("ntid.")) return "blockDim." + name.str();
  if (name.consume_front("nctaid.")) return "gridDim." + name.str();
  return std::nullopt;
}

bool multiply(race::Term& term, const llvm::Value* value, unsigned depth = 0) {
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) value = cast->getOperand(0);
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(value)) {
    if (integer->getBitWidth() > 64) return false;
    const std::int64_t number = integer->getSExtValue();
    if (number < -(1 << 20) || number > 1 << 20 || std::abs(term.constant) > 1 << 20) return false;
    term.constant *= number;
    return true;
  }
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value)) {
    if (!argument->getType()->isIntegerTy()) return false;
    const std::string name = argument->getName().str();
    term.names.push_back(name.substr(0, name.find('.')));
    return !term.names.back().empty();
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(value)) {
    const std::optional<std::string> name = extent_name(*call);
    if (name) term.names.push_back(*name);
    return name.has_value();
  }
  const auto* product = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (product == nullptr || depth > 4) return false;
  if (product->getOpcode() == llvm::Instruction::Shl) {
    const auto* shift = llvm::dyn_cast<llvm::ConstantInt>(product->getOperand(1));
    if (shift == nullptr || shift->getZExtValue() > 12) return false;
    term.constant <<= shift->getZExtValue();
    return multiply(term, product->getOperand(0), depth + 1);
  }
  return product->getOpcode() == llvm::Instruction::Mul && multiply(term, product->getOperand(0), depth + 1) &&
         multiply(term, product->getOperand(1), depth + 1);
}

class EqualityFinder {
 public:
  std::vector<std::pair<race::Term, race::Term>> find(const llvm::Function& kernel) {
    for (const llvm::BasicBlock& block : kernel) {
      if (!fails(block)) continue;
      for (const llvm::BasicBlock* from : llvm::predecessors(&block)) leads_to(*from, block);
    }
    return std::move(found_);
  }

 private:
  static bool fails(const llvm::BasicBlock& block) {
    return std::any_of(block.begin(), block.end(), [](const llvm::Instruction& instruction) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
      return callee != nullptr && (callee->getName() == "__assertfail" || callee->getName() == "llvm.trap");
    });
  }

  // The branch is not to be taken to that block.
  void leads_to(const llvm::BasicBlock& from, const llvm::BasicBlock& block) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(from.getTerminator());
    if (branch == nullptr || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return;
    must_be(branch->getCondition(), branch->getSuccessor(1) == &block);
  }

  void must_be(const llvm::Value* value, bool wanted) {
    if (!seen_.insert({value, wanted}).second) return;
    const llvm::Value *a = nullptr, *b = nullptr;
    if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(value)) {
      if (compare->getPredicate() == (wanted ? llvm::CmpInst::ICMP_EQ : llvm::CmpInst::ICMP_NE)) {
        add(compare->getOperand(0), compare->getOperand(1));
      }
    } else if (match::match(value, match::m_Not(match::m_Value(a)))) {
      must_be(a, !wanted);
    } else if (wanted ? match::match(value, match::m_LogicalAnd(match::m_Value(a), match::m_Value(b)))
                      : match::match(value, match::m_LogicalOr(match::m_Value(a), match::m_Value(b)))) {
      must_be(a, wanted);
      must_be(b, wanted);
    } else if (const auto* choice = llvm::dyn_cast<llvm::PHINode>(value)) {
      for (unsigned i = 0; i < choice->getNumIncomingValues(); ++i) {
        const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(choice->getIncomingValue(i));
        if (constant == nullptr) {
          must_be(choice->getIncomingValue(i), wanted);
        } else if (constant->isOne() != wanted) {
          leads_to(*choice->getIncomingBlock(i), *choice->getParent());
        }
      }
    }
  }

  void add(const llvm::Value* a, const llvm::Value* b) {
    race::Term left, right;
    if (!multiply(left, a) || !multiply(right, b)) return;
    if (!left.names.empty() || !right.names.empty()) found_.emplace_back(std::move(left), std::move(right));
  }

  std::vector<std::pair<race::Term, race::Term>> found_;
  std::set<std::pair<const llvm::Value*, bool>> seen_;
};

}  // namespace

std::vector<std::pair<race::Term, race::Term>> asserted_equalities(const llvm::Function& kernel) {
  return EqualityFinder().find(kernel);
}

}  // namespace weakspot::race_jit
