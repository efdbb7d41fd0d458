// SPDX-License-Identifier: MIT
// Loads an extension in a stand-in for the editor that agrees to everything, and prints what the extension offers:
// node load.cjs EXTENSION/extension.js. A bundle that lacks a package fails.
"use strict";
const Module = require("module");
const path = require("path");

const any = () => new Proxy(class {}, { get: (target, key) => (key in target ? target[key] : any()) });
const editor = new Proxy({}, { get: (_, key) => (key === "version" ? "1.90.0" : any()) });
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? editor : load(name, ...rest));
console.log(Object.keys(require(path.resolve(process.argv[2]))).join(" "));
