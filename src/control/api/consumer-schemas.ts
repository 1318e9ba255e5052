/** The document of a consumer, in the health report and in that of its flow. */
import * as z from "zod";
import { consumerStates } from "../runs/flow-consumers.ts";

const time = z.string().nullable();

const fields = {
  routeId: z.string(),
  scheme: z.string(),
  uri: z.string(),
  peeks: z.boolean().describe("Its next messages can be looked at without being taken (peekMessages)."),
  state: z
    .enum(consumerStates)
    .describe(
      "stopped: it takes no messages; waiting: for messages, or for its next poll; running: messages are under way; backing_off: polls fail, and it waits before the next one; unknown: the flow has more consumers than have figures, and the numbers of this one are 0.",
    ),
  lastPoll: time.describe("null: it has not polled yet, or never polls."),
  nextPoll: time.describe("null: a poll is under way, or there is none."),
  lastMessageAt: time.describe("When it last took a message. null: it has taken none since the runtime's start."),
  polls: z.int().describe("Since the runtime's start, those that failed included."),
  pollFailures: z.int(),
  underWay: z.int().describe("Messages that are not acknowledged, since their runs are not over."),
  overdue: z
    .int()
    .describe(
      "Messages that are not acknowledged 10 s after the limit of their runs, which is a fault of the runtime. They were given back where the protocol can.",
    ),
  backlog: z
    .int()
    .nullable()
    .describe("Messages that wait where it takes them, of a topic its lag, as of its last poll; null: not known."),
  done: z.int().describe("Messages whose runs ended well, since the runtime's start."),
  failed: z.int(),
  lost: z.int().describe("Messages whose runs did not begin, or could not be kept: they come again."),
  redelivered: z.int().describe("Messages that their server had delivered before, since the runtime's start."),
  failingSince: time.describe("The first poll that failed since one was well; null: the last one was."),
  attempts: z.int().describe("Polls that have failed since then."),
  lastError: z.object({ message: z.string(), at: z.string() }).nullable(),
};

export const consumerSchema = z.object(fields).meta({ id: "Consumer" });

export const flowConsumerSchema = z.object({ flowId: z.string(), ...fields }).meta({ id: "FlowConsumer" });
