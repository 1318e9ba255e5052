/** What a runtime would refuse of policies and connections, or warn of, for checks of files without one. The command line loads this file by its URL. */
import { isFields } from "../shared/document-fields.ts";
import { AppError } from "../shared/errors.ts";
import { formatNote, readDocument } from "../shared/read-document.ts";
import { type PolicyDocument, planPolicy } from "./access/planned-policy.ts";
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
  const { warnings } = reader.read(flowId, value as PolicyDocument);
  const found = warnings.map(({ code, message }) => ({ severity: "warning" as const, code, message }));
  if (!isFields(value)) return found;
  try {
    planPolicy(reader, { flowId, sent: value, before: undefined, strict: false }, () => {});
    return found;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ severity: "error", code: error.code, message: error.message }, ...found];
  }
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
