/** What an access policy decides about a caller of its flow's HTTP triggers. */
import type { IncomingHttpHeaders } from "node:http";
import type { ErrorCode } from "../../shared/errors.ts";

/** A caller, as a policy has identified it. */
export interface Principal {
  /** The name that the policy gives it; for a token, that name and its `sub` (`idp:alice`). */
  readonly id: string;
  readonly type: "apiKey" | "hmac" | "jwt" | "deployToken" | "anonymous";
  readonly roles: readonly string[];
}

/** What is known of a caller before its body is read. */
export interface Caller {
  readonly method: string;
  readonly routeId: string;
  readonly headers: IncomingHttpHeaders;
  /** The caller's IP address: IPv4 as such, never mapped into IPv6. */
  readonly address: string;
  /** The caller has presented the deploy token as a bearer. */
  readonly deployToken: boolean;
}

export type Decision =
  | {
      readonly kind: "allow";
      readonly principal: Principal;
      /**
       * For a signed delivery that was turned away before a run began (429, 503): lets its sender repeat it unchanged.
       */
      readonly forget?: () => void;
    }
  | {
      readonly kind: "deny";
      readonly code: Extract<ErrorCode, "unauthenticated" | "forbidden" | "policy_unavailable">;
      /** The message for the caller: contains no principal, no rule, no secret. */
      readonly message: string;
      /** The value of WWW-Authenticate, with a 401. */
      readonly challenge?: string;
      /** The reason, for the log and for `can`. */
      readonly reason: string;
      /** Present: the caller is known and not allowed. */
      readonly principal?: Principal;
    }
  /**
   * There is a signature: the decision waits for the body, whose exact bytes are signed. `decide` never returns another
   * `body`.
   */
  | { readonly kind: "body"; decide(body: Uint8Array): Decision };

export interface PolicyWarning {
  readonly code: string;
  /** The message, which includes the place. */
  readonly message: string;
  /** JSON Pointer (RFC 6901) into the document; "" is the whole. */
  readonly pointer?: string;
}

export interface RateLimit {
  /** Tokens per second, and the bucket's size. */
  readonly rps: number;
  readonly burst: number;
}

export interface Cors {
  /** `*`, or origins exactly as browsers send them. */
  readonly origins: readonly string[];
  /** Methods, in upper case. */
  readonly methods: readonly string[];
  /** Headers that callers may send, in lower case. */
  readonly headers: readonly string[];
  /** Headers of the answer that scripts may read. */
  readonly exposed: readonly string[];
  readonly credentials: boolean;
  readonly maxAgeSeconds: number;
}

export interface Policy {
  readonly mode: "enforce" | "report";
  /** false: the policy was not understood, and lets only the deploy token in. */
  readonly understood: boolean;
  readonly warnings: readonly PolicyWarning[];
  readonly perPrincipal: RateLimit | undefined;
  /** The limit of callers without a name, by their address. */
  readonly perAddress: RateLimit | undefined;
  readonly maxInflight: number | undefined;
  readonly cors: Cors | undefined;
  /** Lower-case names of headers that carry its credentials: flows never see them. */
  readonly credentialHeaders: ReadonlySet<string>;
  /** Decides, at once if possible: only a JWT's keys may have to be fetched. Never rejects: a failure is a denial. */
  decide(caller: Caller): Decision | Promise<Decision>;
}

/** The limits that a policy sets for its flow. */
export type PolicyLimits = Pick<Policy, "perPrincipal" | "perAddress" | "maxInflight">;
