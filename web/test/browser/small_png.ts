// SPDX-License-Identifier: MIT
// Pictures of the page have few colours. With a palette they take a third of the space in the repository.
import { crc32 } from "./crc32.js";
import { deflateSync, inflateSync } from "node:zlib";

interface Pixels {
  width: number;
  height: number;
  // Three bytes each.
  rgb: Uint8Array;
}

function chunks(png: Buffer): { type: string; data: Buffer }[] {
  const found: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < png.length; ) {
    const size = png.readUInt32BE(at);
    found.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + size) });
    at += size + 12;
  }
  return found;
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

// What browsers write: eight bits per channel, not interlaced.
function read_png(png: Buffer): Pixels {
  const all = chunks(png);
  const head = all[0]?.data ?? Buffer.alloc(13);
  const [width, height, kind] = [head.readUInt32BE(0), head.readUInt32BE(4), head[9]];
  const step = kind === 6 ? 4 : 3;
  const raw = inflateSync(Buffer.concat(all.filter((chunk) => chunk.type === "IDAT").map((chunk) => chunk.data)));
  const line = width * step;
  const rgb = new Uint8Array(width * height * 3);
  let before = new Uint8Array(line);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (line + 1)] ?? 0;
    const now = new Uint8Array(raw.subarray(y * (line + 1) + 1, (y + 1) * (line + 1)));
    for (let x = 0; x < line; ++x) {
      const left = x >= step ? (now[x - step] ?? 0) : 0;
      const up = before[x] ?? 0;
      const corner = x >= step ? (before[x - step] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      now[x] = ((now[x] ?? 0) + guess) & 255;
    }
    for (let x = 0; x < width; ++x) rgb.set(now.subarray(x * step, x * step + 3), (y * width + x) * 3);
    before = now;
  }
  return { width, height, rgb };
}

// At most 256 colours: the most frequent ones, then one of each small cube of similar colours.
function palette_of(rgb: Uint8Array): { palette: number[]; index_of: (colour: number) => number } {
  const counts = new Map<number, number>();
  for (let at = 0; at < rgb.length; at += 3) {
    const colour = ((rgb[at] ?? 0) << 16) | ((rgb[at + 1] ?? 0) << 8) | (rgb[at + 2] ?? 0);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const frequent = [...counts].sort((a, b) => b[1] - a[1]);
  const exact = frequent.slice(0, 160).map(([colour]) => colour);
  const cubes = new Map<number, number>();
  for (const [colour] of frequent.slice(160)) {
    if (!cubes.has(colour & 0xf0f0f0)) cubes.set(colour & 0xf0f0f0, colour);
  }
  const palette = [...exact, ...cubes.values()].slice(0, 256);
  const known = new Map<number, number>();
  const distance = (a: number, b: number) => [16, 8, 0].reduce((sum, shift) => sum + (((a >> shift) & 255) - ((b >> shift) & 255)) ** 2, 0);
  const index_of = (colour: number) => {
    let index = known.get(colour);
    if (index === undefined) {
      index = 0;
      palette.forEach((other, at) => {
        if (distance(other, colour) < distance(palette[index ?? 0] ?? 0, colour)) index = at;
      });
      known.set(colour, index);
    }
    return index;
  };
  return { palette, index_of };
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const made = Buffer.alloc(body.length + 8);
  made.writeUInt32BE(data.length, 0);
  body.copy(made, 4);
  made.writeUInt32BE(crc32(body), body.length + 4);
  return made;
}

export function small_png(png: Buffer): Buffer {
  const { width, height, rgb } = read_png(png);
  const { palette, index_of } = palette_of(rgb);
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const at = (y * width + x) * 3;
      lines[y * (width + 1) + 1 + x] = index_of(((rgb[at] ?? 0) << 16) | ((rgb[at + 1] ?? 0) << 8) | (rgb[at + 2] ?? 0));
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const parts = [chunk("IHDR", head), chunk("PLTE", colours), chunk("IDAT", deflateSync(lines, { level: 9 })), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([png.subarray(0, 8), ...parts]);
}
