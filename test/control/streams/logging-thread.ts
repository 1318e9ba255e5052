/** A thread with the real line, whose one run logs as many lines as the body says and then never comes back. */
import { threadId } from "node:worker_threads";
import { ToControl } from "../../../src/shared/frames-to-control.ts";
import { ToThread } from "../../../src/shared/frames-to-thread.ts";
import { type Attachment, type AttachTask, levels } from "../../../src/shared/protocol.ts";
import { Line } from "../../../src/workers/line.ts";

export function attach({ port, words, interest }: AttachTask): Promise<void> {
  const line = new Line(port, words, interest);
  return new Promise((resolve) => {
    port.on("message", (frames: unknown[]) => {
      if (frames[0] === ToThread.adopt) {
        const { model, limits } = frames[1] as Attachment;
        line.maxEvent = limits.eventBytes;
        const trigger = { kind: "webhook" };
        const routes = model.routes.map(({ id, from }) => ({ id, uri: from.endpoint.uri, trigger, autoStartup: true }));
        port.postMessage([
          ToControl.ready,
          { routes, steps: [], externalDirects: [], mappings: [], secrets: [], stateful: false },
        ]);
      } else if (frames[0] === ToThread.invoke) {
        const count = Number(frames[6]);
        for (let n = 1; n <= count; n += 1) line.log(frames[1] as number, -1, levels.indexOf("INFO"), "thread", `${n}`);
        for (;;);
      } else {
        port.close();
        resolve();
      }
    });
    port.postMessage([ToControl.hello, threadId, 0]);
  });
}
