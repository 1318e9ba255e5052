/** What a runtime needs of this machine: each looked at by itself, with what to do. */
import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { packageRoot } from "./package-root.ts";
import { isToken } from "./target.ts";
import { shortBytes } from "./times.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Health {
  readonly check: string;
  readonly state: "ok" | "warning" | "problem";
  readonly message: string;
  /** Absent: nothing is to be done. */
  readonly advice?: string;
}

/** As bin/bulkhead.js and package.json have it. */
const leastNode = [24, 12] as const;

export function checkNode(version: string): Health {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const good = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  const found = { check: "node", message: `Node.js ${version}` };
  if (good) return { ...found, state: "ok" };
  return { ...found, state: "problem", advice: `install Node.js ${leastNode.join(".")} or later` };
}

/** Below the first the runtime serves hardly anything; below the second it serves some hundred flows. */
const fewDescriptors = 512;
const usualDescriptors = 4096;

/** `limit`: the soft limit; undefined: there is none, or it is not known. */
export function checkDescriptors(limit: number | undefined): Health {
  const check = "descriptors";
  if (limit === undefined) return { check, state: "ok", message: "no limit of descriptors is known (ulimit -n)" };
  const found = { check, message: `${limit} descriptors (ulimit -n)` };
  if (limit >= usualDescriptors) return { ...found, state: "ok" };
  const state = limit < fewDescriptors ? "problem" : "warning";
  const advice = `allow ${usualDescriptors} or more: ulimit -n ${usualDescriptors}, or LimitNOFILE= of systemd; a thread of a flow takes 5, a connection 1`;
  return { ...found, state, advice };
}

/** The limit that a runtime that is started here has. */
export function descriptorLimit(): number | undefined {
  try {
    const text = execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return /^\d+\s*$/.test(text) ? Number(text) : undefined;
  } catch {
    return undefined;
  }
}

const tightBytes = 1024 ** 3;
const fullBytes = 100 * 1024 ** 2;

/** The directory that a variable names: whether it can be written, and what is free on its disk. */
export function checkDirectory(variable: string, usual: string, env: Env): Health {
  const directory = resolve(env[variable]?.trim() || usual);
  const check = variable;
  const there = existsSync(directory);
  let closest = directory;
  while (!existsSync(closest)) closest = dirname(closest);
  const shown = there ? directory : `${directory} is not there yet, and is made at the start`;
  try {
    if (!statSync(closest).isDirectory())
      return {
        check,
        state: "problem",
        message: `${closest} is no directory`,
        advice: `set ${variable} to a directory`,
      };
    accessSync(closest, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(closest);
    const free = bavail * bsize;
    const message = `${shown}; ${shortBytes(free)} are free`;
    if (free >= tightBytes) return { check, state: "ok", message };
    return { check, state: free < fullBytes ? "problem" : "warning", message, advice: "make room on its disk" };
  } catch (error) {
    const message = `${closest} cannot be written: ${error instanceof Error ? error.message : String(error)}`;
    return { check, state: "problem", message, advice: "give its rights to the user who runs bulkhead" };
  }
}

const mostSkewMs = 30_000;

/** `theirs`: the time of a runtime that has just answered; undefined: none has. */
export function checkClock(now: Date, theirs: Date | undefined): Health {
  const check = "clock";
  const advice = "set the clock, and let it be kept by NTP: schedules, tokens and signatures go by it";
  const made = statSync(new URL("package.json", packageRoot)).mtime;
  if (now < made)
    return { check, state: "problem", message: `${now.toISOString()} is before bulkhead was made`, advice };
  if (theirs === undefined) return { check, state: "ok", message: now.toISOString() };
  const apart = Math.abs(now.getTime() - theirs.getTime());
  const message = `${now.toISOString()}, ${Math.round(apart / 1000)} s from that of the runtime`;
  return apart <= mostSkewMs ? { check, state: "ok", message } : { check, state: "warning", message, advice };
}

/** Where the key is that kept messages are encrypted with. */
export function checkDataKey(env: Env): Health {
  const check = "key of kept messages";
  const given = ["DATA_KEY", "DATA_KEY_FILE"].find((name) => (env[name]?.trim() ?? "") !== "");
  if (given !== undefined)
    return { check, state: "ok", message: `${given} is set: keep it, a backup does not have it` };
  const own = resolve(env["DATA_DIR"]?.trim() || "data", "data.key");
  if (!existsSync(own))
    return { check, state: "ok", message: `${own} does not exist yet: the runtime creates it at its start` };
  const isOpen = (statSync(own).mode & 0o077) !== 0;
  const kept = "a backup has it only with --data-key";
  if (!isOpen) return { check, state: "ok", message: `${own}: keep a copy, ${kept}` };
  return { check, state: "warning", message: `${own} can be read by others`, advice: `chmod 600 ${own}` };
}

/** As the runtime warns of shorter ones. */
const goodTokenLength = 32;

export function checkToken(token: string | undefined): Health {
  const check = "token";
  const advice = "export SERVICE_DEPLOY_TOKEN=$(openssl rand -hex 32), for the runtime and for those who deploy";
  if (token === undefined)
    return { check, state: "problem", message: "there is none: the management API answers 503 without one", advice };
  if (!isToken(token)) return { check, state: "problem", message: "it has characters that no token has", advice };
  if (token.length < goodTokenLength)
    return {
      check,
      state: "warning",
      message: `it has ${token.length} characters, fewer than ${goodTokenLength}`,
      advice,
    };
  return { check, state: "ok", message: `there is one, of ${token.length} characters` };
}
