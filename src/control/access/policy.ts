/** What an access policy decides about a caller of its flow's HTTP triggers. */
import type { IncomingHttpHeaders } from "node:http";
import type { ErrorCode } from "../../shared/errors.ts";
import type { Principal } from "./principal.ts";

/** What is known of a caller before its body is read. */
export interface Caller {
  readonly method: string;
  readonly routeId: string;
  readonly headers: IncomingHttpHeaders;
  /** The caller's IP address: IPv4 as such, never mapped into IPv6. */
  readonly address: string;
  /** It has presented the deploy token, as a bearer. */
  readonly deployToken: boolean;
}

export type Decision =
  | {
      readonly kind: "allow";
      readonly principal: Principal;
      /** With a signed delivery: it was turned away before a run began (429, 503), so its sender may repeat it as it is. */
      readonly forget?: () => void;
    }
  | {
      readonly kind: "deny";
      readonly code: Extract<ErrorCode, "unauthenticated" | "forbidden" | "policy_unavailable">;
      /** For the caller: names no principal, no rule, no secret. */
      readonly message: string;
      /** WWW-Authenticate, with a 401. */
      readonly challenge?: string;
      /** For the log, and for `can`: why. */
      readonly reason: string;
      /** Known, and not allowed. */
      readonly principal?: Principal;
    }
  /** A signature: the decision waits for the body, of which exactly these bytes have been signed. Its answer is never another `body`. */
  | { readonly kind: "body"; decide(body: Uint8Array): Decision };

export interface PolicyWarning {
  readonly code: string;
  /** Names the place as well. */
  readonly message: string;
  /** JSON Pointer (RFC 6901) into the document; "" is the whole. */
  readonly pointer?: string;
}

export interface RateLimit {
  /** Tokens a second, and the bucket's size. */
  readonly rps: number;
  readonly burst: number;
}

export interface Cors {
  /** `*`, or origins exactly as browsers send them. */
  readonly origins: readonly string[];
  /** In upper case. */
  readonly methods: readonly string[];
  /** In lower case; headers that callers may send. */
  readonly headers: readonly string[];
  /** Headers of the answer that scripts may read. */
  readonly exposed: readonly string[];
  readonly credentials: boolean;
  readonly maxAgeSeconds: number;
}

export interface Policy {
  readonly mode: "enforce" | "report";
  /** false: it was not understood, and lets only the deploy token in. */
  readonly understood: boolean;
  readonly warnings: readonly PolicyWarning[];
  readonly perPrincipal: RateLimit | undefined;
  /** Of callers without a name, by their address. */
  readonly perAddress: RateLimit | undefined;
  readonly maxInflight: number | undefined;
  readonly cors: Cors | undefined;
  /** Lower-case names of headers that carry its credentials: flows never see them. */
  readonly credentialHeaders: ReadonlySet<string>;
  /** At once where it can: only a JWT's keys may have to be fetched. Never rejects: what goes wrong is a denial. */
  decide(caller: Caller): Decision | Promise<Decision>;
}
