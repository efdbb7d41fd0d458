// SPDX-License-Identifier: MIT
import { render } from "preact";
import { App } from "./shell/app.js";
import { start_judging } from "./shell/judging.js";
import { keep_for_later } from "./shell/offline.js";
import { start_state } from "./shell/state.js";

const root = document.getElementById("page");
if (root !== null) {
  void start_state().then(() => {
    start_judging();
    root.replaceChildren();
    render(<App />, root);
    keep_for_later();
  });
}
