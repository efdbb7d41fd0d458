# SPDX-License-Identifier: MIT
"""The language server as editors meet it: a recorded session, bad streams, and how long answers take.

WEAKSPOT_BLESS=1 records the session again; read the difference before committing it.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from lsp_client import Client, framed  # noqa: E402
from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

SESSION = ROOT / "tests" / "data" / "lsp" / "session.txt"
MP = """weakspot MP
 P0      | P1       ;
 st x, 1 | ld r0, y ;
 st y, 1 | ld r1, x ;
exists (1:r0=1 /\\ 1:r1=0)
"""
URI = "file:///w/mp.litmus"
PATIENT = {"hoverMilliseconds": 60000, "seconds": 30}


def place(line, character, uri=URI):
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


class LanguageServer(FolderTest):
    def client(self):
        client = Client([PROGRAM, "lsp"])
        self.addCleanup(client.kill)
        return client


def stable(message):
    """A message without what differs from one machine or version to the next."""
    text = json.dumps(message, ensure_ascii=False)
    text = re.sub(r'"version": "[^"]*"\}', '"version": "VERSION"}', text)
    text = re.sub(r"file:///[^\"]*/stdlib\.cat", "file:///LIBRARY/stdlib.cat", text)
    text = re.sub(r'"svg": "(<svg)[^"\\]*(?:\\.[^"\\]*)*"', r'"svg": "\1..."', text)
    return text


@needs_program
class RecordedSession(LanguageServer):
    """The lines of the session begin with --> (to the server) or <-- (from it)."""

    def test_the_server_says_what_it_said(self):
        lines = SESSION.read_text(encoding="utf-8").splitlines()
        client = self.client()
        said = []
        for line in lines:
            if line.startswith("<-- "):
                continue
            said.append(line)
            if not line.startswith("--> "):
                continue
            message = json.loads(line[4:])
            client.send(message)
            if "id" in message:  # a request: all that comes up to its reply
                reply = client.reply(message["id"])
                said += ["<-- " + stable(heard) for heard in client.heard] + ["<-- " + stable(reply)]
                client.heard.clear()
            elif message["method"] in ("textDocument/didOpen", "textDocument/didChange"):
                said.append("<-- " + stable(client.next_message()))
        self.assertEqual(client.wait(), 0)
        recorded = "\n".join(said) + "\n"
        if os.environ.get("WEAKSPOT_BLESS"):
            SESSION.write_text(recorded, encoding="utf-8")
        self.maxDiff = None
        self.assertEqual(recorded.splitlines(), lines)


@needs_program
class BadStreams(LanguageServer):
    def assert_alive(self, client):
        client.open(URI, MP)
        self.assertEqual(client.diagnostics(URI, 1), [])
        self.assertEqual(client.end(), 0)

    def test_malformed_messages_get_an_error_reply(self):
        client = self.client()
        client.initialize()
        for data in (framed(b"{"), framed(b""), framed(b"\xff\xfe"), framed(b"[" * 100000), framed(b"nonsense")):
            client.send_bytes(data)
            self.assertEqual(client.next_message()["error"]["code"], -32700)
        for message in ([], 7, "text", {"jsonrpc": "2.0"}, {"id": 1, "method": "shutdown"}):
            client.send_bytes(framed(message))
            self.assertEqual(client.next_message()["error"]["code"], -32600)
        self.assertEqual(client.ask("no/such/method")["error"]["code"], -32601)
        self.assert_alive(client)

    def test_wrong_lengths(self):
        client = self.client()
        client.initialize()
        request = json.dumps({"jsonrpc": "2.0", "id": 100, "method": "shutdown"}).encode()
        client.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(request) - 5, request))
        self.assertEqual(client.next_message()["error"]["code"], -32700)
        client.send_bytes(b"Content-Length: none\r\n\r\n")
        self.assertEqual(client.next_message()["error"]["code"], -32700)
        self.assert_alive(client)

    def test_requests_before_initialize(self):
        client = self.client()
        self.assertEqual(client.ask("textDocument/hover", place(0, 0))["error"]["code"], -32002)
        client.initialize()
        self.assert_alive(client)

    def test_huge_messages_and_documents(self):
        client = self.client()
        client.initialize()
        client.send_bytes(b"Content-Length: %d\r\n\r\n" % (65 << 20))
        for _ in range(65):
            client.send_bytes(b"x" * (1 << 20))
        self.assertIn("too large", client.next_message()["error"]["message"])
        client.open("file:///w/huge.litmus", "x" * (9 << 20))
        self.assertIn("not looked at", client.diagnostics("file:///w/huge.litmus", 1)[0]["message"])
        self.assert_alive(client)

    def test_the_input_ends(self):
        client = self.client()
        client.initialize()
        self.assertEqual(client.wait(), 1)

    def test_exit_without_shutdown(self):
        client = self.client()
        client.notify("exit")
        self.assertEqual(client.wait(), 1)


class Mutator:
    """Changes values of messages: other types, other numbers, texts with something else inside."""

    PIECES = ["", "\u20ac", "(*", ";", "|", "\U0001d11e", "\r", "let ", " \n", "'", "ld.acq"]

    def __init__(self, seed):
        self.random = random.Random(seed)

    def mutated(self, value):
        chance = self.random.random()
        if isinstance(value, dict):
            if chance < 0.05:
                return self.random.choice([None, 1, "x", [], -1, 1e300])
            return {key: self.mutated(inner) for key, inner in value.items() if self.random.random() > 0.02}
        if isinstance(value, list):
            return [self.mutated(inner) for inner in value]
        if isinstance(value, str) and value and chance < 0.15:
            begin = self.random.randrange(len(value))
            end = self.random.randrange(begin, len(value) + 1)
            return value[:begin] + self.random.choice(self.PIECES) + value[end:]
        if isinstance(value, int) and not isinstance(value, bool) and chance < 0.3:
            return self.random.choice([0, 1, 5, 99999999999, -3, 2**63, value + 1])
        return value

    def bytes_of(self, message):
        body = json.dumps(self.mutated({"jsonrpc": "2.0", **message})).encode()
        if self.random.random() < 0.02:
            body = body[:self.random.randrange(len(body) + 1)]
        frame = framed(body)
        return frame.replace(b"Content-Length", b"Content-Lengt") if self.random.random() < 0.01 else frame


@needs_program
class MutatedSession(LanguageServer):
    def test_the_server_lives_through_messages_that_are_nearly_right(self):
        session = [json.loads(line[4:]) for line in SESSION.read_text(encoding="utf-8").splitlines()
                   if line.startswith("--> ")][2:-2]
        mutator = Mutator(1)
        client = self.client()
        client.last_id = 10**6  # apart from the ids of the session
        client.initialize({"hoverMilliseconds": 20, "seconds": 0.05})
        for count in range(3000):
            client.send_bytes(mutator.bytes_of(mutator.random.choice(session)))
            if count % 100 == 0:
                reply = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": "file:///w/none"}})
                self.assertEqual(reply["error"]["code"], -32602)
                client.heard.clear()
        client.open("file:///w/fresh.litmus", MP)
        self.assertEqual(client.diagnostics("file:///w/fresh.litmus", 1), [])
        self.assertEqual(client.end(), 0)


@needs_program
class Answers(LanguageServer):
    def test_a_cancelled_request_is_answered_so(self):
        client = self.client()
        # A test that models need long for.
        threads = 12
        rows = [" | ".join(f"{{:8}}".format(f"P{i}") for i in range(threads))]
        for step in range(2):
            rows.append(" | ".join(f"st x, {2 * i + step + 1}" for i in range(threads)))
        text = "weakspot big\n" + "".join(f" {row} ;\n" for row in rows) + "exists (x=77)\n"
        client.initialize({"hoverMilliseconds": 60000, "seconds": 3000})
        client.open("file:///w/big.litmus", text)
        request = client.start_request("textDocument/hover", place(0, 10, "file:///w/big.litmus"))
        client.notify("$/cancelRequest", {"id": request})
        self.assertEqual(client.reply(request)["error"]["code"], -32800)
        # The worker is free again for the next question.
        client.open(URI, MP)
        hover = client.ask("textDocument/hover", place(0, 10))
        self.assertIn("forbidden", hover["result"]["contents"]["value"])
        self.assertEqual(client.end(), 0)

    def test_corpus_tests_are_answered_soon(self):
        """Within 100 ms, says bench/lsp_bench.cpp. Here: reading all models and judging 20 tests by them is quick."""
        client = self.client()
        client.initialize()
        for path in sorted((ROOT / "corpus" / "classic").glob("*.litmus"))[:20]:
            client.open(path.as_uri(), path.read_text(encoding="utf-8"))
            self.assertIn("result", client.ask("textDocument/hover", place(0, 10, path.as_uri())))
        self.assertLess(client.processor_seconds(), 5.0)
        self.assertEqual(client.end(), 0)

    def test_typing_into_a_large_model(self):
        """Ten thousand lines; every change is taken at once, and only the last text is looked at."""
        client = self.client()
        client.initialize()
        lines = ['"large"'] + [f"let r{i} = (r{i - 1} | po & loc); rf?" if i else "let r0 = po" for i in range(10000)]
        uri = "file:///w/large.cat"
        client.open(uri, "\n".join(lines) + "\nacyclic r9999 as c\n", "cat")
        for version in range(2, 22):
            change = {"range": {"start": {"line": 5, "character": 0}, "end": {"line": 5, "character": 0}}, "text": " "}
            client.notify("textDocument/didChange",
                          {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]})
        reply = client.ask("textDocument/definition", place(10001, 10, uri))
        self.assertEqual(reply["result"]["range"]["start"], {"line": 10000, "character": 4})
        self.assertLess(client.processor_seconds(), 5.0)
        self.assertEqual(client.end(), 0)


RACY = """__global__ void reverse(int* data) {
  __shared__ int tile[64];
  tile[threadIdx.x] = data[threadIdx.x];
  data[threadIdx.x] = tile[63 - threadIdx.x];
}
"""


@needs_program
@unittest.skipUnless((PROGRAM.parent / "weakspot-race").exists(), "weakspot-race is not built")
class RaceOnSave(LanguageServer):
    def setUp(self):
        super().setUp()
        self.source = self.folder / "reverse.cu"
        self.source.write_text(RACY, encoding="utf-8")
        (self.folder / "weakspot.toml").write_text('[[race.launch]]\nfile = "*.cu"\nlaunch = "grid=1 block=64"\n')
        self.uri = self.source.as_uri()

    def next_findings(self, client):
        while True:
            message = client.next_message()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["diagnostics"]:
                return message["params"]["diagnostics"]

    def test_saving_checks_the_file_as_the_project_says(self):
        client = self.client()
        client.initialize({"raceOnSave": True, "models": ["sc"]})
        client.open(self.uri, RACY, "cuda")
        client.notify("textDocument/didSave", {"textDocument": {"uri": self.uri}})
        [finding] = self.next_findings(client)
        self.assertEqual((finding["code"], finding["range"]["start"]), ("E1", {"line": 3, "character": 22}))
        reply = client.ask("workspace/executeCommand", {"command": "weakspot.race", "arguments": [self.uri]})
        self.assertEqual(reply["result"], {"uri": self.uri, "checked": True})
        self.assertEqual(client.end(), 0)

    def test_a_file_that_does_not_compile_says_so(self):
        client = self.client()
        client.initialize({"raceOnSave": True, "models": ["sc"]})
        self.source.write_text(RACY.replace("threadIdx", "treadIdx"), encoding="utf-8")
        client.open(self.uri, RACY, "cuda")
        client.notify("textDocument/didSave", {"textDocument": {"uri": self.uri}})
        [finding] = self.next_findings(client)
        self.assertIn("could not check this file", finding["message"])
        self.assertEqual(client.end(), 0)


@needs_program
@unittest.skipUnless((PROGRAM.parent / "weakspot-race").exists(), "weakspot-race is not built")
class Proofs(LanguageServer):
    def test_a_launch_is_proved_until_the_text_changes(self):
        client = self.client()
        client.initialize({"models": ["sc"]})
        for name, verdict, severities in (("flag", "proved", {3}), ("flag-broken", "violated", {1})):
            text = (ROOT / "examples" / "protocols" / f"{name}.cu").read_text(encoding="utf-8")
            source = self.folder / f"{name}.cu"
            source.write_text(text, encoding="utf-8")
            uri = source.as_uri()
            client.open(uri, text, "cuda")
            [lens] = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"]
            self.assertEqual(lens["command"]["title"], "Prove this launch: grid=2 block=1")
            reply = client.ask("workspace/executeCommand", lens["command"])
            self.assertEqual(reply["result"], {"uri": uri, "verdict": verdict})
            found = self.diagnostics_of(client, uri, lambda some: some)
            self.assertEqual({one["severity"] for one in found}, severities)
            self.assertTrue(all(one["message"].startswith(verdict) for one in found))
            if verdict == "violated":
                self.assertTrue(all(one["relatedInformation"] for one in found))
            change = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": " "}
            client.notify("textDocument/didChange",
                          {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]})
            self.assertEqual(self.diagnostics_of(client, uri, lambda some: not some), [])
            reply = client.ask("workspace/executeCommand", lens["command"])
            self.assertEqual(reply["error"]["message"], "the file has changes that are not saved")
        self.assertEqual(client.end(), 0)

    def diagnostics_of(self, client, uri, wanted):
        while True:
            message = client.next_message()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                if wanted(message["params"]["diagnostics"]):
                    return message["params"]["diagnostics"]


@needs_program
class Extension(FolderTest):
    """The extension for VS Code, with the protocol library that it uses."""

    def copy_with_packages(self):
        """The extension in a folder of its own, with the packages that it uses."""
        if not (shutil.which("npm") and shutil.which("node")):
            self.skipTest("npm or node is missing")
        copy = self.folder / "vscode"
        shutil.copytree(ROOT / "editors" / "vscode", copy, ignore=shutil.ignore_patterns("node_modules", "*.vsix"))
        install = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        try:
            done = subprocess.run(install, cwd=copy, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        except subprocess.TimeoutExpired:
            self.skipTest("npm does not answer")
        if done.returncode != 0:
            self.skipTest("npm could not install the packages of the extension")
        return copy

    def test_it_is_packaged(self):
        copy = self.copy_with_packages()
        done = subprocess.run(["npm", "run", "--silent", "package"], cwd=copy, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=180)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        [package] = copy.glob("*.vsix")
        with zipfile.ZipFile(package) as archive:
            names = set(archive.namelist())
            extension = json.loads(archive.read("extension/package.json"))
            self.assertIsNone(archive.testzip())
            archive.extractall(self.folder / "installed")
        self.assertEqual(package.name, f"weakspot-{extension['version']}.vsix")
        used = [extension["main"], *(language["configuration"] for language in extension["contributes"]["languages"]
                                     if "configuration" in language),
                *(grammar["path"] for grammar in extension["contributes"]["grammars"]),
                extension["icon"], "README.md", "LICENSE", "package.json"]
        expected = {f"extension/{path.removeprefix('./')}" for path in used}
        self.assertEqual(names, expected | {"extension.vsixmanifest", "[Content_Types].xml"})
        # The bundle is whole: it loads without any packages beside it, in an editor that agrees to everything.
        loaded = subprocess.run(["node", ROOT / "editors" / "vscode" / "load.cjs", "installed/extension/extension.js"],
                                cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual((loaded.returncode, loaded.stdout), (0, "activate deactivate\n"), loaded.stderr)

    def test_a_real_client_talks_to_the_server(self):
        copy = self.copy_with_packages()
        talk = subprocess.run(["node", "test.mjs"], cwd=copy, env={**os.environ, "WEAKSPOT": str(PROGRAM)},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        self.assertEqual((talk.returncode, talk.stdout), (0, "vscode: passed\n"), talk.stderr)


if __name__ == "__main__":
    unittest.main()
