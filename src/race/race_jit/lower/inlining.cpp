// SPDX-License-Identifier: MIT
#include "race_jit/lower/inlining.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <vector>

namespace weakspot::race_jit {
namespace {

bool may_be_inlined(llvm::Function& function) {
  return function.hasInternalLinkage() && !function.hasFnAttribute(llvm::Attribute::NoInline) &&
         !function.hasFnAttribute(llvm::Attribute::OptimizeNone) && llvm::isInlineViable(function).isSuccess();
}

// The functions with bodies, each behind those that it calls. Those that may be inlined are marked so.
std::vector<llvm::Function*> callees_first(llvm::Module& module) {
  std::vector<llvm::Function*> order;
  llvm::CallGraph graph(module);
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component) {
    for (llvm::CallGraphNode* node : *component) {
      llvm::Function* function = node->getFunction();
      if (function == nullptr || function->isDeclaration()) continue;
      order.push_back(function);
      if (!component.hasCycle() && may_be_inlined(*function)) function->addFnAttr(llvm::Attribute::AlwaysInline);
    }
  }
  return order;
}

// The last call first: what stands behind a call in its block is moved, and that is then little.
void inline_calls_of(llvm::Function& function) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (callee == nullptr || callee->isDeclaration() || !callee->hasFnAttribute(llvm::Attribute::AlwaysInline))
      continue;
    calls.push_back(call);
  }
  for (llvm::CallBase* call : llvm::reverse(calls)) {
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info, /*MergeAttributes=*/true, /*CalleeAAR=*/nullptr, /*InsertLifetime=*/false);
  }
}

}  // namespace

// Callees first, and without their stack slots before they are copied: wrappers of templates nest dozens deep, and
// copied as clang writes them they make a kernel a hundred times as large as what is left of it.
void inline_functions(llvm::Module& module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::FunctionPassManager slots;
  slots.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  llvm::GlobalDCEPass().run(module, modules);
  for (llvm::Function* function : callees_first(module)) {
    inline_calls_of(*function);
    functions.invalidate(*function, slots.run(*function, functions));
    functions.clear(*function, function->getName());
  }
  llvm::GlobalDCEPass().run(module, modules);
}

}  // namespace weakspot::race_jit
