// SPDX-License-Identifier: MIT
#include "cli/help/complete.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <utility>

#include "backend/device.h"
#include "codegen/environment.h"
#include "codegen/targets.h"
#include "gen/suites.h"
#include "litmus/dialect.h"
#include "model/library.h"
#include "workbench/corpus.h"

namespace weakspot::cli {
namespace {

// Kinds of values by the option's name; other options are judged by the help's word for the value.
const std::map<std::string, ValueKind>& kinds_of_options() {
  static const std::map<std::string, ValueKind> kKinds = {
      {"device", ValueKind::devices},      {"devices", ValueKind::devices},    {"model", ValueKind::models},
      {"forbidden-by", ValueKind::models}, {"allowed-by", ValueKind::models},  {"minimal", ValueKind::models},
      {"to", ValueKind::dialects},         {"dialect", ValueKind::dialects},   {"target", ValueKind::targets},
      {"env", ValueKind::environment},     {"start", ValueKind::environment},  {"environments", ValueKind::environment},
      {"suite", ValueKind::suites},        {"color", ValueKind::colours},      {"strategy", ValueKind::strategies},
      {"warp", ValueKind::warps},          {"errors", ValueKind::error_forms},
  };
  return kKinds;
}

bool is_file_word(const std::string& word) {
  return word.starts_with("FILE") || word.starts_with("FOLDER") || word.starts_with("PATH") ||
         word.starts_with("RECORDS");
}

ValueKind kind_of(const CLI::Option& option) {
  for (const std::string& name : option.get_lnames()) {
    const auto found = kinds_of_options().find(name);
    if (found != kinds_of_options().end()) return found->second;
  }
  const std::string word = option.nonpositional() ? option.get_option_text() : option.get_name(true);
  if (is_file_word(word)) return ValueKind::files;
  if (word.starts_with("TEST") || word.starts_with("PATTERN")) return ValueKind::tests;
  if (word == "A" || word == "B") return ValueKind::models;
  return ValueKind::none;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

const CLI::Option* option_named(const CLI::App* command, const std::string& name) {
  for (; command != nullptr; command = command->get_parent()) {
    if (const CLI::Option* option = command->get_option_no_throw(name)) return option;
  }
  return nullptr;
}

class Completer {
 public:
  Completer(std::string word, const NamesOf& names) : word_(std::move(word)), names_(names) {}

  std::vector<Candidate> take() { return std::move(found_); }

  // `before`: what stands before the word that the candidates replace.
  void offer(const std::string& before, const std::string& word, const std::string& help = "") {
    const std::string whole = before + word;
    if (whole.starts_with(word_)) found_.push_back({whole, help});
  }

  void offer_values(ValueKind kind, const std::string& before) {
    if (kind == ValueKind::none) return;
    if (kind == ValueKind::files) return add_files();
    // The last item of a list.
    const std::size_t comma = word_.rfind(',');
    const bool is_list = kind == ValueKind::devices || kind == ValueKind::models || kind == ValueKind::environment;
    const std::string head =
        is_list && comma != std::string::npos && comma >= before.size() ? word_.substr(0, comma + 1) : before;
    if (kind == ValueKind::environment) {
      for (const std::string& name : names_(ValueKind::parameters)) offer(head, name + "=");
      if (head == before) {
        for (const std::string& name : names_(ValueKind::presets)) offer(head, name);
        add_files();
      }
      return;
    }
    if (kind == ValueKind::colours) return offer_all(head, {"auto", "always", "never"});
    if (kind == ValueKind::error_forms) return offer_all(head, {"text", "json"});
    if (kind == ValueKind::strategies) return offer_all(head, {"random", "peeking", "adaptive"});
    if (kind == ValueKind::warps) return offer_all(head, {"independent", "lockstep"});
    offer_all(head, names_(kind));
    if (kind == ValueKind::devices) offer(head, "all");
    if (kind == ValueKind::tests || kind == ValueKind::suites || kind == ValueKind::models) add_files();
  }

  void offer_options(const CLI::App* command) {
    for (; command != nullptr; command = command->get_parent()) {
      for (const CLI::Option* option : command->get_options()) {
        if (option->get_group().empty()) continue;
        for (const std::string& name : option->get_lnames()) offer("", "--" + name, option->get_description());
        for (const std::string& name : option->get_snames()) offer("", "-" + name, option->get_description());
      }
    }
  }

 private:
  void offer_all(const std::string& head, const std::vector<std::string>& words) {
    for (const std::string& one : words) offer(head, one);
  }
  void add_files() { found_.push_back({kFiles, ""}); }

  std::string word_;
  const NamesOf& names_;
  std::vector<Candidate> found_;
};

constexpr const char* kBash = R"(# bash completion of weakspot; made by 'weakspot completion bash'
_weakspot() {
  local line typed=${COMP_LINE:0:COMP_POINT} cur=${COMP_WORDS[COMP_CWORD]}
  local -a words
  read -ra words <<< "$typed"
  [[ $typed == *[[:space:]] ]] && words+=("")
  local last=${words[${#words[@]}-1]}
  # Bash cuts words at '=' and ':' and replaces what stands behind.
  local head=${last%"$cur"}
  [[ -z $cur ]] && head=$last
  COMPREPLY=()
  while IFS= read -r line; do
    line=${line%%$'\t'*}
    if [[ $line == :files ]]; then
      compopt -o filenames 2> /dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
    else
      [[ $line == *= ]] && compopt -o nospace 2> /dev/null
      COMPREPLY+=("${line#"$head"}")
    fi
  done < <("${words[0]}" complete -- "${words[@]:1}" 2> /dev/null)
}
complete -F _weakspot weakspot
)";

constexpr const char* kZsh = R"(#compdef weakspot
# zsh completion of weakspot; made by 'weakspot completion zsh'
_weakspot() {
  local line
  local -a candidates open
  for line in "${(@f)$("${(Q)words[1]}" complete -- "${(@Q)words[2,CURRENT]}" 2> /dev/null)}"; do
    case $line in
      :files) _files ;;
      *=) open+=("${line//:/\\:}") ;;  # a value follows without a space
      *$'\t'*) candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
      ?*) candidates+=("${line//:/\\:}") ;;
    esac
  done
  (( $#open )) && _describe -t open weakspot open -S ''
  (( $#candidates )) && _describe -t candidates weakspot candidates
}
_weakspot "$@"
)";

constexpr const char* kFish = R"(# fish completion of weakspot; made by 'weakspot completion fish'
function __weakspot_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] complete -- $words[2..-1] 2> /dev/null)
        if test "$line" = ":files"
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c weakspot -f -a '(__weakspot_complete)'
)";

}  // namespace

NamesOf program_names() {
  return [](ValueKind kind) {
    std::vector<std::string> names;
    if (kind == ValueKind::tests) {
      names = workbench::corpus_arguments();
    } else if (kind == ValueKind::models) {
      const base::Result<std::vector<model::ModelEntry>> entries = model::list_models();
      if (!entries) return names;
      for (const model::ModelEntry& entry : *entries) names.push_back(entry.name);
    } else if (kind == ValueKind::devices) {
      for (const backend::DeviceInfo& info : backend::list_devices()) names.push_back(info.id);
    } else if (kind == ValueKind::suites) {
      for (const gen::Suite& suite : gen::suites()) names.emplace_back(suite.name);
    } else if (kind == ValueKind::dialects) {
      for (const litmus::Dialect dialect : litmus::kDialects) names.emplace_back(to_string(dialect));
    } else if (kind == ValueKind::targets) {
      names = codegen::target_words();
    } else if (kind == ValueKind::parameters) {
      for (const codegen::Parameter& parameter : codegen::parameters()) names.emplace_back(parameter.name);
    } else if (kind == ValueKind::presets) {
      for (const codegen::Preset& preset : codegen::presets()) names.emplace_back(preset.name);
    }
    return names;
  };
}

std::vector<Candidate> completions(const CLI::App& app, const std::vector<std::string>& words, const NamesOf& names) {
  const std::string last = words.empty() ? "" : words.back();
  Completer completer(last, names);
  const CLI::App* command = &app;
  const CLI::Option* open = nullptr;  // the option whose value comes next
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (open != nullptr) {
      open = nullptr;
    } else if (word == "--") {
      return {{kFiles, ""}};
    } else if (word.starts_with("-")) {
      const CLI::Option* option = option_named(command, word.substr(0, word.find('=')));
      if (option != nullptr && takes_value(*option) && word.find('=') == std::string::npos) open = option;
    } else {
      for (const CLI::App* inner :
           command->get_subcommands([&](const CLI::App* one) { return one->check_name(word); })) {
        if (word != "help") command = inner;
      }
    }
  }
  const std::size_t equals = last.find('=');
  if (open != nullptr) {
    completer.offer_values(kind_of(*open), "");
  } else if (last.starts_with("--") && equals != std::string::npos) {
    const CLI::Option* option = option_named(command, last.substr(0, equals));
    if (option != nullptr) completer.offer_values(kind_of(*option), last.substr(0, equals + 1));
  } else if (last.starts_with("-")) {
    completer.offer_options(command);
  } else {
    for (const CLI::App* inner :
         command->get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
      completer.offer("", inner->get_name(), inner->get_description());
    }
    // The value of an argument; commands with several take the last kind for all that follow.
    ValueKind kind = ValueKind::none;
    for (const CLI::Option* option :
         command->get_options([](const CLI::Option* one) { return one->get_positional(); })) {
      const ValueKind one = command->get_name() == "suite" ? ValueKind::suites : kind_of(*option);
      if (kind == ValueKind::none || one == ValueKind::tests) kind = one;
    }
    completer.offer_values(kind, "");
  }
  return completer.take();
}

std::string to_text(const std::vector<Candidate>& candidates) {
  std::string text;
  for (const Candidate& candidate : candidates) {
    const std::string help = candidate.help.substr(0, candidate.help.find('\n'));
    text += candidate.word + (help.empty() ? "" : "\t" + help) + "\n";
  }
  return text;
}

std::string completion_script(const std::string& shell) {
  return shell == "bash" ? kBash : shell == "zsh" ? kZsh : shell == "fish" ? kFish : "";
}

}  // namespace weakspot::cli
