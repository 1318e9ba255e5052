/** The frames that a flow's thread sends to control, and the weight of each for the flood breaker. */
import { connectionFrames } from "./connection-frames.ts";
import { type FrameOf, numbersOf, readersOf, shapeFinder } from "./frame-shape.ts";
import { light, type ToControlFrame } from "./frame-weight.ts";

export const toControl = {
  hello: {
    number: 8,
    docs: "The thread has booted and may be adopted. The first frame that it sends, in a message of its own; anything else fails the boot.",
    fields: [
      ["threadId", "whole", "the number of its worker in this process"],
      ["systemId", "whole", "the operating system's id of the thread; 0: unknown"],
    ],
    weight: light,
  },
  ready: {
    number: 1,
    docs: "The flow is compiled: the answer to `adopt`, and nothing is sent between the two.",
    fields: [["manifest", "manifest"]],
    weight: light,
  },
  refused: {
    number: 2,
    docs: "The flow does not compile: the other answer to `adopt`.",
    fields: [["message", "text"]],
    weight: light,
  },
  result: {
    number: 3,
    docs:
      "The end of a run. Behind its fields are as many numbers as `timings` says, three per step run: step index (`~index` of a step that failed), start " +
      "after the run's start, duration, in microseconds, since whole numbers travel best. Of a slot without a run it weighs a message more.",
    fields: [
      ["slot", "slot"],
      ["outcome", "outcome"],
      ["status", "whole", "of HTTP; 0: none"],
      ["bodyKind", "answerKind"],
      ["body", "sentBody"],
      ["headers", "text"],
      ["steps", "whole", "that were executed"],
      ["cpu", "number", "microseconds"],
      ["extra", "json", "`ResultExtra`"],
      ["timings", "whole"],
    ],
    weight: { messages: 0, due: { when: "run", bytes: "result" } },
  },
  call: {
    number: 4,
    docs: "A run calls `direct:` of another flow. Answered by `reply`.",
    fields: [
      ["id", "whole", "of the call"],
      ["slot", "run"],
      ["name", "text"],
      ["bodyKind", "callKind"],
      ["body", "sentBody"],
      ["hops", "whole", "direct calls above this one"],
      ["extra", "json", "`InvokeExtra`"],
    ],
    weight: { messages: 1, due: { when: "run", bytes: "asked" } },
  },
  route: {
    number: 13,
    docs: "A run asks for something of a route of its flow (`controlbus`). Answered by a `reply` whose body names the route's state.",
    fields: [
      ["id", "whole", "of the call"],
      ["slot", "run"],
      ["route", "whole", "index into the flow's routes"],
      ["action", "action"],
      ["delay", "whole", "of a restart: milliseconds from the stop to the start"],
    ],
    weight: { messages: 1 },
  },
  log: {
    number: 5,
    docs: "A log event; costs a credit.",
    fields: [
      ["slot", "run"],
      ["step", "step"],
      ["level", "level"],
      ["logger", "text", '"": the route\'s id'],
      ["message", "text"],
      ["marker", "text", '"": none'],
    ],
    weight: { messages: 0, due: { when: "event", bytes: "asked" } },
  },
  trace: {
    number: 6,
    docs: "A trace event; costs a credit.",
    fields: [
      ["slot", "run"],
      ["type", "traceType"],
      ["step", "step"],
      ["time", "number", "milliseconds of the epoch"],
      ["duration", "number", "milliseconds"],
      ["extra", "json"],
    ],
    weight: { messages: 0, due: { when: "event", bytes: "asked" } },
  },
  dropped: {
    number: 7,
    docs: "Events that found no credit from here on in this message; at most one frame per message.",
    fields: [
      ["logs", "whole"],
      ["traces", "whole"],
    ],
    weight: light,
  },
  announce: {
    number: 9,
    docs: "A run will begin in this thread.",
    fields: [
      ["token", "whole"],
      ["slot", "run", "of the run that it comes from; -1: none"],
    ],
    weight: light,
  },
  begin: {
    number: 10,
    docs: "An announced run begins. Answered by an `invoke` whose body is held, or by `refuse`.",
    fields: [
      ["token", "whole"],
      ["route", "whole", "index into the flow's routes"],
      ["cause", "cause"],
      ["uri", "text"],
      ["traceparent", "text", 'of the message that it begins with; "": none'],
    ],
    weight: light,
  },
  withdraw: {
    number: 11,
    docs: "An announced run will not begin.",
    fields: [["token", "whole"]],
    weight: light,
  },
  finished: {
    number: 12,
    docs: "What `finish` asked for is done.",
    fields: [],
    weight: light,
  },
  mapped: {
    number: 14,
    docs: "The mappings and connections are in force.",
    fields: [["sequence", "whole", "of the last `mappings` frame that is"]],
    weight: light,
  },
  mocked: {
    number: 15,
    docs: "A mock of a test session has answered in a step's place.",
    fields: [
      ["session", "whole"],
      ["slot", "run"],
      ["call", "json", "`MockedCall`"],
    ],
    weight: { messages: 0, due: { when: "mocks", bytes: "asked" } },
  },
  steps: {
    number: 16,
    docs: "Before the result of a run that is recorded: its steps.",
    fields: [
      ["slot", "run"],
      ["steps", "json", "`WireSteps`"],
    ],
    weight: { messages: 1, due: { when: "recording", bytes: "result" } },
  },
  handled: {
    number: 17,
    docs: "A failure after which the run goes on; at most `mostHandled` per run.",
    fields: [
      ["slot", "run"],
      ["step", "step"],
      ["type", "text"],
      ["message", "text"],
      ["by", "text", "what handled it"],
      ["answer", "json", "`RemoteAnswer`"],
    ],
    weight: { messages: 0, due: { when: "run", bytes: "asked" } },
  },
  failed: {
    number: 18,
    docs: "Before the result of a run in which steps have failed: how many, and the last of them.",
    fields: [
      ["slot", "run"],
      ["count", "whole"],
      ["step", "step"],
      [
        "preview",
        "json",
        "`MessagePreview`: what that step received; none when nothing is kept, or when the result has it",
      ],
    ],
    weight: { messages: 0, due: { when: "run", bytes: "asked" } },
  },
  state: {
    number: 19,
    docs: "Asks the state store about a key in a repository of the flow, or about the value of a key. Answered by `stated`; at most `mostAsked` wait for an answer, and each answer takes the weight of a message away again.",
    fields: [
      ["id", "whole", "of the request"],
      ["slot", "run"],
      ["operation", "stateOperation"],
      ["name", "text", "of a repository that the manifest declares"],
      ["key", "text", "as `stateKey` makes it"],
      ["expected", "text", 'of `putIf`, as `valueForm` makes it; else ""'],
      ["value", "text", 'of `putIf`, as `valueForm` makes it; else ""'],
    ],
    weight: { messages: 1, due: { when: "run", bytes: "asked" } },
  },
  groups: {
    number: 25,
    docs: "Asks the state store about groups of an `aggregate` step. Answered by `stated`, or by `grouped` for `read`; counts as a `state` does.",
    fields: [
      ["id", "whole", "of the request"],
      ["slot", "run"],
      ["operation", "groupOperation"],
      ["name", "text", "of a repository that the manifest declares"],
      ["about", "json", "parts of `GroupAbout`"],
      ["message", "sentBytes", "of `append` and `fail`"],
    ],
    weight: { messages: 1, due: { when: "run", bytes: "asked" } },
  },
  ...connectionFrames,
  source: {
    number: 29,
    docs: "A route's source cannot get messages, or can again. Sent when it begins to fail, when it fails for another reason, and when it works again.",
    fields: [
      ["route", "whole", "index into the flow's routes"],
      ["failure", "text", '"": it works again'],
    ],
    weight: light,
  },
  kept: {
    number: 24,
    docs: "Before the result of a run whose message is kept: the run failed and began in this thread, or it ended in a dead letter channel. For a run that began in this thread it is answered by `stored`.",
    fields: [
      ["slot", "run"],
      ["entry", "text", 'the id of the step or completion that began the run; "": its route'],
      ["deadLetter", "whole", "1: it ended in a dead letter channel; else 0"],
      ["error", "json", "`WireError`, for a dead letter"],
      ["message", "sentBytes", "of a run that began in this thread"],
      ["problem", "text", 'why there are no bytes, or, beside bytes, why the message in them has no body; ""'],
      [
        "group",
        "text",
        'the group that is removed when its message is kept, its repository in front of it, with a slash; ""',
      ],
    ],
    weight: { messages: 0, due: { when: "run", bytes: "result" } },
  },
} as const satisfies Readonly<Record<string, ToControlFrame>>;

/** A frame's shape, with its number as a literal type. */
export type ToControlShape = (typeof toControl)[keyof typeof toControl] & ToControlFrame;

/** The numbers that frames to control begin with. */
export const ToControl = numbersOf(toControl);

/** A frame to control as its writer pushes it; a result's timings follow it. */
export type FrameToControl = FrameOf<typeof toControl>;

/** Readers of the fields of frames to control. */
export const controlFields = readersOf(toControl);

/** Finds the shape of a frame to control by its number. Throws UnknownFrame. */
export const shapeToControl: (kind: unknown) => ToControlShape = shapeFinder<ToControlShape>(toControl);
