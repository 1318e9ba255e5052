/** What a runtime would refuse of policies and connections, or warn of, for checks of files without one. The command line loads this file by its URL. */
import { formatNote, readDocument } from "../shared/read-document.ts";
import { createPolicyReader } from "./access/reading/read-policy.ts";
import { ReplayCache } from "./access/schemes/hmac.ts";
import { JwksCache } from "./access/schemes/provider-keys.ts";
import { connectionDocument } from "./connections/connection-document.ts";
import { noSecrets } from "./stores/secrets.ts";

export interface DocumentFinding {
  readonly severity: "error" | "warning";
  readonly code: string;
  /** With its place in the document. */
  readonly message: string;
}

const unasked = (): never => {
  throw new Error("a check requests no keys of providers");
};
const reader = createPolicyReader({
  secrets: noSecrets,
  jwks: new JwksCache({ egress: unasked }),
  replay: new ReplayCache(),
});

/** `value`: as JSON.parse returns it. */
export function checkPolicy(flowId: string, value: unknown): readonly DocumentFinding[] {
  const document = value as Readonly<Record<string, unknown>>;
  const { understood, warnings } = reader.read(flowId, document);
  const clear = understood ? reader.clearKey(document) : undefined;
  const found = warnings.map(({ code, message }) => ({ severity: "warning" as const, code, message }));
  if (clear === undefined) return found;
  const message = `${clear}: a key in clear, and this file may be read by others: write "sha256" with its SHA-256 in hexadecimal, or "secretRef"`;
  return [{ severity: "error", code: "policy_invalid", message }, ...found];
}

/** `value`: as JSON.parse returns it. */
export function checkConnection(value: unknown): readonly DocumentFinding[] {
  const { problems, warnings } = readDocument(connectionDocument, value);
  return [...problems, ...warnings].map((note) => ({
    severity: "error",
    code: "connection_invalid",
    message: formatNote(note, "the document"),
  }));
}
