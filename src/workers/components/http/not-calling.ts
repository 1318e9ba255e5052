/** The producer where nothing can be called: it is checked like any other, and fails when a message comes. */
import type { ProducerContext } from "../../engine/component.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Processor } from "../../engine/processor.ts";
import type { HttpOptions } from "./options.ts";
import { settingsOf } from "./settings.ts";

/** Throws an Error that says what is wrong with the endpoint. */
export function notCalling(scheme: "http" | "https", options: HttpOptions, context: ProducerContext): Processor {
  settingsOf(scheme, options, context.parameters, context.limits);
  return () => {
    throw new FlowException(
      "EgressDeniedException",
      `this flow's thread has no network, since nothing in its text says that it calls '${scheme}:' endpoints`,
    );
  };
}
