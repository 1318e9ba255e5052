/** The result of checking one credential. */
import type { Principal } from "./principal.ts";

export type Finding =
  | { readonly kind: "known"; readonly principal: Principal; readonly forget?: () => void }
  /** `reason` is for the log. */
  | { readonly kind: "invalid"; readonly reason: string; readonly token?: true }
  /** Whether the credential is valid cannot be determined now. */
  | { readonly kind: "unavailable"; readonly reason: string };

export function invalid(reason: string): Finding {
  return { kind: "invalid", reason };
}
