/**
 * What every connector must do: nothing is lost, whatever becomes of the route, the thread, the runtime and the server.
 * Each case counts what was lost and what was doubled; only a message that was under way at a loss may come twice.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Heard, startHttpServer } from "../../support/http-server.ts";
import { eventually, startTestApp, type TestApp, token } from "../../support/start-app.ts";
import { startProcess } from "../../support/start-process.ts";
import type { Connector, Rig } from "./connector.ts";
import { countOf, type Outcome } from "./outcome.ts";

const patience = 120_000;

/** What a decider answers to a text: `spin` loses the thread. */
type Decide = (text: string) => "go" | "fail" | "spin";

interface Case {
  readonly connector: Connector;
  readonly rig: Rig;
  readonly app: TestApp;
  /** Sets what becomes of messages from here on. */
  decide(by: Decide): void;
  /** Deploys the flow under an id of its own; it ends with the case. */
  deploy(more?: Readonly<Record<string, unknown>>, before?: string): Promise<string>;
  /** The text of a flow that was deployed. */
  textOf(id: string): string;
  /** Waits until nothing is left, and counts. */
  arrived(produced: readonly string[]): Promise<readonly string[]>;
}

export function testConnector(connector: Connector, outcomes: Outcome[]): void {
  test(connector.name, async (t) => {
    const rig = await connector.start();
    t.after(() => rig.close());
    let decide: Decide = () => "go";
    const decider = await startHttpServer(t, ({ url }: Heard, response) =>
      response.end(decide(decodeURIComponent(url.slice(1)))),
    );
    const app = await startTestApp(t, {
      threadEntry: new URL("./flow-worker.ts", import.meta.url),
      checkEntry: new URL("./check-worker.ts", import.meta.url),
      secrets: rig.secrets,
      egressAllow: decider.host,
      limits: { stuckLoopMs: 500, quarantineKills: 100, splitItems: 100_000 },
    });
    await rig.connect(app);
    for (const [name, run] of cases) {
      await t.test(name, async (own) => {
        await rig.reset();
        decide = () => "go";
        const deployed = new Map<string, string>();
        const count = (produced: readonly string[], consumed: readonly string[]): void => {
          const counted = countOf(produced, consumed);
          outcomes.push({ connector: connector.name, test: name, produced: produced.length, ...counted });
          assert.equal(counted.lost, 0);
        };
        const all: Case = {
          connector,
          rig,
          app,
          decide: (by) => {
            decide = by;
          },
          async deploy(more = {}, before = "") {
            const id = `f${outcomes.length}-${deployed.size}-${name.replaceAll(/\W+/g, "-")}`.slice(0, 40);
            const yaml = flowOf(id, rig, decider.url, before);
            deployed.set(id, yaml);
            const answer = await app.put(id, yaml, more);
            assert.ok(answer.ok, await answer.text());
            return id;
          },
          textOf: (id) => deployed.get(id) ?? "",
          async arrived(produced) {
            await until("all is consumed", async () => (await rig.left()) === 0);
            const consumed = await rig.consumed();
            count(produced, consumed);
            return consumed;
          },
        };
        try {
          await run(all, own);
        } finally {
          for (const id of deployed.keys()) await app.api(`/flows/${id}`, { method: "DELETE" });
        }
      });
    }
  });
}

/** Asks the decider about each message, then fails, ends its thread, or writes the message. */
function flowOf(id: string, { from, text, to }: Rig, decider: string, before: string): string {
  const ask = `{ toD: { uri: "${decider}/${text}", variableReceive: decision } }`;
  const on = (decision: string, step: string): string =>
    `{ filter: { simple: "\${variable.decision} == '${decision}'", steps: [${step}] } }`;
  const fail = `{ throwException: { exceptionType: java.io.IOException, message: "as decided" } }`;
  const dead = `- onException: { exception: [org.apache.camel.CamelExchangeException], handled: { constant: "true" }, steps: [${to(text)}] }\n`;
  return `${dead}- route: { id: ${id}, from: { ${from.slice(1, -1)}, steps: [${before} ${ask}, ${on("spin", "{ to: spin }")}, ${to(text)}, ${on("fail", fail)}] } }`;
}

function until(what: string, ready: () => Promise<boolean>): Promise<unknown> {
  return eventually(async () => ((await ready()) ? true : undefined), what, patience);
}

const texts = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `m${index}`);

const cases: readonly (readonly [name: string, run: (all: Case, t: TestContext) => Promise<void>])[] = [
  [
    "it opens and closes, and takes nothing without a flow",
    async ({ rig, app, deploy, arrived }) => {
      const id = await deploy();
      await rig.produce(["one"]);
      await arrived(["one"]);
      await app.api(`/flows/${id}`, { method: "DELETE" });
      const gone = async (): Promise<boolean> => !(await (await app.api("/metrics")).text()).includes(`"${id}"`);
      await until("its threads have ended", gone);
      await rig.produce(["two"]);
      assert.equal(await rig.left(), 1);
      await deploy();
      await arrived(["one", "two"]);
    },
  ],
  [
    "1000 messages come in their order, each once",
    async ({ rig, deploy, arrived }) => {
      const produced = texts(1000);
      await rig.produce(produced);
      await deploy();
      assert.deepEqual(await arrived(produced), produced);
    },
  ],
  [
    "one of ten fails the first time, and all arrive",
    async ({ connector, rig, deploy, decide, arrived }) => {
      const seen = new Set<string>();
      decide((text) => {
        if (Math.random() > 0.1 || seen.has(text)) return "go";
        seen.add(text);
        return "fail";
      });
      const produced = texts(300);
      await rig.produce(produced);
      await deploy();
      const consumed = await arrived(produced);
      assert.equal(consumed.length - produced.length, connector.exactlyOnce ? 0 : seen.size);
    },
  ],
  [
    "its thread is lost while 16 wait, and all arrive",
    async ({ rig, deploy, decide, arrived }) => {
      let lost = 0;
      decide((text) => (text === "m3" && lost++ === 0 ? "spin" : "go"));
      const produced = texts(16);
      await rig.produce(produced);
      await deploy();
      const consumed = await arrived(produced);
      assert.ok(lost >= 2 && consumed.length <= produced.length + 1, `${lost} ${consumed.length}`);
    },
  ],
  [
    "a message that ends each thread is given up at its fifth delivery, and the others arrive",
    async ({ rig, app, deploy, decide, arrived }) => {
      let tries = 0;
      decide((text) => {
        if (text === "m1") tries += 1;
        return text === "m1" ? "spin" : "go";
      });
      const produced = texts(5);
      await rig.produce(produced);
      await deploy();
      // The error handler of the flow writes it.
      await arrived(produced);
      assert.equal(tries, 4);
      assert.ok(app.logs.some(({ message }) => /rows are counted|messages are counted/.test(message)));
    },
  ],
  [
    "the server is ended and started again, and all arrive; that is reported once",
    async ({ rig, app, deploy, arrived }) => {
      const produced = texts(400);
      const id = await deploy();
      await rig.produce(produced.slice(0, 200));
      await until("some have arrived", async () => (await rig.consumed()).length > 20);
      await rig.stop();
      const said = (): number => app.logs.filter(({ message }) => message.includes(`'${id}' cannot poll`)).length;
      await until("it is reported", async () => said() > 0);
      await rig.restart();
      await rig.produce(produced.slice(200));
      await arrived(produced);
      assert.ok(said() <= 3, `${said()} lines`);
    },
  ],
  [
    "10000 wait before a slow flow, and its memory stays as it was",
    async ({ rig, app, deploy, decide }) => {
      const heap = async (id: string): Promise<number> => {
        const metrics = await (await app.api("/metrics")).text();
        return Number(
          new RegExp(`^bulkhead_heap_bytes\\{[^}]*"${id}"[^}]*\\} (\\S+)$`, "m").exec(metrics)?.[1] ?? Number.NaN,
        );
      };
      let taken = 0;
      decide(() => {
        taken += 1;
        return "go";
      });
      const id = await deploy({}, "{ delay: { constant: 50 } },");
      await rig.produce(["first", "second"]);
      await until("it runs", async () => taken >= 2 && Number.isFinite(await heap(id)));
      const before = await heap(id);
      await rig.produce(texts(10_000).map((text) => `${text} ${"x".repeat(200)}`));
      let most = 0;
      await until("it is at work", async () => {
        most = Math.max(most, await heap(id));
        return taken > 100;
      });
      assert.ok(most - before < 32 * 1024 * 1024, `${Math.round((most - before) / 1024 / 1024)} MiB more`);
    },
  ],
  [
    "the flow is deployed and rolled back again and again, and nothing is lost",
    async ({ rig, app, deploy, textOf, arrived }) => {
      const produced = texts(600);
      const id = await deploy();
      await rig.produce(produced.slice(0, 300));
      const yaml = textOf(id);
      for (let round = 0; round < 4; round++) {
        const answer = await app.put(id, `${yaml}\n# ${round}`);
        assert.ok(answer.ok, await answer.text());
        if (round === 2) await rig.produce(produced.slice(300));
      }
      const back = await app.api(`/flows/${id}/rollback`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: '{"revision":1}',
      });
      assert.ok(back.ok, await back.text());
      await arrived(produced);
    },
  ],
  [
    "what is wrong has a name, and is not tried without a pause",
    async ({ rig, app }) => {
      for (const [what, from, expected] of rig.wrong) {
        const id = `wrong-${what}`;
        const answer = await app.put(
          id,
          `- route: { id: ${id}, from: { ${from.slice(1, -1)}, steps: [{ log: never }] } }`,
        );
        assert.ok(answer.ok, await answer.text());
        const lines = () => app.logs.filter(({ message }) => message.includes(`'${id}' cannot poll`));
        await until(`${what} is reported`, async () => lines().length > 0);
        assert.match(lines()[0]?.message ?? "", expected);
        await app.api(`/flows/${id}`, { method: "DELETE" });
        assert.ok(lines().length <= 2, `${lines().length} lines`);
      }
    },
  ],
  [
    "the runtime is killed, and all arrive after its next start",
    async ({ rig, arrived }, t) => {
      const directory = await mkdtemp(join(tmpdir(), "bulkhead-suite-"));
      t.after(() => rm(directory, { recursive: true, force: true }));
      for (const [path, value] of Object.entries(rig.secrets)) {
        await mkdir(join(directory, "secrets", path, ".."), { recursive: true });
        await writeFile(join(directory, "secrets", path), value);
      }
      const env = {
        ROUTES_DIR: join(directory, "routes"),
        DATA_DIR: join(directory, "data"),
        SECRETS_DIR: join(directory, "secrets"),
        SERVICE_DEPLOY_TOKEN: token,
      };
      const produced = texts(500);
      await rig.produce(produced);
      const first = await startProcess(t, env);
      const api = (path: string, init: RequestInit = {}): Promise<Response> =>
        fetch(`${first.url}/_api${path}`, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } });
      await rig.connect({ api });
      const yaml = `- route: { id: killed, from: { ${rig.from.slice(1, -1)}, steps: [${rig.to(rig.text)}] } }`;
      const put = await api("/flows/killed", {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ yaml }),
      });
      assert.ok(put.ok, await put.text());
      await until("some have arrived", async () => (await rig.consumed()).length > 50);
      first.child.kill("SIGKILL");
      await first.exited;
      const before = await rig.left();
      assert.ok(before > 0);
      await startProcess(t, env);
      const consumed = await arrived(produced);
      assert.ok(consumed.length <= produced.length + 1, `${consumed.length}`);
    },
  ],
  [
    "a server that sends without end, or never, ends the attempt, and not the flow's thread",
    async ({ app }, t) => {
      for (const [what, answer] of [
        ["endless", (write: (bytes: Buffer) => void) => write(Buffer.alloc(1024 * 1024, 0x41))],
        ["silent", () => {}],
      ] as const) {
        const server = createServer((socket) => {
          socket.on("error", () => {});
          const more = (): void => answer((bytes) => socket.write(bytes));
          socket.on("drain", more);
          more();
        }).listen(0, "127.0.0.1");
        await once(server, "listening");
        t.after(() => server.close());
        const { port } = server.address() as { readonly port: number };
        for (const kind of ["postgres", "mysql"]) {
          const document = { kind, servers: [`127.0.0.1:${port}`], database: "d", username: "u", flows: ["*"] };
          const headers = { "Content-Type": "application/json" };
          await app.api(`/connections/hostile`, { method: "PUT", headers, body: JSON.stringify(document) });
          const trial = (await (await app.api("/connections/hostile/test", { method: "POST" })).json()) as {
            ok: boolean;
          };
          assert.equal(trial.ok, false, `${what} ${kind}`);
        }
      }
    },
  ],
];
