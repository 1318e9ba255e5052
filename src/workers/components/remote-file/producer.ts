/** Writes each message as a file of a server (Camel: RemoteFileProducer 4.22). */
import type { ProducerContext } from "../../engine/component.ts";
import type { Processor } from "../../engine/processor.ts";
import { FileArea } from "../file/area.ts";
import { fileWriter } from "../file/writer.ts";
import { endpointOf, type RemoteScheme } from "./connection.ts";
import { fileOptionsOf, type RemoteOptions } from "./file-options.ts";
import { RemoteFiles } from "./remote-files.ts";

/** Throws for contradictory or invalid options. `directoryMode`: the rights of directories that are made. */
export function remoteProducer(
  how: RemoteScheme,
  options: RemoteOptions,
  context: ProducerContext,
  directoryMode?: string,
): Processor {
  const { connection, directory } = endpointOf(options, how, context);
  const write = fileWriter(fileOptionsOf(options, directory), context);
  const area = new FileArea(".", directory);
  const { limits } = context;
  const mode = modeOf(options.chmod);
  return async (exchange) => {
    const system = new RemoteFiles(connection, {
      limits,
      run: exchange.run,
      disconnects: options.disconnect,
      mode,
      directoryMode: modeOf(directoryMode),
    });
    try {
      await write(exchange, { area, system });
    } finally {
      for (const [name, value] of system.replyHeaders) exchange.message.headers.set(name, value);
    }
  };
}

function modeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number.parseInt(text, 8);
}
