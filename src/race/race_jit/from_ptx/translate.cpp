// SPDX-License-Identifier: MIT
#include "race_jit/from_ptx/translate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBufferRef.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <set>

#include "base/file.h"
#include "json/json.h"
#include "race/ptx_text.h"
#include "race_jit/bitcode/ptx_origin.h"
#include "race_jit/bitcode/shared_layout.h"
#include "race_jit/bitcode/signature.h"
#include "race_jit/from_ptx/function_translator.h"
#include "race_jit/from_ptx/places.h"

namespace weakspot::race_jit {
namespace {

namespace ptx = race::ptx;

constexpr unsigned kSharedSpace = 3;
constexpr const char* kTriple = "nvptx64-nvidia-cuda";
constexpr const char* kLayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64";

class ModuleTranslator {
 public:
  ModuleTranslator(const ptx::Module& from, const base::Source& source, const PtxOptions& options)
      : from_(from), source_(source), options_(options), module_("ptx", context_) {
    module_.setTargetTriple(kTriple);
    module_.setDataLayout(kLayout);
    places_ = std::make_unique<PtxPlaces>(module_, from, source, options.source);
    read_notes();
  }

  base::Result<std::string> run() {
    note_architecture();
    for (const ptx::Variable& variable : from_.variables) declare(variable, variable.name);
    for (const ptx::Function& function : from_.functions) {
      for (const ptx::Variable& variable : function.variables) {
        if (variable.space == ptx::Space::parameter || variable.space == ptx::Space::local) continue;
        declare(variable, function.name + " " + variable.name);
      }
    }
    for (const ptx::Function& function : from_.functions) declare(function);
    if (uses_special("%envreg")) declare(workspace_, kGridWorkspace);
    if (uses_special(kReservedOffset)) declare(reserved_, kReservedShared);
    set_initial_values();
    if (!errors_.empty()) return std::move(errors_);
    for (const auto& [name, callee] : functions_) {
      if (callee.from->defined) FunctionTranslator(callee, functions_, variables_, *places_).run();
    }
    places_->finish();
    note_instructions();
    std::string problems;
    llvm::raw_string_ostream stream(problems);
    if (llvm::verifyModule(module_, &stream)) {
      return base::error_in(source_.name(), "the translated kernels are not valid: " + problems,
                            base::ErrorKind::environment);
    }
    std::string bitcode;
    llvm::raw_string_ostream out(bitcode);
    llvm::WriteBitcodeToFile(module_, out);
    out.flush();
    return bitcode;
  }

 private:
  llvm::Type* integer(std::uint64_t bytes) {
    return llvm::IntegerType::get(context_, static_cast<unsigned>(8 * bytes));
  }

  // Keeps all lists but that of parameters, which is used here.
  void read_notes() {
    if (options_.notes.empty()) return;
    const llvm::MemoryBufferRef buffer(options_.notes, "notes");
    llvm::Expected<std::unique_ptr<llvm::Module>> notes = llvm::parseBitcodeFile(buffer, context_);
    if (!notes) return llvm::consumeError(notes.takeError());
    for (const llvm::NamedMDNode& list : (*notes)->named_metadata()) {
      for (const llvm::MDNode* words : list.operands()) {
        if (list.getName() != "weakspot.parameters") {
          module_.getOrInsertNamedMetadata(list.getName())->addOperand(const_cast<llvm::MDNode*>(words));
          continue;
        }
        std::vector<std::string> names;
        for (const llvm::MDOperand& word : words->operands()) {
          names.push_back(llvm::cast<llvm::MDString>(word)->getString().str());
        }
        const std::string symbol = names.front();
        names.erase(names.begin());
        parameter_names_[symbol] = std::move(names);
      }
    }
  }

  // "sm_90a": the number, for what depends on it.
  void note_architecture() {
    for (const std::string& target : from_.target) {
      if (!target.starts_with("sm_")) continue;
      const std::string digits = target.substr(3, target.find_first_not_of("0123456789", 3) - 3);
      module_.getOrInsertNamedMetadata("weakspot.architecture")
          ->addOperand(llvm::MDNode::get(context_, {llvm::MDString::get(context_, digits)}));
    }
  }

  // Whether a special register is moved somewhere.
  bool uses_special(const std::string& prefix) const {
    return std::any_of(from_.functions.begin(), from_.functions.end(), [&](const ptx::Function& function) {
      return std::any_of(function.body.begin(), function.body.end(), [&](const ptx::Instruction& instruction) {
        return instruction.operands.size() == 2 && instruction.operands[1].name.starts_with(prefix);
      });
    });
  }

  void note_instructions() {
    std::uint64_t count = 0;
    for (const auto& [name, callee] : functions_) count += callee.from->body.size();
    note_ptx_instructions(module_, count);
  }

  void declare(const ptx::Variable& variable, const std::string& key) {
    const bool shared = variable.space == ptx::Space::shared;
    auto* type = llvm::ArrayType::get(integer(variable.element()), variable.count);
    const bool outside = variable.count == 0 || variable.external;
    auto* made = new llvm::GlobalVariable(
        module_, type, variable.space == ptx::Space::constant && !outside, llvm::GlobalValue::ExternalLinkage,
        outside  ? nullptr
        : shared ? static_cast<llvm::Constant*>(llvm::UndefValue::get(type))
                 : llvm::Constant::getNullValue(type),
        variable.name, nullptr, llvm::GlobalValue::NotThreadLocal, shared ? kSharedSpace : 0);
    made->setAlignment(llvm::Align(std::max<std::uint64_t>({variable.alignment, variable.element(), 1})));
    if (llvm::GlobalVariable*& known = variables_[key]; known == nullptr) known = made;
    if (!variable.initial.empty()) initialised_.emplace_back(made, &variable);
  }

  // After all variables are known, since one may hold the address of another.
  void set_initial_values() {
    for (const auto& [global, variable] : initialised_) {
      auto* type = llvm::cast<llvm::ArrayType>(global->getValueType());
      std::vector<llvm::Constant*> values(variable->count, llvm::Constant::getNullValue(type->getElementType()));
      for (std::size_t i = 0; i < variable->initial.size(); ++i) {
        if (llvm::Constant* value = initial_value(*variable, variable->initial[i], type->getElementType())) {
          values[i] = value;
        }
      }
      global->setInitializer(llvm::ConstantArray::get(type, values));
    }
  }

  llvm::Constant* initial_value(const ptx::Variable& variable, const ptx::Initial& from, llvm::Type* type) {
    if (from.symbol.empty()) {
      const auto real = std::bit_cast<double>(from.bits);
      const bool narrow = from.real && type->isIntegerTy(32);
      return llvm::ConstantInt::get(type, narrow ? std::bit_cast<std::uint32_t>(static_cast<float>(real)) : from.bits);
    }
    auto found = variables_.find(from.symbol);
    if (found == variables_.end() || !type->isIntegerTy(64) || found->second->getAddressSpace() != 0) {
      errors_.push_back(base::error_at(
          source_, variable.span,
          fmt::format("the initial value '{}' is not the address of a variable in global memory", from.symbol)));
      return nullptr;
    }
    llvm::Constant* address = llvm::ConstantExpr::getPtrToInt(found->second, type);
    return llvm::ConstantExpr::getAdd(address, llvm::ConstantInt::get(type, from.bits));
  }

  void declare(const ptx::Function& function) {
    if (auto known = functions_.find(function.name); known != functions_.end()) {
      if (function.defined) known->second.from = &function;
      return;
    }
    llvm::Type* result = llvm::Type::getVoidTy(context_);
    if (function.results.size() == 1 && !by_pointer(function)) result = integer(function.results[0].size());
    const std::set<std::size_t> pointers = function.entry ? pointer_parameters(function) : std::set<std::size_t>();
    std::vector<llvm::Type*> types;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const ptx::Variable& parameter = function.parameters[i];
      const bool pointer = pointers.contains(i) || !is_scalar(parameter);
      types.push_back(pointer ? llvm::PointerType::get(context_, 0) : scalar_type(function, parameter));
    }
    if (by_pointer(function)) types.resize(types.size() + function.results.size(), llvm::PointerType::get(context_, 0));
    auto* made = llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                                        llvm::GlobalValue::ExternalLinkage, function.name, module_);
    for (unsigned i = 0; i < function.parameters.size(); ++i) {
      const ptx::Variable& parameter = function.parameters[i];
      made->getArg(i)->setName(name_of_parameter(function, i));
      if (is_scalar(parameter)) continue;
      llvm::Type* bytes = llvm::ArrayType::get(integer(1), parameter.size());
      made->addParamAttr(i, llvm::Attribute::getWithByValType(context_, bytes));
      const std::uint64_t alignment = std::max<std::uint64_t>({parameter.alignment, parameter.element(), 1});
      // The place of the argument in a buffer; its copy for a launch may lie anywhere.
      made->addParamAttr(i, llvm::Attribute::get(context_, "weakspot-alignment", std::to_string(alignment)));
    }
    functions_[function.name] = {made, &function};
    if (function.entry) describe_kernel(*made, function);
  }

  llvm::Type* scalar_type(const ptx::Function& function, const ptx::Variable& parameter) {
    if (function.entry && parameter.type == "f32") return llvm::Type::getFloatTy(context_);
    if (function.entry && parameter.type == "f64") return llvm::Type::getDoubleTy(context_);
    return integer(parameter.size());
  }

  std::string name_of_parameter(const ptx::Function& function, unsigned number) const {
    auto known = parameter_names_.find(function.name);
    const bool has = known != parameter_names_.end() && known->second.size() == function.parameters.size() &&
                     !known->second[number].empty();
    return has ? known->second[number] : short_name(function, function.parameters[number].name);
  }

  // "k_param_0" is long and says nothing more than "param_0".
  static std::string short_name(const ptx::Function& function, const std::string& name) {
    const std::string prefix = function.name + "_";
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
  }

  // Parameters that say that they are pointers, whose type in the mangled name is one, that are converted as addresses,
  // or that an access uses as one.
  static std::set<std::size_t> pointer_parameters(const ptx::Function& function) {
    std::set<std::size_t> pointers;
    const Signature signature = parse_signature(llvm::demangle(source_symbol(function.name)));
    std::map<std::size_t, std::size_t> holding;  // registers, with their parameters
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const ptx::Variable& parameter = function.parameters[i];
      if (parameter.size() != 8 || !is_scalar(parameter)) continue;
      const bool typed = i < signature.parameters.size() &&
                         (signature.parameters[i].ends_with('*') || signature.parameters[i].ends_with('&'));
      if (parameter.pointer || typed) pointers.insert(i);
    }
    for (const ptx::Instruction& instruction : function.body) {
      const std::vector<ptx::Operand>& operands = instruction.operands;
      if (instruction.name() == "ld" && instruction.has("param") && operands.size() == 2 && operands[1].number == 0 &&
          operands[0].kind == ptx::Operand::Kind::reg) {
        for (std::size_t i = 0; i < function.parameters.size(); ++i) {
          const bool whole = function.parameters[i].size() == 8 && is_scalar(function.parameters[i]);
          if (whole && function.parameters[i].name == operands[1].name) holding[operands[0].reg] = i;
        }
      }
      const bool converts = instruction.name() == "cvta" && instruction.has("to");
      for (const ptx::Operand& operand : operands) {
        auto held = holding.find(operand.reg);
        if (held == holding.end()) continue;
        if (operand.kind == ptx::Operand::Kind::address || (converts && &operand == &operands.back())) {
          pointers.insert(held->second);
        }
      }
    }
    return pointers;
  }

  void describe_kernel(llvm::Function& kernel, const ptx::Function& from) {
    auto note = [&](const char* word, std::uint64_t number) {
      auto* value = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), number);
      module_.getOrInsertNamedMetadata("nvvm.annotations")
          ->addOperand(
              llvm::MDNode::get(context_, {llvm::ValueAsMetadata::get(&kernel), llvm::MDString::get(context_, word),
                                           llvm::ValueAsMetadata::get(value)}));
    };
    note("kernel", 1);
    for (const char* word : {"maxntid", "reqntid"}) {
      auto found = from.directives.find(word);
      if (found == from.directives.end()) continue;
      std::uint64_t threads = 1;
      for (const std::uint64_t extent : found->second) threads *= std::clamp<std::uint64_t>(extent, 1, 1024);
      note("maxntidx", std::min<std::uint64_t>(threads, 1024));
    }
    if (options_.shared > 0) kernel.addFnAttr("weakspot-shared", std::to_string(options_.shared));
    if (auto found = from.directives.find("reqntid"); found != from.directives.end() && !found->second.empty()) {
      kernel.addFnAttr("weakspot-block", fmt::format("{}", fmt::join(found->second, ",")));
    }
    if (auto found = from.directives.find("reqnctapercluster"); found != from.directives.end()) {
      kernel.addFnAttr("weakspot-cluster", fmt::format("{}", fmt::join(found->second, ",")));
    }
  }

  const ptx::Module& from_;
  const base::Source& source_;
  const PtxOptions& options_;
  const ptx::Variable reserved_ = {
      .name = kReservedShared, .space = ptx::Space::shared, .type = "b8", .alignment = 16, .count = kReservedSize};
  const ptx::Variable workspace_ = {.name = kGridWorkspace, .type = "u32", .alignment = 8, .count = 2};
  std::map<std::string, std::vector<std::string>> parameter_names_;  // by symbol
  llvm::LLVMContext context_;
  llvm::Module module_;
  std::unique_ptr<PtxPlaces> places_;
  std::map<std::string, llvm::GlobalVariable*> variables_;  // those of a function by "FUNCTION NAME"
  std::vector<std::pair<llvm::GlobalVariable*, const ptx::Variable*>> initialised_;
  std::map<std::string, PtxCallee> functions_;
  base::Diagnostics errors_;
};

}  // namespace

base::Result<std::string> bitcode_of_ptx(const base::Source& source, const PtxOptions& options) {
  base::Result<ptx::Module> module = ptx::read_module(source);
  if (!module) return module.errors();
  return ModuleTranslator(*module, source, options).run();
}

base::Result<std::uint64_t> shared_beside(const std::string& file) {
  const std::filesystem::path notes = std::filesystem::path(file).replace_extension(".json");
  std::error_code ignored;
  if (!std::filesystem::exists(notes, ignored)) return std::uint64_t{0};
  const base::Result<std::string> text = base::read_file(notes.string());
  if (!text) return text.errors();
  const base::Result<base::JsonValue> read = base::read_json_text(base::Source(notes.string(), *text));
  if (!read) return read.errors();
  const base::JsonValue* shared = read->find("shared");
  return shared == nullptr ? 0 : shared->whole().value_or(0);
}

}  // namespace weakspot::race_jit
