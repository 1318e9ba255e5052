/** What every request has to pass: the names of this server, the site that it comes from, and the headers of every answer. */
import type { IncomingMessage } from "node:http";
import { writeHeader } from "../../shared/wire.ts";
import { isLoopback } from "../config.ts";
import { Refused } from "../refused.ts";

/**
 * Scripts come from this server alone. Styles may be inline, since the text editor makes them; they cannot run anything,
 * and no text of a tenant becomes HTML in which one could stand.
 */
const contentSecurityPolicy = [
  "default-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

export const answerHeaders = {
  "Content-Security-Policy": contentSecurityPolicy,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

export interface Names {
  /** The origin that browsers use, when it is not the address that the server listens on. */
  readonly publicUrl: URL | undefined;
  /** The address that the server listens on. */
  readonly host: string;
}

/**
 * Another name may be a page's own that was made to lead here (DNS rebinding). Names of this machine are its own
 * whatever the port, which a tunnel may have changed. Throws Refused.
 */
export function refuseForeignName({ headers }: IncomingMessage, { publicUrl, host }: Names): void {
  const name = headers.host ?? "";
  const bare = name.replace(/:\d+$/, "").toLowerCase();
  if (isLoopback(bare) || name.toLowerCase() === publicUrl?.host) return;
  if (/^[\d.]+$|:/.test(host) && bare.replace(/^\[|\]$/g, "") === host && !/^(?:0\.0\.0\.0|::)$/.test(host)) return;
  throw new Refused(
    421,
    `this server is not known as '${name.slice(0, 100)}': if it should be, start it with that address in DESIGNER_URL`,
  );
}

/** Throws Refused for a request that a page of another site makes. `isWrite`: it may change something. */
export function refuseForeignSite({ headers }: IncomingMessage, isWrite: boolean): void {
  const site = headers["sec-fetch-site"];
  if (!isWrite) {
    if (site === undefined || site === "same-origin" || site === "none") return;
    throw new Refused(403, "pages of other sites get no answers from here");
  }
  if (headers[writeHeader.name.toLowerCase()] !== writeHeader.value || site !== "same-origin" || !isOwnOrigin(headers))
    throw new Refused(
      403,
      `changes come from the designer's own page: send ${writeHeader.name}: ${writeHeader.value} and Sec-Fetch-Site: same-origin, as it does`,
    );
}

/** The origin of a view of VS Code, in which its extensions show pages. No site has such an origin; undefined: it is another one. */
export function viewOf({ headers: { origin } }: IncomingMessage): string | undefined {
  return origin !== undefined && /^vscode-webview:\/\/[\w-]{1,200}$/.test(origin) ? origin : undefined;
}

export function headersForView(origin: string) {
  return {
    "Access-Control-Allow-Origin": origin,
    Vary: "Origin",
    "Cross-Origin-Resource-Policy": "cross-origin",
  } as const;
}

/** A browser sends an Origin with every change, other programs none. */
function isOwnOrigin({ origin, host }: IncomingMessage["headers"]): boolean {
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host?.toLowerCase());
}
