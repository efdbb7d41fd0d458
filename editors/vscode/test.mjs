// SPDX-License-Identifier: MIT
// Drives the server with the protocol library that editors use, and checks the extension's own files.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import rpc from "vscode-jsonrpc/node.js";
import protocol from "vscode-languageserver-protocol";

const here = dirname(fileURLToPath(import.meta.url));
const program = process.env.WEAKSPOT ?? join(here, "..", "..", "build", "weakspot");

const MP = `weakspot MP
 P0      | P1       ;
 st x, 1 | ld r0, y ;
 st y, 1 | ld r1, x ;
exists (1:r0=1 /\\ 1:r1=0)
`;
const uri = "file:///w/mp.litmus";

function checkFiles() {
  const extension = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  for (const language of extension.contributes.languages) {
    if (language.configuration) JSON.parse(readFileSync(join(here, language.configuration), "utf8"));
  }
  for (const grammar of extension.contributes.grammars) {
    const text = JSON.parse(readFileSync(join(here, grammar.path), "utf8"));
    assert.equal(text.scopeName, grammar.scopeName);
  }
}

async function talk() {
  const server = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = protocol.createProtocolConnection(
    new rpc.StreamMessageReader(server.stdout),
    new rpc.StreamMessageWriter(server.stdin),
  );
  const diagnostics = [];
  const edits = [];
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => diagnostics.push(params));
  connection.onRequest(protocol.ApplyWorkspaceEditRequest.type, (params) => {
    edits.push(params.edit);
    return { applied: true };
  });
  connection.listen();

  const started = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: { general: { positionEncodings: ["utf-16"] } },
    initializationOptions: { hoverMilliseconds: 60000, seconds: 30 },
  });
  assert.equal(started.capabilities.positionEncoding, "utf-16");
  connection.sendNotification(protocol.InitializedNotification.type, {});
  connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "litmus", version: 1, text: MP },
  });

  const hover = await connection.sendRequest(protocol.HoverRequest.type, {
    textDocument: { uri },
    position: { line: 0, character: 10 },
  });
  assert.match(hover.contents.value, /\*\*forbidden\*\* \| sc, tso/);
  assert.deepEqual(diagnostics[0].diagnostics, []);

  const actions = await connection.sendRequest(protocol.CodeActionRequest.type, {
    textDocument: { uri },
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    context: { diagnostics: [] },
  });
  const make = actions.find((action) => action.title.startsWith("Make MP forbidden"));
  await connection.sendRequest(protocol.ExecuteCommandRequest.type, make.command);
  while (edits.length === 0) await new Promise((done) => setTimeout(done, 10));
  assert.equal(edits[0].changes[uri].length, 2);

  const source = new rpc.CancellationTokenSource();
  const cancelled = connection.sendRequest("no/such/method", {}, source.token);
  source.cancel();
  await assert.rejects(cancelled);

  await connection.sendRequest(protocol.ShutdownRequest.type);
  const ended = new Promise((done) => server.on("exit", done));
  connection.sendNotification(protocol.ExitNotification.type);
  assert.equal(await ended, 0);
  connection.dispose();
}

checkFiles();
await talk();
console.log("vscode: passed");
