/**
 * A thread that keeps messages until its end: at each `finish` it begins one announced run, twice in all. A run is
 * answered when the thread is asked to begin nothing more; the body `heard` is answered at once, with the frames that
 * it has got; the body `exit` ends the thread.
 */
import { threadId } from "node:worker_threads";
import { widthOf } from "../../src/shared/frame-shape.ts";
import { ToControl } from "../../src/shared/frames-to-control.ts";
import { shapeToThread, ToThread, threadFields } from "../../src/shared/frames-to-thread.ts";
import { type AttachTask, BodyKind } from "../../src/shared/protocol.ts";

const { adopt, invoke, serve } = threadFields;

export function attach({ port }: AttachTask): Promise<void> {
  const heard: string[] = [];
  let held: number | undefined;
  let token = 0;
  const answer = (slot: number, body: string): void => {
    port.postMessage([ToControl.result, slot, 0, 0, BodyKind.text, body, "", 1, 0, "", 0]);
  };
  return new Promise((resolve) => {
    port.on("message", (frames: unknown[]) => {
      for (let i = 0, next = 0; i < frames.length; i = next) {
        next = i + widthOf(shapeToThread(frames[i]));
        switch (frames[i]) {
          case ToThread.adopt: {
            const { model } = adopt.attachment(frames, i);
            const routes = model.routes.map(({ id, from }) => ({
              ...{ id, uri: from.endpoint.uri, trigger: { kind: "webhook" }, autoStartup: true },
            }));
            const flags = { stateful: true, lifecycle: true, network: false };
            port.postMessage([
              ToControl.ready,
              { routes, steps: [], externalDirects: [], mappings: [], secrets: [], ...flags },
            ]);
            break;
          }
          case ToThread.invoke:
            if (invoke.body(frames, i) === "exit") process.exit(7);
            if (invoke.bodyKind(frames, i) === BodyKind.held) answer(invoke.slot(frames, i), "");
            else if (invoke.body(frames, i) === "heard") answer(invoke.slot(frames, i), heard.join(", "));
            else held = invoke.slot(frames, i);
            break;
          case ToThread.serve:
            heard.push(`serves ${serve.running(frames, i)}`);
            break;
          case ToThread.halt:
            heard.push("halted");
            if (held !== undefined) answer(held, heard.join(", "));
            break;
          case ToThread.finish:
            if (token < 2) {
              port.postMessage([
                ToControl.announce,
                token,
                -1,
                ToControl.begin,
                token,
                0,
                "aggregate",
                "aggregate",
                "",
              ]);
              token += 1;
            }
            port.postMessage([ToControl.finished]);
            break;
          case ToThread.end:
            port.close();
            return resolve();
          default:
            break;
        }
      }
    });
    port.postMessage([ToControl.hello, threadId, 0]);
  });
}
