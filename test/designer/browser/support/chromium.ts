/**
 * One Chromium for all files of a process: each page has a profile of its own. It is Debian's headless shell, which has
 * the engine of Chromium without a browser's windows: a page takes a third of the processor time.
 */
import { after } from "node:test";
import { type Browser, chromium } from "playwright-core";

/** The program that is run. */
export const chromiumPath = process.env["CHROMIUM"] ?? "/usr/bin/chromium-headless-shell";

let launched: Promise<Browser> | undefined;

after(async () => (await launched)?.close());

export function sharedChromium(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
  return launched;
}
