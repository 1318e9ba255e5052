/**
 * Thread entry of a flow's pool. Its one task, the attachment, lasts as long as the thread:
 * it says hello, waits to be adopted by a flow, compiles it, then serves the port until it is told to end.
 */
import type { MessagePort } from "node:worker_threads";
import type { Attachment, AttachTask } from "../shared/protocol.ts";
import { ToControl, ToThread } from "../shared/protocol.ts";
import { type CompiledFlow, compileFlow } from "./compile/compile-flow.ts";
import { CompileError } from "./engine/compile-error.ts";
import { Line } from "./line.ts";
import { renounce } from "./renounce.ts";
import { RunTable } from "./run-table.ts";
import { takeOverOutput } from "./stdio.ts";

renounce();
const output = takeOverOutput();

/** Resolves when control has ended the attachment and the last run is answered. */
export function attach({ port, words, interest }: AttachTask): Promise<void> {
  const line = new Line(port, words, interest);
  return new Promise((resolve) => {
    const end = (): void => {
      line.outbox.flush();
      port.close();
      resolve();
    };
    serve(port, line, end);
    line.outbox.open().push(ToControl.hello, threadNumber());
    line.outbox.flush();
  });
}

function serve(port: MessagePort, line: Line, end: () => void): void {
  let runs: RunTable | undefined;
  let ending = false;
  port.on("message", (frames: unknown[]) => {
    for (let i = 0; i < frames.length; ) {
      switch (frames[i]) {
        case ToThread.adopt: {
          const flow = adopt(line, frames[i + 1] as Attachment);
          // From here on: control expects nothing before the answer to its adopt frame.
          output.to(line);
          if (flow !== undefined) {
            runs = new RunTable(flow, line, (frames[i + 1] as Attachment).limits, () => {
              if (ending) end();
            });
          }
          i += 2;
          break;
        }
        case ToThread.invoke:
          runs?.invoke(frames, i + 1);
          i += 8;
          break;
        case ToThread.cancel:
          runs?.cancel(frames[i + 1] as number, frames[i + 2] as string);
          i += 3;
          break;
        case ToThread.reply:
          line.reply(...(frames.slice(i + 1, i + 5) as Parameters<Line["reply"]>));
          i += 5;
          break;
        default:
          ending = true;
          if (runs === undefined || runs.active === 0) return end();
          i += 1;
      }
    }
  });
}

function adopt(line: Line, { model, limits, record, logLevel }: Attachment): CompiledFlow | undefined {
  line.logLevel = logLevel;
  line.recordSteps = record !== "off";
  line.maxEvent = limits.eventBytes;
  try {
    const flow = compileFlow(model, limits);
    line.outbox.open().push(ToControl.ready, flow.manifest);
    return flow;
  } catch (error) {
    const place = error instanceof CompileError ? error : undefined;
    const message = error instanceof Error ? error.message : String(error);
    line.outbox
      .open()
      .push(ToControl.refused, message, place?.at.line ?? null, place?.at.column ?? null, place?.stepId ?? null);
    return undefined;
  } finally {
    line.outbox.flush();
  }
}

function threadNumber(): number {
  return process.getBuiltinModule("node:worker_threads").threadId;
}
