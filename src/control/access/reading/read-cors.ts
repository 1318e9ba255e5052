/** `cors`: scripts of which pages may call (Fetch, 3.3). What cannot be read offers nothing, and leaves the rest of the policy as it is. */

import type { Cors } from "../policy.ts";
import { token } from "./header-names.ts";
import { type Fields, isFields, own, place, type Reading } from "./reading.ts";

const fields = ["origins", "methods", "headers", "exposed", "credentials", "maxAgeSeconds"] as const;
const effect = "pages of other origins are offered nothing";
const defaultMethods = ["GET", "HEAD", "POST"];
const defaultMaxAgeSeconds = 600;
const mostMaxAgeSeconds = 86_400;

export function readCors(document: Fields, reading: Reading): Cors | undefined {
  const value = own(document, "cors");
  if (value === undefined) return undefined;
  if (!isFields(value)) return reading.bad("/cors", `an object with ${fields.join(", ")} is expected: ${effect}`);
  const known = reading.allKnown(value, "/cors", fields, effect);
  const origins = readOrigins(own(value, "origins"), reading);
  const methods = names(value, "methods", defaultMethods, reading)?.map((name) => name.toUpperCase());
  const headers = names(value, "headers", [], reading)?.map((name) => name.toLowerCase());
  const exposed = names(value, "exposed", [], reading);
  const credentials = own(value, "credentials") ?? false;
  const age = own(value, "maxAgeSeconds") ?? defaultMaxAgeSeconds;
  const maxAgeSeconds = reading.count(age, "/cors/maxAgeSeconds", 0, mostMaxAgeSeconds);
  if (typeof credentials !== "boolean") return reading.bad("/cors/credentials", `true or false is expected: ${effect}`);
  if (!known || !origins || !methods || !headers || !exposed || maxAgeSeconds === undefined) return undefined;
  if (credentials && origins.includes("*")) {
    const why = "with credentials the origins are named one by one, not by *";
    reading.warn("cors_wildcard", "/cors/origins", `${why}: ${effect}`);
    return undefined;
  }
  return { origins, methods, headers, exposed, credentials, maxAgeSeconds };
}

/** As browsers send them: no path, no default port. `null` is the origin of many pages, and of nobody's. */
function readOrigins(value: unknown, reading: Reading): readonly string[] | undefined {
  const list = reading.texts(value, "/cors/origins");
  const bad = list?.find((origin) => origin !== "*" && !isOrigin(origin));
  if (bad === undefined) return list;
  return reading.bad("/cors/origins", `origins such as https://shop.example are expected, or *: ${effect}`);
}

function isOrigin(text: string): boolean {
  return !text.includes("*") && URL.canParse(text) && new URL(text).origin === text;
}

function names(from: Fields, name: string, absent: readonly string[], reading: Reading): readonly string[] | undefined {
  const pointer = place("/cors", name);
  const list = reading.texts(own(from, name) ?? absent, pointer, 0);
  if (list?.every((one) => token.test(one) && !one.includes("*")) !== false) return list;
  return reading.bad(pointer, `names are expected, each by itself, without *: ${effect}`);
}
