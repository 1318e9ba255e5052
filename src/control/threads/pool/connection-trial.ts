/** Tries a named connection in a thread of its own, with an empty flow, which ends with the trial. */
import type { ConnectionSettings, ProbeAnswer } from "../../../shared/connection.ts";
import type { Egress } from "../../../shared/egress.ts";
import { objectOf } from "../../../shared/frame-values.ts";
import type { Limits } from "../../../shared/limits.ts";
import { FlowThread, type ThreadOwner } from "../line/flow-thread.ts";
import { shortened } from "../line/thread-frames.ts";
import type { OpenDatabase, PoolEvents } from "../pooled-flow.ts";
import type { Supervisor } from "../supervision/supervisor.ts";
import { within } from "../waiting.ts";
import type { StandbyThreads } from "./standby-threads.ts";

interface Surroundings {
  readonly standby: StandbyThreads;
  readonly supervisor: Supervisor;
  readonly limits: Limits;
  readonly logLevel: number;
  readonly egress: Egress;
  /** Of an embedded database. */
  readonly database: OpenDatabase | undefined;
}

/** No flow has such an id. */
const flowId = "_trial";
const over = { reason: "redeploy", detail: "the trial of a connection is over" } as const;

/** Never rejects. */
export async function tryConnection(
  settings: ConnectionSettings,
  { standby, supervisor, limits, logLevel, egress, database }: Surroundings,
): Promise<ProbeAnswer> {
  let thread: FlowThread | undefined;
  try {
    const { compileMs, outboundConnectMs, outboundHeadersMs, cancelGraceMs } = limits;
    const mostMs = 2 * outboundConnectMs + outboundHeadersMs;
    // The trial has a deadline of its own, and its thread has no flow: loading a large driver on a busy machine does not end it.
    const ownLimits = { ...limits, stuckLoopMs: Math.max(limits.stuckLoopMs, mostMs) };
    thread = new FlowThread(await standby.take(), { ...silentOwner, limits: ownLimits });
    const model = { flowId, params: {}, routes: [] };
    const adopted = thread.adopt({ model, limits, record: "off", logLevel, egress });
    if (!(await within(compileMs, adopted))) return { failure: `no thread was ready within ${compileMs} ms` };
    await adopted;
    supervisor.watch(thread, cancelGraceMs);
    const answered = thread.connections.probe(settings, database);
    const ended = thread.booted.ended.then(() => undefined);
    if (!(await within(mostMs, Promise.race([answered, ended]))))
      return { failure: `the thread that tried it did not answer within ${mostMs} ms` };
    const answer = await Promise.race([answered, ended]);
    return answer === undefined ? { failure: "the thread that tried it ended" } : readAnswer(answer);
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  } finally {
    if (thread !== undefined) {
      supervisor.forget(thread);
      thread.kill(over);
    }
  }
}

/** The thread has spoken with a server, so its answer is read field by field. */
function readAnswer(json: string): ProbeAnswer {
  const { failure, serverVersion, tls, connectMs, latencyMs } = objectOf(JSON.parse(json));
  if (typeof failure === "string") return { failure: shortened(failure) };
  return {
    serverVersion: shortened(String(serverVersion)),
    tls: typeof tls === "string" ? shortened(tls) : null,
    connectMs: Number(connectMs),
    latencyMs: Number(latencyMs),
  };
}

function impossible(): never {
  throw new Error("an empty flow does nothing");
}

/** A trial is no flow: its thread is in no figures. */
const silent: PoolEvents = {
  ...{ log() {}, trace() {}, lost() {}, adopted() {}, used() {}, compiled() {} },
  ...{ killed() {}, abandoned() {}, source() {} },
  ...{ call: impossible, route: impossible, announced: impossible, state: impossible, groups: impossible },
  permits: impossible,
};

const silentOwner: Omit<ThreadOwner, "limits"> = {
  ...{ flowId, events: silent, freed() {}, finished() {}, recycle() {}, abandoned() {}, died() {} },
  ...{ announced: impossible, source: impossible, asks: impossible, asksGroups: impossible, permits: impossible },
};
