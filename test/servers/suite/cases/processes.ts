/** The runtime as a process of its own, which is killed, and a message that kills it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { token } from "../../../support/start-app.ts";
import { type RuntimeProcess, startProcess } from "../../../support/start-process.ts";
import { type Case, type SuiteCase, texts, until } from "../case.ts";
import type { Reachable } from "../connector.ts";
import { flowOf } from "../flow.ts";

interface Runtime extends RuntimeProcess, Reachable {}

/** Returns what starts a runtime, again and again over the same directories. */
async function runtimeOf(
  { rig, decider }: Case,
  t: TestContext,
  more: Readonly<Record<string, string>> = {},
): Promise<() => Promise<Runtime>> {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-suite-"));
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  for (const [path, value] of Object.entries(rig.secrets)) {
    const file = join(directory, "secrets", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, value);
  }
  const env = {
    ROUTES_DIR: join(directory, "routes"),
    DATA_DIR: join(directory, "data"),
    SECRETS_DIR: join(directory, "secrets"),
    SERVICE_DEPLOY_TOKEN: token,
    EGRESS_ALLOW: decider.host,
    ...more,
  };
  return async () => {
    const process = await startProcess(t, env);
    const api = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${process.url}/_api${path}`, {
        ...init,
        headers: { ...init.headers, Authorization: `Bearer ${token}` },
      });
    const runtime = { ...process, api };
    rig.follow?.(runtime);
    return runtime;
  };
}

async function put({ api }: Runtime, id: string, yaml: string): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const answer = await api(`/flows/${id}`, { method: "PUT", headers, body: JSON.stringify({ yaml }) });
  assert.ok(answer.ok, await answer.text());
}

/** The host process that a runtime has started last. */
function lastHostOf({ child: { pid = 0 } }: Runtime): number {
  const last = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter((word) => word !== "" && readFileSync(`/proc/${word}/cmdline`, "utf8").includes("host-process"))
    .at(-1);
  assert.ok(last, "the flow has a host process");
  return Number(last);
}

/**
 * A message whose run kills a process, each time. Deliveries are counted in the state store or by the server, whatever the
 * connector: one of each is enough.
 */
function poisonOf(what: string, isolation: string, victimOf: (runtime: Runtime) => number): SuiteCase {
  return {
    name: `a message that kills ${what} is given up at its fifth delivery, and the others arrive`,
    question: "counting",
    async run(all, t) {
      const start = await runtimeOf(all, t, { ISOLATION: isolation });
      let runtime = await start();
      let tries = 0;
      all.decide((text) => {
        if (text !== "m1") return "go";
        tries += 1;
        process.kill(victimOf(runtime), "SIGKILL");
        return new Promise(() => {});
      });
      const produced = texts(20);
      await all.rig.connect(runtime);
      await all.rig.produce(produced);
      await put(runtime, "poison", flowOf("poison", all.rig, all.decider, { lose: "" }));
      let over = false;
      const arrived = all
        .arrived(produced, all.window)
        .catch((error: unknown) => {
          throw new Error(`the runtime's last lines:\n${runtime.lines.slice(-20).join("\n")}`, { cause: error });
        })
        .finally(() => {
          over = true;
        });
      while ((await Promise.race([arrived.then(() => "arrived"), runtime.exited.then(() => "killed")])) === "killed") {
        assert.ok(!over && tries <= 4, `${tries} tries`);
        runtime = await start();
      }
      assert.equal(tries, 4);
    },
  };
}

export const processCases: readonly SuiteCase[] = [
  {
    name: "the runtime is killed, and all arrive after its next start",
    async run(all, t) {
      const start = await runtimeOf(all, t);
      const produced = texts(200);
      let asked = 0;
      let killed = false;
      all.decide(() => {
        asked += 1;
        // The runtime is killed before it has taken all, however fast it is.
        return asked > 100 && !killed ? new Promise(() => {}) : "go";
      });
      const first = await start();
      await all.rig.connect(first);
      await all.rig.produce(produced);
      await put(first, "killed", flowOf("killed", all.rig, all.decider, { lose: "" }));
      await until("some have arrived", async () => (await all.rig.consumed()).length > 50);
      first.child.kill("SIGKILL");
      await first.exited;
      killed = true;
      assert.ok(asked < produced.length, "some are left");
      await start();
      await all.arrived(produced, all.window);
    },
  },
  poisonOf("the runtime", "thread", ({ child }) => child.pid ?? 0),
  poisonOf("the host process of its flow", "process", lastHostOf),
];
