/**
 * Starts a runtime and a designer together, with the sample flows of routes/samples and the embedded database that one of
 * them uses, and prints both addresses. Ctrl-C ends both. `npm run demo` keeps nothing; `npm run demo -- FOLDER` keeps
 * everything in that folder and goes on with what is in it. PORT and DESIGNER_PORT are used when they are free, and any
 * free ports otherwise.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { endsWithUs } from "../src/cli/parent.ts";

const root = resolve(import.meta.dirname, "..");
const samples = join(root, "routes", "samples");
const databaseSample = "with-database/notes.yaml";
const [given] = process.argv.slice(2);
const folder = given === undefined ? mkdtempSync(join(tmpdir(), "bulkhead-demo-")) : resolve(given);
const [routes, flows] = [join(folder, "routes"), join(folder, "flows")];
const ownToken = process.env["SERVICE_DEPLOY_TOKEN"];
const token = ownToken ?? `demo-${randomBytes(24).toString("hex")}`;
const children: Child[] = [];
let ending = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => end(0));
try {
  const isFirst = copySamples();
  const port = await freePort(process.env["PORT"] ?? "8080");
  const env = { ...process.env, SERVICE_DEPLOY_TOKEN: token };
  const runtime = await begin(
    "bin/bulkhead.js",
    { ...env, PORT: port, HOST: "127.0.0.1", ROUTES_DIR: routes, DATA_DIR: join(folder, "data") },
    /listening on (http:[^"]+)/,
  );
  while (!(await fetch(`${runtime}/_api/health?probe=ready`)).ok) await new Promise((wait) => setTimeout(wait, 100));
  if (isFirst) await deployDatabaseSample(runtime);
  const designerPort = await freePort(process.env["DESIGNER_PORT"] ?? "8090");
  const designer = await begin(
    "designer/server/main.ts",
    { ...env, DESIGNER_PORT: designerPort, WORKSPACE: flows, RUNTIME_URL: runtime },
    /^designer: (http:\S+)/m,
  );
  await recordSamples(designer);
  console.log(`\nruntime:  ${runtime}\ndesigner: ${designer}     open this one`);
  console.log(`token:    ${ownToken === undefined ? token : "that of SERVICE_DEPLOY_TOKEN"}`);
  console.log(`flows:    ${flows}${given === undefined ? " (removed at the end)" : ""}\nCtrl-C ends both.`);
} catch (error) {
  if (!ending) console.error(error instanceof Error ? error.message : error);
  end(1);
}

/** Returns false when the folder has been used before. */
function copySamples(): boolean {
  if (existsSync(routes)) return false;
  mkdirSync(flows, { recursive: true });
  cpSync(samples, routes, { recursive: true });
  for (const file of globSync(["*.yaml", databaseSample], { cwd: samples }))
    cpSync(join(samples, file), join(flows, basename(file)));
  for (const kind of ["value-mappings", "message-mappings"])
    cpSync(join(samples, "documents", kind), join(flows, "documents", kind), { recursive: true });
  return true;
}

/** A flow with a connection is not in the folder from which the runtime starts: the connection comes first. */
async function deployDatabaseSample(runtime: string): Promise<void> {
  const put = async (path: string, type: string, file: string): Promise<void> => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": type };
    const body = readFileSync(join(samples, file));
    const answer = await fetch(`${runtime}/_api${path}`, { method: "PUT", headers, body });
    if (!answer.ok) throw new Error(`PUT ${path} is answered ${answer.status} ${await answer.text()}`);
  };
  await put("/connections/notes", "application/json", "documents/connections/notes.json");
  await put("/flows/notes", "application/yaml", databaseSample);
}

/** Starts a process that ends with this one; resolves with the address that it prints. In a group of its own, so that Ctrl-C reaches it once, from here. */
async function begin(entry: string, env: NodeJS.ProcessEnv, address: RegExp): Promise<string> {
  const child = spawn(process.execPath, [entry], {
    ...{ cwd: root, env: { ...env, ...endsWithUs }, detached: true },
    stdio: ["ignore", "pipe", "inherit", "pipe"],
  }) as Child;
  children.push(child);
  child.once("exit", (code) => {
    if (!ending) console.error(`${basename(entry)} has ended with ${code}`);
    end(1);
  });
  return new Promise((found) => {
    let text = "";
    child.stdout.on("data", (part: Buffer) => {
      text = (text + part.toString()).slice(-65_536);
      const [, url] = address.exec(text) ?? [];
      if (url !== undefined) found(url);
    });
  });
}

/** The samples run as they are in the workspace: they were deployed from there, as far as the designer knows. */
async function recordSamples(designer: string): Promise<void> {
  const read = async (path: string) => (await (await fetch(`${designer}${path}`)).json()) as Entry[];
  const running = await read("/targets/default/_api/flows");
  for (const { id, hash, optionsHash, deployed } of await read("/designer/flows")) {
    const revision = running.find((flow) => flow.id === id && flow.hash === hash)?.revision;
    if (revision === undefined || deployed?.["default"] !== undefined) continue;
    await fetch(`${designer}/designer/flows/${id}/deployed`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Designer": "1", "Sec-Fetch-Site": "same-origin" },
      body: JSON.stringify({ target: "default", hash, optionsHash, revision }),
    });
  }
}

type Child = ChildProcessByStdio<null, Readable, null>;

interface Entry {
  readonly id: string;
  readonly hash: string;
  readonly optionsHash?: string;
  readonly revision?: number;
  readonly deployed?: Readonly<Record<string, unknown>>;
}

async function freePort(wanted: string): Promise<string> {
  const probe = createServer();
  const isFree = await new Promise<boolean>((answer) => {
    probe.once("error", () => answer(false));
    probe.listen(Number(wanted), "127.0.0.1", () => answer(true));
  });
  await new Promise((closed) => probe.close(closed));
  return isFree ? wanted : "0";
}

/** Ends both processes, in order, and then this one. */
function end(status: number): void {
  if (ending) return;
  ending = true;
  const open = children.filter((child) => child.exitCode === null && child.signalCode === null);
  const ended = open.map((child) => new Promise((resolved) => child.once("exit", resolved)));
  for (const child of open) child.kill("SIGTERM");
  void Promise.all(ended).then(() => {
    if (given === undefined) rmSync(folder, { recursive: true, force: true });
    process.exit(status);
  });
}
