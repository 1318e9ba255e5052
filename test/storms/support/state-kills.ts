/**
 * A runtime that is killed again and again while keys are claimed, groups are open and complete, failed messages are retried and the flows are
 * replaced; the parts keep the books about what was acknowledged and what became of it.
 */
import { pause } from "../../support/clock.ts";
import { loaded } from "./loaded.ts";
import { type Server, startServer } from "./server.ts";
import { FailedPart } from "./state/failed-part.ts";
import { FilesPart } from "./state/files-part.ts";
import { GroupsPart } from "./state/groups-part.ts";
import { InterruptedRuns } from "./state/interrupted-runs.ts";
import { KeptSink } from "./state/kept-sink.ts";
import { KeysPart } from "./state/keys-part.ts";
import type { PartFigures, StormPart } from "./state/part.ts";

/** When a kill comes. */
const moments = [
  "at any time",
  "while flows are replaced",
  "while a group or a message is delivered",
  "after a start",
] as const;
type Moment = (typeof moments)[number];

/** How long a kill waits for what it wants to cut off. */
const patienceMs = 3000;

export interface Figures extends PartFigures {
  readonly kills: Readonly<Record<Moment, number>>;
  /** How often the flows were replaced, or were about to be when a kill came. */
  readonly replaced: number;
}

export class StateKills {
  readonly #directory: string;
  readonly #roll: (below: number) => number;
  readonly #kills = { ...Object.fromEntries(moments.map((moment) => [moment, 0])) } as Record<Moment, number>;
  #isFlaky = true;
  readonly #sink = new KeptSink(() => this.#isFlaky && this.#roll(3) === 0);
  #parts: readonly StormPart[] = [];
  #version = 1;
  #replaced = 0;

  /** `directory`: of the runtime, empty; `roll`: chance (dice.ts). */
  constructor(directory: string, roll: (below: number) => number) {
    this.#directory = directory;
    this.#roll = roll;
  }

  /** Resolves when it is clear what became of all messages. */
  async run(kills: number): Promise<Figures> {
    const port = await this.#sink.listen();
    const keys = this.#makeParts(port);
    let server = await this.#start(port);
    try {
      for (const flow of this.#flows()) await server.put(...flow);
      for (let kill = 1; kill <= kills; kill += 1) {
        await this.#cutOff(server);
        server = await this.#start(port);
        if (kill % 20 === 0)
          console.log(
            `${kill} kills, ${keys.senders.acknowledged.size} keys, ${this.#sink.deliveries.length} deliveries`,
          );
      }
      await this.#ready(server);
      this.#isFlaky = false;
      for (const part of this.#parts) await part.finish(server);
    } finally {
      await server.remove();
      this.#sink.close();
    }
    return await this.#figures(kills);
  }

  #makeParts(port: number): KeysPart {
    const sink = this.#sink;
    const roll = this.#roll;
    const interrupted = new InterruptedRuns();
    const groups = [false, true].map((parallel) => new GroupsPart({ sink, port, interrupted, parallel, roll }));
    const keys = new KeysPart(this.#directory, roll);
    const failed = new FailedPart({ sink, port, interrupted, roll });
    this.#parts = [keys, new FilesPart(this.#directory), ...groups, failed];
    return keys;
  }

  /** Lets everything run until a moment that chance has chosen, and kills the runtime then. */
  async #cutOff(server: Server): Promise<void> {
    const moment = moments[this.#roll(moments.length)] as Moment;
    this.#kills[moment] += 1;
    if (moment === "after a start") {
      await passed(this.#roll(150));
      return server.remove();
    }
    await this.#ready(server);
    const answers = this.#parts.map((part) => part.answered?.());
    const storms = this.#parts.map((part) => part.storm(server));
    const replacing: Promise<unknown>[] = [];
    await Promise.all(answers);
    await passed(20 + this.#roll(200));
    if (moment === "while flows are replaced" || this.#roll(3) === 0) replacing.push(this.#replace(server));
    if (moment === "while a group or a message is delivered")
      await Promise.race([this.#sink.come(), passed(patienceMs)]);
    await passed(this.#roll(moment === "at any time" ? 200 : moment === "while flows are replaced" ? 120 : 6));
    await server.remove();
    await Promise.all([...storms, ...replacing]);
  }

  /** Replaces all flows with their next revision, as far as the runtime lives. */
  async #replace(server: Server): Promise<void> {
    this.#version += 1;
    try {
      for (const flow of this.#flows()) {
        this.#replaced += 1;
        await server.put(...flow);
      }
    } catch (error) {
      // fetch rejects with TypeError when the runtime is gone.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  /** The present revision of each flow. */
  #flows(): readonly (readonly [id: string, yaml: string])[] {
    const yaml = new Map<string, string>();
    for (const part of this.#parts) yaml.set(part.flowId, (yaml.get(part.flowId) ?? "") + part.yaml(this.#version));
    return [...yaml];
  }

  async #start(port: number): Promise<Server> {
    const env = {
      EGRESS_ALLOW: `127.0.0.1:${port}`,
      LIMIT_FAILED_MESSAGES: "100000",
    };
    return await startServer({ directory: this.#directory, env });
  }

  async #ready(server: Server): Promise<void> {
    await loaded(server.url);
    for (const part of this.#parts) await part.started?.(server);
  }

  async #figures(kills: number): Promise<Figures> {
    const parts = await Promise.all(this.#parts.map((part) => part.figures(kills)));
    return {
      kills: this.#kills,
      replaced: this.#replaced,
      rows: parts.flatMap(({ rows }) => rows),
      problems: parts.flatMap(({ problems }) => problems),
    };
  }
}

function passed(ms: number): Promise<void> {
  return pause(ms);
}
