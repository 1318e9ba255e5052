/** A hostile flow thread: it follows the protocol, and does what the body of a message orders. */

import { spawnSync } from "node:child_process";
import { pbkdf2Sync } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { MessageChannel, MessagePort, parentPort, threadId, Worker } from "node:worker_threads";
import type { EndpointModel } from "../../src/shared/flow-model.ts";
import { widthOf } from "../../src/shared/frame-shape.ts";
import { ToControl } from "../../src/shared/frames-to-control.ts";
import { shapeToThread, ToThread, threadFields } from "../../src/shared/frames-to-thread.ts";
import type { FlowManifest, Trigger } from "../../src/shared/manifest.ts";
import { type Attachment, type AttachTask, BodyKind, Interest, Word } from "../../src/shared/protocol.ts";
import { type ThreadPort, threadPort } from "../../src/workers/line.ts";

const { adopt, invoke } = threadFields;
const ownStat = "/proc/thread-self/stat";
/** The thread's id in the operating system, where available. */
const systemId = existsSync(ownStat) ? Number.parseInt(readFileSync(ownStat, "latin1"), 10) : 0;

export function attach({ port: given, words, interest }: AttachTask): Promise<void> {
  const port = threadPort(given);
  const shared = new Int32Array(words);
  const watched = new Int32Array(interest);
  return new Promise((resolve) => {
    const answer = (slot: number, body: string): void => {
      port.postMessage([ToControl.result, slot, 0, 0, BodyKind.text, body, "", 1, 0, "", 0]);
    };
    port.listen((frames) => {
      for (let i = 0, next = 0; i < frames.length; i = next) {
        next = i + widthOf(shapeToThread(frames[i]));
        if (frames[i] === ToThread.adopt) {
          // While somebody watches traces, it never reports that it has compiled its flow; with previews it ends.
          if (watched[0] === Interest.preview) process.exit(7);
          if (watched[0] === 0) port.postMessage([ToControl.ready, manifestOf(adopt.attachment(frames, i))]);
        } else if (frames[i] === ToThread.invoke) {
          const slot = invoke.slot(frames, i);
          const body = invoke.body(frames, i);
          const order = body instanceof Uint8Array ? Buffer.from(body).toString() : String(body);
          shared[Word.heartbeat] = slot + 1;
          if (order === "flood") for (;;) port.postMessage([ToControl.dropped, 0, 0]);
          if (order === "stray") for (let n = 0; n < 9; n += 1) parentPort?.postMessage("x");
          if (order === "stuck") for (;;);
          if (order === "native") pbkdf2Sync("a", "b", 7e6, 64, "sha512");
          // Half an hour: only the end of the process ends it.
          if (order === "native for long") pbkdf2Sync("a", "b", 2 ** 31 - 1, 64, "sha512");
          if (order === "exit") process.exit(7);
          if (order === "leave") {
            port.close();
            return resolve();
          }
          if (order.startsWith("[")) post(port, given, slot, order);
          if (order.startsWith("watch ")) watched[0] = Number(order.slice(6));
          if (order === "act") shared[Word.effects + (slot >>> 5)] = -1;
          if (order === "exit after") {
            answer(slot, order);
            setTimeout(() => process.exit(7), 20);
          }
          if (order === "busy after") {
            answer(slot, order);
            // The answer has been sent by then.
            setTimeout(() => {
              for (;;);
            }, 20);
          }
          if (order === "who") answer(slot, String(systemId));
          else if (order === "rights") void rights().then((found) => answer(slot, JSON.stringify(found)));
          else if (!silent.has(order) && !order.startsWith("[")) answer(slot, order);
        } else if (frames[i] === ToThread.end) {
          port.close();
          return resolve();
        }
      }
    });
    given.postMessage([ToControl.hello, threadId, systemId]);
  });
}

function triggerOf({ scheme, options }: EndpointModel): Trigger {
  if (scheme !== "timer") return { kind: "webhook" };
  const { period, delay } = options as { period: number; delay: number };
  const rest = { repeatCount: 0, fixedRate: false, includeMetadata: false, overlap: "skip" } as const;
  return { kind: "timer", name: "t", periodMs: period, delayMs: delay, ...rest };
}

/** Orders that get no answer, or have got one. `act`: its run has had an effect that a second run would repeat. */
const silent: ReadonlySet<string> = new Set(["wait", "act", "stray", "busy after", "exit after"]);

/** Values that JSON does not have, by the words for them in orders. */
const words: Readonly<Record<string, (slot: number) => unknown>> = {
  $slot: (slot) => slot,
  $nan: () => Number.NaN,
  $infinity: () => Number.POSITIVE_INFINITY,
  $undefined: () => undefined,
  $bigint: () => 1n,
  $map: () => new Map([["length", 1]]),
  $bytes: () => new Uint8Array(3),
  $shared: () => new Uint8Array(new SharedArrayBuffer(3)),
  $long: () => "x".repeat(10 * 1024 * 1024),
  $deep: () => JSON.parse(`${"[".repeat(9000)}${"]".repeat(9000)}`),
  $many: (slot) => Array.from({ length: 200_000 }, () => [ToControl.log, slot, -1, 2, "", "line", ""]).flat(),
  $port: () => new MessageChannel().port1,
};

/** Posts each member of a JSON array as a message of its own. */
function post(port: ThreadPort, given: MessagePort, slot: number, order: string): void {
  const ports: MessagePort[] = [];
  const messages = JSON.parse(order, (_, value) => {
    const said = typeof value === "string" && value in words ? words[value]?.(slot) : value;
    if (said instanceof MessagePort) ports.push(said);
    return said;
  }) as unknown[];
  for (const message of messages) {
    // Transferred ports cannot be packed.
    if (ports.length > 0) given.postMessage(message, ports.splice(0));
    else port.postMessage(message as unknown[]);
  }
}

function manifestOf({ model }: Attachment): FlowManifest {
  const routes = model.routes.map(({ id, from }) => ({
    id,
    uri: from.endpoint.uri,
    trigger: triggerOf(from.endpoint),
    autoStartup: true,
  }));
  const flags = { stateful: false, lifecycle: false, network: false, files: false };
  const state = (["idempotent", "values"] as const).map((kind) => ({
    kind,
    name: kind,
    routeId: "",
    stepId: "",
    evicts: false,
  }));
  return { routes, steps: [], externalDirects: [], mappings: [], secrets: [], state, ...flags };
}

/** Tries to use rights that the thread does not have; returns the code of each refusal. */
async function rights(): Promise<Readonly<Record<string, string>>> {
  const tried = (work: () => unknown): string => {
    try {
      work();
      return "allowed";
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error);
    }
  };
  return {
    env: JSON.stringify(process.env),
    read: tried(() => readFileSync("/etc/hostname")),
    environ: tried(() => readFileSync("/proc/self/environ")),
    write: tried(() => writeFileSync("/tmp/bulkhead-hostile", "x")),
    spawn: tried(() => spawnSync("true").error?.message ?? "ran"),
    worker: tried(() => new Worker("0", { eval: true })),
    connect: await new Promise((resolve) => {
      try {
        const socket = connect(1, "127.0.0.1");
        socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? String(error)));
      } catch (error) {
        resolve((error as NodeJS.ErrnoException).code ?? String(error));
      }
    }),
  };
}
