# SPDX-License-Identifier: MIT
"""The language server as editors meet it: a recorded session, bad streams, and how long answers take.

WEAKSPOT_BLESS=1 records the session again; read the difference before committing it.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest
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
        """Within 100 ms, once the models are read; the limit here leaves room for busy machines."""
        client = self.client()
        client.initialize()
        slowest = 0
        for path in sorted((ROOT / "corpus" / "classic").glob("*.litmus"))[:20]:
            client.open(path.as_uri(), path.read_text(encoding="utf-8"))
            start = time.monotonic()
            client.ask("textDocument/hover", place(0, 10, path.as_uri()))
            slowest = max(slowest, time.monotonic() - start)
        self.assertLess(slowest, 1.0)
        self.assertEqual(client.end(), 0)

    def test_typing_into_a_large_model(self):
        """Ten thousand lines; every change is taken at once, and only the last text is looked at."""
        client = self.client()
        client.initialize()
        lines = ['"large"'] + [f"let r{i} = (r{i - 1} | po & loc); rf?" if i else "let r0 = po" for i in range(10000)]
        uri = "file:///w/large.cat"
        client.open(uri, "\n".join(lines) + "\nacyclic r9999 as c\n", "cat")
        start = time.monotonic()
        for version in range(2, 22):
            change = {"range": {"start": {"line": 5, "character": 0}, "end": {"line": 5, "character": 0}}, "text": " "}
            client.notify("textDocument/didChange",
                          {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]})
        reply = client.ask("textDocument/definition", place(10001, 10, uri))
        self.assertEqual(reply["result"]["range"]["start"], {"line": 10000, "character": 4})
        self.assertLess(time.monotonic() - start, 5.0)
        self.assertEqual(client.end(), 0)


@needs_program
class Extension(FolderTest):
    """The extension for VS Code, with the protocol library that it uses."""

    def test_a_real_client_talks_to_the_server(self):
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
        talk = subprocess.run(["node", "test.mjs"], cwd=copy, env={**os.environ, "WEAKSPOT": str(PROGRAM)},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        self.assertEqual((talk.returncode, talk.stdout), (0, "vscode: passed\n"), talk.stderr)


if __name__ == "__main__":
    unittest.main()
