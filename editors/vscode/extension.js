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

const middleware = {
  async executeCommand(command, args, next) {
    const result = await next(command, args);
    if (command === "weakspot.showExecution" && result) show(result);
    return result;
  },
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
  context.subscriptions.push(
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
