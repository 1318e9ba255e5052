/** Backups of a runtime, restored by the command, and archives made by hand. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { type AddFile, packArchive } from "../../../src/control/backup/archive.ts";
import { epochMs } from "../../support/clock.ts";
import { token } from "../../support/start-app.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const entry = process.env["BULKHEAD_COVERAGE_DIR"] === undefined ? "bin/bulkhead.js" : "src/cli/bulkhead.ts";

export const authorized = { Authorization: `Bearer ${token}` };

export function newDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), "bulkhead-backup-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** The environment of a runtime with these directories. */
export function environmentOf(directory: string) {
  return { SERVICE_DEPLOY_TOKEN: token, ROUTES_DIR: join(directory, "routes"), DATA_DIR: join(directory, "data") };
}

export async function call(url: string, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${url}/_api${path}`, { ...init, headers: { ...authorized, ...init.headers } });
}

export async function json<T>(url: string, path: string): Promise<T> {
  return (await (await call(url, path)).json()) as T;
}

export function put(url: string, path: string, document: object): Promise<Response> {
  const headers = { "Content-Type": "application/json" };
  return call(url, path, { method: "PUT", headers, body: JSON.stringify(document) });
}

/** Takes a backup into a file. */
export async function backup(url: string, file: string): Promise<void> {
  const answer = await call(url, "/backup");
  if (answer.status !== 200) throw new Error(`the backup was answered ${answer.status}`);
  writeFileSync(file, new Uint8Array(await answer.arrayBuffer()));
}

/** Runs `bulkhead restore`. */
export function restore(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, "restore", ...args], {
    cwd: root,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

export interface Made {
  readonly path: string;
  readonly text: string;
}

/** An archive of these files; `manifest`: what it names, by default all of them. */
export async function archiveOf(
  files: readonly Made[],
  { head = {}, manifest = files }: { readonly head?: object; readonly manifest?: readonly Made[] | null } = {},
): Promise<Uint8Array> {
  const whole = { format: 1, runtime: "0.1.0", dataVersion: 1, at: "2026-11-23T10:00:00.000Z", ...head };
  const write = async (add: AddFile): Promise<void> => {
    const addText = ({ path, text }: Made) =>
      add({ path, bytes: Buffer.byteLength(text), content: new TextEncoder().encode(text) });
    await addText({ path: "backup.json", text: JSON.stringify(whole) });
    for (const file of files) await addText(file);
    if (manifest === null) return;
    const named = manifest.map(({ path, text }) => ({
      path,
      bytes: Buffer.byteLength(text),
      sha256: createHash("sha256").update(text).digest("hex"),
    }));
    await addText({ path: "manifest.json", text: JSON.stringify({ files: named, leftOut: [] }) });
  };
  const archive = packArchive(new Date(epochMs()), write, 60_000);
  return new Uint8Array(await new Response(archive).arrayBuffer());
}
