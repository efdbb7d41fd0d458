// SPDX-License-Identifier: MIT
#include "race_jit/compile/clang_compiler.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/DiagnosticAST.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Driver/DriverDiagnostic.h>
#include <clang/Driver/Job.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Sema/Sema.h>
#include <link.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <mutex>

#include "base/file.h"
#include "race_jit/compile/kernel_parameters.h"
#include "race_jit/compile/kernel_templates.h"
#include "race_jit/compile/statement_lines.h"

// The back ends of GPUs, of which only the description is needed.
extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
}

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;

bool is_of_host(const clang::FunctionDecl& function) {
  return !function.hasAttr<clang::CUDADeviceAttr>() && !function.hasAttr<clang::CUDAGlobalAttr>();
}

std::string place_key(const clang::FunctionDecl& function, const clang::SourceManager& sources) {
  const clang::PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(function.getLocation()));
  if (place.isInvalid()) return {};
  return std::string(place.getFilename()) + ":" + std::to_string(place.getLine()) + ":" +
         std::to_string(place.getColumn());
}

class HostBodySkipper : public clang::ASTConsumer {
 public:
  HostBodySkipper(const ClangJob& job, const clang::SourceManager& sources) : job_(job), sources_(sources) {}

  bool shouldSkipFunctionBody(clang::Decl* declaration) override {
    const clang::FunctionDecl* function = declaration->getAsFunction();
    if (function == nullptr || !is_of_host(*function)) return false;
    return job_.skip_host_bodies || job_.skipped_bodies.contains(place_key(*function, sources_));
  }

 private:
  const ClangJob& job_;
  const clang::SourceManager& sources_;
};

class SyntaxReader : public clang::ASTConsumer {
 public:
  SyntaxReader(const ClangJob& job, KernelTemplates& templates, HostLaunches& launches, StatementLines& statements,
               KernelParameters& parameters, const clang::SourceManager& sources)
      : job_(job),
        templates_(templates),
        launches_(launches),
        statements_(statements),
        parameters_(parameters),
        sources_(sources) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group) {
      templates_.visit(*declaration);
      launches_.visit(*declaration);
      statements_.visit(*declaration, sources_);
    }
    return true;
  }
  void HandleTranslationUnit(clang::ASTContext& context) override {
    templates_.finish(context, job_);
    // Where a function is left out, not all launches are known.
    if (!job_.skip_host_bodies && job_.skipped_bodies.empty()) launches_.finish(context);
    parameters_.finish(context);
  }

 private:
  const ClangJob& job_;
  KernelTemplates& templates_;
  HostLaunches& launches_;
  StatementLines& statements_;
  KernelParameters& parameters_;
  const clang::SourceManager& sources_;
};

class Emit : public clang::EmitLLVMOnlyAction {
 public:
  Emit(llvm::LLVMContext* context, const ClangJob& job) : EmitLLVMOnlyAction(context), job_(job) {}

  // Notes about the syntax, for who reads the module.
  void write_to(llvm::Module& module) const {
    templates_.write_to(module);
    launches_.write_to(module);
    statements_.write_to(module);
    add_note(module, "weakspot.architecture", {std::to_string(job_.architecture)});
  }
  // The same for code of another compiler, with the names that it lacks; also where there are errors.
  std::string notes(llvm::LLVMContext& context) const {
    llvm::Module module("notes", context);
    templates_.write_to(module);
    launches_.write_to(module);
    statements_.write_to(module);
    parameters_.write_to(module);
    std::string bitcode;
    llvm::raw_string_ostream stream(bitcode);
    llvm::WriteBitcodeToFile(module, stream);
    stream.flush();
    return bitcode;
  }

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<HostBodySkipper>(job_, compiler.getSourceManager()));
    consumers.push_back(std::make_unique<SyntaxReader>(job_, templates_, launches_, statements_, parameters_,
                                                       compiler.getSourceManager()));
    consumers.push_back(EmitLLVMOnlyAction::CreateASTConsumer(compiler, file));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

 private:
  const ClangJob& job_;
  KernelTemplates templates_;
  HostLaunches launches_;
  StatementLines statements_;
  KernelParameters parameters_;
};

// Prints, and notes in which functions of the host the errors are.
class ErrorReader : public clang::TextDiagnosticPrinter {
 public:
  using TextDiagnosticPrinter::TextDiagnosticPrinter;

  void read(clang::CompilerInstance& compiler) { compiler_ = &compiler; }
  std::vector<FailedFunction> take() { return std::move(failed_); }
  LaunchPlaces take_launches() { return std::move(launches_); }
  MissingWords take_missing() { return std::move(missing_); }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    TextDiagnosticPrinter::HandleDiagnostic(level, info);
    if (level < clang::DiagnosticsEngine::Error || compiler_ == nullptr || !compiler_->hasSema()) return;
    if (is_forgiven(info.getID())) return note_missing(info);
    if (info.getID() == clang::diag::err_asm_invalid_escape) return note_percents(info);
    const clang::FunctionDecl* function = compiler_->getSema().getCurFunctionDecl(/*AllowLambda=*/false);
    if (function == nullptr) return;
    if (!is_of_host(*function)) return note_launch(info);
    llvm::SmallString<128> problem;
    info.FormatDiagnostic(problem);
    failed_.push_back({function->getQualifiedNameAsString(), place_key(*function, compiler_->getSourceManager()),
                       problem.str().str()});
  }

 private:
  // Missing words ("template", "typename") that the compilers for which CUDA is written do not ask for.
  static bool is_forgiven(unsigned id) {
    return id == clang::diag::err_missing_dependent_template_keyword || id == clang::diag::err_typename_missing ||
           id == clang::diag::err_typename_missing_template;
  }
  void note_missing(const clang::Diagnostic& info) {
    const clang::SourceManager& sources = info.getSourceManager();
    for (const clang::FixItHint& hint : info.getFixItHints()) {
      const auto [file, offset] = sources.getDecomposedLoc(hint.RemoveRange.getBegin());
      const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
      if (entry && !hint.CodeToInsert.empty()) missing_[entry->getName().str()][offset] = hint.CodeToInsert;
    }
  }
  void note_percents(const clang::Diagnostic& info) {
    const clang::SourceManager& sources = info.getSourceManager();
    const auto [file, offset] = sources.getDecomposedLoc(sources.getSpellingLoc(info.getLocation()));
    if (const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file)) {
      const llvm::StringRef text = sources.getBufferData(file);
      missing_[entry->getName().str()].merge(missing_percents({text.data(), text.size()}, offset));
    }
  }

  // The name of what is launched is where the compiler stumbles, or its <<<.
  void note_launch(const clang::Diagnostic& info) {
    if (!info.hasSourceManager() || info.getLocation().isInvalid()) return;
    const clang::SourceManager& sources = info.getSourceManager();
    const auto [file, offset] = sources.getDecomposedLoc(sources.getExpansionLoc(info.getLocation()));
    if (const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file)) {
      launches_[entry->getName().str()].insert(offset);
    }
  }

  clang::CompilerInstance* compiler_ = nullptr;
  std::vector<FailedFunction> failed_;
  LaunchPlaces launches_;
  MissingWords missing_;
};

void initialise_targets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
  });
}

// The folder that clang was installed to: that of the library this process has loaded, or where Debian puts it.
fs::path clang_folder() {
  std::string library;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {
        const std::string_view name = info->dlpi_name;
        if (name.find("libclang-cpp") != std::string_view::npos) *static_cast<std::string*>(found) = name;
        return 0;
      },
      &library);
  std::error_code error;
  for (const fs::path& folder :
       {fs::path(library).parent_path().parent_path(), fs::canonical(library, error).parent_path().parent_path(),
        fs::path("/usr/lib/llvm-19")}) {
    if (fs::exists(folder / "lib/clang/19/include/__clang_cuda_builtin_vars.h", error)) return folder;
  }
  return {};
}

// The compiler's inner command line, as its driver makes it.
std::vector<std::string> inner_arguments(const ClangJob& job, clang::DiagnosticsEngine& diagnostics) {
  const std::string program = (clang_folder() / "bin" / "clang").string();
  clang::driver::Driver driver(program, llvm::sys::getDefaultTargetTriple(), diagnostics);
  driver.setCheckInputsExist(false);
  diagnostics.setSeverity(clang::diag::warn_drv_new_cuda_version, clang::diag::Severity::Ignored, {});
  diagnostics.setSeverity(clang::diag::warn_drv_partially_supported_cuda_version, clang::diag::Severity::Ignored, {});
  std::vector<const char*> words{program.c_str()};
  for (const std::string& argument : job.arguments) words.push_back(argument.c_str());
  words.push_back("-c");
  words.push_back(job.file.c_str());
  const std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(words));
  std::vector<std::string> inner;
  if (compilation == nullptr) return inner;
  for (const clang::driver::Command& command : compilation->getJobs()) {
    const llvm::opt::ArgStringList& all = command.getArguments();
    if (all.empty() || llvm::StringRef(all.front()) != "-cc1") continue;
    inner.assign(all.begin() + 1, all.end());
    break;
  }
  return inner;
}

struct Messages {
  Messages() : stream(text) {
    options = new clang::DiagnosticOptions();
    options->ShowCarets = true;
    printer = std::make_unique<ErrorReader>(stream, options.get());
    engine = new clang::DiagnosticsEngine(new clang::DiagnosticIDs(), options.get(), printer.get(), false);
  }

  std::string text;
  llvm::raw_string_ostream stream;
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options;
  std::unique_ptr<ErrorReader> printer;
  llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> engine;
};

class Run {
 public:
  explicit Run(const ClangJob& job) : job_(job) {}

  ClangResult run() {
    ClangResult result;
    Messages messages;
    const std::vector<std::string> arguments = inner_arguments(job_, *messages.engine);
    if (!arguments.empty()) {
      std::string prefix = prepared_prefix(arguments);
      result = compile(arguments, prefix);
      if (!result.ok && !prefix.empty() && result.messages.find(prefix) != std::string::npos) {
        // The compiled header is out of date or broken.
        std::error_code ignored;
        fs::remove(prefix, ignored);
        result = compile(arguments, "");
      }
    }
    result.messages = messages.stream.str() + result.messages;
    return result;
  }

 private:
  std::shared_ptr<clang::CompilerInvocation> invocation(const std::vector<std::string>& arguments,
                                                        clang::DiagnosticsEngine& diagnostics) {
    std::vector<const char*> words;
    for (const std::string& word : arguments) words.push_back(word.c_str());
    auto made = std::make_shared<clang::CompilerInvocation>();
    if (!clang::CompilerInvocation::CreateFromArgs(*made, words, diagnostics)) return nullptr;
    made->getFrontendOpts().DisableFree = false;
    return made;
  }

  // The file with our headers compiled, made if it is not there; empty if it cannot be.
  std::string prepared_prefix(const std::vector<std::string>& arguments) {
    if (job_.prefix_cache.empty()) return {};
    std::error_code error;
    if (fs::exists(job_.prefix_cache, error)) return job_.prefix_cache;
    fs::create_directories(fs::path(job_.prefix_cache).parent_path(), error);
    const std::string fresh = job_.prefix_cache + "." + std::to_string(getpid());
    // In a process of its own: LLVM ends the process if it cannot write its output, on a full disk for example.
    const pid_t maker = fork();
    if (maker < 0) return {};
    if (maker == 0) _exit(make_prefix(arguments, fresh) ? 0 : 1);
    int status = 0;
    while (waitpid(maker, &status, 0) < 0 && errno == EINTR) {
    }
    if (status == 0) fs::rename(fresh, job_.prefix_cache, error);
    if (status == 0 && !error) return job_.prefix_cache;
    fs::remove(fresh, error);
    return {};
  }

  bool make_prefix(const std::vector<std::string>& arguments, const std::string& fresh) {
    llvm::install_fatal_error_handler([](void*, const char*, bool) { _exit(1); });
    Messages messages;
    std::shared_ptr<clang::CompilerInvocation> made = invocation(arguments, *messages.engine);
    if (made == nullptr) return false;
    // The user's own -include files come behind ours, when the file itself is compiled.
    made->getPreprocessorOpts().Includes.clear();
    made->getPreprocessorOpts().MacroIncludes.clear();
    const std::string text = "#include <" + job_.prefix + ">\n";
    made->getFrontendOpts().OutputFile = fresh;
    made->getFrontendOpts().UseTemporary = false;  // the output has a name of its own
    made->getFrontendOpts().ProgramAction = clang::frontend::GeneratePCH;
    std::unique_ptr<llvm::MemoryBuffer> buffer = llvm::MemoryBuffer::getMemBufferCopy(text, "weakspot-prefix.h");
    const clang::InputKind language(job_.hip ? clang::Language::HIP : clang::Language::CUDA);
    made->getFrontendOpts().Inputs = {clang::FrontendInputFile(buffer->getMemBufferRef(), language)};
    clang::CompilerInstance compiler;
    compiler.setInvocation(made);
    compiler.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
    compiler.createDiagnostics(messages.printer.get(), false);
    clang::GeneratePCHAction action;
    return compiler.ExecuteAction(action) && !compiler.getDiagnostics().hasErrorOccurred();
  }

  ClangResult compile(const std::vector<std::string>& arguments, const std::string& prefix) {
    ClangResult result;
    Messages messages;
    std::shared_ptr<clang::CompilerInvocation> made = invocation(arguments, *messages.engine);
    if (made == nullptr) {
      result.messages = messages.stream.str();
      return result;
    }
    if (prefix.empty()) {
      made->getPreprocessorOpts().Includes.insert(made->getPreprocessorOpts().Includes.begin(), job_.prefix);
    } else {
      made->getPreprocessorOpts().ImplicitPCHInclude = prefix;
    }
    made->getFrontendOpts().SkipFunctionBodies = job_.skip_host_bodies || !job_.skipped_bodies.empty();
    if (!job_.replaced.empty()) made->getDiagnosticOpts().ErrorLimit = 0;  // all that is left to change
    std::unique_ptr<llvm::MemoryBuffer> text, definitions;                 // must outlive the compilation
    std::vector<std::unique_ptr<llvm::MemoryBuffer>> replaced;
    for (const auto& [file, better] : job_.replaced) {
      if (file == job_.file && !job_.appended.empty()) continue;
      replaced.push_back(llvm::MemoryBuffer::getMemBuffer(better, file));
      made->getPreprocessorOpts().addRemappedFile(file, replaced.back().get());
      made->getPreprocessorOpts().RetainRemappedFileBuffers = true;
    }
    if (!job_.definitions.empty()) {
      const std::string name = "/weakspot-definitions.h";
      definitions = llvm::MemoryBuffer::getMemBufferCopy(job_.definitions, name);
      made->getPreprocessorOpts().addRemappedFile(name, definitions.get());
      made->getPreprocessorOpts().RetainRemappedFileBuffers = true;
      std::vector<std::string>& includes = made->getPreprocessorOpts().Includes;
      includes.insert(includes.begin() + (prefix.empty() ? 1 : 0), name);
    }
    if (!job_.appended.empty()) {
      auto known = job_.replaced.find(job_.file);
      if (base::Result<std::string> source =
              known != job_.replaced.end() ? known->second : base::read_file(job_.file)) {
        text = llvm::MemoryBuffer::getMemBufferCopy(*source + "\n" + job_.appended, job_.file);
        made->getPreprocessorOpts().addRemappedFile(job_.file, text.get());
        made->getPreprocessorOpts().RetainRemappedFileBuffers = true;
      }
    }
    clang::CompilerInstance compiler;
    compiler.setInvocation(made);
    compiler.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
    compiler.createDiagnostics(messages.printer.get(), false);
    auto dependencies = std::make_shared<clang::DependencyCollector>();
    compiler.addDependencyCollector(dependencies);
    llvm::LLVMContext context;
    Emit action(&context, job_);
    messages.printer->read(compiler);
    const bool ran = compiler.ExecuteAction(action);
    result.failed = messages.printer->take();
    result.launches = messages.printer->take_launches();
    result.missing = messages.printer->take_missing();
    std::unique_ptr<llvm::Module> module = action.takeModule();
    result.notes = action.notes(context);
    result.ok = ran && module != nullptr && !compiler.getDiagnostics().hasErrorOccurred();
    if (result.ok) {
      action.write_to(*module);
      llvm::raw_string_ostream stream(result.bitcode);
      llvm::WriteBitcodeToFile(*module, stream);
    }
    result.messages = messages.stream.str();
    const unsigned errors = compiler.getDiagnostics().getClient()->getNumErrors();
    if (errors > 0) result.messages += std::to_string(errors) + (errors == 1 ? " error\n" : " errors\n");
    for (const std::string& file : dependencies->getDependencies()) result.read_files.push_back(file);
    return result;
  }

  const ClangJob& job_;
};

}  // namespace

ClangResult run_clang(const ClangJob& job) {
  initialise_targets();
  return Run(job).run();
}

std::string clang_resource_folder() {
  const fs::path folder = clang_folder();
  return folder.empty() ? std::string() : (folder / "lib/clang/19").string();
}

}  // namespace weakspot::race_jit
