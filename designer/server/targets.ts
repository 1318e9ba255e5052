/** Targets: the runtimes that flows are deployed to, and their deploy tokens, which no answer and no line of the log has. */
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import type { Environment, Given } from "./config.ts";
import { limits } from "./limits.ts";
import { messageOf } from "./refused.ts";
import { type VariableName, variables } from "./variables.ts";

export interface TargetSettings {
  readonly name: string;
  readonly label: string;
  /** Without a slash at its end. */
  readonly url: string;
  /** The setting that the token comes from, as messages name it. */
  readonly tokenFrom: string;
  /** Returns the deploy token; undefined: there is none. */
  token(): string | undefined;
}

const schema = z.strictObject({
  targets: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, "must have 1 to 63 characters of a-z 0-9 -"),
        label: z.string().min(1).max(100).optional(),
        url: z.string().refine(isRuntimeUrl, "must be the address of a runtime, such as http://127.0.0.1:8080"),
        tokenEnv: z.string().min(1).optional(),
        tokenFile: z.string().min(1).optional(),
      }),
    )
    .min(1, "must have at least one target")
    .max(50, "must have at most 50 targets"),
});

interface Around {
  readonly env: Environment;
  /** Relative paths in it are those from its own folder. */
  readonly file: string;
  readonly problems: string[];
  readonly warnings: string[];
}

/** @param value the content of the file of targets */
export function readTargets(value: unknown, { env, file, problems, warnings }: Around): readonly TargetSettings[] {
  const problem = (text: string): unknown => problems.push(`DESIGNER_TARGETS: ${file}: ${text}`);
  const read = schema.safeParse(value);
  if (!read.success) {
    for (const { path, message } of read.error.issues) problem(`${path.join(".") || "it"}: ${message}`);
    return [];
  }
  const { targets } = read.data;
  if (new Set(targets.map(({ name }) => name)).size < targets.length) problem("two targets have the same name");
  const tokens = new Map(targets.map(({ tokenEnv = "" }) => [tokenEnv, env[tokenEnv]?.trim() || undefined]));
  const made = targets.map(({ name, label = name, url, tokenEnv, tokenFile }): TargetSettings => {
    const plain = { name, label, url: url.replace(/\/+$/, "") };
    if (tokenEnv !== undefined && tokenFile !== undefined)
      problem(`target '${name}' has a tokenEnv and a tokenFile: leave one out`);
    if (tokenFile !== undefined) {
      const path = resolve(dirname(file), tokenFile);
      const token = fileToken(path);
      const why = token.problem();
      if (why !== undefined) problem(`the tokenFile of '${name}' (${path}) cannot be used: ${why}`);
      return { ...plain, tokenFrom: `the tokenFile of the target '${name}'`, token: token.read };
    }
    const token = tokens.get(tokenEnv ?? "");
    if (tokenEnv === undefined) warnings.push(`the target '${name}' has no token: give it a tokenEnv or a tokenFile`);
    else if (token === undefined) problem(`the tokenEnv of '${name}' is ${tokenEnv}, and that variable is not set`);
    return { ...plain, tokenFrom: tokenEnv ?? `a tokenEnv of the target '${name}'`, token: () => token };
  });
  for (const name of tokens.keys()) delete env[name];
  return made;
}

/** The target of RUNTIME_URL, else of BULKHEAD_URL. */
export function singleTarget(given: Given, problems: string[], warnings: string[]): readonly TargetSettings[] {
  const url = given.RUNTIME_URL ?? given.BULKHEAD_URL ?? variables.RUNTIME_URL.default;
  if (!isRuntimeUrl(url))
    problems.push(
      `${given.RUNTIME_URL === undefined ? "BULKHEAD_URL" : "RUNTIME_URL"}: '${url}' is not the address of a runtime: give one such as http://127.0.0.1:8080`,
    );
  const [tokenFrom, token] = tokenFor(url, given);
  if (token === undefined)
    warnings.push(`${tokenFrom} is not set: the runtime will refuse every call but its health report`);
  const plain = url.replace(/\/+$/, "");
  return [{ name: "default", label: "Runtime", url: plain, tokenFrom, token: () => token }];
}

/**
 * Returns which variable has the token for an address, and the token. As with the other commands, SERVICE_DEPLOY_TOKEN never goes to BULKHEAD_URL,
 * and BULKHEAD_TOKEN to no other address than BULKHEAD_URL if that is set.
 */
function tokenFor(url: string, given: Given): readonly [variable: VariableName, token: string | undefined] {
  const { RUNTIME_URL: ownUrl, SERVICE_DEPLOY_TOKEN: own, BULKHEAD_URL: sharedUrl, BULKHEAD_TOKEN: shared } = given;
  if (ownUrl === undefined && sharedUrl !== undefined) return ["BULKHEAD_TOKEN", shared];
  const fits = shared !== undefined && (sharedUrl ?? url) === url;
  return own === undefined && fits ? ["BULKHEAD_TOKEN", shared] : ["SERVICE_DEPLOY_TOKEN", own];
}

function isRuntimeUrl(text: string): boolean {
  return /^https?:\/\/[^?#@\s]+$/.test(text) && URL.canParse(text);
}

/** A token that may be replaced while the designer runs: the file is read anew when the last look is too old. */
function fileToken(path: string) {
  let token: string | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  const look = (): string | undefined => {
    if (statSync(path).size > limits.tokenBytes) throw new Error(`it has more than ${limits.tokenBytes} bytes`);
    return readFileSync(path, "utf8").trim() || undefined;
  };
  return {
    problem(): string | undefined {
      try {
        return look() === undefined ? "it is empty" : undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
    read(): string | undefined {
      if (performance.now() - readAt < limits.tokenAgeMs) return token;
      readAt = performance.now();
      try {
        token = look();
      } catch {
        // The file may be on its way: the token that was there is used.
      }
      return token;
    },
  };
}
