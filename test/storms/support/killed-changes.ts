/** Changes of one flow over the API that a kill is put into, and what can be seen of the flow from outside. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Failpoint } from "../../control/stores/failpoints.ts";
import type { Server } from "./server.ts";

type Call = (server: Server, id: string) => Promise<Response>;

export interface Change {
  readonly name: string;
  /** Calls that are acknowledged before. */
  readonly before: readonly Call[];
  readonly make: Call;
  /** Fails while it is made. */
  readonly fail?: Failpoint;
}

function put(text: string, params: Readonly<Record<string, number>> = {}): Call {
  return (server, id) =>
    server.api(`/flows/${id}`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ yaml: flowYaml(id, text), params }),
    });
}

function post(what: string, body?: object): Call {
  return (server, id) =>
    server.api(`/flows/${id}/${what}`, {
      method: "POST",
      ...(body !== undefined && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
}

const remove: Call = (server, id) => server.api(`/flows/${id}`, { method: "DELETE" });
const purge: Call = (server, id) => server.api(`/flows/${id}?purge=true`, { method: "DELETE" });
const old = put("old", { n: 1 });
const next = put("new", { n: 2 });

export const changes: readonly Change[] = [
  { name: "create", before: [], make: next },
  { name: "replace", before: [old], make: next },
  { name: "replace params only", before: [old], make: put("old", { n: 2 }) },
  { name: "replace the eleventh time", before: Array.from({ length: 10 }, (_, n) => put("old", { n })), make: next },
  { name: "stop", before: [old], make: post("stop") },
  { name: "start", before: [old, post("stop")], make: post("start") },
  { name: "replace what is stopped", before: [old, post("stop")], make: next },
  { name: "roll back", before: [next, old], make: post("rollback", { revision: 1 }) },
  { name: "delete", before: [old], make: remove },
  { name: "delete with purge", before: [old, next], make: purge },
  { name: "purge what is deleted", before: [old, next, remove], make: purge },
  { name: "create what was deleted", before: [old, remove], make: next },
  { name: "create what was purged", before: [old, purge], make: next },
  { name: "create, the YAML's write fails", before: [], make: next, fail: "yaml.write" },
  { name: "create, the YAML's directory fails", before: [], make: next, fail: "yaml.sync-renamed" },
  { name: "create, the head's write fails", before: [], make: next, fail: "head.write" },
  { name: "create, the head's directory fails", before: [], make: next, fail: "head.sync-renamed" },
  { name: "replace, the record's write fails", before: [old], make: next, fail: "revision.write" },
  { name: "replace, the YAML's directory fails", before: [old], make: next, fail: "yaml.sync-renamed" },
  { name: "replace, the head's directory fails", before: [old], make: next, fail: "head.sync-renamed" },
  { name: "delete, the directory fails", before: [old], make: remove, fail: "yaml.sync-unlinked" },
];

/** A webhook that answers its flow's text. */
export function flowYaml(id: string, text: string): string {
  const steps = `\n      steps:\n        - setBody: { constant: "${text} {{n:-}}" }`;
  return `- route:\n    id: ${id}\n    from:\n      uri: webhook${steps}\n`;
}

/** What belongs together, in one text; without what differs from one id to the next. */
export async function seenOf(server: Server, id: string): Promise<string> {
  const answer = await server.api(`/flows/${id}`);
  if (answer.status === 404) {
    const call = await fetch(`${server.url}/api/${id}`, { method: "POST" });
    return `none; ${call.status}`;
  }
  const { yaml, params, state, revision, hash, deployedHash } = (await answer.json()) as Record<string, unknown>;
  const call = await fetch(`${server.url}/api/${id}`, { method: "POST" });
  const text = call.ok ? await call.text() : String(call.status);
  const same = state === "Stopped" || hash === deployedHash;
  return JSON.stringify({ yaml, params, state, revision, same, text }).replaceAll(id, "ID");
}

/** The numbers of its kept revisions, and the highest of them or of its head. */
export async function lastRevision(server: Server, id: string): Promise<number> {
  const answer = await server.api(`/flows/${id}/revisions`);
  if (!answer.ok) return 0;
  const revisions = (await answer.json()) as { readonly revision: number }[];
  return Math.max(0, ...revisions.map(({ revision }) => revision));
}

/** Names that no boot may leave: temp files, records that no head knows, and marks of the removal of what is there. */
export async function strayFiles(directory: string): Promise<string[]> {
  const stray = (await readdir(join(directory, "routes"))).filter(
    (name) => (!name.endsWith(".yaml") || name.startsWith(".")) && !name.startsWith(".bulkhead-lock"),
  );
  const flows = join(directory, "data", "flows");
  for (const id of await readdir(flows).catch(() => [])) {
    const names = await readdir(join(flows, id));
    const head = names.includes("head.json") ? await readFile(join(flows, id, "head.json"), "utf8") : '{"last":0}';
    const { last } = JSON.parse(head) as { readonly last: number };
    for (const name of names) {
      if (name !== "head.json" && !(Number.parseInt(name, 10) <= last)) stray.push(`${id}/${name}`);
    }
  }
  for (const kind of ["value-mappings", "message-mappings", "policies"]) {
    const names = await readdir(join(directory, "data", kind)).catch((): string[] => []);
    for (const name of names) {
      const [, id, gone] = /^(.+?)(?:\.document|(\.\d+\.removed))$/.exec(name) ?? [];
      if (id === undefined || (gone !== undefined && names.includes(`${id}.document`))) stray.push(`${kind}/${name}`);
    }
  }
  return stray;
}
