// SPDX-License-Identifier: MIT
#include "race/nvcc_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <span>

#include "base/file.h"
#include "race/architecture.h"
#include "race/compile_commands.h"

namespace weakspot::race {
namespace {

enum class NvccOption : std::uint8_t {
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
  NvccOption option;
  bool value;
  std::string_view as;                    // clang's name for it
  std::array<std::string_view, 4> names;  // all of them, without dashes
};

// Names are those with one or two dashes; a value follows as the next word, after '=', or, for names of one letter,
// directly.
constexpr OptionRow kOptions[] = {
    {NvccOption::language, true, "-I", {"I", "include-path"}},
    {NvccOption::language, true, "-D", {"D", "define-macro"}},
    {NvccOption::language, true, "-U", {"U", "undefine-macro"}},
    {NvccOption::language, true, "-isystem", {"isystem", "system-include"}},
    {NvccOption::language, true, "-include", {"include", "pre-include"}},
    {NvccOption::standard, true, "", {"std"}},
    {NvccOption::fast_math, false, "", {"use_fast_math"}},
    {NvccOption::host_words, true, "", {"Xcompiler", "compiler-options"}},
    {NvccOption::link_words, true, "-l", {"l", "library"}},
    {NvccOption::link_words, true, "-L", {"L", "library-path"}},
    {NvccOption::link_words, true, "-Wl,", {"Xlinker", "linker-options"}},
    {NvccOption::output, true, "", {"o", "output-file"}},
    {NvccOption::language_of_sources, true, "", {"x"}},
    {NvccOption::phase_compile, false, "", {"c", "compile", "dw", "device-w"}},
    {NvccOption::phase_device_compile, false, "", {"dc", "device-c"}},
    {NvccOption::phase_device_link, false, "", {"dlink", "device-link"}},
    {NvccOption::phase_preprocess, false, "", {"E", "preprocess"}},
    {NvccOption::phase_library, false, "", {"lib"}},
    {NvccOption::phase_dependencies, false, "", {"M", "generate-dependencies"}},
    {NvccOption::phase_user_dependencies, false, "", {"MM", "generate-nonsystem-dependencies"}},
    {NvccOption::relocatable, true, "", {"rdc", "relocatable-device-code"}},
    {NvccOption::dependencies, false, "", {"MD", "generate-dependencies-with-compile"}},
    {NvccOption::user_dependencies, false, "", {"MMD", "generate-nonsystem-dependencies-with-compile"}},
    {NvccOption::dependency_file, true, "", {"MF", "dependency-output"}},
    {NvccOption::dependency_target, true, "", {"MT", "dependency-target-name", "MQ"}},
    {NvccOption::phony_targets, false, "", {"MP", "generate-dependency-targets"}},
    {NvccOption::optimize, true, "", {"O", "optimize"}},
    {NvccOption::debug, false, "", {"g", "debug"}},
    {NvccOption::shared, false, "", {"shared"}},
    {NvccOption::verbose, false, "", {"v", "verbose"}},
    {NvccOption::dry_run, false, "", {"dryrun", "n"}},
    {NvccOption::version, false, "", {"V", "version"}},
    {NvccOption::help, false, "", {"h", "help"}},
    {NvccOption::no_warnings, false, "", {"w", "disable-warnings"}},
    {NvccOption::werror, true, "", {"Werror"}},
    {NvccOption::cudart, true, "", {"cudart"}},
    {NvccOption::response_file, true, "", {"optf", "options-file"}},
    {NvccOption::run, false, "", {"run"}},
    {NvccOption::run_arguments, true, "", {"run-args"}},
    {NvccOption::machine, true, "", {"m", "machine"}},
    {NvccOption::refuse, false, "", {"ptx", "cubin", "fatbin", "optix-ir"}},
    {NvccOption::architecture, true, "", {"gencode", "generate-code", "arch", "gpu-architecture"}},
    {NvccOption::architecture, true, "", {"cuda-gpu-arch", "offload-arch"}},  // clang's
    {NvccOption::ignore_value, true, "", {"code", "gpu-code"}},
    {NvccOption::ignore_value, true, "", {"Xptxas", "ptxas-options"}},
    {NvccOption::ignore_value, true, "", {"Xnvlink", "nvlink-options"}},
    {NvccOption::ignore_value, true, "", {"Xarchive", "archive-options"}},
    {NvccOption::ignore_value, true, "", {"Xcudafe", "cudafe-options"}},
    {NvccOption::ignore_value, true, "", {"Xfatbin", "fatbin-options"}},
    {NvccOption::ignore_value, true, "", {"maxrregcount"}},
    {NvccOption::ignore_value, true, "", {"ftz", "prec-div", "prec-sqrt", "fmad"}},
    {NvccOption::ignore_value, true, "", {"ccbin", "compiler-bindir"}},
    {NvccOption::ignore_value, true, "", {"cudadevrt", "libdevice-directory", "ldir", "target-dir"}},
    {NvccOption::ignore_value, true, "", {"default-stream", "keep-dir", "odir", "output-directory"}},
    {NvccOption::ignore_value, true, "", {"t", "threads", "split-compile", "split-compile-extended"}},
    {NvccOption::ignore_value, true, "", {"diag-suppress", "diag-error", "diag-warn", "opt-info"}},
    {NvccOption::ignore_value, true, "", {"entries", "e", "idp", "input-drive-prefix"}},
    {NvccOption::ignore_value, true, "", {"relax-constexpr-level", "time", "maxntid", "minnctapersm"}},
    {NvccOption::ignore_value, true, "", {"Ofast-compile", "Ofc", "jump-table-density", "frandom-seed"}},
    {NvccOption::ignore, false, "", {"G", "device-debug", "lineinfo", "generate-line-info"}},
    {NvccOption::ignore, false, "", {"keep", "save-temps", "forward-unknown-to-host-compiler", "forward-unknown-opts"}},
    {NvccOption::ignore, false, "", {"expt-relaxed-constexpr", "expt-extended-lambda", "extended-lambda", "dlto"}},
    {NvccOption::ignore, false, "", {"forward-unknown-to-host-linker", "restrict", "resource-usage", "res-usage"}},
    {NvccOption::ignore, false, "", {"display-error-number", "no-display-error-number", "source-in-ptx", "src-in-ptx"}},
    {NvccOption::ignore,
     false,
     "",
     {"extra-device-vectorization", "clean-targets", "clean", "no-host-device-initializer-list"}},
    {NvccOption::ignore, false, "", {"no-exceptions", "noeh", "no-align-double", "device-stack-protector"}},
    {NvccOption::ignore,
     false,
     "",
     {"Wno-deprecated-gpu-targets", "Wno-deprecated-declarations", "Wreorder", "Wdefault-stream-launch"}},
    {NvccOption::ignore,
     false,
     "",
     {"Wmissing-launch-bounds", "Wext-lambda-captures-this", "no-compress", "compress-all"}},
    {NvccOption::ignore, false, "", {"allow-unsupported-compiler", "use-local-env", "nodlink", "astoolspatch"}},
    {NvccOption::ignore, false, "", {"dopt", "gen-opt-lto", "host-linker-script", "no-device-link"}},
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
  // Names with the value behind them: -Idir, -DX=1, -O2, -lm, -oname, -m64, and clang's -isystem/dir.
  constexpr std::string_view kLetters = "IDULlOo";
  std::size_t length = 0;
  if (word.starts_with("--") || text.size() < 2) return {};
  if (kLetters.find(text[0]) != std::string_view::npos || text == "m64" || text == "m32") length = 1;
  if (text.starts_with("isystem/")) length = text.find('/');
  if (length == 0) return {};
  FoundOption found = find_option(word.substr(0, length + 1));
  found.value = std::string(text.substr(length));
  return found;
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
                                                                {".c++", "c++"}, {".cup", "cu"},  {".hip", "hip"}};
  const auto found = kLanguages.find(std::filesystem::path(path).extension().string());
  return found == kLanguages.end() ? "" : found->second;
}

class NvccParser {
 public:
  explicit NvccParser(const NvccReading& reading) : reading_(reading) {}

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
      } else if (base::Status done = take_option(words, i, depth); !done && !reading_.forgiving) {
        return done;
      }
    }
    return base::ok_status();
  }

  base::Status take_file(const std::string& path, unsigned depth) {
    base::Result<std::string> text = base::read_file((reading_.folder / path).string());
    if (!text) return reading_.forgiving ? base::ok_status() : text.errors();
    return take(split_command(*text), depth + 1);
  }

  void take_input(const std::string& path) {
    std::string language = language_.empty() ? language_by_name(path) : language_;
    if (reading_.hip && language_.empty() && (language == "c++" || language == "cu")) language = "hip";
    if (language.empty()) {
      made_.link_words.push_back(path);
      return;
    }
    made_.link_words.push_back(fmt::format("#{}", made_.sources.size()));
    made_.sources.push_back({path, language});
  }

  base::Status take_option(const std::vector<std::string>& words, std::size_t& i, unsigned depth) {
    if (words[i] == "-mwavefrontsize64" || words[i] == "-mno-wavefrontsize64") {
      made_.wave = words[i] == "-mwavefrontsize64" ? 64 : 32;
      return base::ok_status();
    }
    if (reading_.hip && words[i] == "-fgpu-rdc") {
      return base::error("-fgpu-rdc: device code of several objects is not linked for HIP");
    }
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

  // clang's option names GPUs of both makers; what follows a colon are features of one.
  base::Status take_architecture(const std::string& value) {
    if (!is_amd_gpu(value)) return add_architecture(value, made_.architectures);
    made_.gpu = value.substr(0, value.find_first_of(":,"));
    return base::ok_status();
  }

  void set_phase(NvccPhase phase) { made_.phase = phase; }

  base::Status apply(const OptionRow& row, const std::string& word, const std::string& value, unsigned depth) {
    switch (row.option) {
      case NvccOption::ignore:
      case NvccOption::ignore_value:
        break;
      case NvccOption::architecture:
        return take_architecture(value);
      case NvccOption::language:
        for (const std::string& part : row.as == "-D" ? std::vector<std::string>{value} : split_at_commas(value)) {
          if (row.as.size() == 2) {
            made_.language_flags.push_back(std::string(row.as) + part);
          } else {
            made_.language_flags.insert(made_.language_flags.end(), {std::string(row.as), part});
          }
        }
        break;
      case NvccOption::standard:
        made_.language_flags.push_back("-std=" + value);
        break;
      case NvccOption::host_words:
        // A shell would take quotes away: nvcc hands the words to one.
        for (const std::string& part : split_at_commas(value)) {
          for (const std::string& bare : split_command(part)) take_host_word(bare);
        }
        break;
      case NvccOption::link_words:
        for (const std::string& part : split_at_commas(value)) made_.link_words.push_back(std::string(row.as) + part);
        break;
      case NvccOption::fast_math:
        made_.language_flags.push_back("-D__USE_FAST_MATH__");
        break;
      case NvccOption::refuse:
        return base::error(fmt::format("{}: machine code for GPUs is not made here", word));
      case NvccOption::response_file:
        for (const std::string& part : split_at_commas(value)) {
          if (base::Status read = take_file(part, depth); !read) return read;
        }
        break;
      default:
        apply_more(row.option, value);
    }
    return base::ok_status();
  }

  void apply_more(NvccOption option, const std::string& value) {
    switch (option) {
      case NvccOption::output:
        made_.output = value;
        break;
      case NvccOption::language_of_sources:
        language_ = made_.language = value == "none" ? "" : value;
        break;
      case NvccOption::phase_compile:
        set_phase(NvccPhase::compile);
        break;
      case NvccOption::phase_device_compile:
        set_phase(NvccPhase::compile);
        made_.relocatable = true;
        break;
      case NvccOption::phase_device_link:
        set_phase(NvccPhase::device_link);
        break;
      case NvccOption::phase_preprocess:
        set_phase(NvccPhase::preprocess);
        break;
      case NvccOption::phase_library:
        set_phase(NvccPhase::library);
        break;
      case NvccOption::phase_user_dependencies:
        made_.system_dependencies = false;
        [[fallthrough]];
      case NvccOption::phase_dependencies:
        set_phase(NvccPhase::dependencies);
        break;
      case NvccOption::relocatable:
        made_.relocatable = value == "true";
        break;
      case NvccOption::user_dependencies:
        made_.system_dependencies = false;
        [[fallthrough]];
      case NvccOption::dependencies:
        made_.dependencies = true;
        break;
      case NvccOption::dependency_file:
        made_.dependency_file = value;
        break;
      case NvccOption::dependency_target:
        made_.dependency_targets.push_back(value);
        break;
      case NvccOption::phony_targets:
        made_.phony_targets = true;
        break;
      default:
        apply_rest(option, value);
    }
  }

  void apply_rest(NvccOption option, const std::string& value) {
    switch (option) {
      case NvccOption::optimize:
        made_.host_flags.push_back("-O" + value);
        break;
      case NvccOption::debug:
        made_.host_flags.push_back("-g");
        break;
      case NvccOption::shared:
        made_.shared = true;
        break;
      case NvccOption::verbose:
        made_.verbose = true;
        break;
      case NvccOption::dry_run:
        made_.dry_run = made_.verbose = true;
        break;
      case NvccOption::version:
        made_.version = true;
        break;
      case NvccOption::help:
        made_.help = true;
        break;
      case NvccOption::no_warnings:
        made_.host_flags.push_back("-w");
        break;
      case NvccOption::werror:
        if (value == "all-warnings") made_.host_flags.push_back("-Werror");
        break;
      case NvccOption::cudart:
        made_.with_runtime = value != "none";
        break;
      case NvccOption::run:
        made_.run = true;
        break;
      case NvccOption::run_arguments:
        for (const std::string& part : split_at_commas(value)) made_.run_arguments.push_back(part);
        break;
      default:  // the size of addresses, which is that of this machine
        break;
    }
  }

  const NvccReading& reading_;
  NvccCommand made_;
  std::string language_;
};

}  // namespace

base::Result<NvccCommand> parse_nvcc(const std::vector<std::string>& words, const NvccReading& reading) {
  return NvccParser(reading).parse(words);
}

std::size_t nvcc_option_words(const std::vector<std::string>& words, std::size_t at) {
  const std::string& word = words[at];
  if (word.size() < 2) return 0;
  if (word[0] == '@') return 1;
  if (word[0] != '-') return 0;
  const FoundOption found = find_option(word);
  if (found.row == nullptr) return 0;
  return found.row->value && !found.value && at + 1 < words.size() ? 2 : 1;
}

}  // namespace weakspot::race
