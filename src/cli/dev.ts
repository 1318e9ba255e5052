/** `run --dev`: a runtime of its own process that serves a folder while its files are edited, and what it reports, made to be read. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createClient } from "../client/index.ts";
import { DevFolder } from "./dev-folder.ts";
import { DevLog } from "./dev-log.ts";
import { UsageError } from "./errors.ts";
import { ownName } from "./own-name.ts";
import { endsWithUs } from "./parent.ts";
import { shellWord } from "./shell-word.ts";
import type { Terminal } from "./terminal.ts";

export interface DevOptions {
  readonly port?: string;
  readonly host?: string;
  readonly routes?: string;
  readonly data?: string;
  readonly start?: boolean;
}

/** What the runtime is started with. */
interface Setting {
  readonly routes: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Lines of the heading: name and text. */
  readonly facts: readonly (readonly [string, string])[];
  readonly token: string;
  /** Whether the token was made for this run. */
  readonly made: boolean;
}

/** Returns the runtime's exit code. Throws UsageError. */
export async function runDev(folder: string | undefined, options: DevOptions, terminal: Terminal): Promise<number> {
  const setting = settingOf(folder, options, terminal.env);
  const args = ["run", "--watch", "--routes", setting.routes];
  for (const name of ["port", "host", "data"] as const) args.push(...given(name, options[name]));
  if (options.start === true) args.push("--start");
  const [entry = ""] = process.argv.slice(1);
  // In a process group of its own, so that Ctrl-C reaches it once: from here.
  const runtime = spawn(process.execPath, [...process.execArgv, entry, ...args], {
    env: { ...setting.env, ...endsWithUs },
    stdio: ["ignore", "pipe", "inherit", "pipe"],
    detached: true,
  }) as ChildProcessByStdio<null, Readable, null>;
  const ended = new Promise<number>((done, failed) => {
    runtime.once("error", failed);
    runtime.once("exit", (code) => done(code ?? 1));
  });
  let ending = false;
  const end = (signal: NodeJS.Signals): void => {
    if (!ending) terminal.complain("Ending when the runs under way are over; Ctrl-C again ends at once.");
    ending = true;
    runtime.kill(signal === "SIGINT" ? signal : "SIGTERM");
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, end);
  let beside: DevFolder | undefined;
  const log = new DevLog(terminal, setting.routes, (url) => {
    sayHeading(terminal, url, setting);
    beside = new DevFolder(terminal, setting.routes, createClient({ url, token: setting.token }));
  });
  try {
    for await (const line of createInterface({ input: runtime.stdout })) log.take(line);
    await log.settled();
    return await ended;
  } finally {
    await beside?.end();
    for (const signal of signals) process.off(signal, end);
  }
}

function given(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`--${name}`, value];
}

function settingOf(folder: string | undefined, options: DevOptions, env: Terminal["env"]): Setting {
  if (folder !== undefined && options.routes !== undefined)
    throw new UsageError("run --dev takes the folder or --routes, not both");
  const routes = served(folder ?? options.routes ?? (env["ROUTES_DIR"] || "routes"), folder !== undefined);
  const ownData = options.data ?? (env["DATA_DIR"] || undefined);
  const data = ownData ?? ignoredData(basename(resolve(routes)) === "routes" ? dirname(resolve(routes)) : routes);
  // The token of BULKHEAD_TOKEN may be another runtime's, where an address stands beside it.
  const own = env["SERVICE_DEPLOY_TOKEN"]?.trim() || (env["BULKHEAD_URL"] ? "" : env["BULKHEAD_TOKEN"]?.trim());
  const token = own || randomBytes(24).toString("base64url");
  // Deployments are reported as INFO, whatever else is shown.
  const quiet = ["warn", "error"].includes(env["LOG_LEVEL"]?.trim().toLowerCase() ?? "");
  return {
    routes,
    token,
    made: !own,
    env: {
      ...env,
      SERVICE_DEPLOY_TOKEN: token,
      DATA_DIR: data,
      ...(quiet && { LOG_LEVEL: "info" }),
    },
    facts: [
      ["flows", `${shownPath(routes)} (saved files are deployed)`],
      ["data", shownPath(data)],
    ],
  };
}

/** A project's folder stands for its `routes`, when it has no flows itself. Throws UsageError for a named folder that is not there. */
function served(folder: string, named: boolean): string {
  const inner = join(folder, "routes");
  if (!isFolder(folder)) {
    if (named) throw new UsageError(`there is no folder ${folder}: make it, or name another one`);
    return folder;
  }
  return isFolder(inner) && !readdirSync(folder).some((name) => name.endsWith(".yaml")) ? inner : folder;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Makes `.bulkhead` in the project, with a file by which git ignores it. */
function ignoredData(project: string): string {
  const directory = join(project, ".bulkhead");
  try {
    mkdirSync(directory, { recursive: true });
    if (!readdirSync(directory).includes(".gitignore")) writeFileSync(join(directory, ".gitignore"), "*\n");
  } catch (error) {
    throw new UsageError(`${directory} cannot be made: ${error instanceof Error ? error.message : String(error)}`);
  }
  return join(directory, "data");
}

function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short === "" ? "." : short.startsWith("..") ? resolve(path) : short;
}

function sayHeading(terminal: Terminal, url: string, { facts, routes, token, made }: Setting): void {
  const { paint, say } = terminal;
  say("");
  say(`  ${paint(["bold", "green"], "bulkhead")} serves ${paint(["bold", "cyan"], url)}`);
  say("");
  for (const [name, text] of facts) say(`  ${paint("dim", name.padEnd(6))} ${text}`);
  if (made) {
    say(`  ${paint("dim", "token ")} made for this run; in another shell:`);
    say("");
    if (url !== "http://127.0.0.1:8080") say(`    export BULKHEAD_URL=${url}`);
    say(`    export BULKHEAD_TOKEN=${token}`);
    const bulkhead = ownName(terminal.env);
    say(`    ${bulkhead} top`);
    // In a project's folder the designer finds the flows by itself.
    const workspace = shownPath(routes);
    say(`    ${workspace === "routes" ? "" : `WORKSPACE=${shellWord(workspace)} `}${bulkhead} designer`);
  }
  say("");
  say(paint("dim", "  Ctrl-C ends it."));
  say("");
}
