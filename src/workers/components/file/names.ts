/** Names that endpoints give files: texts of the file language, which is simple with the file's headers (Camel: GenericFileEndpoint). */
import type { EndpointContext } from "../../engine/component.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { FileArea } from "./area.ts";
import { type FoundFile, fileHeaders } from "./headers.ts";

export type Name = (exchange: Exchange) => string;
type Templates = Pick<EndpointContext, "template">;

export function nameOf(text: string | undefined, { template }: Templates): Name | undefined {
  if (text === undefined) return undefined;
  return text.includes("$") ? template(text) : () => text;
}

/** `done` is a directory beside the file; `done/${file:name}.old` is a name (Camel: configureMoveOrPreMoveExpression). */
export function targetOf(text: string | undefined, templates: Templates): Name | undefined {
  if (text === undefined || text.includes("${")) return nameOf(text, templates);
  const directory = text.replace(/[/\\]$/, "");
  const from = directory.startsWith("/") ? "" : "${file:parent}/";
  return nameOf(`${from}${directory}/\${file:onlyname}`, templates);
}

/** A copy of the exchange that tells of this file and of no other (Camel: GenericFile.bindToExchange). */
export function aboutFile(exchange: Exchange, area: FileArea, file: FoundFile): Exchange {
  const copy = exchange.copy();
  copy.exception = exchange.exception;
  const { headers } = copy.message;
  const old = [...headers.entries()].map(([name]) => name).filter((name) => /^camelfile/i.test(name));
  for (const name of old) headers.delete(name);
  for (const [name, value] of fileHeaders(area, file)) headers.receive(name, value);
  return copy;
}
