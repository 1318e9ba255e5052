/** The requests that a file of routes is asked: those of `NAME.requests.yaml` beside it, else two for each HTTP entry. */
import { existsSync, readFileSync } from "node:fs";
import { isMap, isScalar, parse, parseAllDocuments, visit } from "yaml";
import { z } from "zod";

const request = z.strictObject({
  method: z.string().default("GET"),
  path: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().optional(),
});

export type Asked = z.infer<typeof request>;

const verbs = ["get", "post", "put", "delete", "patch", "head"];
const sample = '{"name":"Camel","items":[{"qty":12},{"qty":3}]}';

/** Throws ZodError for requests that cannot be read. Returns none for a file without an HTTP entry. */
export function requestsFor(file: string): readonly Asked[] {
  const written = file.replace(/(\.camel)?\.ya?ml$/, ".requests.yaml");
  if (existsSync(written)) return z.array(request).parse(parse(readFileSync(written, "utf8")));
  const entries = entriesOf(readFileSync(file, "utf8")).filter(({ path }) => !path.includes("{{"));
  return entries.flatMap(({ method, path }) => [
    ...(method === undefined || method === "GET" ? [{ method: "GET", path, headers: {} }] : []),
    ...(method === "GET"
      ? []
      : [{ method: method ?? "POST", path, headers: { "Content-Type": "application/json" }, body: sample }]),
  ]);
}

interface HttpEntry {
  /** undefined: any. */
  readonly method: string | undefined;
  readonly path: string;
}

function entriesOf(text: string): readonly HttpEntry[] {
  const entries: HttpEntry[] = [];
  for (const document of parseAllDocuments(text)) {
    visit(document, {
      Pair(_, { key, value }) {
        if (!isScalar(key)) return;
        if (key.value === "from" && isMap(value)) entries.push(...platformHttp(value.toJSON()));
        if (key.value === "rest" && isMap(value)) entries.push(...rest(value.toJSON()));
      },
    });
  }
  return entries;
}

type Json = Readonly<Record<string, unknown>>;

function platformHttp({ uri, parameters }: Json): readonly HttpEntry[] {
  const [, path] = /^platform-http:([^?]*)/.exec(String(uri)) ?? [];
  const written = path === "" || path === undefined ? (parameters as Json | undefined)?.["path"] : path;
  if (!String(uri).startsWith("platform-http") || typeof written !== "string") return [];
  const restricted = /httpMethodRestrict=([A-Z]+)/.exec(String(uri))?.[1];
  const method = restricted ?? (parameters as Json | undefined)?.["httpMethodRestrict"];
  return [{ method: method === undefined ? undefined : String(method).split(",")[0], path: asPath(written) }];
}

function rest(service: Json): readonly HttpEntry[] {
  return verbs.flatMap((verb) => {
    const list = service[verb];
    if (!Array.isArray(list)) return [];
    return list.map((one: Json) => ({
      method: verb.toUpperCase(),
      path: asPath(`${service["path"] ?? ""}/${one["path"] ?? ""}`),
    }));
  });
}

/** Templates of a path get a value. */
function asPath(written: string): string {
  return `/${written}`
    .replaceAll(/\/{2,}/g, "/")
    .replaceAll(/(?<!\{)\{[^{}]*\}(?!\})/g, "1")
    .replace(/(.)\/$/, "$1");
}
