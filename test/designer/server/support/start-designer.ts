/** Starts a designer's server on a free port, with a workspace of its own; both are gone after the test. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { readConfig } from "../../../../designer/server/config.ts";
import { startDesigner } from "../../../../designer/server/designer.ts";

export interface TestDesigner {
  readonly url: string;
  /** The folder of the flows. */
  readonly workspace: string;
  /** The lines of the log so far. */
  readonly lines: readonly string[];
  /** A request as the designer's page makes it; `body` is sent as JSON unless it is a text. */
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** The same; the answer's JSON. Rejects for any status beyond 2xx. */
  json<T>(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<T>;
  close(): Promise<void>;
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  /** Files of the workspace before the start: name -> text. */
  readonly files?: Readonly<Record<string, string>>;
  /** Sent along with each request. */
  readonly cookie?: string;
  /** The directory of the built page. */
  readonly page?: string;
}

export const pageHeaders = { "X-Designer": "1", "Sec-Fetch-Site": "same-origin" } as const;

export async function startTestDesigner(t: TestContext, options: Options = {}): Promise<TestDesigner> {
  const workspace = await mkdtemp(join(tmpdir(), "bulkhead-designer-"));
  for (const [name, text] of Object.entries(options.files ?? {})) {
    await mkdir(dirname(join(workspace, name)), { recursive: true });
    await writeFile(join(workspace, name), text);
  }
  const config = readConfig({ WORKSPACE: workspace, DESIGNER_PORT: "0", ...options.env });
  const lines: string[] = [];
  const log = { line: (text: string) => void lines.push(text) };
  const page = options.page ?? join(workspace, "no-page");
  const designer = await startDesigner({ config, page, version: "0.0.0-test", log });
  t.after(async () => {
    await designer.close();
    await rm(workspace, { recursive: true, force: true });
  });
  const call: TestDesigner["call"] = (method, path, body, headers = {}) =>
    fetch(`${designer.url}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...pageHeaders,
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(options.cookie !== undefined && { Cookie: options.cookie }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body),
    });
  return {
    ...{ url: designer.url, workspace, lines, call },
    async json<T>(...request: Parameters<TestDesigner["call"]>) {
      const answer = await call(...request);
      if (!answer.ok) throw new Error(`${request[0]} ${request[1]}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    },
    close: () => designer.close(),
  };
}
