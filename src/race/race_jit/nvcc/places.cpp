// SPDX-License-Identifier: MIT
#include "race_jit/nvcc/places.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/build_info.h"
#include "base/file.h"
#include "system/subprocess.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;

// In the folders of PATH; the name itself if it is a path or is found nowhere.
std::string path_of(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const char* folders = std::getenv("PATH");
  for (std::string_view rest = folders == nullptr ? "" : folders; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    const fs::path path = fs::path(folder) / program;
    if (access(path.c_str(), X_OK) == 0) return path.string();
  }
  return program;
}

}  // namespace

std::string find_toolkit() {
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {here / "toolkit", here / WEAKSPOT_TOOLKIT_FOLDER}) {
    if (fs::exists(folder / "lib64" / "libcudart.so", error)) return fs::canonical(folder, error).string();
  }
  return {};
}

base::Result<NvccPlaces> find_places() {
  NvccPlaces places;
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  places.toolkit = find_toolkit();
  places.headers = base::data_directory("cuda").string();
  if (places.toolkit.empty()) {
    return base::error(fmt::format("the CUDA runtime of weakspot-nvcc is missing: there is none in {}",
                                   (here / WEAKSPOT_TOOLKIT_FOLDER).lexically_normal().string()),
                       base::ErrorKind::environment);
  }
  if (places.headers.empty()) return base::error(base::missing_data("cuda"), base::ErrorKind::environment);
  const char* clang = std::getenv("WEAKSPOT_CLANG");
  places.clang = path_of(clang == nullptr ? "clang-19" : clang);
  places.linker = places.clang;
  if (const std::size_t at = places.linker.rfind("clang"); at != std::string::npos) places.linker.insert(at + 5, "++");
  if (access(places.linker.c_str(), X_OK) != 0) {
    return base::error(fmt::format("there is no {}: weakspot-nvcc needs clang 19", places.linker),
                       base::ErrorKind::environment);
  }
  if (const char* front = std::getenv("WEAKSPOT_FRONT"); front != nullptr && *front != '\0') {
    const std::optional<race::Front> known = race::parse_front(front);
    if (!known) return base::error(fmt::format("WEAKSPOT_FRONT: expected auto, clang or nvcc, found '{}'", front));
    places.front = *known;
  }
  if (const char* name = std::getenv("WEAKSPOT_ARCH"); name != nullptr && *name != '\0' && race::is_amd_gpu(name)) {
    places.gpu = name;
  } else if (name != nullptr && *name != '\0') {
    const base::Result<race::Architecture> known = race::parse_architecture(name);
    if (!known) return base::error("WEAKSPOT_ARCH: " + known.errors().front().message);
    places.architecture = *known;
  }
  return places;
}

std::string version_text() {
  return fmt::format(
      "nvcc: NVIDIA (R) Cuda compiler driver\n"
      "This is weakspot-nvcc {}, which takes its place.\n"
      "Cuda compilation tools, release 12.5, V12.5.40\n",
      base::kVersion);
}

std::string help_text() {
  return "usage: weakspot-nvcc OPTIONS FILES\n"
         "       weakspot-nvcc --python SCRIPT ARGUMENTS, or -m MODULE, or -c TEXT\n\n"
         "Compiles and links CUDA programs as nvcc does and with its options. Host code is\n"
         "compiled by clang; kernels run on the CPU when the program runs, and are checked\n"
         "for synchronisation bugs. See docs/nvcc.md, or weakspot-nvcc(1).\n"
         "With --python, CUDA extensions of PyTorch are compiled and checked.\n\n"
         "The program's environment:\n"
         "  WEAKSPOT_RACE_REPORTS    folder for reports, one for each process; 'weakspot race\n"
         "                           --merge FOLDER' puts them together (default: findings\n"
         "                           are printed to standard error)\n"
         "  WEAKSPOT_RACE_SECONDS    time for all launches of a process (default: no limit)\n"
         "  WEAKSPOT_RACE_SCHEDULES  runs of a launch under different schedules (default 3)\n"
         "  WEAKSPOT_RACE_JOBS       processors that share a launch (default: all)\n"
         "  WEAKSPOT_RACE_WARP       lockstep, or independent (default)\n"
         "Of this program: WEAKSPOT_CLANG, the compiler (default clang-19), and\n"
         "  WEAKSPOT_FRONT           compiler of the kernels: clang, nvcc, which must be in PATH,\n"
         "                           or auto: nvcc where clang fails (default auto)\n"
         "  WEAKSPOT_ARCH            architecture of the kernels, such as sm_80, whatever the\n"
         "                           command names (default: the newest that it names)\n"
         "  WEAKSPOT_PYTHON          Python of --python (default python3)\n";
}

std::string hip_verbose_text(const NvccPlaces& places, const race::NvccCommand& command) {
  const std::string& gpu = !places.gpu.empty() ? places.gpu : command.gpu;
  return fmt::format("Found HIP installation: {}, version 6.2.0\n {} -triple amdgcn-amd-amdhsa -target-cpu {} \n",
                     places.toolkit, places.clang, gpu.empty() ? race::kDefaultGpu : gpu);
}

std::string hip_version_text() {
  return fmt::format(
      "HIP version: 6.2.0\n"
      "This is weakspot-hipcc {}, which takes the place of hipcc.\n"
      "clang version 19.1.0\n",
      base::kVersion);
}

std::string hip_help_text() {
  return "usage: weakspot-hipcc OPTIONS FILES\n\n"
         "Compiles and links HIP programs as hipcc does and with its options, for GPUs of AMD\n"
         "and without ROCm. Host code is compiled by clang; kernels run on the CPU when the\n"
         "program runs, and are checked for synchronisation bugs. See docs/hip.md.\n\n"
         "  --offload-arch=GPU       the GPU that kernels are compiled for (default gfx90a)\n"
         "  -mwavefrontsize64, -mno-wavefrontsize64\n"
         "                           lanes of its waves, from gfx10 on: 64, or 32 (default 32)\n\n"
         "The program's environment is that of weakspot-nvcc: WEAKSPOT_RACE_REPORTS,\n"
         "WEAKSPOT_RACE_SECONDS, WEAKSPOT_RACE_SCHEDULES, WEAKSPOT_RACE_JOBS, WEAKSPOT_RACE_WARP.\n"
         "Of this program: WEAKSPOT_CLANG, the compiler (default clang-19), and WEAKSPOT_ARCH, the\n"
         "GPU, whatever the command names (default: the one that it names).\n";
}

std::string verbose_text(const NvccPlaces& places, const race::NvccCommand& command) {
  const std::string libraries = fmt::format("\"-L{0}/stubs\" \"-L{0}\"", places.libraries());
  std::string text = fmt::format(
      "#$ _NVVM_BRANCH_=nvvm\n#$ TOP={0}\n#$ NVVMIR_LIBRARY_DIR={0}/nvvm/libdevice\n#$ PATH={0}/bin:{1}\n"
      "#$ INCLUDES=\"-I{0}/include\"  \n#$ LIBRARIES=  {2}\n#$ SYSTEM_INCLUDES=\n",
      places.toolkit, std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"), libraries);
  for (const race::NvccInput& source : command.sources) {
    if (source.language == "cu") text += fmt::format("#$ cicc -arch compute_80 \"{}\"\n", source.path);
  }
  if (command.phase != race::NvccPhase::link) return text;
  std::vector<std::string> words;
  for (const std::string& word : command.link_words) words.push_back(word.starts_with('#') ? "tmp/a.o" : word);
  return text + fmt::format("#$ {} -o \"{}\" {} {} -lcudadevrt -lcudart_static -lrt -lpthread -ldl\n", places.linker,
                            command.output.empty() ? "a.out" : command.output, fmt::join(words, " "), libraries);
}

bool run_tool(const std::vector<std::string>& command, bool verbose) {
  constexpr std::chrono::milliseconds kLongest = std::chrono::hours(2);
  if (verbose) fmt::print(stderr, "#$ {}\n", fmt::join(command, " "));
  base::ProcessOptions options;
  options.deadline = kLongest;
  options.output_limit = std::size_t{1} << 30;
  const base::Result<base::ProcessResult> result = base::run_process(command, options);
  if (!result) {
    std::fputs(base::render(result.errors()).c_str(), stderr);
    return false;
  }
  std::fwrite(result->output.data(), 1, result->output.size(), stdout);
  std::fwrite(result->errors.data(), 1, result->errors.size(), stderr);
  if (result->signal != 0) fmt::print(stderr, "error: {} was ended by signal {}\n", command.front(), result->signal);
  return result->succeeded();
}

}  // namespace weakspot::race_jit
