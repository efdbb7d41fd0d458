# SPDX-License-Identifier: MIT
# The modules of src/, in the order of their layers: the one place that says who may use whom.
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

weakspot_module(base
  LIBS fmt::fmt
  DOORS fmt)

weakspot_module(http
  DEPS base
  LIBS weakspot::posix
  DOORS fmt)

weakspot_module(report
  DEPS base
  DOORS fmt)

weakspot_module(litmus
  DEPS base
  DOORS fmt)

weakspot_module(model
  DEPS base litmus
  DOORS fmt)

weakspot_module(gen
  DEPS base litmus
  DOORS fmt)

weakspot_module(codegen
  DEPS base litmus
  LIBS weakspot::spirv_headers
  DOORS fmt spirv)

weakspot_module(backend
  DEPS base http codegen
  LIBS weakspot::posix
  PARTS cpu:asmjit::asmjit mixed:asmjit::asmjit vulkan:weakspot::vulkan_headers opencl:weakspot::opencl_headers
  DOORS fmt vulkan spirv opencl asmjit)

# Whether the code that a device runs is the test.
weakspot_module(optcheck
  DEPS base litmus codegen backend
  LIBS weakspot::posix
  DOORS fmt)

weakspot_module(stats
  DEPS base litmus
  LIBS weakspot::boost_math weakspot::eigen
  DOORS boost_math eigen)

weakspot_module(campaign
  DEPS base report litmus codegen backend optcheck stats
  LIBS weakspot::posix
  DOORS fmt)

weakspot_module(race
  DEPS base report
  LIBS weakspot::posix
  DOORS fmt)

# In programs of its own, weakspot-race and weakspot-nvcc, which alone load LLVM.
weakspot_module(race_jit
  DEPS base race
  LIBS weakspot::llvm
  DOORS fmt llvm clang cuda_stand_in)

weakspot_module(store
  DEPS base
  LIBS weakspot::posix
  PARTS sqlite:weakspot::sqlite postgres:weakspot::libpq
  DOORS fmt sqlite libpq)

weakspot_module(analysis
  DEPS base report litmus stats campaign store
  LIBS weakspot::posix
  DOORS fmt)

# What compilers make of tests, and whether they keep the promises of their language.
weakspot_module(compile
  DEPS base report litmus model
  LIBS weakspot::posix weakspot::spirv_headers
  DOORS fmt spirv)

# What can be asked of a test without a device and without files.
weakspot_module(desk
  DEPS base litmus model gen codegen stats
  DOORS fmt)

# Findings of races as litmus tests.
weakspot_module(distil
  DEPS base litmus model race desk
  DOORS fmt)

# The desk behind one function, for a browser: JSON in, JSON out.
weakspot_module(wasm
  DEPS base litmus model gen codegen stats desk
  DOORS fmt)

# The same for programs that speak the Model Context Protocol.
weakspot_module(mcp
  DEPS base wasm
  DOORS fmt)

# The same for Python, and the judge for loops.
weakspot_module(python
  DEPS base litmus model wasm
  LIBS pybind11::module
  DOORS fmt pybind11)

# What a command does; cli is a face of it.
weakspot_module(workbench
  DEPS base litmus model gen codegen backend optcheck stats campaign compile race store analysis desk distil
  LIBS weakspot::posix
  DOORS fmt)

# Showing: the page, this machine's devices behind it, and results that people send in.
weakspot_module(serve
  DEPS base http litmus codegen backend campaign store workbench
  LIBS weakspot::posix
  DOORS fmt)

# A language server: tests and models in editors.
weakspot_module(lsp
  DEPS base litmus model desk
  LIBS weakspot::posix
  DOORS fmt)

weakspot_module(cli
  DEPS base http litmus model gen codegen backend campaign compile race store analysis desk mcp workbench serve lsp
  LIBS weakspot::posix CLI11::CLI11
  DOORS fmt cli11)
