/** Who calls, as a policy has found out. */
export interface Principal {
  /** The name that the policy gives it; of a token, its `sub` behind that (`idp:alice`). */
  readonly id: string;
  readonly type: "apiKey" | "hmac" | "jwt" | "deployToken" | "anonymous";
  readonly roles: readonly string[];
}
