/** A caller, as a policy has identified it. */
export interface Principal {
  /** The name that the policy gives it; for a token, that name and its `sub` (`idp:alice`). */
  readonly id: string;
  readonly type: "apiKey" | "hmac" | "jwt" | "deployToken" | "anonymous";
  readonly roles: readonly string[];
}
