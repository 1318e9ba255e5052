/**
 * The profile file: runtimes by name, with where their tokens come from. Only the file of the person is read, never one of a project:
 * a folder from elsewhere must not decide where a token is sent, or which command is run for it.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import * as z from "zod";
import { formatNote, readDocument } from "../shared/read-document.ts";
import { didYouMean } from "../shared/suggest.ts";
import { UsageError } from "./errors.ts";
import { parseYamlFile } from "./yaml.ts";

type Env = Readonly<Record<string, string | undefined>>;

const tokenSource = z.union(
  [
    z.strictObject({ env: z.string().min(1) }),
    z.strictObject({ file: z.string().min(1) }),
    z.strictObject({ command: z.array(z.string()).min(1) }),
    z.strictObject({ value: z.string().min(1) }),
  ],
  "must be one of {env: NAME}, {file: PATH}, {command: [PROGRAM, ARGUMENT]} and {value: TOKEN}",
);

const profile = z.strictObject({ url: z.string("must be the runtime's address"), token: tokenSource.optional() });

const profileFile = z.strictObject({
  default: z.string().optional(),
  profiles: z.record(z.string(), profile),
});

export type Profile = z.infer<typeof profile>;

export interface ProfileFile {
  readonly path: string;
  readonly default?: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** BULKHEAD_PROFILES, or the first of profiles.yaml and profiles.json in the configuration directory; undefined: there is none. */
export function readProfiles(env: Env): ProfileFile | undefined {
  const named = env["BULKHEAD_PROFILES"] ?? "";
  const directory = join(env["XDG_CONFIG_HOME"] || join(homeOf(env), ".config"), "bulkhead");
  const paths = named === "" ? ["profiles.yaml", "profiles.json"].map((name) => join(directory, name)) : [named];
  const path = paths.find((one) => statSync(one, { throwIfNoEntry: false }) !== undefined);
  if (path === undefined) {
    if (named === "") return undefined;
    throw new UsageError(`BULKHEAD_PROFILES: there is no file ${named}`);
  }
  const { value, problems } = readDocument(profileFile, parseYamlFile(readText(path), path));
  if (value === undefined) throw new UsageError(`${path}: ${problems.map((one) => formatNote(one, "it")).join("; ")}`);
  return { path, ...value };
}

/** Throws UsageError. */
export function profileOf(file: ProfileFile, name: string): Profile {
  const found = Object.hasOwn(file.profiles, name) ? file.profiles[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(file.profiles);
  throw new UsageError(
    `there is no profile '${name}' in ${file.path}${didYouMean(name, names)}; there are ${names.join(", ")}`,
  );
}

/** Returns the token; undefined: the profile has none. Throws UsageError. */
export function tokenOf(file: ProfileFile, name: string, { token }: Profile, env: Env): string | undefined {
  if (token === undefined) return undefined;
  const from = `${file.path}: the token of '${name}'`;
  if ("env" in token) {
    const value = env[token.env]?.trim() ?? "";
    if (value === "") throw new UsageError(`${from} comes from the variable ${token.env}, which is not set`);
    return value;
  }
  if ("file" in token) {
    const path = resolve(dirname(file.path), token.file.replace(/^~(?=\/)/, homeOf(env)));
    return present(readText(path).trim(), `${from}: ${path} is empty`);
  }
  if ("command" in token) return present(outputOf(token.command, from), `${from}: its command has printed nothing`);
  refuseReadable(file.path);
  return present(token.value.trim(), `${from} is empty`);
}

/** Runs a program without a shell; what it prints to standard error reaches the terminal, as a question for a password does. */
function outputOf([program = "", ...args]: readonly string[], from: string): string {
  try {
    return execFileSync(program, args, { encoding: "utf8", stdio: ["inherit", "pipe", "inherit"] }).trim();
  } catch (error) {
    throw new UsageError(`${from}: its command has failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A token in clear needs a file that only its owner can read, as a private key of ssh does: others of the machine could use it. */
function refuseReadable(path: string): void {
  const mode = statSync(path).mode & 0o777;
  if (process.platform === "win32" || (mode & 0o077) === 0) return;
  throw new UsageError(
    `${path} has a token in clear and may be read by others (mode ${mode.toString(8)}): chmod 600 ${path}, or let the token come from {env}, {file} or {command}`,
  );
}

function homeOf(env: Env): string {
  return env["HOME"] || homedir();
}

function present(token: string, problem: string): string {
  if (token === "") throw new UsageError(problem);
  return token;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
