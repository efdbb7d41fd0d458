// SPDX-License-Identifier: MIT
import { render } from "preact";
import { App } from "./shell/app.js";
import { start } from "./shell/state.js";

const root = document.getElementById("page");
if (root !== null) {
  void start().then(() => {
    root.replaceChildren();
    render(<App />, root);
  });
}
