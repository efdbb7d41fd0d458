# SPDX-License-Identifier: MIT
"""Tests that 'weakspot race' bounds hostile programs, believes only its own checker, and leaves nothing behind."""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

SPY = r'''
#include <cstdio>
#include <sstream>
#include <string>
extern char** environ;
__global__ void k(int* p) { p[threadIdx.x] = 1; }
int main() {
  for (char** one = environ; *one != nullptr; ++one) puts(*one);
  std::istringstream names(FILES);
  for (std::string name; names >> name;) {
    FILE* file = fopen(name.c_str(), "r");
    if (file != nullptr && fgetc(file) != EOF) printf("read %s\n", name.c_str());
  }
  FILE* own = fopen("/proc/self/environ", "r");
  for (int c = 0; own != nullptr && (c = fgetc(own)) != EOF;) putchar(c == 0 ? '\n' : c);
  int* p = nullptr;
  cudaMalloc(&p, 128);
  k<<<1, 32>>>(p);
  printf("the end");
}
'''
HOSTILE = ROOT / "tests" / "data" / "race" / "hostile.cu"
# Without the right to make user namespaces, and without any other right.
NO_NAMESPACES = ["unshare", "-Ur", "sh", "-c",
                 "echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all "
                 "--no-new-privs \"$@\"", "sh"]
AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

needs_race = unittest.skipUnless((PROGRAM.parent / "weakspot-race").exists(), "weakspot race was not built")


def works(*command):
    try:
        return subprocess.run([*command, "true"], capture_output=True, timeout=20).returncode == 0
    except OSError:
        return False


HAS_NAMESPACES = works("unshare", "-Urpmn", "--fork")
needs_namespaces = unittest.skipUnless(HAS_NAMESPACES, "this system allows no user namespaces")
needs_neither = unittest.skipUnless(HAS_NAMESPACES and works(*NO_NAMESPACES), "cannot take namespaces away")
needs_root = unittest.skipUnless(os.geteuid() == 0 and works(*AS_NOBODY), "only root can become another user")


def descendants(pid):
    """The processes below one, nearest first."""
    found = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += [int(word) for word in (task / "children").read_text().split()]
    except OSError:
        pass
    return found + [one for child in found for one in descendants(child)]


def name_of(pid):
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def processes_named(name):
    """Processes whose first word is `name`."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "cmdline").read_bytes().split(b"\0")[0] == name.encode():
                found.append(int(entry.name))
        except OSError:
            pass
    return found


@needs_program
@needs_race
class Sandbox(FolderTest):
    cache = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        os.chmod(folder.name, 0o777)
        cls.cache = folder.name

    def setUp(self):
        super().setUp()
        self.folder.chmod(0o777)
        self.source = self.folder / "hostile.cu"
        shutil.copy(HOSTILE, self.source)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.temporary.chmod(0o777)
        self.environment = {**os.environ, "XDG_CACHE_HOME": self.cache, "TMPDIR": str(self.temporary)}
        self.maxDiff = None

    def race(self, *arguments, prefix=(), seconds="20", options=()):
        command = [*prefix, PROGRAM, "race", self.source, "--seconds", seconds, *options, "--", *arguments]
        start = time.monotonic()
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                              env=self.environment, cwd=self.folder)
        self.took = time.monotonic() - start
        self.assertEqual(list(self.temporary.iterdir()), [], "temporary files are left")
        return done

    def assert_found(self, done):
        self.assertEqual(done.returncode, 1, done.stderr[-2000:])
        self.assertRegex(done.stdout, r"error: E1 race: write and write of global data\[0\]")
        self.assertIn("\nfound: 1 error", done.stdout)

    def test_reports_cannot_be_forged(self):
        for what in ("forge", "forge-first"):
            done = self.race(what)
            self.assertNotIn("\nclean:", done.stdout)
            if what == "forge":
                self.assert_found(done)
            else:
                self.assertEqual(done.returncode, 3)
                self.assertIn("\nincomplete: 0 errors", done.stdout)
            self.assertIn("not complete: main() wrote into its connection to the device", done.stdout)

    def test_findings_survive_the_end_of_the_program(self):
        for what in ("leave", "close"):
            self.assert_found(self.race(what))

    def test_a_program_without_a_device_is_incomplete(self):
        done = self.race("close-first")
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("incomplete: 0 errors", done.stdout)

    def test_json_says_that_a_run_is_incomplete(self):
        done = self.race("close-first", options=["--json"])
        self.assertIn("SIGKILL", json.loads(done.stdout)["incomplete"])

    def check_bounded(self, what, why, prefix=(), seconds="2", options=()):
        name = f"weakspot-stray-{os.getpid()}"
        done = self.race(what, name, seconds=seconds, prefix=prefix, options=options)
        self.assert_found(done)
        self.assertRegex(done.stdout, why)
        self.assertLess(self.took, 30)
        self.assertEqual(processes_named(name), [])
        return done

    def test_a_deaf_program_and_its_daemon_end_with_the_time(self):
        self.check_bounded("deaf", "not complete: main\\(\\) did not end in time")

    def test_a_daemon_ends_with_the_program(self):
        self.check_bounded("daemon", "found", seconds="90")  # which nobody waits for

    def test_output_is_cut(self):
        done = self.check_bounded("flood", "did not end in time")
        self.assertLess(len(done.stdout), 17 << 20)
        self.assertIn("note: the output was cut after 16 MiB", done.stderr)

    @needs_namespaces
    def test_processes_are_limited(self):
        self.check_bounded("forks", "not complete: main\\(\\) (was stopped: more than 256 processes|did not end in time)")

    def test_memory_is_limited(self):
        self.check_bounded("memory", "not complete: main\\(\\) (was aborted|was stopped: more than 512 MiB of memory)",
                           seconds="20", options=["--memory", "512M"])

    def test_sizes_of_memory(self):
        self.assertEqual(self.race("leave", options=["--memory", "1G"]).returncode, 1)
        self.assertEqual(self.race("leave", options=["--memory", "2048"]).returncode, 1, "MiB")
        for wrong in ("1X", "0", "-1", "some"):
            done = self.race("leave", options=[f"--memory={wrong}"])
            self.assertEqual(done.returncode, 2, wrong)
            self.assertIn("--memory: expected a size such as 512M or 2G", done.stderr)

    @needs_namespaces
    def test_files_are_limited_and_go(self):
        before = shutil.disk_usage(self.folder).used
        done = self.race("fill")
        self.assert_found(done)
        self.assertIn("filled little", done.stdout)
        self.assertEqual(list(self.folder.glob("filler*")), [])
        self.assertLess(shutil.disk_usage(self.folder).used - before, 256 << 20)

    @needs_namespaces
    def test_the_working_folder_can_be_used_and_stays_as_it_was(self):
        (self.folder / "input.txt").write_text("a line\n")
        done = self.race("read")
        self.assert_found(done)
        self.assertIn("read a line\nwrite done\n", done.stdout)
        self.assertFalse((self.folder / "output.txt").exists())

    @needs_namespaces
    def test_other_processes_cannot_be_killed(self):
        victim = subprocess.Popen(["sleep", "60"])
        try:
            self.assert_found(self.race("kill", str(victim.pid)))
            self.assertIsNone(victim.poll())
        finally:
            victim.kill()
            victim.wait()

    def reach_out(self, prefix=()):
        # Changes within /tmp are taken up and dropped: what is outside of it must refuse them.
        outside = tempfile.mkdtemp(dir="/var/tmp")
        self.addCleanup(shutil.rmtree, outside)
        os.chmod(outside, 0o777)
        canary = Path(outside) / "canary"
        canary.write_text("song")
        canary.chmod(0o666)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            done = self.race("outside", outside, str(listener.getsockname()[1]), prefix=prefix)
        self.assert_found(done)
        for what in ("new file", "old file", "removal", "rename", "mount", "settings", "network", "local sockets"):
            self.assertIn(f"{what}: refused", done.stdout)
        self.assertEqual(os.listdir(outside), ["canary"])
        self.assertEqual(canary.read_text(), "song")
        return done, canary

    @needs_namespaces
    def test_nothing_outside_changes(self):
        done, canary = self.reach_out()
        self.assertIn("permissions: refused", done.stdout)
        self.assertEqual(canary.stat().st_mode & 0o777, 0o666)
        self.assertNotIn("sandbox:", done.stderr)

    @needs_namespaces
    @needs_root
    def test_nothing_outside_changes_for_an_ordinary_user(self):
        self.reach_out(AS_NOBODY)
        self.assert_found(self.race("forks", seconds="2", prefix=AS_NOBODY))

    @needs_neither
    def test_without_namespaces_a_note_says_what_is_missing(self):
        if not Path("/sys/kernel/security/landlock").exists() and os.uname().release.split(".")[:2] < ["5", "13"]:
            self.skipTest("this system has no Landlock")
        done, _ = self.reach_out(NO_NAMESPACES)
        self.assertIn("warning: sandbox: this system allows no namespaces", done.stderr)
        self.check_bounded("deaf", "did not end in time", prefix=NO_NAMESPACES)

    def look_for_secrets(self, prefix=()):
        home = Path(tempfile.mkdtemp(dir="/var/tmp"))
        self.addCleanup(shutil.rmtree, home)
        home.chmod(0o777)
        (home / "key").write_text("the key")
        (self.folder / "input.txt").write_text("a line")
        (self.folder / ".git").mkdir(exist_ok=True)
        (self.folder / ".git" / "config").write_text("a token")
        self.environment.update(HOME=str(home), GITHUB_TOKEN="secret-1", WEAKSPOT_TOKEN="secret-2", OMP_NUM_THREADS="3")
        source = self.folder / "spy.cu"
        source.write_text(SPY)
        asked = ["input.txt", str(home / "key"), "/etc/shadow", f"/proc/{os.getpid()}/environ", ".git/config"]

        def spy(*options, arguments=()):
            command = [*prefix, PROGRAM, "race", source, f"-DFILES={json.dumps(' '.join(asked))}", *options, "--",
                       *arguments]
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                                  env=self.environment, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return done.stdout

        said = spy()
        self.assertNotIn("secret", said)
        self.assertIn("OMP_NUM_THREADS=3\n", said)
        self.assertEqual([line for line in said.splitlines() if line.startswith("read ")], ["read input.txt"])
        self.assertRegex(said, "\nthe end\nran: [^\n]*\nclean: ", "the last line of the program is its own")
        self.assertIn("secret-1", spy("--env", "GITHUB_TOKEN"))
        self.assertIn("\nMADE_UP=yes\n", spy("--env", "MADE_UP=yes"))
        self.assertIn(f"read {home}/key\n", spy("--read", str(home)))
        self.assertIn(f"read {home}/key\n", spy(arguments=[f"--in={home}/key"]))

    @needs_namespaces
    def test_secrets_are_out_of_reach(self):
        self.look_for_secrets()

    @needs_neither
    def test_secrets_are_out_of_reach_without_namespaces(self):
        self.look_for_secrets(NO_NAMESPACES)

    def test_the_compiler_reads_no_secrets(self):
        outside = Path(tempfile.mkdtemp(dir="/var/tmp"))
        self.addCleanup(shutil.rmtree, outside)
        (outside / "key").write_text("the key")
        kernel = "__global__ void k(int* p) { p[threadIdx.x] = 1; }\n"
        for text in (f"#include \"{outside}/key\"\n{kernel}",
                     f"{kernel}__asm__(\".incbin \\\"{outside}/key\\\"\");\nint main() {{}}\n"):
            self.source.write_text(text)
            done = self.race()
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertNotIn("the key", done.stdout + done.stderr)
            self.assertRegex(done.stderr, "Permission denied|Could not find incbin file")

    def test_links_of_a_checkout_open_no_other_folder(self):
        outside = Path(tempfile.mkdtemp(dir="/var/tmp"))
        self.addCleanup(shutil.rmtree, outside)
        (outside / "key").write_text("the key")
        (outside / "key.cu").write_text("the key")
        (self.folder / ".git").mkdir()
        (self.folder / "include").symlink_to(outside)
        (self.folder / "linked.cu").symlink_to(outside / "key.cu")
        self.source.write_text("#include \"include/key\"\n__global__ void k(int* p) { p[threadIdx.x] = 1; }\n")
        for source, options in ((self.source, []), (self.source, ["-Iinclude"]), (self.folder / "linked.cu", []),
                                (self.folder / "include" / "key.cu", [])):
            done = subprocess.run([PROGRAM, "race", source, *options], stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, timeout=120, env=self.environment, cwd=self.folder)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertNotIn("the key", done.stdout + done.stderr)
            self.assertIn("Permission denied", done.stderr)

    def test_trust_lifts_it(self):
        (self.folder / "input.txt").write_text("a line\n")
        done = self.race("read", options=["--trust"])
        self.assert_found(done)
        self.assertTrue((self.folder / "output.txt").exists())

    def test_without_the_program_kernels_are_searched(self):
        done = subprocess.run([PROGRAM, "race", self.source, "--no-program", "--runs", "20"], capture_output=True,
                              text=True, timeout=120, env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("searched: 20 runs", done.stdout)


@needs_program
@needs_race
class Bounds(FolderTest):
    def race(self, source, *arguments, environment=None, timeout=60):
        return subprocess.run([PROGRAM, "race", source, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=timeout, env={**os.environ, **(environment or {})}, cwd=self.folder)

    def test_deciding_after_a_search_ends(self):
        text = (ROOT / "tests" / "kernels" / "divergence" / "loop_exit_bug.cu").read_text()
        source = self.folder / "hang.cu"
        source.write_text(text.replace("  __syncthreads();\n", "\n", 1))
        done = self.race(source, "--runs", "300", "--seconds", "3")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertIn("searched: ", done.stdout)

    def test_a_file_that_is_not_text_is_refused_at_once(self):
        source = self.folder / "store.cu"
        source.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 600)
        done = self.race(source, timeout=20)
        self.assertEqual((done.returncode, done.stderr),
                         (2, f"{source}: error: expected a text, found a zero byte at offset 15\n"))

    def test_limits_of_the_shell_are_named(self):
        source = self.folder / "app.cu"
        source.write_text("__global__ void k(int* p) { p[threadIdx.x] = 1; }\n"
                          "int main() { int* p; cudaMalloc(&p, 128); k<<<1, 32>>>(p); }\n")
        cases = [("-v 2000000", "addresses for the memory"), ("-f 8", "the compiler could not write its file")]
        if os.geteuid() != 0:
            cases.append(("-u 1", "cannot start"))
        for limit, sentence in cases:
            done = subprocess.run(["bash", "-c", f"ulimit {limit}; exec \"$@\"", "bash", PROGRAM, "race", source],
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, cwd=self.folder,
                                  env={**os.environ, "XDG_CACHE_HOME": str(self.folder)})
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(sentence, done.stderr)
            self.assertIn(f"can be the reason: ulimit {limit[:2]}", done.stderr)

    def test_compiling_is_bounded(self):
        source = self.folder / "bomb.cu"
        source.write_text("template <int A, int B> struct F { static constexpr unsigned v = F<A-1,B>::v + F<A-1,B+1>::v; };\n"
                          "template <int B> struct F<0,B> { static constexpr unsigned v = B; };\n"
                          "__global__ void k(unsigned* p) { *p = F<900,0>::v; }\n")
        done = self.race(source, "--compile-seconds", "1")
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"compiling did not end in time; the limit is 1 s")

    def test_a_missing_or_full_cache_costs_only_time(self):
        source = self.folder / "clean.cu"
        source.write_text("__global__ void k(int* p) { p[threadIdx.x] = 1; }\n// weakspot: launch grid=1 block=32\n")
        places = {"HOME": {"HOME": "", "XDG_CACHE_HOME": ""}, "file": {"XDG_CACHE_HOME": "/dev/null"}}
        if os.geteuid() == 0 and shutil.which("mount"):
            full = self.folder / "full"
            full.mkdir()
            if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", full]).returncode == 0:
                self.addCleanup(subprocess.run, ["umount", full])
                places["full"] = {"XDG_CACHE_HOME": str(full)}
        for name, environment in places.items():
            done = self.race(source, environment=environment)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            self.assertIn("clean: ", done.stdout)

    def test_an_interrupt_prints_what_was_found(self):
        source = self.folder / "slow.cu"
        source.write_text("#include <cstdio>\n#include <unistd.h>\n__global__ void k(int* p) { *p = threadIdx.x; }\n"
                          "int main() { int* p; cudaMalloc(&p, 4); k<<<1, 32>>>(p);\n"
                          "  fclose(fopen(\"launched\", \"w\")); for (;;) pause(); }\n")
        ran = subprocess.Popen([PROGRAM, "race", source, "--seconds", "50", "--trust"], stdin=subprocess.DEVNULL,
                               text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        while ran.poll() is None and not (self.folder / "launched").exists():
            time.sleep(0.05)
        ran.send_signal(signal.SIGINT)
        output, _ = ran.communicate(timeout=30)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("not complete: interrupted", output)
        self.assertIn("found: 1 error", output)

    def test_a_killed_checker_leaves_nothing_running(self):
        """SIGKILL for the program itself, for the checker, and for what the checker started."""
        source = self.folder / "slow.cu"
        source.write_text("#include <sys/prctl.h>\n#include <unistd.h>\n__global__ void k(int* p) { *p = threadIdx.x; }\n"
                          "int main() { int* p; cudaMalloc(&p, 4); k<<<1, 32>>>(p);\n"
                          "  prctl(PR_SET_NAME, \"launched\"); for (;;) pause(); }\n")
        temporary = self.folder / "killed"
        temporary.mkdir()
        environment = {**os.environ, "TMPDIR": str(temporary)}
        for options in [], ["--trust"]:
            for depth in 0, 1, 2:
                with self.subTest(options=options, depth=depth):
                    ran = subprocess.Popen([PROGRAM, "race", source, "--seconds", "50", *options],
                                           stdin=subprocess.DEVNULL, text=True, stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE, cwd=self.folder, env=environment)
                    below = self.wait_for_launch(ran)
                    os.kill([ran.pid, *below][depth], signal.SIGKILL)
                    output, errors = ran.communicate(timeout=30)
                    self.assertIn(ran.returncode, (-signal.SIGKILL,) if depth == 0 else (1, 3), output + errors)
                    end = time.monotonic() + 20
                    while any(map(is_alive, below)) and time.monotonic() < end:
                        time.sleep(0.05)
                    self.assertEqual([], [pid for pid in below if is_alive(pid)])
        for left in temporary.iterdir():
            os.utime(left, (1000, 1000))
        (self.folder / "clean.cu").write_text("__global__ void k(int* p) { p[threadIdx.x] = 1; }\n"
                                              "// weakspot: launch grid=1 block=32\n")
        self.assertEqual(self.race(self.folder / "clean.cu", environment={"TMPDIR": str(temporary)}).returncode, 0)
        self.assertEqual(list(temporary.iterdir()), [])

    def wait_for_launch(self, process):
        """The processes below one, nearest first, once the program has launched its kernel."""
        end = time.monotonic() + 60
        while time.monotonic() < end and process.poll() is None:
            found = descendants(process.pid)
            if any(name_of(pid) == "launched" for pid in found):
                return found
            time.sleep(0.05)
        self.fail("the program did not start")

    def test_folders_of_killed_runs_are_swept(self):
        source = self.folder / "clean.cu"
        source.write_text("__global__ void k(int* p) { p[threadIdx.x] = 1; }\n// weakspot: launch grid=1 block=32\n")
        temporary = self.folder / "tmp"
        left = temporary / "weakspot-abcdef"
        left.mkdir(parents=True)
        os.utime(left, (1000, 1000))
        self.assertEqual(self.race(source, environment={"TMPDIR": str(temporary)}).returncode, 0)
        self.assertEqual(list(temporary.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
