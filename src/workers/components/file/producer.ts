/** Writes each message as a file of the flow (Camel: FileOperations). */
import type { ProducerContext } from "../../engine/component.ts";
import type { Processor } from "../../engine/processor.ts";
import { flowFiles } from "./flow-files.ts";
import type { FileOptions } from "./options.ts";
import { fileWriter } from "./writer.ts";

/** Throws for contradictory or invalid options. */
export function fileProducer(options: FileOptions, context: ProducerContext): Processor {
  const files = flowFiles(options.directoryName, context);
  const write = fileWriter(options, context);
  return (exchange) => write(exchange, files());
}
