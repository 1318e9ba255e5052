/** What clients of a storm install and remove: flows, mappings, policies. Each text carries its own hash and its version. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Server } from "./server.ts";

/** A version's serial number; 0: it is not there. */
export type Version = number;

export interface Kind {
  readonly name: string;
  /** Of one id, behind `/_api`. */
  path(id: string): string;
  /** The body of a PUT, JSON. */
  body(id: string, version: Version): string;
  /** What the data on the disk says; undefined: it is not whole. */
  onDisk(directory: string, id: string): Promise<Version | undefined>;
  /** What the runtime says after a boot. `list`: of this kind. */
  served(server: Server, id: string, list: readonly Listed[]): Promise<Served>;
}

export interface Listed {
  readonly id: string;
  readonly hash: string;
  readonly revision?: number;
  readonly deployedHash?: string;
}

export interface Served {
  /** undefined: what it says does not fit together. */
  readonly version: Version | undefined;
  /** Where the API tells it. */
  readonly revision?: number | undefined;
  /** For people. */
  readonly seen: string;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Of a length that differs from version to version. */
function padding(version: Version): string {
  return "x".repeat((version * 97) % 3000);
}

/** Its first line is the hash of the rest, and the route answers the serial number. */
function flowText(id: string, version: Version): string {
  const rest = `- route:\n    id: ${id}\n    from:\n      uri: webhook\n      steps:\n        - setBody: { constant: "${version}" }\n`;
  const padded = `${rest}# ${padding(version)}\n`;
  return `# ${hashOf(padded)}\n${padded}`;
}

function flowVersion(text: string): Version | undefined {
  const [first = "", ...rest] = text.split("\n");
  if (first !== `# ${hashOf(rest.join("\n"))}`) return undefined;
  return Number(/constant: "(\d+)"/.exec(text)?.[1]);
}

export const flows: Kind = {
  name: "flow",
  path: (id) => `/flows/${id}`,
  body: (id, version) => JSON.stringify({ yaml: flowText(id, version), params: { version } }),
  async onDisk(directory, id) {
    const names = await readdir(join(directory, "routes"));
    if (!names.includes(`${id}.yaml`)) return 0;
    return flowVersion(await readFile(join(directory, "routes", `${id}.yaml`), "utf8"));
  },
  async served({ url }, id, list) {
    const listed = list.find((one) => one.id === id);
    const call = await fetch(`${url}/api/${id}`, { method: "POST" });
    const answered = call.status === 404 ? 0 : Number(await call.text());
    const fits = (listed === undefined) === (answered === 0) && listed?.hash === listed?.deployedHash;
    const seen = `${JSON.stringify(listed)} in the list, and answers ${answered}`;
    return { version: fits ? answered : undefined, revision: listed?.revision, seen };
  },
};

/** A document of JSON, whose last member is the hash of what comes before it. */
function documentText(content: object): string {
  const open = JSON.stringify(content).slice(0, -1);
  return `${open},"description":"${hashOf(open)}"}`;
}

function documentVersion(text: string): Version | undefined {
  const at = text.lastIndexOf(',"description":"');
  if (text.slice(at) !== `,"description":"${hashOf(text.slice(0, at))}"}`) return undefined;
  return Number(/"name":"(\d+)"/.exec(text)?.[1]);
}

/** `directory`: in the data directory, and the resource's name behind `/_api`. */
function documents(name: string, directory: string, resource: string, content: (version: Version) => object): Kind {
  return {
    name,
    path: (id) => `/${resource}/${id}`,
    body: (_id, version) => documentText({ name: String(version), ...content(version) }),
    async onDisk(root, id) {
      const folder = join(root, "data", directory);
      const names = await readdir(folder).catch((): string[] => []);
      if (!names.includes(`${id}.document`)) return 0;
      const whole = await readFile(join(folder, `${id}.document`), "utf8");
      return documentVersion(whole.slice(whole.indexOf("\n") + 1));
    },
    async served({ api }, id, list) {
      const listed = list.find((one) => one.id === id);
      const answer = await api(`/${resource}/${id}`);
      const text = await answer.text();
      const [hash, revision] = answer.headers.get("etag")?.replaceAll('"', "").split(".") ?? [];
      const version = answer.status === 404 ? 0 : documentVersion(text);
      const isListed = resource === "auth" ? version !== 0 : listed !== undefined;
      const fits = isListed === (version !== 0) && (version === 0 || hash === hashOf(text));
      const seen = `${JSON.stringify(listed)} in the list, and ${answer.status} ${hash}.${revision}`;
      return { version: fits ? version : undefined, revision: Number(revision ?? 0), seen };
    },
  };
}

export const valueMappings = documents("value mapping", "value-mappings", "value-mappings", (version) => ({
  entries: { version: String(version), padding: padding(version) },
}));

export const messageMappings = documents("message mapping", "message-mappings", "message-mappings", (version) => ({
  rules: [{ target: "/version", expr: `"${version} ${padding(version)}"` }],
}));

/** Of flows that are never there. */
export const policies = documents("policy", "policies", "auth", (version) => ({
  principals: { shop: { type: "apiKey", sha256: hashOf(String(version)), roles: ["sender"] } },
  rules: [{ allow: ["invoke"], roles: ["sender"] }],
  labels: { padding: padding(version) },
}));
