/** A thread as it must not be: it speaks the protocol, and does what the body of a message tells it to. */

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { threadId, Worker } from "node:worker_threads";
import type { EndpointModel } from "../../src/shared/flow-model.ts";
import type { FlowManifest, Trigger } from "../../src/shared/manifest.ts";
import { type Attachment, type AttachTask, BodyKind, ToControl, ToThread, Word } from "../../src/shared/protocol.ts";

export function attach({ port, words }: AttachTask): Promise<void> {
  const shared = new Int32Array(words);
  return new Promise((resolve) => {
    const answer = (slot: number, body: string): void => {
      port.postMessage([ToControl.result, slot, 0, 0, BodyKind.text, body, "", 1, 0, "", 0]);
    };
    port.on("message", (frames: unknown[]) => {
      for (let i = 0; i < frames.length; ) {
        if (frames[i] === ToThread.adopt) {
          port.postMessage([ToControl.ready, manifestOf(frames[i + 1] as Attachment)]);
          i += 2;
        } else if (frames[i] === ToThread.invoke) {
          const slot = frames[i + 1] as number;
          const order = String(frames[i + 6]);
          shared[Word.heartbeat] = slot + 1;
          if (order === "flood") for (;;) port.postMessage([ToControl.dropped, 0, 0]);
          if (order === "stuck") for (;;);
          if (order === "exit") process.exit(7);
          if (order === "leave") {
            port.close();
            return resolve();
          }
          if (order in nonsense) port.postMessage(nonsense[order]);
          if (order === "busy after") {
            answer(slot, order);
            // The answer has left the thread by then.
            setTimeout(() => {
              for (;;);
            }, 20);
          }
          if (order === "rights") void rights().then((found) => answer(slot, JSON.stringify(found)));
          else if (order !== "wait" && order !== "busy after" && !(order in nonsense)) answer(slot, order);
          i += 8;
        } else if (frames[i] === ToThread.cancel) i += 3;
        else {
          port.close();
          return resolve();
        }
      }
    });
    port.postMessage([ToControl.hello, threadId]);
  });
}

function triggerOf({ scheme, options }: EndpointModel): Trigger {
  if (scheme !== "timer") return { kind: "webhook" };
  const { period, delay } = options as { period: number; delay: number };
  const rest = { repeatCount: 0, fixedRate: false, includeMetadata: false, overlap: "skip" } as const;
  return { kind: "timer", name: "t", periodMs: period, delayMs: delay, ...rest };
}

/** Messages that no line of the runtime's own sends. */
const nonsense: Readonly<Record<string, unknown>> = {
  nothing: null,
  "a text": "text",
  "timings that go back": [ToControl.result, 0, 0, 0, 0, null, "", 0, 0, "", -20],
  "a broken extra": [ToControl.result, 0, 0, 0, 0, null, "", 0, 0, "{", 0],
  "a body that is none": [ToControl.result, 0, 0, 0, BodyKind.text, { length: 1 }, "", 0, 0, "", 0],
  "a header that cannot be": [ToControl.result, 0, 0, 0, BodyKind.text, "x", "a b\n\u0001", 0, 0, "", 0],
  "an unknown frame": [99],
};

function manifestOf({ model }: Attachment): FlowManifest {
  const routes = model.routes.map(({ id, from }) => ({
    id,
    uri: from.endpoint.uri,
    trigger: triggerOf(from.endpoint),
    autoStartup: true,
  }));
  return { routes, steps: [], externalDirects: [], stateful: false };
}

/** What happens when the thread tries to leave its cell: the code of each refusal. */
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
