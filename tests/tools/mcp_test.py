# SPDX-License-Identifier: MIT
"""The server of the Model Context Protocol as agents meet it: a session, bad lines, and what it must not do."""
import json
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from json_schema import Schemas  # noqa: E402
from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

MP = """weakspot MP
 P0      | P1       ;
 st x, 1 | ld r0, y ;
 st y, 1 | ld r1, x ;
exists (1:r0=1 /\\ 1:r1=0)
"""
# Writes into the folder where it is started, and races.
KERNEL = """#include <cstdio>
__global__ void all(int* p) { *p = threadIdx.x; }
int main() {
  if (FILE* proof = fopen("proof", "w")) { fputs("x", proof); fclose(proof); }
  int* p; cudaMalloc(&p, 4); all<<<1, 64>>>(p); cudaDeviceSynchronize();
}
"""


@needs_program
class Agent(FolderTest):
    def session(self, lines, *options):
        """What the server replies to lines: objects and calls become JSON-RPC, texts and bytes go as they are."""
        data = b""
        for number, line in enumerate(lines):
            if isinstance(line, tuple):
                line = {"id": number, "method": "tools/call", "params": {"name": line[0], "arguments": line[1]}}
            if isinstance(line, dict):
                line = json.dumps({"jsonrpc": "2.0", **line})
            data += (line if isinstance(line, bytes) else line.encode()) + b"\n"
        done = subprocess.run([PROGRAM, "mcp", *options], input=data, cwd=self.folder, capture_output=True, timeout=120,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_a_session(self):
        replies = self.session([
            {"id": "a", "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}}},
            {"method": "notifications/initialized"}, {"id": "b", "method": "tools/list"},
            ("check", {"text": MP, "models": ["sc", "ptx"]}), ("fences", {"text": MP, "models": ["ptx"]}),
            ("convert", {"text": MP, "to": ["ptx", "json"]}), ("generate", {"cycles": ["Rfe PodRR Fre PodWW"]}),
            ("mutate", {"text": MP}), ("models", {}), ("emit", {"text": MP, "target": "ptx"})])
        self.assertEqual(replies[0]["result"]["protocolVersion"], "2025-06-18")
        tools = replies[1]["result"]["tools"]
        self.assertNotIn("run", [tool["name"] for tool in tools])
        self.assertTrue(all(tool["annotations"]["readOnlyHint"] for tool in tools))
        results = [reply["result"] for reply in replies[2:]]
        self.assertFalse(any(result["isError"] for result in results))
        verdicts = results[0]["structuredContent"]["verdicts"]
        self.assertEqual([one["verdict"] for one in verdicts], ["forbidden", "allowed"])
        # The objects of the commands of the same names; verdicts also say which outcomes satisfy the condition, and
        # ways to forbid one have the test that they make.
        self.assertEqual([one.pop("satisfying") for one in verdicts], [[], [2]])
        schemas = Schemas(ROOT / "docs" / "schemas")
        self.assertEqual(schemas.problems(verdicts, "check.schema.json"), [])
        fences = results[1]["structuredContent"]["fences"]
        self.assertTrue(all(way.pop("litmus").startswith("weakspot MP") for way in fences[0]["ways"]))
        self.assertEqual(schemas.problems(fences, "fences.schema.json"), [])
        self.assertEqual(schemas.problems(results[3]["structuredContent"]["tests"], "tests.schema.json"), [])

    def test_names_and_pages(self):
        """An agent lists a page of the corpus and asks about a test by its name; no answer is too long to read."""
        replies = self.session([("corpus", {}), ("corpus", {"pattern": "classic", "texts": True}), ("models", {}),
                                ("check", {"text": "MP+rel+acq", "models": "ptx"}), ("check", {"text": "MPP"})])
        self.assertLess(max(len(json.dumps(reply)) for reply in replies), 21000)
        results = [reply["result"] for reply in replies]
        page = json.loads(results[0]["content"][0]["text"])
        self.assertLess(page["next"], page["total"])
        self.assertTrue(json.loads(results[1]["content"][0]["text"])["tests"][0]["text"].startswith("weakspot "))
        self.assertEqual(results[3]["structuredContent"]["verdicts"][0]["verdict"], "forbidden")
        self.assertIn("did you mean 'MP'?", results[4]["content"][0]["text"])

    def test_lines_that_are_not_requests(self):
        replies = self.session([
            "{", "[]", "7", "", "   ", b"\xff\xfe", "[" * 100000, '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":1,"result":{}}',
            "x" * (9 << 20), {"id": 5, "method": "no/such"}, ("nonsense", {}), ("check", []), ("check", {"text": 7}),
            {"id": 9, "method": "ping"}])
        self.assertEqual(replies[-1], {"jsonrpc": "2.0", "id": 9, "result": {}})
        self.assertTrue(all("error" in reply for reply in replies[:-1]), replies)
        self.assertEqual(len(replies), 12)

    def test_nothing_is_opened_or_run_unless_allowed(self):
        (self.folder / "own.cat").write_text('"own"\nacyclic po as x\n')
        (self.folder / "racy.cu").write_text(KERNEL)
        replies = self.session([("check", {"text": MP, "models": ["own.cat"]}),
                                ("check", {"text": MP, "models": [str(self.folder / "own.cat")]}),
                                ("run", {"text": MP}), ("race", {"file": "racy.cu"}), ("race", {"file": "own.cat"}),
                                ("prove", {"file": "racy.cu"})])
        self.assertTrue(all("error" in reply for reply in replies), replies)
        self.assertIn("'weakspot mcp --allow run'", replies[2]["error"]["message"])
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["own.cat", "racy.cu"])

    @unittest.skipUnless((PROGRAM.parent / "weakspot-race").exists(), "weakspot race was not built")
    def test_races_stay_in_the_sandbox(self):
        (self.folder / "racy.cu").write_text(KERNEL)
        replies = self.session([("race", {"file": "racy.cu"}), ("race", {"file": "racy.cu", "trust": True}),
                                ("race", {"file": "--trust"})], "--allow", "race")
        report = json.loads(replies[0]["result"]["content"][0]["text"])
        self.assertEqual([finding["kind"] for finding in report["findings"]][:1], ["race"])
        self.assertEqual(replies[1]["error"]["code"], -32602)
        self.assertTrue(replies[2]["result"]["isError"])
        self.assertEqual([path.name for path in self.folder.iterdir()], ["racy.cu"])

    @unittest.skipUnless((PROGRAM.parent / "weakspot-race").exists(), "weakspot race was not built")
    def test_proofs(self):
        (self.folder / "flag.cu").write_text((ROOT / "examples" / "protocols" / "flag.cu").read_text())
        (self.folder / "racy.cu").write_text(KERNEL)
        replies = self.session([("prove", {"file": "flag.cu"}),
                                ("prove", {"file": "racy.cu", "launch": "grid=1 block=2", "arguments": ["p=int[1]"],
                                           "conditions": ["p[0] == 1"]}),
                                ("prove", {"file": "racy.cu", "launch": "grid=1 block=2", "conditions": ["q[0] == 1"]}),
                                ("race", {"file": "racy.cu"})], "--allow", "prove")
        proofs = [json.loads(reply["result"]["content"][0]["text"]) for reply in replies[:2]]
        self.assertEqual([proof["verdict"] for proof in proofs], ["proved", "violated"])
        for proof in proofs:
            self.assertEqual(Schemas(ROOT / "docs" / "schemas").problems(proof, "prove.schema.json"), [])
        self.assertTrue(replies[2]["result"]["isError"])
        self.assertIn("--assert:1:1: error: there is no array or variable 'q'", replies[2]["result"]["content"][0]["text"])
        self.assertIn("'weakspot mcp --allow race'", replies[3]["error"]["message"])
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["flag.cu", "racy.cu"])


if __name__ == "__main__":
    unittest.main()
