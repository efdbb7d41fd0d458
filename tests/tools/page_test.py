# SPDX-License-Identifier: MIT
"""Tests of `weakspot page`: what it serves, to whom, and the runs behind it. The page itself is tested in web/."""
import http.client
import json
import signal
import socket
import subprocess
import sys
import time
import unittest
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

PATIENCE = 60  # seconds, for a machine under load
MP = (ROOT / "corpus" / "classic" / "MP.litmus").read_text(encoding="utf-8")

# The program looks for the page beside an installed program, or in its tree.
BUILT = ROOT / "build" / "page" / "index.html"


class Events:
    """The events of an answer, as (name, value)."""

    def __init__(self, response):
        self.response = response

    def __iter__(self):
        name = None
        for line in self.response:
            line = line.decode().rstrip("\n")
            if line.startswith("event: "):
                name = line[len("event: "):]
            elif line.startswith("data: "):
                yield name, json.loads(line[len("data: "):])


@needs_program
@unittest.skipUnless(BUILT.exists(), "the page is not built; './run --page' builds it")
class Served(FolderTest):
    def setUp(self):
        super().setUp()
        self.server = subprocess.Popen([str(PROGRAM), "page", "--open"], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(self.server.stdout.close)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        url = urlsplit(self.server.stdout.readline().decode().strip())
        self.port = url.port
        self.base = url.path
        self.assertEqual("127.0.0.1", url.hostname)
        self.assertGreaterEqual(len(self.base), 32)

    def ask(self, method, path, body=None, headers=None, base=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self.addCleanup(connection.close)
        connection.request(method, (self.base if base is None else base) + path, body, headers or {})
        return connection.getresponse()

    def raw(self, data):
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            connection.sendall(data)
            answer = b""
            while part := connection.recv(65536):
                answer += part
            return answer

    def order(self, **changes):
        return json.dumps({"test": MP, "device": "testing:slow", "seconds": 1, "environment": "iterations=1", **changes})

    def start_run(self, **changes):
        return self.ask("POST", "api/1/runs", self.order(**changes), {"Content-Type": "application/json"})

    def test_the_page_comes_with_a_policy_and_a_mark(self):
        answer = self.ask("GET", "")
        text = answer.read().decode()
        self.assertEqual(200, answer.status)
        self.assertIn('<meta name="weakspot-server" content="api/1/">', text)
        policy = answer.getheader("Content-Security-Policy")
        self.assertIn("script-src 'self' 'wasm-unsafe-eval'", policy)
        self.assertNotIn("unsafe-inline", policy)
        self.assertEqual("nosniff", answer.getheader("X-Content-Type-Options"))

    def test_only_the_secret_opens_it(self):
        for base in ["/", "/wrong/", self.base[:-2] + "/", "/../" + self.base[1:]]:
            self.assertEqual(404, self.ask("GET", "api/1/devices", base=base).status, base)

    def test_only_our_own_names_open_it(self):
        for name in ["attacker.example", f"attacker.example:{self.port}", "127.0.0.1", f"127.0.0.1:{self.port + 1}"]:
            self.assertEqual(421, self.ask("GET", "", headers={"Host": name}).status, name)
        for origin in ["https://attacker.example", "null", f"http://127.0.0.1:{self.port + 1}"]:
            self.assertEqual(403, self.ask("GET", "", headers={"Origin": origin}).status, origin)
        ours = {"Host": f"localhost:{self.port}", "Origin": f"http://localhost:{self.port}"}
        self.assertEqual(200, self.ask("GET", "", headers=ours).status)

    def test_hostile_requests_are_refused(self):
        for path in ["../../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "..", ".hidden", "a//b", "api/1/"]:
            self.assertEqual(404, self.ask("GET", path).status, path)
        self.assertEqual(405, self.ask("DELETE", "").status)
        self.assertTrue(self.raw(b"nonsense\r\n\r\n").startswith(b"HTTP/1.1 400 "))
        self.assertTrue(self.raw(b"GET /" + b"a" * 20000).startswith(b"HTTP/1.1 431 "))
        large = f"POST {self.base}api/1/runs HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Length: 99999999\r\n\r\n"
        self.assertTrue(self.raw(large.encode()).startswith(b"HTTP/1.1 413 "))
        # Silent connections do not keep others out.
        idle = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(10)]
        self.addCleanup(lambda: [one.close() for one in idle])
        self.assertEqual(200, self.ask("GET", "").status)

    def test_devices_are_those_of_the_command_line(self):
        listed = json.loads(subprocess.run([str(PROGRAM), "devices", "--json"], stdout=subprocess.PIPE).stdout)
        self.assertEqual(listed, json.loads(self.ask("GET", "api/1/devices").read()))
        self.assertEqual("weakspot", json.loads(self.ask("GET", "api/1/status").read())["program"])

    def test_a_run_tells_its_progress_and_ends_with_the_result(self):
        answer = self.start_run()
        self.assertEqual(200, answer.status)
        self.assertEqual("text/event-stream", answer.getheader("Content-Type"))
        events = list(Events(answer))
        names = [name for name, _ in events]
        self.assertEqual(("started", "done"), (names[0], names[-1]))
        self.assertGreater(names.count("progress"), 1)
        result = events[-1][1]
        self.assertEqual("finished", result["status"])
        self.assertEqual(result["instances"], sum(one["count"] for one in result["outcomes"]))
        counts = [value["instances"] for _, value in events]
        self.assertEqual(counts, sorted(counts))

    def test_a_page_that_leaves_stops_its_run(self):
        answer = self.start_run(seconds=1000)
        next(iter(Events(answer)))
        answer.close()
        start = time.monotonic()
        self.assertEqual("done", list(Events(self.start_run(seconds=0.1)))[-1][0])
        self.assertLess(time.monotonic() - start, 30)

    def check(self, files, **more):
        body = json.dumps({"files": [{"name": name, "text": text} for name, text in files.items()], **more})
        answer = self.ask("POST", "api/1/checks", body, {"Content-Type": "application/json"})
        return answer.status, json.loads(answer.read())

    def test_a_check_finds_a_race_and_its_headers(self):
        kernel = '#include "n.h"\n__global__ void k(int* x) { x[0] = threadIdx.x + N; }\n'
        status, report = self.check({"k.cu": kernel, "n.h": "enum { N = 1 };\n"}, launch="grid=1 block=64")
        if status == 400 and "clang" in report["error"]:
            self.skipTest(report["error"])
        self.assertEqual((200, "found"), (status, report["verdict"]))
        self.assertEqual({("k.cu", 2)}, {(one["file"], one["line"]) for one in report["findings"]})
        self.assertIn("race", report["command"])
        status, report = self.check({"k.cu": "__global__ void k(int* x) { *y = 1; }\n"})
        self.assertEqual(400, status)
        self.assertTrue(report["error"].startswith("k.cu:1:30: error:"), report["error"])

    def test_a_check_takes_no_path_and_no_option(self):
        for name in ["../k.cu", "/etc/passwd", "-k.cu"]:
            status, answer = self.check({name: ""})
            self.assertEqual(400, status)
            self.assertIn("expected a file's name", answer["error"])
        self.assertEqual(415, self.ask("POST", "api/1/checks", "{}", {"Content-Type": "text/plain"}).status)

    def test_wrong_orders_and_broken_devices_give_sentences(self):
        answer = self.start_run(test="weakspot T\n P0 ;\n st x 1 ;\nexists (x=1)\n")
        self.assertEqual(400, answer.status)
        self.assertIn("test:3:", json.loads(answer.read())["error"])
        self.assertEqual(400, self.start_run(environment="/etc/passwd").status)
        self.assertEqual(415, self.ask("POST", "api/1/runs", self.order()).status)
        self.assertEqual(405, self.ask("GET", "api/1/runs").status)
        name, value = list(Events(self.start_run(device="nonsense:0")))[-1]
        self.assertEqual("error", name)
        self.assertIn("unknown device", value["error"])
        name, value = list(Events(self.start_run(device="testing:segv")))[-1]
        self.assertEqual(("done", "lost"), (name, value["status"]))

    def test_interrupting_ends_the_server_and_its_runs(self):
        answer = self.start_run(seconds=1000)
        next(iter(Events(answer)))
        self.server.send_signal(signal.SIGINT)
        self.assertEqual(0, self.server.wait(PATIENCE))


@needs_program
class Written(FolderTest):
    @unittest.skipUnless(BUILT.exists(), "the page is not built; './run --page' builds it")
    def test_the_folder_is_the_page(self):
        done = subprocess.run([str(PROGRAM), "page", "--out", str(self.folder / "site")], stdout=subprocess.PIPE)
        self.assertEqual((0, f"{self.folder}/site/index.html\n"), (done.returncode, done.stdout.decode()))
        names = {path.name for path in (self.folder / "site").iterdir()}
        built = {path.name for path in BUILT.parent.iterdir()} - {"device.html", "device.js"}
        self.assertEqual(built, names)

    def test_an_order_without_an_end_is_refused(self):
        for words in [[], ["--open", "--out", str(self.folder)]]:
            done = subprocess.run([str(PROGRAM), "page", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(2, done.returncode, done.stderr)


if __name__ == "__main__":
    unittest.main()
