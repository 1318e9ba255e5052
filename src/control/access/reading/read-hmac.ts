/**
 * `{"type": "hmac", "scheme": "standard" | "github" | "stripe", "secretRef": "NAME"}`; `sha256` is the scheme for other
 * senders that sign bodies.
 */
import * as z from "zod";
import { expect, whole } from "../../../shared/document-fields.ts";
import { secretNameProblem } from "../../../shared/secret-mark.ts";
import type { HmacPrincipal } from "../principals.ts";
import { bodySignature, namedSchemes, type SignatureScheme } from "../schemes/signature-schemes.ts";
import { anything, headerName, texts } from "./reading.ts";

/** The most secrets of a principal: each costs a hash of the whole body. */
const maxSecrets = 5;
const defaultToleranceSeconds = 300;
const maxToleranceSeconds = 3600;

const schemes = [...namedSchemes.keys(), "sha256"];
const secretNames = texts().superRefine((names, { addIssue }) => {
  const problem = names.map(secretNameProblem).find((found) => found !== undefined);
  if (problem !== undefined) addIssue(problem);
  else if (names.length > maxSecrets) addIssue(`at most ${maxSecrets} secrets may be named`);
});

/** Fields of the scheme sha256 only. */
const bodyFields = {
  header: headerName.optional(),
  prefix: expect<string>(
    "what stands before the signature, such as sha256=, is",
    (value) => typeof value === "string" && /^[\x20-\x7e]{0,50}$/.test(value),
  ).optional(),
  encoding: z
    .unknown()
    .refine((value) => value === "hex" || value === "base64", "hex or base64 is expected")
    .optional(),
  idHeader: headerName.optional(),
};

export const hmacFields = {
  scheme: expect<string>(`one of ${schemes.join(", ")} is`, (value) => schemes.some((name) => name === value)),
  secretRef: secretNames.optional(),
  secretRefs: secretNames.optional(),
  secret: anything,
  toleranceSeconds: whole(1, maxToleranceSeconds).nullish(),
  ...bodyFields,
};
type Sent = { readonly [Name in keyof typeof hmacFields]?: z.output<(typeof hmacFields)[Name]> };

export function readHmac(
  sent: Sent,
  { addIssue }: z.RefinementCtx,
): Pick<HmacPrincipal, "type" | "scheme" | "secretRefs" | "toleranceMs"> {
  const { secretRef, secretRefs, secret, toleranceSeconds } = sent;
  if (secret !== undefined) {
    const message =
      "a secret is not taken from a policy, nor kept: give it to the runtime as a secret and name it by secretRef";
    addIssue({ code: "custom", path: ["secret"], message, params: { code: "inline_secret" } });
  } else if ((secretRef === undefined) === (secretRefs === undefined)) {
    addIssue("secretRef (a name) or secretRefs (a list of names) is needed");
  }
  return {
    type: "hmac",
    scheme: schemeOf(sent, addIssue),
    secretRefs: secretRef ?? secretRefs ?? [],
    toleranceMs: (toleranceSeconds ?? defaultToleranceSeconds) * 1000,
  };
}

function schemeOf(sent: Sent, addIssue: z.RefinementCtx["addIssue"]): SignatureScheme {
  const { scheme = "", header, prefix = "", encoding, idHeader } = sent;
  const named = namedSchemes.get(scheme);
  if (named === undefined) {
    if (header === undefined)
      addIssue({ code: "custom", path: ["header"], message: "the header of the signature is missing" });
    return bodySignature("sha256", header ?? "", prefix, encoding === "base64" ? "base64" : "hex", idHeader);
  }
  const extra = (["header", "prefix", "encoding", "idHeader"] as const).find((name) => sent[name] !== undefined);
  if (extra !== undefined) {
    addIssue({ code: "custom", path: [extra], message: "this belongs to the scheme sha256 only" });
  }
  return named;
}
