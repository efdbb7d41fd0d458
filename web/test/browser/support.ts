// SPDX-License-Identifier: MIT
// A browser on the folder of the page. PAGE_FOLDER is the folder, CHROMIUM the browser, PAGE_PICTURES where pictures go.
import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from "playwright-core";
import { small_png } from "./small_png.js";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".json": "application/json",
};
const FLAGS = [
  "--no-sandbox",
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

// Serves a folder on loopback, as any file server would.
export function serve_folder(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname));
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  return new Promise((settle) => server.listen(0, "127.0.0.1", () => settle(server)));
}

// The same on a slow line, which all connections share; files are packed, as servers do.
export function serve_slowly(folder: string, bytes_per_second: number, taken: (name: string) => void): Promise<Server> {
  let free = 0;
  const server = createServer(async (request, response) => {
    const name = new URL(request.url ?? "/", "http://x").pathname.slice(1) || "index.html";
    if (!/^[\w.-]+$/.test(name) || !existsSync(join(folder, name))) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": TYPES[extname(name)] ?? "application/octet-stream", "Content-Encoding": "gzip", "Cache-Control": "max-age=600" });
    const body = gzipSync(readFileSync(join(folder, name)));
    for (let at = 0; at < body.length; at += 4096) {
      const piece = body.subarray(at, at + 4096);
      free = Math.max(free, performance.now()) + (1000 * piece.length) / bytes_per_second;
      await new Promise((resume) => setTimeout(resume, free - performance.now()));
      response.write(piece);
    }
    response.end();
    taken(name);
  });
  return new Promise((settle) => server.listen(0, "127.0.0.1", () => settle(server)));
}

export interface Opened {
  page: Page;
  // What the page complained about: script errors, violations of its policy, requests to other hosts.
  complaints: string[];
}

export class Site {
  private constructor(
    private readonly browser: Browser,
    private readonly server: Server | null,
    readonly address: string,
  ) {}

  // Without an address: on a server of its own, as any file server would be.
  static async open(elsewhere = process.env["PAGE_ADDRESS"]): Promise<Site> {
    const browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: FLAGS });
    if (elsewhere !== undefined) return new Site(browser, null, elsewhere);
    const server = await serve_folder(process.env["PAGE_FOLDER"] ?? "../build/page");
    return new Site(browser, server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }

  // A page in a profile of its own.
  async visit(fragment = "", options: BrowserContextOptions = {}, prepare?: (page: Page) => Promise<unknown>): Promise<Opened> {
    const context = await this.browser.newContext({ viewport: DESKTOP, ...options });
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("console", (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text());
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(this.address) && !/^(blob|data):/.test(url)) complaints.push(`request to ${url}`);
    });
    await prepare?.(page);
    await page.goto(this.address + fragment);
    return { page, complaints };
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server?.close();
  }
}

export async function verdicts(page: Page): Promise<Record<string, string>> {
  // Families that are folded have their rows as well.
  await page.locator('#verdicts:not(.stale)[aria-busy="false"]').waitFor();
  return page.locator("#verdicts tbody tr").evaluateAll((rows) =>
    Object.fromEntries(rows.map((row) => [row.getAttribute("data-model"), row.querySelector(".badge")?.textContent?.slice(2).trim()])),
  );
}

export interface Counts {
  total: number;
  weak: number;
  forbidden: number;
  instances: string;
}

// Opens the family of a model and chooses it.
export async function choose_model(page: Page, title: string): Promise<void> {
  const button = page.locator("button.model", { hasText: new RegExp(`^${title}$`) });
  const family = page.locator("#verdicts details", { has: button });
  if (!(await family.evaluate((details) => (details as HTMLDetailsElement).open))) await family.locator("summary").click();
  await button.click();
}

// What the view Run shows on one side.
export async function counts(page: Page, side = 0): Promise<Counts> {
  return page.locator(".side").nth(side).evaluate((element) => {
    const rows = [...element.querySelectorAll("[data-class]")].map((row) => [row.getAttribute("data-class"), Number(row.getAttribute("data-count"))] as const);
    const sum = (kind?: string) => rows.filter(([name]) => kind === undefined || name === kind).reduce((all, [, count]) => all + count, 0);
    return { total: sum(), weak: sum("weak"), forbidden: sum("forbidden"), instances: element.querySelector("[data-figure]")?.textContent ?? "" };
  });
}

export async function finished(page: Page): Promise<void> {
  await page.locator('[data-phase="finished"]').waitFor({ timeout: 90_000 });
}

// Pictures end where a reader stops looking.
const MOST_HEIGHT = 1500;
const MARGIN = 16;

// A part of the page, with the space around it.
export async function picture_of(part: Locator, name: string): Promise<void> {
  const folder = process.env["PAGE_PICTURES"];
  if (folder === undefined) return;
  const box = await part.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + scrollX, y: top + scrollY, width, height };
  });
  const clip = { x: Math.max(0, box.x - MARGIN), y: Math.max(0, box.y - MARGIN), width: box.width + 2 * MARGIN, height: Math.min(MOST_HEIGHT, box.height + 2 * MARGIN) };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.png`), small_png(await part.page().screenshot({ animations: "disabled", fullPage: true, clip })));
}

export async function picture(page: Page, name: string, whole = true): Promise<void> {
  const folder = process.env["PAGE_PICTURES"];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const { width, height } = page.viewportSize() ?? DESKTOP;
  const full = await page.evaluate(() => document.documentElement.scrollHeight);
  const clip = { x: 0, y: 0, width, height: Math.min(MOST_HEIGHT, full) };
  await page.evaluate(() => window.scrollTo(0, 0));
  const png = await page.screenshot({ animations: "disabled", ...(whole && full > height ? { fullPage: true, clip } : {}) });
  writeFileSync(join(folder, `${name}.png`), small_png(png));
}

export function litmus(name: string, description = ""): string {
  return [
    `weakspot ${name}`,
    ...(description === "" ? [] : [`"${description}"`]),
    " P0      | P1       ;",
    " st x, 1 | ld r0, y ;",
    " st y, 1 | ld r1, x ;",
    "exists (1:r0=1 /\\ 1:r1=0)",
    "",
  ].join("\n");
}

export function store_buffering(name: string): string {
  return [`weakspot ${name}`, " P0       | P1       ;", " st x, 1  | st y, 1  ;", " ld r0, y | ld r0, x ;", "exists (0:r0=0 /\\ 1:r0=0)", ""].join("\n");
}
