/** The frames that control sends to a flow's thread. */
import { type FrameOf, type FrameShape, numbersOf, readersOf, shapeFinder } from "./frame-shape.ts";

export const toThread = {
  adopt: {
    number: 5,
    docs: "The first frame that a blank thread gets, in a message of its own: its flow. Answered by `ready` or `refused`.",
    fields: [["attachment", "attachment"]],
  },
  invoke: {
    number: 1,
    docs: "Begins a run. Answered by `result`.",
    fields: [
      ["slot", "slot"],
      ["route", "whole", "index into the flow's routes"],
      ["hops", "hops", "the calls above a child run or an announced one; -1: a run of its own"],
      ["headers", "text"],
      ["bodyKind", "bodyKind"],
      ["body", "givenBody"],
      ["extra", "json", "`InvokeExtra`"],
    ],
  },
  cancel: {
    number: 2,
    docs: "Asks a run to end.",
    fields: [
      ["slot", "slot"],
      ["reason", "text"],
    ],
  },
  reply: {
    number: 3,
    docs: "Answers a `call` or a `route`.",
    fields: [
      ["id", "whole", "of the call"],
      ["bodyKind", "bodyKind"],
      ["body", "givenBody"],
      ["extra", "json", "`ResultExtra`"],
    ],
  },
  end: {
    number: 4,
    docs: "The thread finishes the runs that it has, and its attachment is over.",
    fields: [],
  },
  refuse: {
    number: 6,
    docs: "An announced run does not begin.",
    fields: [
      ["token", "whole"],
      ["reason", "text"],
    ],
  },
  serve: {
    number: 7,
    docs: "The flow serves from now on. Sent again whenever this changes; not to a thread without `lifecycle` as long as all routes run.",
    fields: [["running", "text", "for each route of the manifest `1` when it runs and `0` when it does not"]],
  },
  halt: {
    number: 8,
    docs: "The flow ends or is replaced: its own sources begin nothing more. Only to threads whose manifest has `lifecycle`.",
    fields: [],
  },
  finish: {
    number: 9,
    docs: "No run is under way: what the thread keeps between runs is finished. Answered by `finished`. Only to threads whose manifest has `lifecycle`.",
    fields: [
      [
        "end",
        "text",
        "`ends`: the flow ends; `replaced`: another deployment serves; `leaves`: other threads of the deployment serve",
      ],
    ],
  },
  mappings: {
    number: 10,
    docs: "Mappings and named connections. Runs that begin behind this frame see these mappings; runs that have begun keep what they have. Connections that are opened from here on are as these say. Answered by `mapped`.",
    fields: [
      ["sequence", "whole"],
      ["changed", "resources", "those that are new or have another version"],
      ["gone", "resourceKeys"],
    ],
  },
  arm: {
    number: 11,
    docs: "A test session, before its first run in this thread.",
    fields: [
      ["session", "whole"],
      ["task", "armTask"],
    ],
  },
  disarm: {
    number: 12,
    docs: "No run of this test session will come any more.",
    fields: [["session", "whole"]],
  },
  test: {
    number: 13,
    docs: "The run of the `invoke` frame behind it is in these test sessions.",
    fields: [["sessions", "sessions", "in the order in which their mocks are tried"]],
  },
  forgotten: {
    number: 15,
    docs: "Keys of a repository were removed by the management API. Only to threads of flows that declare the repository.",
    fields: [
      ["name", "text"],
      ["key", "text", '"": all of them'],
    ],
  },
  stated: {
    number: 14,
    docs: "Answers a `state`: what it has changed survives a loss of power.",
    fields: [
      ["id", "whole", "of the request"],
      ["failure", "text", 'code of a failure, after which nothing has changed; "": there is none'],
      [
        "answer",
        "text",
        'of a failure its message; of `claim` `new`, `taken` or `stored`; of `look` `none`, `taken` or `stored`. For `get` and `putIf` it is the value of the key, as `valueForm` makes it; else ""',
      ],
    ],
  },
  grouped: {
    number: 25,
    docs: "Answers `read` of a `groups` frame.",
    fields: [
      ["id", "whole", "of the request"],
      ["messages", "givenBody", "as `GroupOperations.read` has them"],
    ],
  },
  permitted: {
    number: 26,
    docs: "Answers a `permit`: the thread may open the connection, and reports what becomes of it in `connection` frames.",
    fields: [
      ["id", "whole", "of the request"],
      ["type", "text", 'the class of the exception when it may not; "": it may'],
      ["failure", "text", "why it may not"],
      ["secrets", "json", "`ConnectionSecrets`"],
    ],
  },
  wanted: {
    number: 27,
    docs: "Whether others wait for connections of which this thread has some: it gives back those that it does not use.",
    fields: [
      ["connection", "text", "the id in the manifest"],
      ["wanted", "whole", "1: others wait; 0: no more"],
    ],
  },
  databased: {
    number: 30,
    docs: "Answers a `database`. Request 0: the connection to the database is lost.",
    fields: [
      ["id", "whole", "of the connection; 0: the one that is tried"],
      ["request", "whole"],
      ["failure", "json", "`EmbeddedFailure`"],
      ["content", "givenBody", "an `EmbeddedAnswer`, as `writeEmbedded` makes it; null: it has failed"],
    ],
  },
  probe: {
    number: 28,
    docs: "Opens a connection once, asks the server for its version and closes the connection. Answered by `probed`. Only to a thread whose flow is empty.",
    fields: [["settings", "json", "`ConnectionSettings`"]],
  },
  peek: {
    number: 31,
    docs: "Looks at the messages that wait for the source of a route, which stay where they are. Answered by `peeked`.",
    fields: [
      ["id", "whole", "of the request"],
      ["route", "whole", "index into the flow's routes"],
      ["limit", "whole", "the most messages"],
    ],
  },
  stored: {
    number: 24,
    docs: "The message of a `kept` frame is durable, or cannot be kept. The run's source may acknowledge it, or must not.",
    fields: [
      ["token", "whole", "of the run's announcement"],
      ["problem", "text", '"": it is durable'],
    ],
  },
} as const satisfies Readonly<Record<string, FrameShape>>;

type ToThreadShape = (typeof toThread)[keyof typeof toThread];

/** The numbers that frames to a thread begin with. */
export const ToThread = numbersOf(toThread);

/** A frame to a thread as its writer pushes it. */
export type FrameToThread = FrameOf<typeof toThread>;

/** Readers of the fields of frames to a thread. */
export const threadFields = readersOf(toThread);

/** Finds the shape of a frame to a thread by its number. Throws UnknownFrame. */
export const shapeToThread: (kind: unknown) => ToThreadShape = shapeFinder<ToThreadShape>(toThread);
