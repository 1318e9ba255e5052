/**
 * `${file:name}` and similar functions read the headers of a consumed file (Camel: FileLanguage,
 * FileExpressionBuilder).
 */
import { convertTo } from "../../../engine/convert.ts";
import { ExpressionSyntaxError } from "../../../engine/exception.ts";
import type { Exchange } from "../../../engine/exchange.ts";
import { suggestion } from "../did-you-mean.ts";
import { type Eval, type FunctionTable, simpleText } from "../eval.ts";

export const fileFunctions: FunctionTable = {
  file: (call) => {
    const name = call.rest.slice(1);
    const read = call.rest.startsWith(":") && Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (read !== undefined) return read;
    const advice = suggestion(name, Object.keys(parts)) || `: write one of ${Object.keys(parts).join(", ")}`;
    throw new ExpressionSyntaxError(`Unknown file language syntax: ${name.slice(0, 40)}${advice}`, call.index);
  },
};

/** Reads text from a header; null without the header. */
function readHeaderText(header: string, work: (text: string) => string | null = (text) => text): Eval {
  return (exchange) => {
    const value = exchange.message.headers.get(header) ?? null;
    return value === null ? null : work(simpleText(value, exchange));
  };
}

function converted(header: string, type: string): Eval {
  return (exchange: Exchange) => convertTo(exchange.message.headers.get(header) ?? null, type);
}

const parts: Readonly<Record<string, Eval>> = {
  name: readHeaderText("CamelFileName"),
  "name.noext": readHeaderText("CamelFileName", withoutExtension),
  "name.noext.single": readHeaderText("CamelFileName", withoutLastExtension),
  "name.ext": readHeaderText("CamelFileName", extension),
  "name.ext.single": readHeaderText("CamelFileName", lastExtension),
  onlyname: readHeaderText("CamelFileNameOnly", withoutPath),
  "onlyname.noext": readHeaderText("CamelFileNameOnly", (name) => withoutExtension(withoutPath(name))),
  "onlyname.noext.single": readHeaderText("CamelFileNameOnly", (name) => withoutLastExtension(withoutPath(name))),
  ext: readHeaderText("CamelFileName", extension),
  parent: readHeaderText("CamelFileParent"),
  path: readHeaderText("CamelFilePath"),
  absolute: converted("CamelFileAbsolute", "java.lang.Boolean"),
  "absolute.path": readHeaderText("CamelFileAbsolutePath"),
  size: converted("CamelFileLength", "java.lang.Long"),
  length: converted("CamelFileLength", "java.lang.Long"),
  modified: converted("CamelFileLastModified", "java.lang.Long"),
};

function withoutPath(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** Returns where the extension begins: after the first dot of the name itself; -1 without a dot. */
function dotOf(name: string): number {
  return name.indexOf(".", name.lastIndexOf("/") + 1);
}

function extension(name: string): string | null {
  const dot = dotOf(name);
  return dot < 0 ? null : name.slice(dot + 1);
}

function lastExtension(name: string): string | null {
  return dotOf(name) < 0 ? null : name.slice(name.lastIndexOf(".") + 1);
}

function withoutExtension(name: string): string {
  const dot = dotOf(name);
  return dot < 0 ? name : name.slice(0, dot);
}

function withoutLastExtension(name: string): string {
  return dotOf(name) < 0 ? name : name.slice(0, name.lastIndexOf("."));
}
