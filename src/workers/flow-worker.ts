/**
 * Thread entry of a flow's pool. Its one task, the attachment, lasts as long as the thread: it sends a hello frame,
 * waits until a flow adopts it, compiles the flow, then serves the port until control ends it.
 */
import { confidentialOf } from "../shared/environment-mark.ts";
import { widthOf } from "../shared/frame-shape.ts";
import { type FrameToControl, ToControl } from "../shared/frames-to-control.ts";
import { shapeToThread, ToThread, threadFields } from "../shared/frames-to-thread.ts";
import type { Limits } from "../shared/limits.ts";
import { loadSerializer } from "../shared/packed.ts";
import type { Attachment, AttachTask, ThreadEnd } from "../shared/protocol.ts";
import { networkThread, packedThread } from "../shared/protocol.ts";
import { noMask } from "../shared/secret-mask.ts";
import { Announcements } from "./announcements.ts";
import { catalog } from "./catalog.ts";
import { type CompiledFlow, compileFlow } from "./compile/compile-flow.ts";
import { LateModule, withModules } from "./engine/late-module.ts";
import { openParams, withSecrets } from "./engine/model-secrets.ts";
import { judgeConnections } from "./engine/net/gate.ts";
import { boundJson } from "./engine/parse-json.ts";
import { Line, type ThreadPort, threadPort } from "./line.ts";
import { MappingRegistry } from "./mappings/registry.ts";
import { ArmedSessions } from "./mocks/session-mocks.ts";
import { answerPeek } from "./peeking.ts";
import { rehearsedFlow, rehearsedRun, silentLine } from "./rehearsal.ts";
import { renounce } from "./renounce.ts";
import { RunTable } from "./run-table.ts";
import { takeOverOutput } from "./stdio.ts";
import { ThreadResources } from "./thread-resources.ts";

/** Flows that make calls have threads with network access. */
const network = process.argv.includes(networkThread, 2);
const systemId = systemNumber();
if (process.argv.includes(packedThread, 2)) loadSerializer();
renounce(network);
const output = takeOverOutput();
const { arm, disarm, test, cancel, finish, refuse, stored, mappings, wanted, probe } = threadFields;

/** Resolves when control has ended the attachment and the last run is answered. */
export function attach({ port: given, words, interest }: AttachTask): Promise<void> {
  const port = threadPort(given);
  const line = new Line(port, words, interest);
  return new Promise((resolve) => {
    const end = (): void => {
      line.outbox.flush();
      port.close();
      resolve();
    };
    const taken = serve(port, line, end);
    // Sent to the pool that boots the thread, whether control is in this process or not.
    const hello = (): void => given.postMessage([ToControl.hello, threadNumber(), systemId] satisfies FrameToControl);
    if (network) void loadAhead().finally(hello);
    else hello();
    setTimeout(() => {
      if (!taken()) void rehearse();
    }, standbyMs).unref();
  });
}

const judging = new LateModule(() => import("./engine/net/judge.ts"));

/**
 * Loads the modules that most flows with network access use, before a flow comes, so that such a flow compiles as fast
 * as one without. Modules of other components load when a flow that uses them is compiled. A module that fails to load
 * is reported when a flow needs it.
 */
async function loadAhead(): Promise<void> {
  const common = [...catalog.components.values()].filter(({ loadedAhead }) => loadedAhead === true);
  const modules = new Set([judging, ...common.map(({ network }) => network)]);
  await Promise.allSettled([...modules].map((module) => module?.load()));
}

/** Long enough that a collection, 18 ms of CPU time, does not take the cores from many flows that are called for the first time. */
const quietMs = 20_000;

/** A thread for a waiting flow is adopted within this time, and then does not rehearse. */
const standbyMs = 20;

async function rehearse(): Promise<void> {
  const adopted = await adopt(silentLine(), rehearsedFlow, () => {});
  adopted?.runs.invoke(rehearsedRun, 0);
}

/** A flow that this thread has adopted. */
interface Adopted {
  readonly flow: CompiledFlow;
  readonly limits: Limits;
  readonly announced: Announcements;
  readonly resources: ThreadResources;
  readonly runs: RunTable;
  readonly sessions: ArmedSessions;
}

/** Returns a function that reports whether a flow has come. */
function serve(port: ThreadPort, line: Line, end: () => void): () => boolean {
  let taken = false;
  let adopted: Adopted | undefined;
  let ending = false;
  const endWhenIdle = (): void => {
    if (!ending || (adopted !== undefined && adopted.runs.active + adopted.announced.taken > 0)) return;
    const open = adopted?.resources.open;
    if (open === undefined) end();
    else void open.close().then(end);
  };
  const update = (frames: readonly unknown[], at: number): void => {
    const sequence = mappings.sequence(frames, at);
    const taken = (): void => void line.outbox.open().push(ToControl.mapped, sequence);
    const pending = adopted?.resources.update(mappings.changed(frames, at), mappings.gone(frames, at));
    if (pending === undefined) taken();
    else void pending.then(taken);
  };
  port.listen((frames) => {
    line.turn();
    for (let i = 0; i < frames.length; ) {
      const shape = shapeToThread(frames[i]);
      const at = i;
      i += widthOf(shape);
      switch (shape.number) {
        case ToThread.arm:
          adopted?.sessions.arm(arm.session(frames, at), arm.task(frames, at));
          break;
        case ToThread.disarm:
          adopted?.sessions.disarm(disarm.session(frames, at));
          break;
        case ToThread.test:
          adopted?.sessions.test(test.sessions(frames, at));
          break;
        case ToThread.adopt:
          taken = true;
          // Until the answer to an adopt frame, control may send only the end.
          void adopt(line, threadFields.adopt.attachment(frames, at), endWhenIdle).then((made) => {
            output.to(line);
            adopted = made;
            if (made !== undefined) tidyWhenQuiet(line, made.runs);
          });
          break;
        case ToThread.invoke:
          adopted?.runs.invoke(frames, at);
          break;
        case ToThread.cancel:
          adopted?.runs.cancel(cancel.slot(frames, at), cancel.reason(frames, at));
          break;
        case ToThread.reply:
          line.reply(frames, at);
          break;
        case ToThread.stated:
          line.state.answered(frames, at);
          break;
        case ToThread.grouped:
          line.state.grouped(frames, at);
          break;
        case ToThread.forgotten:
          line.state.forgotten(frames, at);
          break;
        case ToThread.refuse:
          adopted?.announced.refused(refuse.token(frames, at), refuse.reason(frames, at));
          break;
        case ToThread.stored:
          adopted?.announced.stored(stored.token(frames, at), stored.problem(frames, at));
          break;
        case ToThread.serve:
          adopted?.flow.life.serve(threadFields.serve.running(frames, at));
          break;
        case ToThread.mappings:
          update(frames, at);
          break;
        case ToThread.permitted:
          line.connections.answered(frames, at);
          break;
        case ToThread.databased:
          line.connections.databases.answered(frames, at);
          break;
        case ToThread.wanted:
          adopted?.resources.open?.wanted(wanted.connection(frames, at), wanted.wanted(frames, at) === 1);
          break;
        case ToThread.probe:
          void adopted?.resources
            .probe(probe.settings(frames, at))
            .then((answer) => line.outbox.open().push(ToControl.probed, line.mask(answer)));
          break;
        case ToThread.peek:
          void answerPeek(line, adopted, frames, at);
          break;
        case ToThread.halt:
          adopted?.flow.life.halt();
          break;
        case ToThread.finish:
          void adopted?.flow.life
            .finish(finish.end(frames, at) as ThreadEnd)
            .then(() => line.outbox.open().push(ToControl.finished));
          break;
        case ToThread.end:
          ending = true;
          endWhenIdle();
          break;
        default:
          shape satisfies never;
      }
    }
  });
  return () => taken;
}

/** Resolves undefined if the flow does not compile, after control got the reason. */
async function adopt(
  line: Line,
  {
    model: checked,
    limits,
    record,
    keepFailed = false,
    logLevel,
    egress,
    files,
    mappings: given = [],
    secrets = {},
    keySalt = "",
  }: Attachment,
  onIdle: () => void,
): Promise<Adopted | undefined> {
  line.logLevel = logLevel;
  line.recordSteps = record !== "off";
  line.recordAll = record === "all";
  line.keepFailed = keepFailed;
  line.maxEvent = limits.eventBytes;
  line.confidential(confidentialOf(secrets));
  line.state.adopt(keySalt);
  boundJson(limits);
  if (line.mask !== noMask) throwMasked(line);
  const model = withSecrets(checked, catalog, (name) => secrets[name] ?? "");
  const announced = new Announcements(line, limits, onIdle);
  const resources = new ThreadResources(given, {
    ...{ limits, params: openParams(model.params), connectors: catalog.connectors },
    ...{ port: line.connections, figures: line.figures },
  });
  try {
    const flow = await withModules(() =>
      compileFlow(model, limits, {
        ...{ port: announced, egress, files, figures: line.figures, mask: line.mask },
        state: line.state,
        connections: resources.connections,
      }),
    );
    if (egress !== undefined) {
      const { judgeOf } = await withModules(() => judging.module());
      judgeConnections(judgeOf(egress, flow.schemes, () => resources.models));
    }
    // Their passwords come later.
    if (flow.manifest.connections !== undefined) throwMasked(line);
    await MappingRegistry.prepare(flow.manifest.mappings);
    line.outbox.open().push(ToControl.ready, flow.manifest);
    const sessions = new ArmedSessions(flow, (session, slot, call) => line.mocked(session, slot, call));
    const runs = new RunTable(flow, line, limits, announced, resources.mappings, sessions, onIdle);
    line.requests.onStop = (slot) => runs.cancel(slot, "control asked it to stop");
    return { flow, limits, announced, resources, runs, sessions };
  } catch (error) {
    line.outbox.open().push(ToControl.refused, line.mask(error instanceof Error ? error.message : String(error)));
    return undefined;
  } finally {
    line.outbox.flush();
  }
}

/** Collects garbage once, when no run has begun for a while, so that a busy flow is not delayed. */
function tidyWhenQuiet(line: Line, runs: RunTable): void {
  const { began } = runs;
  setTimeout(() => {
    if (runs.active === 0 && runs.began === began) line.requests.tidy();
    else tidyWhenQuiet(line, runs);
  }, quietMs).unref();
}

/** Masks the message of an error that ends the thread, because it does not leave in a frame. */
function throwMasked(line: Line): void {
  if (process.listenerCount("uncaughtException") > 0) return;
  process.on("uncaughtException", (error: unknown) => {
    throw new Error(line.mask(error instanceof Error ? error.message : String(error)));
  });
}

function threadNumber(): number {
  return process.getBuiltinModule("node:worker_threads").threadId;
}

/** Returns the operating system's id of this thread, which is needed to set its priority; 0 where it is unknown. */
function systemNumber(): number {
  try {
    return Number.parseInt(process.getBuiltinModule("node:fs").readFileSync("/proc/thread-self/stat", "latin1"), 10);
  } catch {
    return 0;
  }
}
