// SPDX-License-Identifier: MIT
#include "race_jit/nvcc/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <span>

#include "base/file.h"
#include "race/compile_commands.h"

namespace weakspot::race_jit {
namespace {

enum class Option : std::uint8_t {
  ignore,        // options about machine code for GPUs, which is not made here
  ignore_value,  // the same, with a value
  architecture,
  language,    // a word for clang, with its value
  host_words,  // its value, split at commas, is for the host compiler
  link_words,
  refuse,
  output,
  language_of_sources,
  phase_compile,
  phase_device_compile,
  phase_device_link,
  phase_preprocess,
  phase_library,
  phase_dependencies,
  phase_user_dependencies,
  relocatable,
  dependencies,
  user_dependencies,
  dependency_file,
  dependency_target,
  phony_targets,
  optimize,
  debug,
  shared,
  verbose,
  dry_run,
  version,
  help,
  no_warnings,
  werror,
  cudart,
  response_file,
  run,
  run_arguments,
  standard,
  fast_math,
  machine,
};

struct OptionRow {
  Option option;
  bool value;
  std::string_view as;                    // clang's name for it
  std::array<std::string_view, 4> names;  // all of them, without dashes
};

// Names are those with one or two dashes; a value follows as the next word, after '=', or, for names of one letter,
// directly.
constexpr OptionRow kOptions[] = {
    {Option::language, true, "-I", {"I", "include-path"}},
    {Option::language, true, "-D", {"D", "define-macro"}},
    {Option::language, true, "-U", {"U", "undefine-macro"}},
    {Option::language, true, "-isystem", {"isystem", "system-include"}},
    {Option::language, true, "-include", {"include", "pre-include"}},
    {Option::standard, true, "", {"std"}},
    {Option::fast_math, false, "", {"use_fast_math"}},
    {Option::host_words, true, "", {"Xcompiler", "compiler-options"}},
    {Option::link_words, true, "-l", {"l", "library"}},
    {Option::link_words, true, "-L", {"L", "library-path"}},
    {Option::link_words, true, "-Wl,", {"Xlinker", "linker-options"}},
    {Option::output, true, "", {"o", "output-file"}},
    {Option::language_of_sources, true, "", {"x"}},
    {Option::phase_compile, false, "", {"c", "compile", "dw", "device-w"}},
    {Option::phase_device_compile, false, "", {"dc", "device-c"}},
    {Option::phase_device_link, false, "", {"dlink", "device-link"}},
    {Option::phase_preprocess, false, "", {"E", "preprocess"}},
    {Option::phase_library, false, "", {"lib"}},
    {Option::phase_dependencies, false, "", {"M", "generate-dependencies"}},
    {Option::phase_user_dependencies, false, "", {"MM", "generate-nonsystem-dependencies"}},
    {Option::relocatable, true, "", {"rdc", "relocatable-device-code"}},
    {Option::dependencies, false, "", {"MD", "generate-dependencies-with-compile"}},
    {Option::user_dependencies, false, "", {"MMD", "generate-nonsystem-dependencies-with-compile"}},
    {Option::dependency_file, true, "", {"MF", "dependency-output"}},
    {Option::dependency_target, true, "", {"MT", "dependency-target-name", "MQ"}},
    {Option::phony_targets, false, "", {"MP", "generate-dependency-targets"}},
    {Option::optimize, true, "", {"O", "optimize"}},
    {Option::debug, false, "", {"g", "debug"}},
    {Option::shared, false, "", {"shared"}},
    {Option::verbose, false, "", {"v", "verbose"}},
    {Option::dry_run, false, "", {"dryrun", "n"}},
    {Option::version, false, "", {"V", "version"}},
    {Option::help, false, "", {"h", "help"}},
    {Option::no_warnings, false, "", {"w", "disable-warnings"}},
    {Option::werror, true, "", {"Werror"}},
    {Option::cudart, true, "", {"cudart"}},
    {Option::response_file, true, "", {"optf", "options-file"}},
    {Option::run, false, "", {"run"}},
    {Option::run_arguments, true, "", {"run-args"}},
    {Option::machine, true, "", {"m", "machine"}},
    {Option::refuse, false, "", {"ptx", "cubin", "fatbin", "optix-ir"}},
    {Option::architecture, true, "", {"gencode", "generate-code", "arch", "gpu-architecture"}},
    {Option::ignore_value, true, "", {"code", "gpu-code"}},
    {Option::ignore_value, true, "", {"Xptxas", "ptxas-options"}},
    {Option::ignore_value, true, "", {"Xnvlink", "nvlink-options"}},
    {Option::ignore_value, true, "", {"Xarchive", "archive-options"}},
    {Option::ignore_value, true, "", {"Xcudafe", "cudafe-options"}},
    {Option::ignore_value, true, "", {"Xfatbin", "fatbin-options"}},
    {Option::ignore_value, true, "", {"maxrregcount"}},
    {Option::ignore_value, true, "", {"ftz", "prec-div", "prec-sqrt", "fmad"}},
    {Option::ignore_value, true, "", {"ccbin", "compiler-bindir"}},
    {Option::ignore_value, true, "", {"cudadevrt", "libdevice-directory", "ldir", "target-dir"}},
    {Option::ignore_value, true, "", {"default-stream", "keep-dir", "odir", "output-directory"}},
    {Option::ignore_value, true, "", {"t", "threads", "split-compile", "split-compile-extended"}},
    {Option::ignore_value, true, "", {"diag-suppress", "diag-error", "diag-warn", "opt-info"}},
    {Option::ignore_value, true, "", {"entries", "e", "idp", "input-drive-prefix"}},
    {Option::ignore_value, true, "", {"relax-constexpr-level", "time", "maxntid", "minnctapersm"}},
    {Option::ignore_value, true, "", {"Ofast-compile", "Ofc", "jump-table-density", "frandom-seed"}},
    {Option::ignore, false, "", {"G", "device-debug", "lineinfo", "generate-line-info"}},
    {Option::ignore, false, "", {"keep", "save-temps", "forward-unknown-to-host-compiler", "forward-unknown-opts"}},
    {Option::ignore, false, "", {"expt-relaxed-constexpr", "expt-extended-lambda", "extended-lambda", "dlto"}},
    {Option::ignore, false, "", {"forward-unknown-to-host-linker", "restrict", "resource-usage", "res-usage"}},
    {Option::ignore, false, "", {"display-error-number", "no-display-error-number", "source-in-ptx", "src-in-ptx"}},
    {Option::ignore,
     false,
     "",
     {"extra-device-vectorization", "clean-targets", "clean", "no-host-device-initializer-list"}},
    {Option::ignore, false, "", {"no-exceptions", "noeh", "no-align-double", "device-stack-protector"}},
    {Option::ignore,
     false,
     "",
     {"Wno-deprecated-gpu-targets", "Wno-deprecated-declarations", "Wreorder", "Wdefault-stream-launch"}},
    {Option::ignore, false, "", {"Wmissing-launch-bounds", "Wext-lambda-captures-this", "no-compress", "compress-all"}},
    {Option::ignore, false, "", {"allow-unsupported-compiler", "use-local-env", "nodlink", "astoolspatch"}},
    {Option::ignore, false, "", {"dopt", "gen-opt-lto", "host-linker-script", "no-device-link"}},
};

struct FoundOption {
  const OptionRow* row = nullptr;
  std::string name;
  std::optional<std::string> value;  // the part of the word behind the name
};

// The option of a word that begins with a dash.
FoundOption find_option(const std::string& word) {
  const std::string_view text = std::string_view(word).substr(word.starts_with("--") ? 2 : 1);
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  for (const OptionRow& row : kOptions) {
    for (const std::string_view known : row.names) {
      if (known.empty()) continue;
      if (text == known) return {&row, word, std::nullopt};
      if (row.value && name == known && equals != std::string_view::npos) {
        return {&row, word.substr(0, word.find('=')), std::string(text.substr(equals + 1))};
      }
    }
  }
  // Names of one letter, with the value behind them: -Idir, -DX=1, -O2, -lm, -oname.
  constexpr std::string_view kLetters = "IDULlOom";
  if (!word.starts_with("--") && text.size() > 1 && kLetters.find(text[0]) != std::string_view::npos) {
    FoundOption found = find_option(word.substr(0, 2));
    found.value = std::string(text.substr(1));
    return found;
  }
  return {};
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  std::string part;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',') {
      part += text[++i];
    } else if (text[i] == ',') {
      parts.push_back(std::exchange(part, {}));
    } else {
      part += text[i];
    }
  }
  parts.push_back(part);
  std::erase(parts, "");
  return parts;
}

std::string language_by_name(const std::string& path) {
  static const std::map<std::string, std::string> kLanguages = {{".cu", "cu"},   {".c", "c"},     {".cc", "c++"},
                                                                {".cpp", "c++"}, {".cxx", "c++"}, {".C", "c++"},
                                                                {".c++", "c++"}, {".cup", "cu"}};
  const auto found = kLanguages.find(std::filesystem::path(path).extension().string());
  return found == kLanguages.end() ? "" : found->second;
}

class NvccParser {
 public:
  base::Result<NvccCommand> parse(const std::vector<std::string>& words) {
    if (base::Status read = take(words, 0); !read) return read.errors();
    if (made_.phase == NvccPhase::library || made_.phase == NvccPhase::device_link) made_.shared = false;
    if (made_.sources.size() > 1 && !made_.output.empty() && made_.phase == NvccPhase::compile) {
      return base::error("-o names one file, but there are several to make");
    }
    return std::move(made_);
  }

 private:
  base::Status take(const std::vector<std::string>& words, unsigned depth) {
    constexpr unsigned kDeepest = 16;
    if (depth > kDeepest) return base::error("response files name each other");
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word.starts_with("@") && word.size() > 1) {
        if (base::Status read = take_file(word.substr(1), depth); !read) return read;
      } else if (word.size() < 2 || word[0] != '-') {
        take_input(word);
      } else if (base::Status done = take_option(words, i, depth); !done) {
        return done;
      }
    }
    return base::ok_status();
  }

  base::Status take_file(const std::string& path, unsigned depth) {
    base::Result<std::string> text = base::read_file(path);
    if (!text) return text.errors();
    return take(race::split_command(*text), depth + 1);
  }

  void take_input(const std::string& path) {
    const std::string language = language_.empty() ? language_by_name(path) : language_;
    if (language.empty()) {
      made_.link_words.push_back(path);
      return;
    }
    made_.link_words.push_back(fmt::format("#{}", made_.sources.size()));
    made_.sources.push_back({path, language});
  }

  base::Status take_option(const std::vector<std::string>& words, std::size_t& i, unsigned depth) {
    FoundOption found = find_option(words[i]);
    if (found.row == nullptr) {
      take_unknown(words[i]);
      return base::ok_status();
    }
    std::string value;
    if (found.row->value) {
      if (!found.value && i + 1 >= words.size()) return base::error(fmt::format("{} needs a value", words[i]));
      value = found.value ? *found.value : words[++i];
    }
    return apply(*found.row, words[i], value, depth);
  }

  // Takes options of the host compiler, with or without leave to pass them on: nvcc would refuse them, which helps
  // nobody here.
  void take_unknown(const std::string& word) {
    static const std::set<std::string> kForLinker = {"-pthread",   "-rdynamic", "-s",        "-static-libgcc",
                                                     "--coverage", "-pg",       "-nostdlib", "-static-libstdc++"};
    // The host runs on one thread: our omp.h says so, and clang's library for OpenMP need not be there.
    if (word.starts_with("-fopenmp")) return;
    if (word.starts_with("-Wl,") || kForLinker.contains(word)) made_.link_words.push_back(word);
    if (!word.starts_with("-Wl,") && word != "-s") made_.host_flags.push_back(word);
    if (word.starts_with("-fsanitize")) made_.link_words.push_back(word);
  }

  void take_host_word(const std::string& word) {
    // Options that change the meaning of device code as well.
    if (word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-I") || word.starts_with("-std=")) {
      made_.language_flags.push_back(word);
    } else {
      take_unknown(word);
    }
  }

  void set_phase(NvccPhase phase) { made_.phase = phase; }

  base::Status apply(const OptionRow& row, const std::string& word, const std::string& value, unsigned depth) {
    switch (row.option) {
      case Option::ignore:
      case Option::ignore_value:
        break;
      case Option::architecture:
        return race::add_architecture(value, made_.architecture);
      case Option::language:
        for (const std::string& part : row.as == "-D" ? std::vector<std::string>{value} : split_at_commas(value)) {
          if (row.as.size() == 2) {
            made_.language_flags.push_back(std::string(row.as) + part);
          } else {
            made_.language_flags.insert(made_.language_flags.end(), {std::string(row.as), part});
          }
        }
        break;
      case Option::standard:
        made_.language_flags.push_back("-std=" + value);
        break;
      case Option::host_words:
        for (const std::string& part : split_at_commas(value)) take_host_word(part);
        break;
      case Option::link_words:
        for (const std::string& part : split_at_commas(value)) made_.link_words.push_back(std::string(row.as) + part);
        break;
      case Option::fast_math:
        made_.language_flags.push_back("-D__USE_FAST_MATH__");
        break;
      case Option::refuse:
        return base::error(fmt::format("{}: machine code for GPUs is not made here", word));
      case Option::response_file:
        for (const std::string& part : split_at_commas(value)) {
          if (base::Status read = take_file(part, depth); !read) return read;
        }
        break;
      default:
        apply_more(row.option, value);
    }
    return base::ok_status();
  }

  void apply_more(Option option, const std::string& value) {
    switch (option) {
      case Option::output:
        made_.output = value;
        break;
      case Option::language_of_sources:
        language_ = value == "none" ? "" : value;
        break;
      case Option::phase_compile:
        set_phase(NvccPhase::compile);
        break;
      case Option::phase_device_compile:
        set_phase(NvccPhase::compile);
        made_.relocatable = true;
        break;
      case Option::phase_device_link:
        set_phase(NvccPhase::device_link);
        break;
      case Option::phase_preprocess:
        set_phase(NvccPhase::preprocess);
        break;
      case Option::phase_library:
        set_phase(NvccPhase::library);
        break;
      case Option::phase_user_dependencies:
        made_.system_dependencies = false;
        [[fallthrough]];
      case Option::phase_dependencies:
        set_phase(NvccPhase::dependencies);
        break;
      case Option::relocatable:
        made_.relocatable = value == "true";
        break;
      case Option::user_dependencies:
        made_.system_dependencies = false;
        [[fallthrough]];
      case Option::dependencies:
        made_.dependencies = true;
        break;
      case Option::dependency_file:
        made_.dependency_file = value;
        break;
      case Option::dependency_target:
        made_.dependency_targets.push_back(value);
        break;
      case Option::phony_targets:
        made_.phony_targets = true;
        break;
      default:
        apply_rest(option, value);
    }
  }

  void apply_rest(Option option, const std::string& value) {
    switch (option) {
      case Option::optimize:
        made_.host_flags.push_back("-O" + value);
        break;
      case Option::debug:
        made_.host_flags.push_back("-g");
        break;
      case Option::shared:
        made_.shared = true;
        break;
      case Option::verbose:
        made_.verbose = true;
        break;
      case Option::dry_run:
        made_.dry_run = made_.verbose = true;
        break;
      case Option::version:
        made_.version = true;
        break;
      case Option::help:
        made_.help = true;
        break;
      case Option::no_warnings:
        made_.host_flags.push_back("-w");
        break;
      case Option::werror:
        if (value == "all-warnings") made_.host_flags.push_back("-Werror");
        break;
      case Option::cudart:
        made_.with_runtime = value != "none";
        break;
      case Option::run:
        made_.run = true;
        break;
      case Option::run_arguments:
        for (const std::string& part : split_at_commas(value)) made_.run_arguments.push_back(part);
        break;
      default:  // the size of addresses, which is that of this machine
        break;
    }
  }

  NvccCommand made_;
  std::string language_;
};

}  // namespace

base::Result<NvccCommand> parse_nvcc(const std::vector<std::string>& words) { return NvccParser().parse(words); }

}  // namespace weakspot::race_jit
