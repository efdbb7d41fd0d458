# SPDX-License-Identifier: MIT
"""Runs a Python program with CUDA extensions of PyTorch, on a PyTorch that was built for CPUs: docs/nvcc.md.

weakspot-nvcc --python SCRIPT ARGUMENTS..., or -m MODULE, or -c TEXT, starts this. It makes weakspot-nvcc the compiler
of torch.utils.cpp_extension, and "cuda" a device whose memory is that of the checker (backend.cpp).
"""

import contextlib
import os
import runpy
import sys
import time
import types

HERE = os.path.dirname(os.path.abspath(__file__))
VERSION = "12.5"


def fail(why):
    print(f"weakspot: {why}", file=sys.stderr)
    sys.exit(2)


def toolkit():
    folder = os.environ.get("CUDA_HOME", "")
    if not os.path.exists(os.path.join(folder, "bin", "weakspot-nvcc")):
        fail("CUDA_HOME does not name the folder of weakspot-nvcc; start this by 'weakspot-nvcc --python'")
    return folder


def import_torch():
    try:
        import torch
    except ImportError as error:
        fail(f"{sys.executable} has no PyTorch ({error}); WEAKSPOT_PYTHON may name another Python")
    if torch.version.cuda is not None or torch.version.hip is not None:
        fail(f"PyTorch {torch.__version__} was built for a GPU; weakspot needs one that was built for CPUs")
    return torch


def prepare_extensions(torch):
    """weakspot-nvcc compiles, and finds the headers that a build for CPUs lacks."""
    os.environ["PYTORCH_NVCC"] = os.path.join(toolkit(), "bin", "nvcc")
    torch.version.cuda = VERSION
    torch.cuda.is_available = lambda: True  # cpp_extension warns otherwise
    from torch.utils import cpp_extension

    cpp_extension.CUDA_HOME = toolkit()
    usual = cpp_extension.include_paths

    def include_paths(*arguments, **options):
        cuda = any(arguments) or any(options.values())
        return ([os.path.join(HERE, "include")] if cuda else []) + usual(*arguments, **options)

    cpp_extension.include_paths = include_paths
    if not os.environ.get("TORCH_CUDA_ARCH_LIST"):
        choose_architecture(cpp_extension)
    return cpp_extension


def choose_architecture(cpp_extension):
    """The newest that is modelled whole and that this PyTorch knows."""
    for architecture in ("9.0", "8.6", "8.0"):
        os.environ["TORCH_CUDA_ARCH_LIST"] = architecture
        try:
            cpp_extension._get_cuda_arch_flags()
        except ValueError:
            continue
        return


def load_backend(cpp_extension):
    home = toolkit()
    return cpp_extension.load(
        name="weakspot_device",
        sources=[os.path.join(HERE, "backend.cpp")],
        extra_include_paths=[os.path.join(home, "include")],
        extra_cflags=["-O1"],
        extra_ldflags=[f"-L{os.path.join(home, 'lib64')}", "-lcudart"],
    )


class Stream:
    """Work of PyTorch itself is all in the default stream."""

    cuda_stream = 0
    device_index = 0

    def __init__(self, *_arguments, **_options):
        pass

    def synchronize(self):
        pass

    def wait_stream(self, _other):
        pass

    wait_event = wait_stream

    def query(self):
        return True

    def record_event(self, event=None):
        event = event or Event()
        event.record()
        return event

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class Event:
    """Kernels have ended when the call that launches them returns."""

    def __init__(self, *_arguments, **_options):
        self.seconds = None

    def record(self, _stream=None):
        self.seconds = time.perf_counter()

    def elapsed_time(self, end):
        return (end.seconds - self.seconds) * 1000

    def query(self):
        return True

    def synchronize(self):
        pass

    def wait(self, _stream=None):
        pass


def prepare_device(torch, backend):
    """What torch.cuda asks of a build for GPUs."""
    name, major, minor, memory, processors = backend.properties()
    properties = types.SimpleNamespace(
        name=name, major=major, minor=minor, total_memory=memory, multi_processor_count=processors
    )
    cuda = torch.cuda
    stream = Stream()

    def answer(value):
        return lambda *_arguments, **_options: value

    for function, value in {
        "is_available": True,
        "is_initialized": True,
        "is_bf16_supported": True,
        "init": None,
        "_lazy_init": None,
        "device_count": 1,
        "current_device": 0,
        "set_device": None,
        "get_device_name": name,
        "get_device_capability": (major, minor),
        "get_device_properties": properties,
        "get_arch_list": [f"sm_{major}{minor}"],
        "current_stream": stream,
        "default_stream": stream,
        "set_stream": None,
        "empty_cache": None,
        "memory_allocated": 0,
        "max_memory_allocated": 0,
        "memory_reserved": 0,
        "max_memory_reserved": 0,
        "reset_peak_memory_stats": None,
        "manual_seed": None,
        "manual_seed_all": None,
        "seed": None,
        "seed_all": None,
        "mem_get_info": (memory, memory),
    }.items():
        setattr(cuda, function, answer(value))
    cuda.synchronize = lambda device=None: backend.synchronize()
    cuda.device = cuda.device_of = cuda.stream = lambda _which=None: contextlib.nullcontext()
    cuda.Stream = Stream
    cuda.Event = Event
    torch.Tensor.pin_memory = lambda self, device=None: self
    usual_copy = torch.Tensor.__deepcopy__

    def deepcopy(self, memo):
        """Storages of a build for CPUs cannot be made on another device."""
        if not self.is_cuda or not self.is_leaf or id(self) in memo:
            return usual_copy(self, memo)
        memo[id(self)] = self.detach().clone().requires_grad_(self.requires_grad)
        return memo[id(self)]

    torch.Tensor.__deepcopy__ = deepcopy


def run(words):
    if words[0] == "-m" and len(words) > 1:
        sys.argv = words[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    elif words[0] == "-c" and len(words) > 1:
        sys.argv = ["-c"] + words[2:]
        sys.path[0] = ""
        exec(compile(words[1], "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = words
        sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
        runpy.run_path(words[0], run_name="__main__")


def main():
    if len(sys.argv) < 2:
        fail("a Python program is missing: SCRIPT, -m MODULE or -c TEXT")
    torch = import_torch()
    prepare_device(torch, load_backend(prepare_extensions(torch)))
    run(sys.argv[1:])


if __name__ == "__main__":
    main()
