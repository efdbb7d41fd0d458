// SPDX-License-Identifier: MIT
// Starts `weakspot lsp` and shows what it answers. All knowledge is in the server.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function settings() {
  const all = vscode.workspace.getConfiguration("weakspot");
  const options = {
    includeFolders: all.get("includeFolders"),
    models: all.get("models"),
    // A check runs code of the file.
    raceOnSave: vscode.workspace.isTrusted && all.get("raceOnSave"),
    seconds: all.get("seconds"),
  };
  const report = all.get("raceReport");
  return report ? { ...options, raceReport: report } : options;
}

// The picture of an execution, beside the text. The server's SVG runs no scripts.
function show(execution) {
  const title = `${execution.test}: ${execution.verdict} by ${execution.model}`;
  const panel = vscode.window.createWebviewPanel("weakspot", title, vscode.ViewColumn.Beside, {});
  const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  panel.webview.html =
    `<!DOCTYPE html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" ` +
    `content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"></head><body>` +
    `${execution.svg ?? ""}<pre>${escaped(execution.explanation ?? "")}</pre></body></html>`;
}

// The page of a class of findings, beside the text.
async function showText(text) {
  const document = await vscode.workspace.openTextDocument({ language: "plaintext", content: text });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

const middleware = {
  async executeCommand(command, args, next) {
    const result = await next(command, args);
    if (command === "weakspot.showExecution" && result) show(result);
    if (command === "weakspot.explain" && result) await showText(result.text);
    return result;
  },
};

// The server offers what can be done at the cursor as code actions; this does the one of that command.
async function runActionAtCursor(command, otherwise) {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const actions = await vscode.commands.executeCommand(
    "vscode.executeCodeActionProvider", editor.document.uri, editor.selection);
  const action = (actions ?? []).find((one) => one.command?.command === command);
  if (!action) return void vscode.window.showInformationMessage(otherwise);
  await vscode.commands.executeCommand(action.command.command, ...(action.command.arguments ?? []));
}

async function raceFile() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  await editor.document.save();
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: "weakspot race" },
    () => vscode.commands.executeCommand("weakspot.race", uri));
}

const commands = {
  "weakspot.checkTest": () => runActionAtCursor("weakspot.showExecution", "There is no test at the cursor."),
  "weakspot.explainFinding": () => runActionAtCursor("weakspot.explain", "There is no finding at the cursor."),
  "weakspot.raceFile": raceFile,
};

async function activate(context) {
  const program = vscode.workspace.getConfiguration("weakspot").get("path");
  const files = ["**/*.cat", "**/weakspot-race.json", "**/weakspot-race.sarif", "**/.weakspot/*"];
  client = new LanguageClient(
    "weakspot",
    "Weakspot",
    { command: program, args: ["lsp"] },
    {
      documentSelector: [{ language: "litmus" }, { language: "cat" }, { scheme: "file", language: "cuda-cpp" }],
      initializationOptions: settings(),
      synchronize: { fileEvents: files.map((glob) => vscode.workspace.createFileSystemWatcher(glob)) },
      middleware,
    },
  );
  // The picture is shown here, not in another program.
  client.registerFeature({
    fillClientCapabilities: (capabilities) => {
      capabilities.window = { ...capabilities.window, showDocument: { support: false } };
    },
    initialize: () => {},
    getState: () => ({ kind: "static" }),
    clear: () => {},
    dispose: () => {},
  });
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  }
  context.subscriptions.push(
    vscode.workspace.onDidGrantWorkspaceTrust(async () => {
      client.clientOptions.initializationOptions = settings();
      await client.restart();
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (!event.affectsConfiguration("weakspot")) return;
      client.clientOptions.initializationOptions = settings();
      await client.restart();
    }),
  );
  await client.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
