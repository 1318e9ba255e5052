/** The deploy token: the bearer check of the management API, and what keeps the token away from flows. */
import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { AppError } from "../../shared/errors.ts";

export type TokenVerdict = "ok" | "unauthorized" | "not_configured";

export interface Authenticator {
  /** Reads the request's one Authorization header. Takes the same time whatever the header holds. */
  check(request: IncomingMessage): TokenVerdict;
  /** Names the caller for the audit log: the first 8 hexadecimal digits of the SHA-256 of the bearer token. */
  actorOf(request: IncomingMessage): string;
  /** Whether a value of an Authorization (or API key) header carries the deploy token, under whatever scheme. */
  isDeployToken(value: string): boolean;
}

/**
 * SHA-256 digests of the tokens' UTF-8 bytes, without surrounding blanks, which are not part of a header's value (RFC
 * 9110 5.5).
 */
export interface DeployTokens {
  /** The digest of `SERVICE_DEPLOY_TOKEN`; undefined: nobody is let in. */
  readonly current: Buffer | undefined;
  /** The digest of `SERVICE_DEPLOY_TOKEN_PREVIOUS`: also accepted, so that a token can be replaced without a gap. */
  readonly previous: Buffer | undefined;
}

const credentials = /^([^ ]+) (.*)$/s;

export function createAuthenticator({ current, previous }: DeployTokens): Authenticator {
  const accepted = current === undefined ? [] : [current, previous].filter((digest) => digest !== undefined);

  /**
   * Compares with every candidate, digest against digest: the time reveals neither length, prefix nor which one
   * matched. Header values arrive as Latin-1, one character a byte, so their bytes are those that were sent.
   */
  function matches(presented: string): boolean {
    const seen = hash("sha256", Buffer.from(presented, "latin1"), "buffer");
    let found = false;
    for (const candidate of accepted) found = timingSafeEqual(seen, candidate) || found;
    return found;
  }

  return {
    check(request) {
      if (accepted.length === 0) return "not_configured";
      const presented = bearer(request);
      const right = matches(presented ?? "");
      return right && presented !== undefined ? "ok" : "unauthorized";
    },
    actorOf(request) {
      const presented = bearer(request);
      return presented === undefined ? "anonymous" : hash("sha256", Buffer.from(presented, "latin1")).slice(0, 8);
    },
    isDeployToken(value) {
      const whole = matches(value.trim());
      const afterScheme = matches(credentials.exec(value.trim())?.[2]?.trim() ?? "");
      return whole || afterScheme;
    },
  };
}

/**
 * Returns the token of the only Authorization header; undefined: there is none, several, or another scheme. The case of
 * a scheme does not matter (RFC 9110 11.1).
 */
function bearer(request: IncomingMessage): string | undefined {
  let value: string | undefined;
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    if (request.rawHeaders[i]?.toLowerCase() !== "authorization") continue;
    if (value !== undefined) return undefined;
    value = request.rawHeaders[i + 1] ?? "";
  }
  const parts = credentials.exec(value ?? "");
  return parts?.[1]?.toLowerCase() === "bearer" ? parts[2] : undefined;
}

/** Returns the error for a caller that is not let in. */
export function refusal(verdict: Exclude<TokenVerdict, "ok">): AppError {
  if (verdict === "not_configured") {
    return new AppError(
      "token_not_configured",
      "SERVICE_DEPLOY_TOKEN is not configured: set it in the runtime's environment and restart",
    );
  }
  return new AppError("unauthorized", "unauthorized", { "WWW-Authenticate": 'Bearer realm="bulkhead"' });
}
