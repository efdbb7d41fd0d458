# SPDX-License-Identifier: MIT
"""Tests that weakspot-nvcc takes nvcc's place: in a command, in a Makefile's steps, and in CMake; and that what it
builds runs as ever while its kernels are checked."""
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

NVCC = PROGRAM.parent / "weakspot-nvcc"
DATA = ROOT / "tests" / "data" / "nvcc"


def has_clang():
    return shutil.which(os.environ.get("WEAKSPOT_CLANG", "clang-19")) is not None


needs_nvcc = unittest.skipUnless(NVCC.exists() and has_clang(), "weakspot-nvcc was not built, or there is no clang 19")


class NvccTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.reports = self.folder / "reports"

    def do(self, *words, status=0, seconds=300, **options):
        environment = {**os.environ, "WEAKSPOT_RACE_REPORTS": str(self.reports), **options.pop("env", {})}
        done = subprocess.run([str(word) for word in words], cwd=self.folder, env=environment, text=True, timeout=seconds,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}\n{done.stderr}")
        return done

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def merged(self, status):
        return json.loads(self.do(PROGRAM, "race", "--merge", self.reports, "--json", status=status).stdout)


def places(report, kind="E1"):
    findings = [each for finding in report["findings"] for each in (finding, *finding.get("also", []))]
    return {(Path(finding["file"]).name, finding["line"]) for finding in findings if finding["class"] == kind}


@needs_program
@needs_nvcc
class Program(NvccTest):
    def build(self):
        self.do(NVCC, "-O2", "-arch=sm_80", "-o", "sums", DATA / "sums.cu")

    def test_program_runs_as_ever_and_its_race_is_found(self):
        self.build()
        done = self.do("./sums", "word", "7", status=7, input="100")
        # What a kernel with a race leaves depends on the schedule.
        self.assertRegex(done.stdout, r"\Aword \d+\n\Z")
        self.assertEqual(done.stderr, "")
        report = self.merged(1)
        self.assertIn(("sums.cu", 9), places(report))
        self.assertEqual(report["files"], [{"file": "./sums word 7", "verdict": "found"}])

    def test_memory_has_the_name_of_the_variable_it_was_allocated_for(self):
        self.write("named.cu", "__global__ void add(int* p) { *p += 1; }\n"
                               "int main() {\n  int* total;\n  cudaMalloc((void**)&total, 4);\n"
                               "  add<<<1, 2>>>(total);\n  return cudaDeviceSynchronize();\n}\n")
        self.do(NVCC, "named.cu", "-o", "named")
        self.do("./named")
        memory = self.merged(1)["findings"][0]["allocated"]
        self.assertEqual((memory["variable"], memory["file"], memory["line"]), ("total", "named.cu", 4))

    def test_newest_architecture_is_that_of_the_code_and_of_the_device(self):
        self.write("asks.cu", "#include <cstdio>\n__global__ void ask(int* p) {\n#ifdef __CUDA_ARCH__\n"
                              "  *p = __CUDA_ARCH__;\n#endif\n}\n"
                              "int main() {\n  int *p, arch;\n  cudaMalloc(&p, 4);\n  ask<<<1, 1>>>(p);\n"
                              "  cudaMemcpy(&arch, p, 4, cudaMemcpyDeviceToHost);\n  cudaDeviceProp device;\n"
                              "  cudaGetDeviceProperties(&device, 0);\n"
                              '  printf("%d %d.%d\\n", arch, device.major, device.minor);\n}\n')
        for words, answer in ((["-arch=sm_86"], "860 8.6\n"), (["-arch=native"], "900 9.0\n"),
                              (["-gencode", "arch=compute_75,code=sm_75",
                                "--generate-code=arch=compute_100a,code=[sm_100a]"], "1000 10.0\n")):
            self.do(NVCC, *words, "asks.cu", "-o", "asks")
            self.assertEqual(self.do("./asks").stdout, answer)

    def test_merged_findings_name_the_architectures_that_show_them(self):
        self.write("old.cu", "__global__ void add(int* p) {\n#if __CUDA_ARCH__ < 900\n  p[0] = threadIdx.x;\n#endif\n"
                             "  p[1] = threadIdx.x;\n}\n"
                             "int main() {\n  int* p;\n  cudaMalloc(&p, 8);\n  add<<<1, 2>>>(p);\n"
                             "  return cudaDeviceSynchronize();\n}\n")
        named = ["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=sm_90"]
        for arch in ("", "sm_80"):
            self.do(NVCC, *named, "old.cu", "-o", "old", env={"WEAKSPOT_ARCH": arch})
            self.do("./old")
        report = self.merged(1)
        self.assertEqual(report["architectures"], ["sm_80", "sm_90"])
        shown = {finding["line"]: finding.get("architectures") for finding in report["findings"]}
        self.assertEqual(shown, {3: ["sm_80"], 5: None})
        done = self.do(NVCC, "old.cu", status=3, env={"WEAKSPOT_ARCH": "sm_91"})
        self.assertIn("WEAKSPOT_ARCH: 'sm_91' is not an architecture", done.stderr)

    def test_ranges_for_a_profiler_are_accepted(self):
        self.write("ranges.cpp", "#include <nvtx3/nvToolsExt.h>\nint main() {\n"
                                 "  nvtxEventAttributes_t event = {};\n  event.version = NVTX_VERSION;\n"
                                 "  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;\n  nvtxRangePushEx(&event);\n"
                                 '  nvtxRangePush("inner");\n  nvtxRangePop();\n  return nvtxRangePop() + 2;\n}\n')
        self.do(NVCC, "ranges.cpp", "-lnvToolsExt", "-o", "ranges")
        self.do("./ranges")

    def test_findings_go_to_standard_error_without_a_folder(self):
        self.build()
        done = self.do("./sums", input="", env={"WEAKSPOT_RACE_REPORTS": ""})
        self.assertRegex(done.stdout, r"\Anone \d+\n\Z")
        self.assertIn("sums.cu:11", done.stderr)
        self.assertIn("found: ", done.stderr)

    def test_findings_go_to_standard_error_if_the_folder_cannot_be_written(self):
        self.build()
        self.write("taken", "a file, not a folder")
        for folder in ("taken", "/proc/none"):
            with self.subTest(folder=folder):
                done = self.do("./sums", input="", env={"WEAKSPOT_RACE_REPORTS": folder})
                self.assertIn(f"weakspot: cannot write into '{folder}', which WEAKSPOT_RACE_REPORTS names: ",
                              done.stderr)
                self.assertIn("found: ", done.stderr)

    def test_program_that_aborts_has_a_report(self):
        self.build()
        self.do("./sums", "word", "abort", status=-signal.SIGABRT, input="")
        report = self.merged(1)
        self.assertIn(("sums.cu", 9), places(report))
        self.assertIn("ended without exit()", report["incomplete"])

    def test_report_of_a_killed_program_whose_kernel_never_ends(self):
        self.write("spin.cu", "__global__ void spin(long* p, long n) { for (long i = 0; i < n; ++i) *p += i; }\n"
                              "int main() { long* p; cudaMalloc(&p, 8); spin<<<1, 1>>>(p, 1l << 60); return 0; }\n")
        self.do(NVCC, "spin.cu", "-o", "spin")
        child = subprocess.Popen([self.folder / "spin"], env={**os.environ, "WEAKSPOT_RACE_REPORTS": str(self.reports)},
                                 cwd=self.folder)
        while not list(self.reports.glob("*.running")) if self.reports.exists() else True:
            time.sleep(0.05)
        time.sleep(1)
        child.kill()
        child.wait()
        merged = subprocess.run([PROGRAM, "race", "--merge", self.reports, "--json"], stdout=subprocess.PIPE, timeout=100)
        self.assertIn("ended without exit()", json.loads(merged.stdout)["incomplete"])
        self.assertEqual(list(self.reports.glob("*.running")), [])

    def test_a_time_limit_is_called_one(self):
        self.write("long.cu", "__global__ void add(long* p, long n) { for (long i = 0; i < n; ++i) *p += i; }\n"
                              "int main() { long* p; cudaMalloc(&p, 8); add<<<1, 1>>>(p, 1l << 60); return 0; }\n")
        self.do(NVCC, "long.cu", "-o", "long")
        done = self.do("./long", status=-signal.SIGKILL, env={"WEAKSPOT_RACE_SECONDS": "1"})
        self.assertIn("time limit", done.stderr)
        report = self.merged(3)
        self.assertIn("the time limit was reached, 1 s (WEAKSPOT_RACE_SECONDS)", report["incomplete"])

    def test_children_are_the_programs_own(self):
        self.write("wait.cu", "#include <sys/wait.h>\n#include <cstdio>\n__global__ void k() {}\n"
                              "int main() { k<<<1, 1>>>(); std::printf(\"%d\\n\", wait(nullptr)); }\n")
        self.do(NVCC, "wait.cu", "-o", "wait")
        self.assertEqual(self.do("./wait").stdout, "-1\n")

    def test_threads_share_the_device(self):
        self.write("threads.cu", """#include <cstdio>
#include <thread>
#include <vector>
__global__ void add(int* p, int n) { if (threadIdx.x == 0) *p += n; }
int main() {
  std::vector<std::thread> threads;
  int results[8];
  for (int t = 0; t < 8; ++t) threads.emplace_back([t, &results] {
    int* p;
    cudaMalloc(&p, sizeof *p);
    cudaMemset(p, 0, sizeof *p);
    for (int i = 0; i < 10; ++i) add<<<1, 32>>>(p, t);
    cudaMemcpy(&results[t], p, sizeof *p, cudaMemcpyDeviceToHost);
    cudaFree(p);
  });
  for (std::thread& thread : threads) thread.join();
  for (int result : results) std::printf("%d ", result);
}
""")
        self.do(NVCC, "threads.cu", "-o", "threads", "-Xcompiler", "-pthread")
        self.assertEqual(self.do("./threads").stdout, "0 10 20 30 40 50 60 70 ")
        self.merged(0)


@needs_program
@needs_nvcc
class Steps(NvccTest):
    """The steps of a Makefile."""

    def setUp(self):
        super().setUp()
        for source in (DATA / "project").iterdir():
            shutil.copy(source, self.folder)

    def test_device_code_is_linked_over_objects_and_archives(self):
        self.do(NVCC, "-dc", "steps.cu", "-o", "steps.o")
        self.do("ar", "rcs", "libsteps.a", "steps.o")
        self.do(NVCC, "-rdc=true", "-c", "walk.cu", "counter.cu")
        self.do(NVCC, "-c", "walk_main.cpp")
        self.do(NVCC, "walk.o", "counter.o", "walk_main.o", "-L.", "-lsteps", "-o", "walk")
        self.assertEqual(self.do("./walk", "5").stdout, "walked 5 steps to 10\n")
        self.merged(0)

    def test_device_link_is_a_step_of_its_own(self):
        self.do(NVCC, "--device-c", "steps.cu", "walk.cu", "counter.cu")
        self.do(NVCC, "-lib", "steps.o", "-o", "libsteps.a")
        self.do(NVCC, "-dlink", "walk.o", "counter.o", "libsteps.a", "-o", "device.o")
        self.do(NVCC, "-c", "walk_main.cpp", "-o", "walk_main.o")
        toolkit = NVCC.parent / "toolkit" / "lib64"
        self.do("c++", "walk.o", "counter.o", "walk_main.o", "device.o", "libsteps.a", "-o", "walk", f"-L{toolkit}",
                "-lcudadevrt", "-lcudart_static", "-lrt", "-lpthread", "-ldl")
        self.assertEqual(self.do("./walk", "3").stdout, "walked 3 steps to 6\n")

    def test_files_that_are_not_linked_have_names_of_their_own(self):
        for name, value in ("a", 1), ("b", 2):
            self.write(f"{name}.cu", f"__device__ int value = {value};\n__device__ int get() {{ return value; }}\n"
                                     f"static __global__ void set(int* p) {{ *p = get(); }}\n"
                                     f"int {name}() {{ int *p, v; cudaMalloc(&p, 4); set<<<1, 1>>>(p);\n"
                                     f"  cudaMemcpy(&v, p, 4, cudaMemcpyDefault); return v; }}\n")
        self.write("main.cpp", "#include <cstdio>\nint a(); int b();\nint main() { std::printf(\"%d %d\\n\", a(), b()); }\n")
        self.do(NVCC, "a.cu", "b.cu", "main.cpp", "-o", "both")
        self.assertEqual(self.do("./both").stdout, "1 2\n")

    def test_dependency_and_response_files(self):
        self.write("words.rsp", "-I. -DNAME=\\\"a\\ b\\\"\n")
        self.do(NVCC, "--options-file", "words.rsp", "-MD", "-MT", "it.o", "-MF", "it.d", "-x", "cu", "-c", "walk.cu",
                "-o", "it.o")
        text = (self.folder / "it.d").read_text()
        self.assertNotIn(".pch", text)
        self.assertTrue(text.startswith("it.o:"))
        self.assertIn("steps.h", text)

    def test_macros_reach_the_host_and_the_device(self):
        self.write("macro.cu", "#include <cstdio>\n#include <cuda_runtime.h>\n"
                               "static __global__ void set(int* p) { *p = VALUE; }\n"
                               "int main() { int *p, v = 0; cudaMalloc(&p, 4); set<<<1, 1>>>(p);\n"
                               "  cudaMemcpy(&v, p, 4, cudaMemcpyDefault); std::printf(\"%d %d\\n\", v, VALUE); }\n")
        for mode in [], ["-rdc=true"]:
            self.do(NVCC, *mode, "-DVALUE=7", "macro.cu", "-o", "macro")
            self.assertEqual(self.do("./macro").stdout, "7 7\n")

    def test_headers_of_libraries_come_first_in_files_that_are_not_cuda(self):
        for header in "cublas_v2.h", "cuComplex.h", "cufft.h", "curand.h", "curand_kernel.h", "cusparse.h":
            for standard in "c++11", "c++20":
                with self.subTest(header=header, standard=standard):
                    self.write("first.cpp", f"#include <{header}>\n#include <cuda_runtime.h>\n"
                                            "int main() { return make_float2(0, 1).x != 0; }\n")
                    self.do(NVCC, f"-std={standard}", "-c", "first.cpp")

    def test_small_floats_are_rounded_and_matrices_of_bits_multiplied(self):
        self.do(NVCC, DATA / "values.cu", "-o", "values")
        self.assertEqual(self.do("./values").stdout.splitlines(), [
            "6800 6800 6801", "e800 e801 e800", "7bff 7bff 7c00", "7bff 7bff 7c00", "0000 0000 0001",
            "8000 8001 8000", "3c00 3c00 3c00", "7bff 7bff 7c00", "fbff fc00 fbff", "0000 0000 0000",
            "104 100 108 104 108 104 112 108 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 "])

    def test_errors_name_the_place(self):
        self.write("bad.cu", "__global__ void k(int* p) {\n  *p = nothing;\n}\n")
        self.assertIn("bad.cu:2:8: error:", self.do(NVCC, "-c", "bad.cu", status=1).stderr)
        self.assertIn("machine code for GPUs", self.do(NVCC, "-ptx", "bad.cu", status=2).stderr)


@needs_program
@needs_nvcc
class Libraries(NvccTest):
    def build(self, name, *flags):
        self.do(NVCC, "-shared", "-Xcompiler", "-fPIC", *flags, DATA / "plugin.cu", "-o", f"{name}.so")

    def test_libraries_that_are_opened_later_bring_their_kernels(self):
        self.do(NVCC, DATA / "opens.cu", "-o", "opens")
        self.build("one", "-DSTART=10")
        self.build("two", "-DSTART=20", "-DSHARED=64", "-DRACY")
        self.build("three", "-DSTART=30", "-rdc=true")
        done = self.do("./opens", "./one.so", "./two.so", "./three.so")
        self.assertRegex(done.stdout, r"\A23 31\n43 \d+\n63 31\n7\n\Z")
        report = self.merged(1)
        self.assertEqual(places(report), {("plugin.cu", 13)})
        self.assertIn("part[63]", json.dumps(report["findings"]))
        self.assertEqual({kernel["name"] for kernel in report["kernels"]}, {"work"})
        self.assertEqual(report["not_exercised"], [])


@needs_program
@needs_nvcc
@unittest.skipUnless(shutil.which("cmake") and shutil.which("ctest"), "there is no cmake")
class CMake(NvccTest):
    def test_project_with_libraries_and_tests(self):
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        self.do("cmake", "-S", DATA / "project", "-B", "out", *generator, f"-DCMAKE_CUDA_COMPILER={NVCC}")
        self.do("cmake", "--build", "out")
        self.do("ctest", "--test-dir", "out", "--output-on-failure")
        report = self.merged(1)
        self.assertEqual(places(report), {("filters.cu", 7)})
        self.assertEqual({file["verdict"] for file in report["files"]}, {"clean", "found"})
        self.assertEqual({kernel["name"] for kernel in report["kernels"]},
                         {"start", "walk", "scale<float>", "smooth_kernel"})
        self.assertEqual(report["not_exercised"], [])
        sarif = self.folder / "all.sarif"
        text = self.do(PROGRAM, "race", "--merge", self.reports, "--sarif", sarif, status=1).stdout
        self.assertIn("filters.cu:7", text)
        self.assertEqual(json.loads(sarif.read_text())["version"], "2.1.0")


if __name__ == "__main__":
    unittest.main()
