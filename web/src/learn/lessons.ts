// SPDX-License-Identifier: MIT
import { BASICS } from "./basics.js";
import type { Lesson } from "./lesson.js";
import { ORDER } from "./order.js";
import { TESTING } from "./testing.js";

export const LESSONS: Lesson[] = [...BASICS, ...ORDER, ...TESTING];
