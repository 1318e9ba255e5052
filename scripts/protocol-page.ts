/** The page of the frames between control and a flow's thread, from their description. */
import { bytesOfMessage } from "../src/control/threads/line/flood-breaker.ts";
import type { FrameShape } from "../src/shared/frame-shape.ts";
import { fieldTypes } from "../src/shared/frame-values.ts";
import { type ToControlShape, toControl } from "../src/shared/frames-to-control.ts";
import { toThread } from "../src/shared/frames-to-thread.ts";

type Weight = ToControlShape["weight"];

/** When the bytes of a frame weigh less, in words. */
const reasons = {
  run: "the run in its slot is under way",
  recording: "the run in its slot is under way and nothing was recorded of it yet",
  mocks: "the run in its slot is in a test session",
  event: "it is no longer than an event may be",
  place: "the thread has the place",
} as const;

export function protocolPage(): string {
  return [
    "# The line between control and a flow's thread",
    "",
    "Generated from `src/shared/frames-to-thread.ts` and `src/shared/frames-to-control.ts` by `npm run docs`: do not edit.",
    "",
    "A message on the port is one flat list of frames, `[number, field, field, ..., number, field, ...]`. Each frame begins with its number; its",
    "fields follow in the order of the table. A number that stands for no frame ends the thread, whichever side reads it. Both sides are of one",
    "version: numbers and fields may change with each. Names in code (`BodyKind`, `Outcome`) are those of `src/shared/protocol.ts`.",
    "",
    "## To the thread",
    "",
    ...Object.entries(toThread).flatMap(([name, shape]) => section(name, shape, [])),
    "## To control",
    "",
    "Control reads these as from a stranger: a field that is not of its type ends the thread. What a thread sends is weighed against floods, in",
    "messages (`src/control/threads/line/flood-breaker.ts`): each frame its part of a message, by its fields, and its texts and bytes besides,",
    `${kibibytes("unasked")} as a message. Where a frame says so, they weigh less: ${kibibytes("asked")} (*asked*) or ${kibibytes("result")} (*result*) as a message.`,
    "",
    ...Object.entries(toControl).flatMap(([name, shape]) => section(name, shape, weightOf(shape.weight))),
  ].join("\n");
}

function section(name: string, { number, docs, fields }: FrameShape, more: readonly string[]): string[] {
  const rows = fields.map(([field, type, meaning]) => `| \`${field}\` | ${fieldTypes[type].docs} | ${meaning ?? ""} |`);
  const table = rows.length === 0 ? [] : ["| field | type | meaning |", "|---|---|---|", ...rows, ""];
  return [`### ${number} ${name}`, "", docs, "", ...table, ...more];
}

function weightOf({ messages, due }: Weight): string[] {
  const whole = messages === 0 ? [] : ["Weighs a whole message besides."];
  const less = due === undefined ? [] : [`Its texts and bytes weigh as *${due.bytes}* when ${reasons[due.when]}.`];
  return whole.length + less.length === 0 ? [] : [[...less, ...whole].join(" "), ""];
}

function kibibytes(bytes: keyof typeof bytesOfMessage): string {
  return `${bytesOfMessage[bytes] / 1024} KiB`;
}
