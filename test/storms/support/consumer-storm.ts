/** A consumer of a connector under random losses and changes; what was written by whom, and what has arrived, is counted. */
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Connector, Rig } from "../../servers/suite/connector.ts";
import { Feeder } from "../../servers/suite/feeder.ts";
import { type Decision, flowOf } from "../../servers/suite/flow.ts";
import { countOf } from "../../servers/suite/outcome.ts";
import { rollBack } from "../../servers/suite/roll-back.ts";
import { monotonicMs, pause } from "../../support/clock.ts";
import { patientVariables } from "../../support/patience.ts";
import { loaded } from "./loaded.ts";
import { type Server, startServer } from "./server.ts";

const flowId = "stormed";
/** One of so many runs fails, and one of so many loses its thread. */
const failing = 30;
const spinning = 400;
/** How long what is left may take at the end. */
const patienceMs = 120_000;

export interface Counts {
  failed: number;
  threads: number;
  kills: number;
  stops: number;
  crashes: number;
  puts: number;
  rollbacks: number;
}

export interface Figures {
  readonly written: number;
  readonly lost: number;
  readonly doubled: number;
  /** What failures and losses explain. */
  readonly mayBeDoubled: number;
  readonly counts: Counts;
}

export class ConsumerStorm {
  readonly #connector: Connector;
  readonly #roll: (below: number) => number;
  readonly #head: string;
  readonly #counts: Counts = { failed: 0, threads: 0, kills: 0, stops: 0, crashes: 0, puts: 0, rollbacks: 0 };
  #calm = false;

  /** `roll`: chance (dice.ts); `head`: elements ahead of the flow's routes. */
  constructor(connector: Connector, roll: (below: number) => number, head = "") {
    this.#connector = connector;
    this.#roll = roll;
    this.#head = head;
  }

  async run(ms: number): Promise<Figures> {
    const directory = await mkdtemp(join(tmpdir(), "bulkhead-consumer-storm-"));
    const rig = await this.#connector.start();
    const decider = await this.#decider();
    const url = `http://127.0.0.1:${(decider.address() as AddressInfo).port}`;
    const start = (): Promise<Server> => this.#start(directory, rig, url);
    let server: Server | undefined;
    try {
      await rig.reset();
      server = await start();
      await rig.connect(server);
      await this.#put(server, rig, url);
      const feeder = new Feeder(rig);
      const over = monotonicMs() + ms;
      while (monotonicMs() < over) {
        await pause(500 + this.#roll(3000));
        server = await this.#change(server, rig, url, start);
      }
      const written = await feeder.stop();
      this.#calm = true;
      await drained(rig);
      if ((await rig.left()) > 0)
        console.error(
          server.lines.slice(-60).join("\n"),
          await (await server.api("/flows/stormed")).text(),
          await (await server.api("/health")).text(),
        );
      const consumed = await rig.consumed();
      const { failed, threads, kills, stops, crashes } = this.#counts;
      // Behind a failure and at a loss all that were under way may come again.
      const explained = (failed + threads + kills + stops + crashes) * (this.#connector.window ?? 1);
      return {
        written: written.length,
        ...countOf(written, consumed),
        mayBeDoubled: this.#connector.exactlyOnce ? 0 : explained,
        counts: this.#counts,
      };
    } catch (error) {
      // A runtime that has ended on its own says why here.
      const { exitCode, signalCode } = server?.child ?? {};
      console.error(server?.lines.slice(-60).join("\n"), server?.problems(), { exitCode, signalCode });
      throw error;
    } finally {
      await server?.remove();
      decider.closeAllConnections();
      decider.close();
      await rig.close();
      await rm(directory, { recursive: true, force: true });
    }
  }

  /** Decides what becomes of each run. */
  async #decider(): Promise<HttpServer> {
    const server = createServer((_, response) => {
      const decision = this.#decide();
      if (decision === "fail") this.#counts.failed += 1;
      if (decision === "lose") this.#counts.threads += 1;
      response.end(decision);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return server;
  }

  #decide(): Decision {
    if (this.#calm) return "go";
    if (this.#roll(spinning) === 0) return "lose";
    return this.#roll(failing) === 0 ? "fail" : "go";
  }

  async #start(directory: string, rig: Rig, decider: string): Promise<Server> {
    for (const [path, value] of Object.entries(rig.secrets)) {
      const file = join(directory, "secrets", path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, value);
    }
    const env = {
      SECRETS_DIR: join(directory, "secrets"),
      EGRESS_ALLOW: new URL(decider).host,
      ...patientVariables,
      LIMIT_STUCK_LOOP_MS: "500",
      LIMIT_QUARANTINE_KILLS: "100000",
      LIMIT_FAILED_MESSAGES: "100000",
    };
    const server = await startServer({ directory, env, keepLines: true });
    await loaded(server.url);
    return server;
  }

  async #put(server: Server, rig: Rig, url: string): Promise<void> {
    const yaml = flowOf(flowId, rig, { url }, { lose: `{ script: { js: "for (;;);" } }` });
    await server.put(flowId, `${this.#head}${yaml}\n# ${this.#counts.puts}`, { scriptMs: 20_000 });
  }

  /** Does one thing to the runtime, the server or the flow. Resolves with the runtime that runs then. */
  async #change(server: Server, rig: Rig, url: string, start: () => Promise<Server>): Promise<Server> {
    const chance = this.#roll(10);
    if (chance < 3) {
      this.#counts.kills += 1;
      server.child.kill("SIGKILL");
      await server.exited;
      return await start();
    }
    if (chance < 5 && rig.server !== undefined) {
      const isCrash = chance === 4;
      this.#counts[isCrash ? "crashes" : "stops"] += 1;
      await rig.server.stop(isCrash ? "SIGKILL" : undefined);
      await pause(this.#roll(5000));
      await rig.server.restart();
      return server;
    }
    if (chance < 8) {
      this.#counts.puts += 1;
      await this.#put(server, rig, url);
      return server;
    }
    if (this.#counts.puts > 0) {
      this.#counts.rollbacks += 1;
      const answer = await rollBack(server, flowId);
      if (!answer.ok) throw new Error(`the rollback was answered ${answer.status} ${await answer.text()}`);
    }
    return server;
  }
}

async function drained(rig: Rig): Promise<void> {
  const until = monotonicMs() + patienceMs;
  while ((await rig.left()) > 0) {
    if (monotonicMs() > until) return;
    await pause(100);
  }
}
