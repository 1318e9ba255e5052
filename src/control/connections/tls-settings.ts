/** Reads the field `tls` of a connection's document. */
import * as z from "zod";
import { fields, text } from "../../shared/document-fields.ts";

export interface TlsSettings {
  readonly ca?: string | undefined;
  readonly certRef?: string | undefined;
  readonly keyRef?: string | undefined;
  readonly serverName?: string | undefined;
}

const always = "the server's certificate is always checked: give the authority that has signed it as ca";
const asFile = "certificates and keys of clients are secrets: put it into SECRETS_DIR/_connections/NAME, and write";

const hints = {
  verify: always,
  rejectUnauthorized: always,
  insecure: always,
  checkServerIdentity: "write serverName",
  servername: "write serverName",
  cert: `${asFile} "certRef": "NAME"`,
  key: `${asFile} "keyRef": "NAME"`,
};

const longestCa = 256 * 1024;

const begin = "-----BEGIN CERTIFICATE-----";
const pem = z
  .custom<string>(
    (value) => typeof value === "string" && value.length <= longestCa && value.includes(begin),
    `certificates as PEM are expected, beginning with ${begin}`,
  )
  .meta({ type: "string", pattern: begin, maxLength: longestCa });

/** `reference`: the schema of the name of a secret. */
export function readTls(reference: z.ZodType<string>) {
  return fields(
    {
      ca: pem.optional(),
      certRef: reference.optional(),
      keyRef: reference.optional(),
      serverName: text(253).optional(),
    },
    { strict: true, hints, expected: () => "an object is expected: {} encrypts, and checks the server's certificate" },
  )
    .superRefine(({ certRef, keyRef }, { addIssue }) => {
      if ((certRef === undefined) === (keyRef === undefined)) return;
      addIssue({
        code: "custom",
        message: "a client's certificate and its key belong together: give certRef and keyRef",
      });
    })
    .meta({ dependentRequired: { certRef: ["keyRef"], keyRef: ["certRef"] } });
}
