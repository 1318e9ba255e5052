/**
 * Reads `cors`: which pages' scripts may call (Fetch, 3.3). A field that cannot be read permits nothing, and leaves the
 * rest of the policy as it is.
 */
import { expect, type Fields, readOwn, whole } from "../../../shared/document-fields.ts";
import type { Cors } from "../policy.ts";
import { policyFields, type Reading, texts, token } from "./reading.ts";

const effect = "pages of other origins are offered nothing";
const defaultMethods = ["GET", "HEAD", "POST"];
const defaultMaxAgeSeconds = 600;
const mostMaxAgeSeconds = 86_400;

/**
 * Reads origins as browsers send them: no path, no default port. `null` is the origin of many pages, and identifies
 * none.
 */
const origins = texts().refine(
  (list) => list.every((origin) => origin === "*" || isOrigin(origin)),
  "origins such as https://shop.example are expected, or *",
);

function isOrigin(text: string): boolean {
  return !text.includes("*") && URL.canParse(text) && new URL(text).origin === text;
}

const names = texts(0)
  .refine(
    (list) => list.every((name) => token.test(name) && !name.includes("*")),
    "names are expected, each by itself, without *",
  )
  .nullish();

const corsSchema = policyFields({
  origins,
  methods: names,
  headers: names,
  exposed: names,
  credentials: expect<boolean>("true or false is", (value) => typeof value === "boolean").nullish(),
  maxAgeSeconds: whole(0, mostMaxAgeSeconds).nullish(),
}).transform((sent, { addIssue }): Cors => {
  if (sent.credentials === true && sent.origins.includes("*")) {
    const message = "with credentials the origins are named one by one, not by *";
    addIssue({ code: "custom", path: ["origins"], message, params: { code: "cors_wildcard" } });
  }
  return {
    origins: sent.origins,
    methods: (sent.methods ?? defaultMethods).map((name) => name.toUpperCase()),
    headers: (sent.headers ?? []).map((name) => name.toLowerCase()),
    exposed: sent.exposed ?? [],
    credentials: sent.credentials ?? false,
    maxAgeSeconds: sent.maxAgeSeconds ?? defaultMaxAgeSeconds,
  };
});

export function readCors(document: Fields, reading: Reading): Cors | undefined {
  const value = readOwn(document, "cors");
  return value === undefined ? undefined : reading.read(corsSchema, value, ["cors"], effect);
}
