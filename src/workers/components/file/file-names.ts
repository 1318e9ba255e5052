/** The names under which messages are written (Camel: GenericFileProducer.createFileName, createTempFileName). */
import type { ProducerContext } from "../../engine/component.ts";
import { asText } from "../../engine/convert.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { type FileArea, onlyName } from "./area.ts";
import { refusal } from "./failure.ts";
import { nameOf } from "./headers.ts";
import type { FileOptions } from "./options.ts";

interface FileNames {
  /** Throws IllegalArgumentException for a name outside the allowed directory. */
  target(exchange: Exchange, area: FileArea): string;
  /** Returns the path where the file is written first; undefined without one. */
  temporary(exchange: Exchange, area: FileArea, path: string): string | undefined;
}

type NameOptions = Pick<FileOptions, "fileName" | "flatten" | "jailStartingDirectory" | "tempFileName" | "tempPrefix">;

export function fileNames(options: NameOptions, context: ProducerContext): FileNames {
  const { flatten, jailStartingDirectory, tempPrefix } = options;
  const named = nameOf(options.fileName, context);
  const prefixed = tempPrefix === undefined ? undefined : `${tempPrefix}\${file:onlyname}`;
  const temporary = nameOf(options.tempFileName ?? prefixed, context);
  return {
    target(exchange, area) {
      const given = named === undefined ? givenName(exchange) : named(withName(exchange, givenName(exchange)));
      const name = given ?? exchange.id;
      const flat = flatten ? onlyName(name) : name;
      if (flat === "") throw refusal(`Cannot store file: ${area.name} (its name is empty)`);
      return jailStartingDirectory ? area.inside(flat) : area.anywhere(flat);
    },
    temporary(exchange, area, path) {
      if (temporary === undefined) return undefined;
      const name = temporary(withName(exchange, givenName(exchange) ?? onlyName(path)));
      return area.beside(path, name);
    },
  };
}

/** CamelOverruleFileName precedes CamelFileName, and is used once. */
function givenName({ message: { headers } }: Exchange): string | undefined {
  const given = headers.get("CamelOverruleFileName") ?? headers.get("CamelFileName");
  return given === undefined || given === null ? undefined : asText(given);
}

function withName(exchange: Exchange, name: string | undefined): Exchange {
  const { headers } = exchange.message;
  if (name === undefined || headers.get("CamelFileName") === name) return exchange;
  const copy = exchange.copy();
  copy.message.headers.receive("CamelFileName", name);
  return copy;
}
