/** The frames that a flow's thread sends to control about named connections. */
import { light, type ToControlFrame } from "./frame-weight.ts";

export const connectionFrames = {
  permit: {
    number: 26,
    docs: "Asks to open a named connection. Answered by `permitted`, which takes the weight of a message away again; at most `mostPermitsAsked` wait.",
    fields: [
      ["id", "whole", "of the request, and of the connection from then on"],
      ["slot", "run"],
      ["connection", "text", "an id in the manifest"],
      ["held", "json", "`HeldByRun`: open connections that the run has; none without any"],
    ],
    weight: { messages: 1, due: { when: "run", bytes: "asked" } },
  },
  connection: {
    number: 27,
    docs: "A connection for which the thread has asked was opened, closed, or has failed. It no longer counts after the last two, which withdraw a request that is not answered yet.",
    fields: [
      ["id", "whole", "of the request"],
      ["event", "connectionEvent"],
      ["failure", "text", 'of `failed`; else ""'],
    ],
    weight: light,
  },
  database: {
    number: 30,
    docs: "A request to the embedded database of a connection for which the thread has a place, or the end of one. Answered by `databased`, which takes the weight of a message away again; one request of a place is under way at a time.",
    fields: [
      ["id", "whole", "of the connection; 0: the one that is tried"],
      ["request", "whole"],
      ["content", "sentBytes", "an `EmbeddedRequest`, as `writeEmbedded` makes it; null: the request is cancelled"],
    ],
    weight: { messages: 1, due: { when: "place", bytes: "asked" } },
  },
  probed: {
    number: 28,
    docs: "What a `probe` has found.",
    fields: [["answer", "json", "`ProbeAnswer`"]],
    weight: { messages: 1 },
  },
  peeked: {
    number: 31,
    docs: "What a `peek` has found.",
    fields: [
      ["id", "whole", "of the request"],
      ["answer", "json", "`PeekAnswer`"],
    ],
    weight: { messages: 1 },
  },
} as const satisfies Readonly<Record<string, ToControlFrame>>;
