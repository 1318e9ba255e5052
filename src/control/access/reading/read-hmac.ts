/** `{"type": "hmac", "scheme": "standard" | "github" | "stripe", "secretRef": "NAME"}`; `sha256` is the scheme of whoever else signs bodies. */
import { secretNameProblem } from "../../../shared/secret-mark.ts";
import type { HmacPrincipal } from "../principals.ts";
import type { SignatureScheme } from "../schemes/signature-scheme.ts";
import { bodySignature, namedSchemes } from "../schemes/signature-schemes.ts";
import { readHeaderName } from "./header-names.ts";
import { type Fields, own, place, type Reading } from "./reading.ts";

const bodyFields = ["header", "prefix", "encoding", "idHeader"] as const;
export const hmacFields = ["scheme", "secretRef", "secretRefs", "secret", "toleranceSeconds", ...bodyFields] as const;

/** Each one hashes the whole body again. */
const maxSecrets = 5;
const defaultToleranceSeconds = 300;
const maxToleranceSeconds = 3600;

/** undefined: it is nobody. */
export function readHmac(
  fields: Fields,
  pointer: string,
  reading: Reading,
): Pick<HmacPrincipal, "type" | "scheme" | "secretRefs" | "toleranceMs"> | undefined {
  const scheme = readScheme(fields, pointer, reading);
  const secretRefs = readSecretRefs(fields, pointer, reading);
  const given = own(fields, "toleranceSeconds") ?? defaultToleranceSeconds;
  const tolerance = reading.count(given, place(pointer, "toleranceSeconds"), 1, maxToleranceSeconds);
  if (scheme === undefined || secretRefs === undefined || tolerance === undefined) return undefined;
  return { type: "hmac", scheme, secretRefs, toleranceMs: tolerance * 1000 };
}

function readScheme(fields: Fields, pointer: string, reading: Reading): SignatureScheme | undefined {
  const name = own(fields, "scheme");
  if (name === "sha256") return readBodySignature(fields, pointer, reading);
  const scheme = typeof name === "string" ? namedSchemes.get(name) : undefined;
  if (scheme === undefined) {
    const known = [...namedSchemes.keys(), "sha256"].join(", ");
    return reading.bad(place(pointer, "scheme"), `one of ${known} is expected: the principal is nobody`);
  }
  const [extra] = bodyFields.filter((field) => own(fields, field) !== undefined);
  if (extra === undefined) return scheme;
  return reading.bad(place(pointer, extra), "this belongs to the scheme sha256 only: the principal is nobody");
}

function readBodySignature(fields: Fields, pointer: string, reading: Reading): SignatureScheme | undefined {
  const { header, prefix = "", encoding = "hex", idHeader } = fields;
  const name = readHeaderName(header, place(pointer, "header"), reading);
  const id = idHeader === undefined ? undefined : readHeaderName(idHeader, place(pointer, "idHeader"), reading);
  if (typeof prefix !== "string" || !/^[\x20-\x7e]{0,50}$/.test(prefix)) {
    return reading.bad(place(pointer, "prefix"), "what stands before the signature is expected, such as sha256=");
  }
  if (encoding !== "hex" && encoding !== "base64") {
    return reading.bad(place(pointer, "encoding"), "hex or base64 is expected: the principal is nobody");
  }
  if (name === undefined || (idHeader !== undefined && id === undefined)) return undefined;
  return bodySignature("sha256", name, prefix, encoding, id);
}

function readSecretRefs(fields: Fields, pointer: string, reading: Reading): readonly string[] | undefined {
  if (own(fields, "secret") !== undefined) {
    const advice = "give it to the runtime as a secret and name it by secretRef";
    reading.warn(
      "inline_secret",
      place(pointer, "secret"),
      `a secret is not taken from a policy, nor kept: ${advice}; the principal is nobody`,
    );
    return undefined;
  }
  const one = own(fields, "secretRef");
  const several = own(fields, "secretRefs");
  if ((one === undefined) === (several === undefined)) {
    return reading.bad(
      pointer,
      "secretRef (a name) or secretRefs (a list of names) is needed: the principal is nobody",
    );
  }
  const at = place(pointer, one === undefined ? "secretRefs" : "secretRef");
  const names = reading.texts(one ?? several, at);
  const [problem] = (names ?? []).map(secretNameProblem).filter((found) => found !== undefined);
  if (problem !== undefined) return reading.bad(at, `${problem}: the principal is nobody`);
  if (names === undefined || names.length <= maxSecrets) return names;
  return reading.bad(at, `at most ${maxSecrets} secrets may be named: the principal is nobody`);
}
