/**
 * Makes the pictures of the command line, docs/pictures: real commands in a real terminal (tmux), against a runtime of their own at
 * http://127.0.0.1:8080, with flows of a folder that is removed at the end. `node scripts/terminal-pictures.ts top` makes those whose
 * commands have the text. Times and ids are those of the moment, so each picture is made when what it shows has changed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Pane } from "./pictures/pane.ts";
import { pictureOf, type Scene, scenes } from "./pictures/scenes.ts";
import { batch, deliveries, heartbeat, orders, ordersOptions, prices } from "./pictures/shop.ts";
import { svgOf } from "./pictures/svg.ts";

const root = resolve(import.meta.dirname, "..");
const url = "http://127.0.0.1:8080";
const token = "the-token-of-the-runtime-in-the-pictures";
const [part = ""] = process.argv.slice(2);

for (const scene of scenes.filter(({ command }) => command.includes(part))) {
  await make(scene);
  console.log(pictureOf(scene));
}

/** Each scene has a home folder of its own, and so a runtime. */
async function make(scene: Scene): Promise<void> {
  if (await answers()) throw new Error(`${url} is taken: end what listens there`);
  const home = mkdtempSync(join(tmpdir(), "bulkhead-pictures-"));
  const [folder, bin] = [join(home, "shop"), join(home, "bin")];
  for (const directory of [folder, bin]) mkdirSync(directory);
  const entry = join(root, "bin", "bulkhead.js");
  writeFileSync(join(bin, "bulkhead"), `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`, { mode: 0o755 });
  const runtime = scene.served ? await start(home) : undefined;
  const env = { PATH: `${bin}:/usr/bin:/bin`, LANG: "C.UTF-8", ...(scene.served && { BULKHEAD_TOKEN: token }) };
  const pane = new Pane(home, env, scene);
  try {
    await scene.play({ pane, folder, call, kept });
    const picture = join(root, "docs", pictureOf(scene));
    mkdirSync(join(picture, ".."), { recursive: true });
    writeFileSync(picture, svgOf(pane.lines(), scene.columns, scene.caption));
  } finally {
    // A command that follows or serves ends as for a person.
    pane.press("C-c");
    while (!scene.served && (await answers())) await pause(100);
    pane.close();
    await end(runtime);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Resolves when it serves the flows that are deployed before a scene. */
async function start(home: string): Promise<ChildProcess> {
  const routes = join(home, "served", "routes");
  mkdirSync(routes, { recursive: true });
  const flows = { orders, prices, deliveries, batch, heartbeat };
  for (const [id, text] of Object.entries(flows)) writeFileSync(join(routes, `${id}.yaml`), text);
  writeFileSync(join(routes, "orders.flow.yaml"), ordersOptions);
  const args = ["bin/bulkhead.js", "run", "--routes", routes, "--data", join(home, "served", "data")];
  const env = { PATH: process.env["PATH"] ?? "", SERVICE_DEPLOY_TOKEN: token };
  const runtime = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  while (!(await answers("/_api/health?probe=ready"))) {
    if (runtime.exitCode !== null) throw new Error("the runtime cannot start");
    await pause(100);
  }
  return runtime;
}

async function end(runtime: ChildProcess | undefined): Promise<void> {
  if (runtime === undefined || runtime.exitCode !== null) return;
  const ended = once(runtime, "exit");
  runtime.kill("SIGTERM");
  await ended;
}

async function answers(path = "/_api/health"): Promise<boolean> {
  return fetch(`${url}${path}`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function call(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const [type, sent] = typeof body === "string" ? ["text/plain", body] : ["application/json", JSON.stringify(body)];
  const answer = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { "Content-Type": type, ...headers },
    body: sent,
  });
  await answer.text();
  return answer.headers.get("x-run-id") ?? "";
}

async function kept(count: number): Promise<readonly string[]> {
  for (;;) {
    const answer = await fetch(`${url}/_api/failed?state=waiting`, { headers: { Authorization: `Bearer ${token}` } });
    const messages = (await answer.json()) as readonly { readonly id: string }[];
    if (messages.length >= count) return messages.map(({ id }) => id);
    await pause(100);
  }
}
