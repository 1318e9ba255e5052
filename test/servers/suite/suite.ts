/**
 * What every connector must do: nothing is lost, whatever becomes of the route, the thread, the runtime and the server.
 * Each case counts what was lost and what was doubled; only a message that was under way at a loss may come twice.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Heard, startHttpServer } from "../../support/http-server.ts";
import { startTestApp } from "../../support/start-app.ts";
import { type Case, type SuiteCase, until } from "./case.ts";
import { hostileCases } from "./cases/hostile.ts";
import { loadCases } from "./cases/load.ts";
import { lossCases } from "./cases/losses.ts";
import { orderCases } from "./cases/order.ts";
import { processCases } from "./cases/processes.ts";
import { wrongCases } from "./cases/wrong.ts";
import type { Connector } from "./connector.ts";
import { type Decide, flowOf } from "./flow.ts";
import { countOf, type Outcome } from "./outcome.ts";

/** SUITE_CASES: a pattern for the names of the cases that are run, while one of them is written. */
const chosen = new RegExp(process.env["SUITE_CASES"] ?? "");

const cases: readonly SuiteCase[] = [
  ...orderCases,
  ...lossCases,
  ...processCases,
  ...loadCases,
  ...wrongCases,
  ...hostileCases,
].filter(({ name }) => chosen.test(name));

/** A case that waits for an answer that never comes fails by its name. */
const longestCaseMs = 5 * 60_000;

/** Why a case is left out. */
const without = {
  server: "it has no server",
  process: "the runtime has no process for it",
} as const;

export function testConnector(connector: Connector, outcomes: Outcome[]): void {
  test(connector.name, async (t) => {
    const rig = await connector.start();
    t.after(() => rig.close());
    let decide: Decide = () => "go";
    let lost = 0;
    const decider = await startHttpServer(t, ({ url }: Heard, response) => {
      void Promise.resolve(decide(decodeURIComponent(url.slice(1)))).then((decision) => {
        if (decision === "lose") lost += 1;
        response.end(decision);
      });
    });
    const app = await startTestApp(t, {
      threadEntry: new URL("./flow-worker.ts", import.meta.url),
      checkEntry: new URL("./check-worker.ts", import.meta.url),
      secrets: rig.secrets,
      egressAllow: decider.host,
      limits: { quarantineKills: 100, splitItems: 100_000 },
    });
    await rig.connect(app);
    for (const [at, { name, run, isAlike, needs }] of cases.entries()) {
      if (isAlike === true && !connector.isWhole) continue;
      if (needs !== undefined && rig[needs] === undefined) {
        outcomes.push({ connector: connector.name, test: name, note: `left out: ${without[needs]}` });
        continue;
      }
      await t.test(name, { timeout: longestCaseMs }, async (own) => {
        rig.follow?.(app);
        await rig.reset();
        decide = () => "go";
        lost = 0;
        const before = app.logs.length;
        // Where other work keeps the processors busy, a thread may be ended by a limit.
        const alsoLost = (): number =>
          Math.max(
            0,
            app.logs.slice(before).filter(({ message }) => message.startsWith("a thread was killed")).length - lost,
          );
        const deployed: string[] = [];
        const note = (outcome: Omit<Outcome, "connector" | "test">): void =>
          void outcomes.push({ connector: connector.name, test: name, ...outcome });
        const all: Case = {
          connector,
          rig,
          get server() {
            assert.ok(rig.server, name);
            return rig.server;
          },
          get process() {
            assert.ok(rig.process, name);
            return rig.process;
          },
          app,
          decider,
          note,
          alsoLost,
          decide: (by) => {
            decide = by;
          },
          async deploy(flow = {}) {
            const id = `case${at}-${deployed.length}`;
            const yaml = flowOf(id, rig, decider, flow);
            deployed.push(id);
            const answer = await app.put(id, yaml);
            assert.ok(answer.ok, await answer.text());
            return { id, yaml };
          },
          async arrived(produced, mostDoubled) {
            await until("all is consumed", async () => (await rig.left()) === 0).catch(async (error: unknown) => {
              const lines = app.logs.slice(before).map(({ message }) => message);
              const about = lines.filter((line) => !line.includes("as decided")).slice(-20);
              throw new Error(`${await rig.left()} are left; the log: ${about.join("\n")}`, {
                cause: error,
              });
            });
            const consumed = await rig.consumed();
            const counted = countOf(produced, consumed);
            note({ produced: produced.length, ...counted });
            assert.equal(counted.lost, 0);
            const most = connector.exactlyOnce ? 0 : mostDoubled + alsoLost();
            assert.ok(counted.doubled <= most, `${counted.doubled} are doubled, ${most} may be`);
            return consumed;
          },
        };
        try {
          await run(all, own as TestContext);
        } finally {
          for (const id of deployed) await app.api(`/flows/${id}`, { method: "DELETE" });
        }
      });
    }
  });
}
