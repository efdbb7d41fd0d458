// SPDX-License-Identifier: MIT
// An allowed execution, told step by step over its picture: by buttons, by the arrow keys, or by itself.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Step } from "../core/types.js";
import { Picture } from "./picture.js";

const STEP_MS = 1_600;

export function moves_freely(): boolean {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

interface Props {
  svg: string;
  steps: Step[];
  arrows: [number, number][];
  // Begins by itself, unless the reader wants less motion.
  playing?: boolean;
}

export function Player({ svg, steps, arrows, playing = false }: Props) {
  // 0: the whole picture, as it is before and after the story.
  const count = useSignal(0);
  const plays = useSignal(false);
  const go = (to: number) => {
    plays.value = false;
    count.value = Math.max(0, Math.min(steps.length, to));
  };
  useEffect(() => {
    count.value = 0;
    plays.value = playing && steps.length > 0 && moves_freely();
  }, [svg, steps]);
  useEffect(() => {
    if (!plays.value) return;
    const timer = setTimeout(() => {
      if (count.value < steps.length) ++count.value;
      else plays.value = false;
    }, count.value === 0 ? 0 : STEP_MS);
    return () => clearTimeout(timer);
  }, [plays.value, count.value, steps]);

  function key(event: KeyboardEvent): void {
    const move = { ArrowRight: 1, ArrowLeft: -1, Home: -steps.length, End: steps.length }[event.key];
    if (move === undefined) return;
    event.preventDefault();
    go(count.value + move);
  }
  function play(): void {
    if (count.value === steps.length) count.value = 0;
    plays.value = !plays.value;
  }

  const told = count.value === 0 ? null : { steps, arrows, count: count.value };
  return (
    <div class="player" onKeyDown={key}>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Picture of the execution">
        <Picture svg={svg} told={told} />
      </div>
      {steps.length === 0 ? null : (
        <>
          {/* A button that cannot go on stays focused, so that the keys still work. */}
          <p class="actions">
            <button type="button" class={count.value === 0 ? "primary" : undefined} onClick={play}>
              {plays.value ? "Pause" : count.value === 0 ? "Play step by step" : count.value === steps.length ? "Play again" : "Go on"}
            </button>
            <button type="button" aria-disabled={count.value === 0} onClick={() => go(count.value - 1)}>
              Back
            </button>
            <button type="button" aria-disabled={count.value === steps.length} onClick={() => go(count.value + 1)}>
              Next
            </button>
          </p>
          {count.value === 0 ? null : (
            <ul class="story" aria-live={plays.value ? "off" : "polite"}>
              {steps.slice(0, count.value).map((step, index) => (
                <li key={index} class={step.remarkable ? "remarkable" : undefined} aria-current={index + 1 === count.value ? "step" : undefined}>
                  <b class="code">{step.letter}</b> {step.words}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  );
}
