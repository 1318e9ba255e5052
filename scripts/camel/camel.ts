/**
 * Runs a folder of route files in real Camel 4.22 and here, and compares their answers. It needs a JDK 17 and Maven.
 *
 *     npm run camel -- FOLDER              all *.yaml of the folder
 *     npm run camel -- FOLDER orders       those with this text in their names
 *
 * `orders.requests.yaml` beside `orders.yaml` has what both are asked: a list of method, path, headers and body. Without it each
 * HTTP entry is asked with a GET, and with a POST of a small document. Files without an HTTP entry are left out.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startRuntime, token } from "../../bench/support/server-process.ts";
import { described, differences } from "./compare.ts";
import { camelJars, startCamel } from "./real-camel.ts";
import { requestsFor } from "./requests.ts";

const { positionals } = parseArgs({ allowPositionals: true });
const [folder, part = ""] = positionals;
if (folder === undefined) throw new Error("Name a folder: npm run camel -- FOLDER");
const files = readdirSync(folder)
  .filter((name) => /\.ya?ml$/.test(name) && !name.endsWith(".requests.yaml") && name.includes(part))
  .sort();

const jars = camelJars();
const counts = new Map<string, number>();
for (const name of files) {
  const [outcome, ...lines] = await tried(join(folder, name));
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  process.stdout.write(`${outcome.padEnd(20)}${name}\n${lines.map((line) => `${line}\n`).join("")}`);
}
process.stdout.write(`\n${files.length} files\n`);
for (const [outcome, count] of counts) process.stdout.write(`${String(count).padStart(6)} ${outcome}\n`);

type Outcome = "agree" | "differ" | "refused here only" | "refused there only" | "refused by both" | "no HTTP entry";

async function tried(file: string): Promise<readonly [Outcome, ...string[]]> {
  const asked = requestsFor(file);
  if (asked.length === 0) return ["no HTTP entry"];
  const runtime = await startRuntime();
  try {
    const refusal = await put(runtime.url, readFileSync(file, "utf8"));
    const camel = await startCamel(jars, file);
    if (typeof camel === "string")
      return refusal === undefined
        ? ["refused there only", `    ${camel}`]
        : ["refused by both", `    Camel: ${camel}`, `    here:  ${refusal}`];
    try {
      if (refusal !== undefined) return ["refused here only", `    ${refusal}`];
      const found = await differences(asked, camel.url, runtime.url);
      return found.length === 0 ? ["agree"] : ["differ", ...found.map(described)];
    } finally {
      await camel.stop();
    }
  } finally {
    await runtime.stop();
  }
}

/** Resolves with the first reason for which the flow is refused; undefined: it is deployed. */
async function put(url: string, yaml: string): Promise<string | undefined> {
  const answer = await fetch(`${url}/_api/flows/compared`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ yaml }),
  });
  if (answer.ok) return undefined;
  const { error, diagnostics = [] } = (await answer.json()) as {
    readonly error?: string;
    readonly diagnostics?: readonly { readonly severity: string; readonly line: number; readonly message: string }[];
  };
  const first = diagnostics.find(({ severity }) => severity === "error");
  return first === undefined ? (String(error).split("\n")[0] as string) : `line ${first.line}: ${first.message}`;
}
