// SPDX-License-Identifier: MIT
#include "race_jit/lower/device_module.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "race/request.h"
#include "race_jit/bitcode/kernel_part.h"
#include "race_jit/bitcode/signature.h"
#include "race_jit/hooks/hooks.h"
#include "race_jit/lower/amdgcn.h"
#include "race_jit/lower/engine.h"
#include "race_jit/lower/input_facts.h"
#include "race_jit/lower/instrument.h"
#include "race_jit/lower/lower.h"
#include "race_jit/lower/mark_ends.h"
#include "race_jit/lower/struct_members.h"
#include "race_jit/lower/sync_points.h"
#include "race_jit/machine/gates.h"
#include "race_jit/math/nv_math.h"

namespace weakspot::race_jit {
namespace {

// A function that takes pointers to the arguments, loads them, and calls the kernel.
llvm::Function* make_entry(llvm::Function& kernel) {
  llvm::Module& module = *kernel.getParent();
  llvm::IRBuilder<> builder(module.getContext());
  auto* type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
  auto* entry =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "weakspot.entry." + kernel.getName(), module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", entry));
  llvm::Value* pointers = entry->getArg(0);
  pointers->setName("weakspot.arguments");
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : kernel.args()) {
    llvm::Value* slot = builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), pointers, argument.getArgNo());
    llvm::Value* pointer = builder.CreateLoad(builder.getPtrTy(), slot);
    arguments.push_back(kernel.getAttributes().hasParamAttr(argument.getArgNo(), "weakspot-by-value")
                            ? pointer
                            : builder.CreateLoad(argument.getType(), pointer));
  }
  builder.CreateCall(&kernel, arguments);
  builder.CreateRetVoid();
  return entry;
}

Kernel describe(const llvm::Function& function) {
  Kernel kernel;
  kernel.symbol = function.getName().str();
  const Signature signature = parse_signature(llvm::demangle(source_symbol(kernel.symbol)));
  kernel.name = signature.name;
  if (const llvm::DISubprogram* program = function.getSubprogram()) {
    kernel.place = {source_path(*program->getFile()), program->getLine(), 1};
  }
  if (const llvm::Attribute cluster = function.getFnAttribute("weakspot-cluster"); cluster.isValid()) {
    if (base::Result<Extent> extent = race::parse_extent(cluster.getValueAsString().str())) {
      kernel.cluster = *extent;
    }
  }
  if (const llvm::Attribute block = function.getFnAttribute("weakspot-block"); block.isValid()) {
    if (base::Result<Extent> extent = race::parse_extent(block.getValueAsString().str())) kernel.block = *extent;
  }
  if (const llvm::Attribute shared = function.getFnAttribute("weakspot-shared"); shared.isValid()) {
    kernel.shared = std::strtoull(shared.getValueAsString().str().c_str(), nullptr, 10);
  }
  if (const llvm::Attribute bound = function.getFnAttribute("weakspot-threads"); bound.isValid()) {
    kernel.most_threads = std::strtoull(bound.getValueAsString().str().c_str(), nullptr, 10);
  }
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  for (const llvm::Argument& argument : function.args()) {
    KernelParameter parameter;
    parameter.name = argument.getName().str();
    if (const std::size_t dot = parameter.name.find('.'); dot != std::string::npos) parameter.name.resize(dot);
    if (argument.getArgNo() < signature.parameters.size()) parameter.type = signature.parameters[argument.getArgNo()];
    const llvm::Attribute by_value = function.getAttributes().getParamAttr(argument.getArgNo(), "weakspot-by-value");
    if (by_value.isValid()) {
      parameter.size = std::strtoull(by_value.getValueAsString().str().c_str(), nullptr, 10);
      const llvm::DIType* type = parameter_type(function, argument.getArgNo());
      parameter.members = members_of(type, parameter.name, parameter.opaque);
      const llvm::Attribute alignment =
          function.getAttributes().getParamAttr(argument.getArgNo(), "weakspot-alignment");
      parameter.alignment = alignment.isValid() ? std::strtoull(alignment.getValueAsString().str().c_str(), nullptr, 10)
                                                : argument.getParamAlign().valueOrOne().value();
    } else {
      parameter.size = layout.getTypeStoreSize(argument.getType());
      parameter.alignment = layout.getABITypeAlign(argument.getType()).value();
      parameter.pointer = argument.getType()->isPointerTy();
    }
    kernel.parameters.push_back(std::move(parameter));
  }
  return kernel;
}

// Facts and marks that a search needs of the code.
struct SearchMarks {
  struct Learned {
    race::KernelFacts facts;
    std::size_t first_mark = 0, marks = 0;
    std::vector<race::Place> branches;
    std::vector<CodeLine> lines;
  };
  std::map<std::string, Learned> learned;  // by symbol
  std::vector<Mark> places;                // until their code is added
  std::vector<std::uint8_t> marks;

  // Before special registers are lowered and accesses are instrumented.
  void learn(const std::vector<llvm::Function*>& kernels, SiteTable& sites, bool with_marks) {
    for (llvm::Function* kernel : kernels) {
      Learned& facts = learned[kernel->getName().str()];
      facts = {input_facts(*kernel), marks.size(), 0, {}, {}};
      if (!with_marks) continue;
      std::map<const llvm::BasicBlock*, std::size_t> numbers;
      auto add = [&](const Mark& mark) {
        race::Place place = sites.place_of(*mark.block);
        if (place.line == 0) return;  // code of a header that is not the user's
        places.push_back(mark);
        if (mark.header == nullptr) {
          numbers[mark.block] = facts.branches.size();
          facts.branches.push_back(std::move(place));
        }
        marks.resize(marks.size() + mark.size());
      };
      for (const Mark& mark : branch_marks(*kernel)) add(mark);
      for (const Mark& mark : loop_marks(*kernel)) add(mark);
      facts.marks = marks.size() - facts.first_mark;
      facts.lines = lines_of(*kernel, numbers, sites);
    }
  }

  // After that.
  void mark() {
    set_marks(places);
    places.clear();
  }

 private:
  using Numbers = std::map<const llvm::BasicBlock*, std::size_t>;

  // The marks of which one is set if the block is reached; none if it always is.
  static std::set<std::size_t> marks_before(const llvm::BasicBlock& block, const Numbers& numbers) {
    std::set<std::size_t> found;
    std::vector<const llvm::BasicBlock*> open{&block};
    std::set<const llvm::BasicBlock*> seen{&block};
    while (!open.empty()) {
      const llvm::BasicBlock* at = open.back();
      open.pop_back();
      if (auto known = numbers.find(at); known != numbers.end()) {
        found.insert(known->second);
        continue;
      }
      if (at->isEntryBlock()) return {};
      for (const llvm::BasicBlock* from : llvm::predecessors(at)) {
        if (seen.insert(from).second) open.push_back(from);
      }
    }
    return found;
  }

  static std::vector<CodeLine> lines_of(const llvm::Function& kernel, const Numbers& numbers, SiteTable& sites) {
    std::map<std::pair<std::string, unsigned>, std::optional<std::set<std::size_t>>> lines;  // none: always
    for (const llvm::BasicBlock& block : kernel) {
      const std::set<std::size_t> marks = marks_before(block, numbers);
      for (const auto& line : sites.lines_of(block)) {
        auto& known = lines.try_emplace(line, std::set<std::size_t>()).first->second;
        if (marks.empty()) known.reset();
        if (known) known->insert(marks.begin(), marks.end());
      }
    }
    std::vector<CodeLine> all;
    for (auto& [line, marks] : lines) all.push_back({line.first, line.second, marks.value_or(std::set<std::size_t>())});
    return all;
  }
};

class JitModule : public DeviceModule {
 public:
  JitModule(std::unique_ptr<Engine> engine, Lowered lowered, SearchMarks search, Gaps gaps, Machine& device, bool lazy)
      : engine_(std::move(engine)),
        lowered_(std::move(lowered)),
        machine_(device),
        search_(std::move(search)),
        gaps_(std::move(gaps)),
        lazy_(lazy) {
    device.set_branch_marks(search_.marks);
  }

  const std::deque<Kernel>& kernels() const override { return kernels_; }
  unsigned architecture() const override {
    return architecture_ != 0 ? architecture_ : race::Architecture{}.number;  // of a program without device code
  }

  void* variable(const std::string& symbol) const override {
    auto found = addresses_.find(symbol);
    return found == addresses_.end() ? nullptr : found->second;
  }

  std::map<std::string, void*> variables() const override { return addresses_; }

  bool is_managed(const std::string& symbol) const override {
    return std::any_of(lowered_.variables.begin(), lowered_.variables.end(),
                       [&](const DeviceVariable& variable) { return variable.managed && variable.symbol == symbol; });
  }

  void reset_variables() override {
    for (const DeviceVariable& variable : lowered_.variables) {
      void* address = addresses_.at(variable.symbol);
      std::memset(address, 0, variable.size);
      if (variable.initial.empty()) continue;
      base::Result<void*> initial = engine_->find(variable.initial);
      if (initial) std::memcpy(address, *initial, variable.size);
    }
  }

  std::string shared_name(std::uint64_t offset, std::uint64_t& begin, const std::string& expected) const override {
    const SharedVariable* found = nullptr;
    bool several = false;
    for (const SharedVariable& variable : lowered_.shared) {
      const bool inside = variable.size == 0 ? offset >= variable.offset : offset - variable.offset < variable.size;
      if (!inside) continue;
      const bool first = found == nullptr;
      several = several || (!first && variable.size > 0);
      if (first || variable.name == expected) found = &variable;
    }
    if (found == nullptr || (several && found->name != expected)) return {};
    begin = found->offset;
    return found->name;
  }

  std::span<std::uint8_t> marks() override { return search_.marks; }

  const std::vector<LeftOut>& left_out() const override { return lowered_.left_out; }
  race::Share modelled() const override { return lowered_.modelled; }
  const std::vector<IdleTemplate>& idle_templates() const override { return idle_templates_; }
  const std::vector<SyncPoint>& sync_points() const override { return lowered_.sync_points; }
  BarrierGaps gaps(race::SiteId a, race::SiteId b, BarrierOf reach) const override {
    return gaps_.between(a, b, reach, machine_.sites());
  }
  std::optional<SignalGaps> signal(race::SiteId a, race::SiteId b, bool wide) const override {
    return gaps_.signal(a, b, wide, machine_.sites());
  }
  std::optional<race::Gap> gap_behind(race::SiteId site) const override { return gaps_.next_to(site, true); }
  std::optional<race::Gap> gap_before(race::SiteId site) const override { return gaps_.next_to(site, false); }

  // Reads the compiler's notes about templates and launches.
  void read_notes(const llvm::Module& module) {
    auto words = [&](const char* list) {
      std::vector<std::vector<std::string>> all;
      const llvm::NamedMDNode* nodes = module.getNamedMetadata(list);
      for (unsigned i = 0; nodes != nullptr && i < nodes->getNumOperands(); ++i) {
        std::vector<std::string>& one = all.emplace_back();
        for (const llvm::MDOperand& word : nodes->getOperand(i)->operands()) {
          one.push_back(llvm::cast<llvm::MDString>(word)->getString().str());
        }
      }
      return all;
    };
    for (const std::vector<std::string>& idle : words("weakspot.templates")) {
      idle_templates_.push_back(
          {idle[0], {idle[1], static_cast<unsigned>(std::strtoul(idle[2].c_str(), nullptr, 10)), 1}});
    }
    for (const std::vector<std::string>& alias : words("weakspot.aliases")) {
      const std::size_t hash = alias[0].rfind('_') + 1;
      aliases_[alias[1]].push_back(alias[0].substr(hash));
    }
    for (const std::vector<std::string>& kernel : words("weakspot.one_block")) one_block_.push_back(kernel[0]);
    for (const std::vector<std::string>& number : words("weakspot.architecture")) {
      architecture_ = std::max(architecture_, static_cast<unsigned>(std::strtoul(number[0].c_str(), nullptr, 10)));
    }
  }

  base::Status place_variables() {
    for (const DeviceVariable& variable : lowered_.variables) {
      void* address = machine_.arena().allocate(variable.size, variable.name, variable.element);
      if (address == nullptr) return base::error("no memory for the variable " + variable.name);
      addresses_[variable.symbol] = address;
      if (base::Status defined = engine_->define(variable.symbol, address); !defined) return defined;
    }
    return base::ok_status();
  }

  base::Status compile(std::unique_ptr<llvm::Module> module) {
    for (const llvm::Function* function : lowered_.kernels) {
      kernels_.push_back(describe(*function));
      kernels_.back().aliases = aliases_[kernels_.back().symbol];
      kernels_.back().static_shared = lowered_.static_shared;
      if (auto found = search_.learned.find(kernels_.back().symbol); found != search_.learned.end())
        apply(found->second, kernels_.back());
    }
    lowered_.kernels.clear();
    llvm::StripDebugInfo(*module);  // all places have their sites by now
    if (lazy_) {
      std::set<std::string> initial;
      for (const DeviceVariable& variable : lowered_.variables) initial.insert(variable.initial);
      initial.erase("");
      whole_ = std::move(module);
      if (base::Status added = engine_->add(part_of(*whole_, initial), false); !added) return added;
    } else if (base::Status added = engine_->add(std::move(module), true); !added) {
      return added;
    }
    for (Kernel& kernel : kernels_) {
      if (lazy_) continue;
      if (base::Status found = find_entry(kernel); !found) return found;
    }
    reset_variables();
    return base::ok_status();
  }

  base::Status prepare(const Kernel& kernel) override {
    Kernel& own = *std::find_if(kernels_.begin(), kernels_.end(), [&](const Kernel& one) { return &one == &kernel; });
    if (own.entry != nullptr) return base::ok_status();
    if (base::Status added = engine_->add(part_of(*whole_, {entry_name(own)}), true); !added) return added;
    return find_entry(own);
  }

 private:
  static std::string entry_name(const Kernel& kernel) { return "weakspot.entry." + kernel.symbol; }

  base::Status find_entry(Kernel& kernel) {
    base::Result<void*> entry = engine_->find(entry_name(kernel));
    if (!entry) return entry.errors();
    kernel.entry = reinterpret_cast<void (*)(void**)>(*entry);
    return base::ok_status();
  }

  void apply(const SearchMarks::Learned& learned, Kernel& kernel) const {
    kernel.facts = learned.facts;
    kernel.facts.cluster = kernel.cluster;
    kernel.facts.most_threads = std::min(kernel.facts.most_threads, kernel.most_threads);
    kernel.facts.one_block = std::any_of(one_block_.begin(), one_block_.end(), [&](const std::string& name) {
      return kernel.symbol == name || kernel.symbol.starts_with(name + "__static__");  // what clang adds to static ones
    });
    kernel.first_mark = learned.first_mark;
    kernel.marks = learned.marks;
    kernel.branches = learned.branches.size();
    kernel.branch_places = learned.branches;
    kernel.lines = learned.lines;
    std::uint64_t begin = 0;
    kernel.facts.dynamic_shared = !shared_name(lowered_.static_shared, begin, {}).empty();
    std::vector<race::ParameterFacts> all;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
      const KernelParameter& parameter = kernel.parameters[i];
      for (const KernelMember& member : parameter.members) {
        auto known = learned.facts.members.find({i, member.offset});
        race::ParameterFacts& facts = all.emplace_back();
        if (known != learned.facts.members.end()) facts = known->second;
        facts.name = member.name;
        facts.type = member.type;
        facts.pointer = member.pointer;
        facts.floating = member.floating;
      }
      if (!parameter.members.empty()) continue;
      race::ParameterFacts& facts = all.emplace_back(learned.facts.parameters[i]);
      facts.name = parameter.name;
      facts.pointer = parameter.pointer;
      facts.type = parameter.pointer ? pointee(parameter.type) : parameter.type;
      facts.floating = !parameter.pointer && (parameter.type == "float" || parameter.type == "double");
      facts.structure = parameter.name.empty() || parameter.is_structure();
    }
    kernel.facts.parameters = std::move(all);
  }

  std::unique_ptr<Engine> engine_;
  Lowered lowered_;
  Machine& machine_;
  std::deque<Kernel> kernels_;
  std::map<std::string, void*> addresses_;
  std::vector<IdleTemplate> idle_templates_;
  std::map<std::string, std::vector<std::string>> aliases_;  // by symbol
  std::vector<std::string> one_block_;                       // kernels that are launched with one block only
  unsigned architecture_ = 0;
  SearchMarks search_;
  Gaps gaps_;
  bool lazy_;
  std::unique_ptr<llvm::Module> whole_;  // parts of it are compiled; its context is the engine's
};

base::Status define_hooks(Engine& engine, const llvm::Module& module) {
  for (const std::vector<HookSymbol>& hooks :
       {hook_symbols(), gate_hook_symbols(), meeting_hook_symbols(), async_hook_symbols(), bulk_hook_symbols(),
        matrix_hook_symbols(), tensor_hook_symbols(), texture_hook_symbols(), child_hook_symbols()}) {
    for (const HookSymbol& hook : hooks) {
      if (base::Status defined = engine.define(hook.name, hook.address); !defined) return defined;
    }
  }
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration()) continue;
    if (void* address = nv_math_function(function.getName().str())) {
      if (base::Status defined = engine.define(function.getName().str(), address); !defined) return defined;
    }
  }
  return base::ok_status();
}

}  // namespace

base::Result<std::unique_ptr<DeviceModule>> load_device_module(const std::string& bitcode, Machine& device,
                                                               const DeviceOptions& options) {
  base::Result<std::unique_ptr<Engine>> engine = Engine::create(options.code_cache);
  if (!engine) return engine.errors();
  auto buffer = llvm::MemoryBuffer::getMemBuffer(bitcode, "device", false);
  llvm::Expected<std::unique_ptr<llvm::Module>> parsed = llvm::parseBitcodeFile(*buffer, (*engine)->context());
  if (!parsed) return base::error("cannot read the compiled kernels: " + llvm::toString(parsed.takeError()));
  std::unique_ptr<llvm::Module> module = std::move(*parsed);
  retarget(*module, (*engine)->layout(), (*engine)->triple());
  if (is_amdgcn(*module)) device.detector().warps() = {wave_noted(*module), true};
  Lowered lowered = lower_variables(*module);
  auto sides = std::make_shared<BranchSides>();
  sides->read(*module);
  device.detector().add_branch_sides([sides](race::SiteId a, race::SiteId b) { return sides->are_sides(a, b); });
  device.detector().set_checked_again([&device](race::SiteId site) { return device.sites()[site].checked_again; });
  Gaps gaps;
  SiteTable sites(device.sites(), options.own_folders, *sides, gaps);
  SearchMarks search;
  search.learn(lowered.kernels, sites, options.check);
  lowered.left_out = lower_operations(*module, sites, lowered.modelled);
  lowered.sync_points = sync_points(*module);
  gaps.read(*module, options.own_folders);
  mark_ends(*module, sites);
  if (options.check) instrument(*module, sites, options.plain_checker);
  if (sites.unnumbered() > 0) {
    lowered.left_out.push_back({fmt::format("places behind the first {}, so that {} more share one without a line",
                                            SiteTable::kOverflow, sites.unnumbered()),
                                SiteTable::kOverflow, race::Effect::stronger, true});
  }
  search.mark();
  for (llvm::Function* kernel : lowered.kernels) make_entry(*kernel);
  std::string problems;
  llvm::raw_string_ostream stream(problems);
  if (llvm::verifyModule(*module, &stream)) return base::error("the instrumented kernels are not valid: " + problems);
  if (base::Status defined = define_hooks(**engine, *module); !defined) return defined.errors();
  gaps.forget_instructions();
  auto loaded = std::make_unique<JitModule>(std::move(*engine), std::move(lowered), std::move(search), std::move(gaps),
                                            device, options.lazy);
  loaded->read_notes(*module);
  if (base::Status placed = loaded->place_variables(); !placed) return placed.errors();
  if (base::Status compiled = loaded->compile(std::move(module)); !compiled) return compiled.errors();
  return std::unique_ptr<DeviceModule>(std::move(loaded));
}

}  // namespace weakspot::race_jit
