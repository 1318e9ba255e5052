/** A connector whose source is one connector's and whose producer is another's: a flow from broker to broker. */
import type { Connector, Rig, ServerEnd } from "../../servers/suite/connector.ts";
import { monotonicMs } from "../../support/clock.ts";

/** How old the answer to what is left may be: some servers have to be read from the beginning for it. */
const freshMs = 500;

/** `roll`: chance (dice.ts), which of the two servers is ended. */
export function between(from: Connector, to: Connector, roll: (below: number) => number): Connector {
  return {
    name: `${from.name} to ${to.name}`,
    exactlyOnce: false,
    isWhole: false,
    ...(from.window !== undefined && { window: from.window }),
    async start() {
      const source = await from.start();
      try {
        return rigOf(source, await to.start(), roll);
      } catch (error) {
        await source.close();
        throw error;
      }
    },
  };
}

function rigOf(source: Rig, sink: Rig, roll: (below: number) => number): Rig {
  let produced: string[] = [];
  let known = { left: 0, at: 0 };
  const { server } = source;
  return {
    get from() {
      return source.from;
    },
    sources: (underWay) => source.sources(underWay),
    text: source.text,
    connection: source.connection,
    wrong: [],
    secrets: { ...sink.secrets, ...source.secrets },
    async connect(runtime) {
      await sink.connect(runtime);
      await source.connect(runtime);
    },
    async reset() {
      await Promise.all([source.reset(), sink.reset()]);
      produced = [];
      known = { left: 0, at: 0 };
    },
    async produce(texts) {
      await source.produce(texts);
      produced.push(...texts);
    },
    consumed: () => sink.consumed(),
    async left() {
      if (monotonicMs() - known.at > freshMs) {
        const arrived = new Set(await sink.consumed());
        known = { left: produced.filter((text) => !arrived.has(text)).length, at: monotonicMs() };
      }
      return known.left;
    },
    to: (text) => `{ setBody: { simple: "${text}" } }, ${sink.to("${body}")}`,
    ...(server !== undefined && sink.server !== undefined && { server: eitherOf(server, sink.server, roll) }),
    async close() {
      await Promise.all([source.close(), sink.close()]);
    },
  };
}

/** Ends one of the two servers, and brings back the one that was ended. One that loses messages at a crash is spared that. */
function eitherOf(source: ServerEnd, sink: ServerEnd, roll: (below: number) => number): ServerEnd {
  let ended = source;
  return {
    ...source,
    stop(signal) {
      const ends = [source, sink].filter(({ losesAtCrash }) => signal !== "SIGKILL" || losesAtCrash !== true);
      ended = ends[roll(ends.length)] ?? source;
      return ended.stop(signal);
    },
    restart: () => ended.restart(),
  };
}
