# SPDX-License-Identifier: MIT
# The wings and modules of src/, in the order of their layers: the one place that says who may use whom.
#
#   weakspot_wing(NAME NEEDS wings)
#     opens the wing src/NAME, whose modules follow. They may use each other and modules of the wings it needs. A wing
#     is an include root, and can be built alone with those it needs: cmake --preset NAME.
#
#   weakspot_module(NAME
#     DEPS   modules whose headers NAME may include
#     LIBS   CMake targets NAME links; without one of them the module is left out of the build
#     PARTS  PART:TARGET, a room or group of files that is left out of the module where the target is missing
#     DOORS  third-party headers NAME may include; tools/check_layers says which headers a door opens)
#
# tools/check_layers reads this file as text: keep to the form above, literal words only. A permission that no file
# uses is a violation. A module whose folder has no sources yet is skipped.
# docs/architecture.md says what each module is for.

# What the language lacks, HTTP, how results look, and the frame of programs.
weakspot_wing(common)

weakspot_module(base
  LIBS fmt::fmt
  DOORS fmt)

# Values of JSON, with their places in the text.
weakspot_module(json
  DEPS base
  DOORS fmt)

# Processes and temporary folders.
weakspot_module(system
  DEPS base
  LIBS weakspot::posix
  DOORS fmt)

weakspot_module(http
  DEPS base json system
  LIBS weakspot::posix
  DOORS fmt)

weakspot_module(report
  DEPS base json
  DOORS fmt)

# The project file, which several commands read.
weakspot_module(project
  DEPS base json
  LIBS weakspot::posix
  PARTS toml:weakspot::tomlplusplus
  DOORS fmt tomlplusplus)

# What programs have in common: options, help, output on terminals, exit codes.
weakspot_module(console
  DEPS base json
  LIBS weakspot::posix CLI11::CLI11
  DOORS fmt cli11)

# The library: what a test is, what is allowed, where tests come from, what counts mean.
weakspot_wing(judge NEEDS common)

weakspot_module(litmus
  DEPS base json
  DOORS fmt)

weakspot_module(model
  DEPS base litmus
  PARTS png:ZLIB::ZLIB
  DOORS fmt zlib)

weakspot_module(gen
  DEPS base litmus
  DOORS fmt)

weakspot_module(stats
  DEPS base litmus
  LIBS weakspot::boost_math weakspot::eigen
  DOORS boost_math eigen)

# Tests on devices.
weakspot_wing(run NEEDS common judge)

weakspot_module(codegen
  DEPS base json system litmus
  LIBS weakspot::spirv_headers
  DOORS fmt spirv)

weakspot_module(backend
  DEPS base json system http codegen
  LIBS weakspot::posix
  PARTS cpu:asmjit::asmjit mixed:asmjit::asmjit vulkan:weakspot::vulkan_headers opencl:weakspot::opencl_headers
  DOORS fmt vulkan spirv opencl asmjit)

# Whether the code that a device runs is the test.
weakspot_module(optcheck
  DEPS base system litmus codegen backend
  LIBS weakspot::posix
  DOORS fmt)

weakspot_module(campaign
  DEPS base json system report litmus codegen backend optcheck stats
  LIBS weakspot::posix
  DOORS fmt)

# What compilers make of tests.
weakspot_wing(compile NEEDS common judge)

# What compilers make of tests, and whether they keep the promises of their language.
weakspot_module(compile
  DEPS base json system report litmus model
  LIBS weakspot::posix weakspot::spirv_headers
  DOORS fmt spirv)

# CUDA programs on the CPU; cuda/ has the headers they see.
weakspot_wing(race NEEDS common)

weakspot_module(race
  DEPS base json report
  LIBS weakspot::posix
  DOORS fmt)

# Launches that were captured, as a folder of files.
weakspot_module(capture
  DEPS base json race
  LIBS ZLIB::ZLIB
  DOORS fmt zlib)

# What is left of a launch's threads once all that it determines is computed: no LLVM.
weakspot_module(residual
  DEPS base json race
  DOORS fmt)

# The command: 'weakspot race', and weakspot-race for people.
weakspot_module(race_command
  DEPS base json project console system race capture residual
  LIBS weakspot::posix CLI11::CLI11
  DOORS fmt)

# In programs of its own, weakspot-race and weakspot-nvcc, which alone load LLVM.
weakspot_module(race_jit
  DEPS base json console system race capture residual race_command
  LIBS weakspot::llvm CLI11::CLI11
  DOORS fmt llvm clang cuda_stand_in)

# What is remembered.
weakspot_wing(results NEEDS common judge run)

weakspot_module(store
  DEPS base system
  LIBS weakspot::posix
  PARTS sqlite:weakspot::sqlite postgres:weakspot::libpq
  DOORS fmt sqlite libpq)

weakspot_module(analysis
  DEPS base json system report litmus stats campaign store
  LIBS weakspot::posix
  DOORS fmt)

# What a command does.
weakspot_wing(jobs NEEDS common judge run compile race results)

# What can be asked of a test without a device and without files.
weakspot_module(questions
  DEPS base json litmus model gen codegen stats
  DOORS fmt)

# Findings of races as litmus tests.
weakspot_module(distil
  DEPS base litmus model race questions
  LIBS weakspot::posix
  DOORS fmt)

# Launches of kernels as litmus tests, and what models say of them.
weakspot_module(prove
  DEPS base json litmus model race residual questions
  LIBS weakspot::posix
  DOORS fmt)

# Findings of races on a device: the kernel as it is, delayed, and repaired.
weakspot_module(confirm
  DEPS base json system backend race capture
  LIBS weakspot::posix
  DOORS fmt)

# What a command does; cli is a face of it.
weakspot_module(workbench
  DEPS base json system litmus model gen codegen backend optcheck stats campaign compile race store analysis questions distil
  LIBS weakspot::posix
  DOORS fmt)

# What people and programs talk to.
weakspot_wing(faces NEEDS common judge run compile race results jobs)

# The questions behind one function, for a browser: JSON in, JSON out.
weakspot_module(core
  DEPS base json litmus model gen codegen stats questions
  DOORS fmt)

# The same for programs that speak the Model Context Protocol.
weakspot_module(mcp
  DEPS base json questions core
  DOORS fmt)

# The same for Python, and the judge for loops.
weakspot_module(python
  DEPS base litmus model questions core
  LIBS pybind11::module
  DOORS fmt pybind11)

# Showing: the page, this machine's devices behind it, and results that people send in.
weakspot_module(serve
  DEPS base json system http litmus codegen backend campaign store workbench
  LIBS weakspot::posix ZLIB::ZLIB
  DOORS fmt zlib)

# A language server: tests and models in editors.
weakspot_module(lsp
  DEPS base json system project litmus model race questions
  LIBS weakspot::posix
  DOORS fmt)

weakspot_module(cli
  DEPS base json project console system http litmus model gen codegen backend campaign compile race race_command capture store analysis questions prove confirm mcp workbench serve lsp
  LIBS weakspot::posix CLI11::CLI11
  DOORS fmt cli11)
