/** The `poll` step (Camel: PollReifier, PollProcessor): the simpler `pollEnrich`, for an endpoint of the flow's text. */
import type { EndpointModel, ExpressionModel } from "../../shared/flow-model.ts";
import type { Poll } from "../engine/poller.ts";
import { pollInto } from "../engine/polling.ts";
import type { Expression } from "../engine/processor.ts";
import { sendWith } from "../engine/send.ts";
import { type CompileContext, defineStep } from "../engine/step.ts";

export const poll = defineStep({
  name: "poll",
  docs: "Takes one message from an endpoint, a file, a queue or a server; it replaces the body, and its headers are added. Without a message in time the body is null.",
  short: "endpoint",
  options: (z, { polled, duration, text }) =>
    z.object({
      endpoint: polled("The address that is polled; a simple template: `file:in?fileName=${header.name}`."),
      timeout: duration(
        "How long it waits for a message; 0: not at all, below 0: until the run's own time is over.",
      ).default(20_000),
      variableReceive: text("The variable that gets the message; body and headers stay as they are.").optional(),
    }),
  example: "poll: { uri: seda:orders, timeout: 0 }",
  compile({ endpoint, timeout, variableReceive }, context) {
    const pollFor = "scheme" in endpoint ? fixed(endpoint, context) : dynamic(endpoint, context);
    return sendWith(
      (exchange) => pollInto(exchange, pollFor(exchange), { timeout }),
      { variableReceive },
      context.useVariable,
    );
  },
});

type PollFor = (exchange: Parameters<Expression>[0]) => Poll;

function fixed(endpoint: EndpointModel, context: CompileContext): PollFor {
  const only = context.poll(endpoint);
  return () => only;
}

/** Names of files are the endpoint's own: `${file:...}` is left to it (Camel: the language simple-no-file). */
const fileFunction = /\$\{file:[^{}]*\}/g;
const kept = /\uE000(\d+)\uE001/g;

function dynamic(uri: ExpressionModel, context: CompileContext): PollFor {
  const functions: string[] = [];
  const text = uri.text.replaceAll(fileFunction, (written) => `\uE000${functions.push(written) - 1}\uE001`);
  const written = context.text({ ...uri, text });
  const pollOf = context.dynamicPoll({ from: uri });
  return (exchange) => pollOf(written(exchange).replaceAll(kept, (_, index) => functions[Number(index)] ?? ""));
}
