/**
 * Makes the folder `code-cache` beside the bundles: the bundles and the libraries that they load, as V8 has compiled them. A start and a thread read it in place of
 * compiling (docs/decisions/0011). V8 ignores what another version of it has made, or of another text, so nothing needs to be cleared.
 * Runs the runtime once, with all that a first hour needs: what has run is in the cache. `npm ci` calls it after bundle.ts.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const root = resolve(import.meta.dirname, "..");
/** What takes longer hangs. */
const mostMs = 60_000;

const token = "a-token-that-lives-as-long-as-this-one-run";
const flows = {
  cached: "- route: { id: cached, from: { uri: webhook, steps: [{ setBody: { simple: '${body}' } }] } }",
  // Its thread may connect, and has loaded what that needs when the PUT is answered.
  calling: "- route: { id: calling, from: { uri: webhook, steps: [{ to: 'https://example.com' }] } }",
};

const directory = await mkdtemp(join(tmpdir(), "bulkhead-code-cache-"));
try {
  await cp(join(root, "routes/samples"), join(directory, "routes"), { recursive: true });
  await run();
} catch (error) {
  // A runtime without it is only slower.
  console.warn(`no code cache was made: ${error instanceof Error ? error.message : String(error)}`);
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const server = spawn(process.execPath, [join(root, "bin/bulkhead.js")], {
    env: {
      PATH: process.env.PATH,
      HOST: "127.0.0.1",
      PORT: "0",
      ROUTES_DIR: join(directory, "routes"),
      DATA_DIR: join(directory, "data"),
      SERVICE_DEPLOY_TOKEN: token,
      BULKHEAD_WRITE_CODE_CACHE: "true",
    },
    stdio: ["ignore", "pipe", "inherit"],
    timeout: mostMs,
  });
  const exited = once(server, "exit");
  try {
    const url = await Promise.race([
      listening(server.stdout),
      exited.then(() => Promise.reject(new Error("it ended"))),
    ]);
    for (const [id, yaml] of Object.entries(flows)) await call(`${url}/_api/flows/${id}`, "PUT", { yaml });
    for (const path of ["hello", "cached", "hello"]) await call(`${url}/api/${path}`, "POST", { name: "a" });
    for (const path of ["health", "flows", "runs"]) await call(`${url}/_api/${path}`, "GET");
  } finally {
    server.kill("SIGTERM");
    await exited;
  }
}

/** Resolves with the runtime's URL, as its log has it. */
async function listening(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const { message } = JSON.parse(line) as { readonly message: string };
    if (!message.startsWith("listening on ")) continue;
    output.resume();
    return message.replace("listening on ", "");
  }
  throw new Error("it never listened");
}

async function call(url: string, method: string, body?: object): Promise<void> {
  const response = await fetch(url, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}`);
}
