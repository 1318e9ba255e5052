/**
 * A thread that keeps something until its end: at each `finish` it begins one announced run, twice in all. A run is answered when it
 * is told to begin nothing more; the body `heard` at once, with what it has been told; with the body `exit` it dies.
 */
import { threadId } from "node:worker_threads";
import { ToControl } from "../../src/shared/frames-to-control.ts";
import { ToThread } from "../../src/shared/frames-to-thread.ts";
import { type Attachment, type AttachTask, BodyKind } from "../../src/shared/protocol.ts";

export function attach({ port }: AttachTask): Promise<void> {
  const heard: string[] = [];
  let held: number | undefined;
  let token = 0;
  const answer = (slot: number, body: string): void => {
    port.postMessage([ToControl.result, slot, 0, 0, BodyKind.text, body, "", 1, 0, "", 0]);
  };
  return new Promise((resolve) => {
    port.on("message", (frames: unknown[]) => {
      for (let i = 0; i < frames.length; ) {
        switch (frames[i]) {
          case ToThread.adopt: {
            const { model } = frames[i + 1] as Attachment;
            const routes = model.routes.map(({ id, from }) => ({
              ...{ id, uri: from.endpoint.uri, trigger: { kind: "webhook" }, autoStartup: true },
            }));
            const flags = { stateful: true, lifecycle: true, network: false };
            port.postMessage([
              ToControl.ready,
              { routes, steps: [], externalDirects: [], mappings: [], secrets: [], ...flags },
            ]);
            i += 2;
            break;
          }
          case ToThread.invoke:
            if (frames[i + 6] === "exit") process.exit(7);
            if (frames[i + 5] === BodyKind.held) answer(frames[i + 1] as number, "");
            else if (frames[i + 6] === "heard") answer(frames[i + 1] as number, heard.join(", "));
            else held = frames[i + 1] as number;
            i += 8;
            break;
          case ToThread.serve:
            heard.push(`serves ${frames[i + 1]}`);
            i += 2;
            break;
          case ToThread.halt:
            heard.push("halted");
            if (held !== undefined) answer(held, heard.join(", "));
            i += 1;
            break;
          case ToThread.finish:
            if (token < 2) {
              port.postMessage([ToControl.announce, token, -1, ToControl.begin, token, 0, "aggregate", "aggregate"]);
              token += 1;
            }
            port.postMessage([ToControl.finished]);
            i += 1;
            break;
          default:
            port.close();
            return resolve();
        }
      }
    });
    port.postMessage([ToControl.hello, threadId]);
  });
}
