/** Reads the groups of an `aggregate` step from the state store. */
import type { Limits } from "../../../shared/limits.ts";
import { asText } from "../../engine/convert.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { StatePort } from "../../engine/flow-state.ts";
import { restoreMessage } from "../../engine/kept-message.ts";
import { Run } from "../../engine/run.ts";
import type { RunSink } from "../../engine/run-sink.ts";

export interface Opened {
  readonly id: string;
  readonly key: unknown;
  readonly messages: readonly Exchange[];
  /** Epoch ms; 0: none. */
  readonly deadline: number;
  /** The cause of its completion; "": it is open. */
  readonly completed: string;
  readonly takeovers: number;
}

interface Options {
  readonly port: StatePort;
  readonly name: string;
  readonly fingerprint: string;
  readonly limits: Limits;
  readonly routeId: string;
  keyOf(message: Exchange): unknown;
}

/** How many groups are asked for at once. */
const mostTogether = 64;

/** The most bytes of a kept message. */
export function keptBytes({ messageBodyBytes, headerBytes, variableBytes }: Limits): number {
  return messageBodyBytes + headerBytes + 2 * variableBytes;
}

type Row = readonly [id: string, key: string, messages: number, deadline: number, completed: string, takeovers: number];

/** Resolves with undefined when another thread has changed them meanwhile. */
export async function openGroups(options: Options): Promise<readonly Opened[] | undefined> {
  const { port, name, fingerprint, limits, routeId } = options;
  const rows = JSON.parse(String(await port.askGroups(undefined, "open", name, { fingerprint }))) as readonly Row[];
  const run = new Run<Exchange>(noSink, limits, -1, 0);
  run.over = true;
  const found = rows.map(() => [] as Exchange[]);
  const missing = (): number[] => rows.flatMap(([, , size], at) => ((found[at]?.length ?? 0) < size ? [at] : []));
  for (let wanted = missing(); wanted.length > 0; wanted = missing()) {
    const asked = wanted.slice(0, mostTogether);
    const groups = asked.map((at) => [rows[at]?.[0] ?? "", found[at]?.length ?? 0, ""] as const);
    const bytes = await port.askGroups(undefined, "read", name, { groups });
    if (typeof bytes === "string" || bytes.length === 0) return undefined;
    for (const [place, message] of records(bytes)) {
      found[asked[place] as number]?.push(restoreMessage(message, run, routeId));
    }
  }
  return rows.map(([id, key, size, deadline, completed, takeovers], at) => {
    // A message may have come since the list was made; the group is then stale for this thread, which notices it.
    const messages = (found[at] as Exchange[]).slice(0, size);
    return { id, key: keyFor(key, messages[0] as Exchange, options), messages, deadline, completed, takeovers };
  });
}

/** The value that the expression gives for the message has the key's type; the text is what is kept. */
function keyFor(kept: string, first: Exchange, { port, keyOf }: Options): unknown {
  try {
    const key = keyOf(first);
    if (port.keyOf(asText(key)) === kept) return key;
  } catch {
    // The text stands for it.
  }
  return kept.startsWith("=") ? kept.slice(1) : kept;
}

function* records(bytes: Uint8Array): Generator<readonly [place: number, message: Uint8Array]> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < all.length; ) {
    const end = at + 8 + all.readUInt32LE(at + 4);
    yield [all.readUInt32LE(at), all.subarray(at + 8, end)];
    at = end;
  }
}

/** Messages that are read belong to no run. */
const noSink: RunSink<Exchange> = {
  interest: 0,
  logLevel: Number.POSITIVE_INFINITY,
  recordSteps: false,
  enter() {},
  log() {},
  trace() {},
  call: () => Promise.reject(new Error("a message that is read from the state store is in no run")),
};
