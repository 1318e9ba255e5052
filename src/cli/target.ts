/** Which runtime a command calls, and with which token. */
import { type BulkheadClient, createClient } from "../client/index.ts";
import { misspelt } from "../shared/suggest.ts";
import { UsageError } from "./errors.ts";
import type { TargetOptions } from "./tree.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Target {
  readonly url: string;
  readonly token: string | undefined;
}

const local = "http://127.0.0.1:8080";

const variables = ["BULKHEAD_URL", "BULKHEAD_TOKEN", "BULKHEAD_PROFILE", "BULKHEAD_PROFILES"];

/** Returns a warning for each variable that is near to one of those that say which runtime is called. */
export function misspeltVariables(env: Env): readonly string[] {
  return Object.keys(env).flatMap((name) => {
    const near = variables.includes(name) ? undefined : misspelt(name, variables);
    return near === undefined ? [] : [`${name} has no effect: did you mean ${near}?`];
  });
}

/** `open`: what is called needs no token, and gets none. Throws UsageError. */
export async function connectTo(options: TargetOptions, env: Env, open = false): Promise<BulkheadClient> {
  const { url, token } = await targetOf(options, env);
  if (open) return clientOf({ url, token: undefined });
  if (token === undefined)
    throw new UsageError(
      `there is no token for ${url}: set BULKHEAD_TOKEN to the deploy token of the runtime (its SERVICE_DEPLOY_TOKEN), or name a profile that has one (--profile)`,
    );
  // Node.js would print the header, and so the token, in its error.
  if (!isToken(token)) throw new UsageError(`the token for ${url} has characters that no token has`);
  return clientOf({ url, token });
}

/** Whether it has only characters that a header may have. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Throws UsageError. The token has no characters that no token has. */
export function clientOf(target: Target): BulkheadClient {
  try {
    return createClient(target);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * A token is only sent where it belongs: BULKHEAD_TOKEN to BULKHEAD_URL or `--url`, and to a profile that has no token of its own; a profile's
 * token to its URL, or to the `--url` beside `--profile`. A profile that is named on the command line counts more than the environment.
 */
export async function targetOf({ profile: named, url }: TargetOptions, env: Env): Promise<Target> {
  const ownToken = set(env["BULKHEAD_TOKEN"]);
  const given = url ?? (named === undefined ? set(env["BULKHEAD_URL"]) : undefined);
  if (given !== undefined && named === undefined) return { url: given, token: ownToken };
  const { profileOf, readProfiles, tokenOf } = await import("./profiles.ts");
  const file = readProfiles(env);
  const name = named ?? set(env["BULKHEAD_PROFILE"]) ?? file?.default;
  if (name === undefined) return { url: local, token: ownToken ?? set(env["SERVICE_DEPLOY_TOKEN"]) };
  if (file === undefined)
    throw new UsageError(`there is no profile '${name}': write ~/.config/bulkhead/profiles.yaml (docs/cli.md)`);
  const profile = profileOf(file, name);
  return { url: given ?? profile.url, token: tokenOf(file, name, profile, env) ?? ownToken };
}

function set(value: string | undefined): string | undefined {
  const text = value?.trim() ?? "";
  return text === "" ? undefined : text;
}
