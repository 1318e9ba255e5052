/**
 * A flow and a run that a blank thread compiles and runs before a flow comes. The first flow of a thread takes several
 * times as long as a second one, because V8 has not read the code yet.
 */
import type { FlowModel } from "../shared/flow-model.ts";
import { type FrameToThread, ToThread } from "../shared/frames-to-thread.ts";
import { defaultLimits } from "../shared/limits.ts";
import { type Attachment, BodyKind, levels, Word, wordCount } from "../shared/protocol.ts";
import { Line } from "./line.ts";

const at = { line: 1, column: 1, endLine: 1, endColumn: 1 };

function simple(text: string) {
  return { language: "simple", text, options: { pretty: false, trimResult: false }, at };
}

const model: FlowModel = {
  flowId: "rehearsal",
  params: {},
  routes: [
    {
      id: "rehearsal",
      at,
      autoStartup: true,
      from: { id: "from1", endpoint: { scheme: "webhook", uri: "webhook", options: {}, at } },
      steps: [
        {
          type: "choice",
          id: "choice1",
          at,
          options: {
            when: [{ expression: simple("${body} == 'a'"), steps: [] }],
            otherwise: {
              steps: [
                {
                  type: "setHeader",
                  id: "setHeader1",
                  at,
                  options: { name: simple("a"), expression: simple("${body}") },
                },
                { type: "log", id: "log1", at, options: { message: simple("${header.a}"), loggingLevel: "INFO" } },
                { type: "setBody", id: "setBody1", at, options: { expression: simple("${header.a}") } },
              ],
            },
            precondition: false,
          },
        },
      ],
    },
  ],
};

export const rehearsedFlow: Attachment = {
  model,
  limits: defaultLimits,
  record: "errors",
  logLevel: levels.indexOf("INFO"),
};

/** An invoke frame. */
export const rehearsedRun: FrameToThread = [
  ToThread.invoke,
  0,
  0,
  -1,
  "content-type\ntext/plain",
  BodyKind.text,
  "a message",
  "",
];

/** A line whose frames are dropped, or passed to `take`. */
export function silentLine(take: (frames: readonly unknown[]) => void = () => {}): Line {
  const memory = (words: number): SharedArrayBuffer => new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT);
  const words = memory(wordCount);
  new Int32Array(words)[Word.credits] = 1;
  return new Line({ postMessage: take }, words, memory(1));
}
