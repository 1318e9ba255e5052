/** The `direct` component (Camel: DirectComponent): one route calls another. */
import { defineComponent } from "../engine/component.ts";
import { exceptionMessage, FlowException } from "../engine/exception.ts";
import type { Processor } from "../engine/processor.ts";

const noWaiting = "a call whose target is missing fails at once: leave it out";

export const direct = defineComponent({
  scheme: "direct",
  docs: "Calls the route that consumes the same name, in this flow on the same exchange, else in a flow of the same group.",
  path: "name",
  options: (z, { text, flag, idle, oneOf, only, refused }) =>
    z.object({
      name: text("The name that callers and the called route have in common."),
      shared: flag("Lets flows of other groups call the route; written in `from`.").optional(),
      failIfNoConsumers: flag(
        "A name that no route has fails the message; with `false` it goes on unchanged. Written in `to`.",
      ).optional(),
      block: only(false, noWaiting),
      timeout: refused(noWaiting),
      synchronous: refused("a direct call always ends before the next step begins: leave it out"),
      lazyStartProducer: refused("producers are made when the flow is deployed: leave it out"),
      exchangePattern: idle(
        (words) => oneOf(["InOnly", "InOut"], words),
        "a called route keeps its caller's exchange pattern, as in Camel",
      ),
      bridgeErrorHandler: refused("errors of a called route always reach its caller: leave it out"),
      exceptionHandler: refused("errors of a called route always reach its caller: leave it out"),
    }),
  example: `from:
  uri: direct:greet
  steps:
    - setBody: { expression: { simple: { expression: "Hello \${body}" } } }`,
  once: false,
  consumer({ name, shared, failIfNoConsumers, block }) {
    if (failIfNoConsumers !== undefined || block !== undefined) {
      throw new Error("failIfNoConsumers and block belong to the caller: write them in 'to'");
    }
    return { kind: "direct", name, shared: shared ?? false };
  },
  effect: "writes",
  producer({ name, shared, failIfNoConsumers, exchangePattern }, context) {
    if (exchangePattern !== undefined) throw new Error("the pattern stands beside the uri: 'pattern: InOut'");
    if (shared !== undefined) throw new Error("shared belongs to the called route: write it in its 'from'");
    const { call } = context.direct(name);
    return failIfNoConsumers !== false ? call : ignoringMissing(name, call);
  },
});

/** failIfNoConsumers=false: without a consumer the exchange continues unchanged (Camel: DirectProducer). */
function ignoringMissing(name: string, call: Processor): Processor {
  return async (exchange) => {
    try {
      await call(exchange);
    } catch (error) {
      if (!isMissing(error, name)) throw error;
    }
  };
}

/** Tests the name in the message, since a nested call may lack another consumer. */
function isMissing(error: unknown, name: string): boolean {
  return (
    error instanceof FlowException &&
    error.type.endsWith("DirectConsumerNotAvailableException") &&
    exceptionMessage(error).includes(`'direct:${name}'`)
  );
}
