/** A runtime with one flow that has files, and access to its directory. */
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { RunDocument } from "../../src/control/runs/run-document.ts";
import { webhook } from "./flows.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "./start-app.ts";

export interface FlowFiles {
  readonly app: TestApp;
  readonly id: string;
  /** The flow's own directory. */
  readonly directory: string;
  read(name: string): Promise<string>;
  /** Writes a file, and makes the directories above it. */
  write(name: string, content: string | Uint8Array): Promise<void>;
  /** Lists all files below a directory, hidden ones too. */
  list(name?: string): Promise<string[]>;
  deploy(yaml: string, limits?: Readonly<Record<string, number>>): Promise<void>;
  /** Calls a webhook; returns the answer's body, or the failure of the run. */
  call(
    route: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<string>;
  runs(query: string): Promise<RunDocument[]>;
}

/** Starts a runtime for one flow. */
export async function flowFiles(t: TestContext, options: TestAppOptions = {}, id = "f"): Promise<FlowFiles> {
  return filesOf(await startTestApp(t, options), id);
}

/** Starts one runtime for many flows: the returned function adds a flow, which is removed after the test that asks. */
export async function manyFlows(t: TestContext): Promise<(t: TestContext) => FlowFiles> {
  const app = await startTestApp(t);
  let count = 0;
  return (inner) => {
    count += 1;
    const id = `f${count}`;
    inner.after(() => app.api(`/flows/${id}`, { method: "DELETE" }));
    return filesOf(app, id);
  };
}

export function filesOf(app: TestApp, id: string): FlowFiles {
  const directory = join(app.directory, "files", id);
  const runs = async (query: string) => (await (await app.api(`/runs?flowId=${id}&${query}`)).json()) as RunDocument[];
  return {
    app,
    id,
    directory,
    read: (name) => readFile(join(directory, name), "utf8"),
    async write(name, content) {
      await mkdir(dirname(join(directory, name)), { recursive: true });
      await writeFile(join(directory, name), content);
    },
    async list(name = "") {
      const entries = await readdir(join(directory, name), { recursive: true, withFileTypes: true });
      const found = entries.filter((entry) => !entry.isDirectory());
      return found.map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1)).sort();
    },
    async deploy(yaml, limits = {}) {
      const answer = await app.put(id, yaml, { limits });
      assert.ok(answer.ok, answer.ok ? "" : await answer.text());
    },
    async call(route, body = "x", headers = {}) {
      const answer = await app.post(`/api/${route}`, body, headers);
      if (answer.ok) return answer.text();
      const { error } = (await (await app.api(`/runs/${answer.headers.get("x-run-id")}`)).json()) as RunDocument;
      return `${error?.type}: ${error?.message}`;
    },
    runs,
  };
}

/** A flow of webhooks, each by its name and its steps. */
export function webhooks(routes: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(routes)
    .map(([id, steps]) => webhook(id, ...steps))
    .join("");
}

/** A route that consumes files. */
export function consumingRoute(id: string, uri: string, ...steps: readonly string[]): string {
  const list = steps.map((step) => `        - ${step}\n`).join("");
  return `- route:\n    id: ${id}\n    from:\n      uri: "${uri}"\n      steps:\n${list}`;
}
