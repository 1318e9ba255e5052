/**
 * What every connector must do: nothing is lost, whatever becomes of the route, the thread, the runtime and the server.
 * Each case counts what was lost and what was doubled; only a message that was under way at a loss may come twice.
 */
import { after, type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { noteFigure } from "../../support/figures.ts";
import { type Heard, startHttpServer } from "../../support/http-server.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import type { SuiteCase } from "./case.ts";
import { faultCases } from "./cases/faults.ts";
import { growthCases } from "./cases/growth.ts";
import { hostileCases } from "./cases/hostile.ts";
import { loadCases } from "./cases/load.ts";
import { lossCases } from "./cases/losses.ts";
import { orderCases } from "./cases/order.ts";
import { processCases } from "./cases/processes.ts";
import { wrongCases } from "./cases/wrong.ts";
import type { Connector, Rig } from "./connector.ts";
import type { Decide, Decider } from "./flow.ts";
import { type Outcome, sumOf, tableOf, writePage } from "./outcome.ts";
import { SuiteRun } from "./suite-run.ts";

export interface SuiteOptions {
  /** true: only the cases of the smoke, which change the flow fewer times. */
  readonly isSmoke?: boolean;
}

/** SUITE_CASES: a pattern for the names of the cases that are run, while one of them is written. */
const chosen = new RegExp(process.env["SUITE_CASES"] ?? "");

const cases: readonly SuiteCase[] = [
  ...orderCases,
  ...lossCases,
  ...processCases,
  ...loadCases,
  ...faultCases,
  ...growthCases,
  ...wrongCases,
  ...hostileCases,
].filter(({ name }) => chosen.test(name));

/** Against what hangs: a case that waits for an answer that never comes fails by its name. */
const longestCaseMs = 5 * 60_000;

/** Runs the suite for the connectors to a server, prints what was counted, and writes it to the page that SUITE_PAGE names. */
export function testConnectors(server: string, connectors: readonly Connector[], options: SuiteOptions = {}): void {
  const outcomes: Outcome[] = [];
  for (const connector of connectors) testConnector(connector, outcomes, options);
  after(() => {
    process.stdout.write(`\n${tableOf(outcomes)}\n`);
    noteFigure(`suite, ${server}`, sumOf(outcomes));
    const page = process.env["SUITE_PAGE"];
    if (page !== undefined) writePage(page, outcomes);
  });
}

function testConnector(connector: Connector, outcomes: Outcome[], { isSmoke = false }: SuiteOptions): void {
  test(connector.name, async (t) => {
    const rig = await connector.start();
    t.after(() => rig.close());
    const decisions = new Decisions();
    const decider = await startHttpServer(t, ({ url }: Heard, response) => {
      void decisions.of(decodeURIComponent(url.slice(1))).then((decision) => response.end(decision));
    });
    const app = await startSuiteApp(t, rig, decider);
    await rig.connect(app);
    for (const [at, suiteCase] of cases.entries()) {
      const { name, run } = suiteCase;
      if (!isTriedBy(suiteCase, connector) || (isSmoke && suiteCase.isSmoke !== true)) continue;
      const without = lackOf(suiteCase, rig);
      if (without !== undefined) {
        outcomes.push({ connector: connector.name, test: name, isLeftOut: true, note: `left out: ${without}` });
        continue;
      }
      await t.test(name, { timeout: longestCaseMs }, async (own) => {
        rig.follow?.(app);
        await rig.reset();
        decisions.reset();
        const all = new SuiteRun({ connector, rig, app, decider, decisions, outcomes, name, at, isSmoke });
        try {
          await run(all, own as TestContext);
        } finally {
          await all.end();
        }
      });
    }
  });
}

function isTriedBy({ isAlike, question }: SuiteCase, { isWhole, answersFor = [] }: Connector): boolean {
  if (question !== undefined) return answersFor.includes(question);
  return isAlike !== true || isWhole;
}

/** Why a case is left out; undefined: the connector has all that it needs. */
function lackOf({ needs }: SuiteCase, { server, process }: Rig): string | undefined {
  if (needs === "process") return process === undefined ? "the runtime has no process for it" : undefined;
  if (needs !== undefined && server === undefined) return "it has no server";
  const lacksRedirect = needs === "redirect" && server?.sendsAway === undefined;
  return lacksRedirect ? "the protocol has no message that sends clients elsewhere" : undefined;
}

/** What a call may take: that of a runtime that is not configured, since the cases ask when a silent server is noticed. */
const { outboundTotalMs } = defaultLimits;

/** The runtime of a connector's cases. Its threads boot from the bundles that SUITE_THREADS names, otherwise from sources. */
async function startSuiteApp(t: TestContext, rig: Rig, decider: Decider): Promise<TestApp> {
  const bundles = process.env["SUITE_THREADS"];
  const entry = (name: string): URL =>
    bundles === undefined ? new URL(`./${name}.ts`, import.meta.url) : pathToFileURL(`${bundles}/${name}.js`);
  return await startTestApp(t, {
    threadEntry: entry("flow-worker"),
    checkEntry: entry("check-worker"),
    secrets: rig.secrets,
    egressAllow: decider.host,
    // A server that goes away in the middle of a login is reported when this time is over.
    limits: { quarantineKills: 100, splitItems: 100_000, outboundConnectMs: 10_000, outboundTotalMs },
  });
}

/** What becomes of messages, and how often their thread was to be ended. */
class Decisions {
  #decide: Decide = () => "go";
  #losses = 0;

  get losses(): number {
    return this.#losses;
  }

  reset(): void {
    this.#decide = () => "go";
    this.#losses = 0;
  }

  set(by: Decide): void {
    this.#decide = by;
  }

  async of(text: string): Promise<string> {
    const decision = await this.#decide(text);
    if (decision === "lose") this.#losses += 1;
    return decision;
  }
}
