/** A message as it is typed, and as a test has it. */

import { indented } from "../runs/messages.ts";
import type { FlowTest } from "../tests/test-file.ts";
import { messageFor } from "./send-message.ts";

export interface Draft {
  readonly routeId: string;
  readonly body: string;
  /** `Name: value`, one a line. */
  readonly headers: string;
}

export interface TryRoute {
  readonly id: string;
  readonly uri: string;
  readonly webhook?: string | undefined;
}

export const noDraft: Draft = { routeId: "", body: "", headers: "" };

/** The message, begun as the route's callers begin it. A body that is JSON is sent as JSON. */
export function messageOf({ body, headers: lines }: Draft, route: TryRoute): Omit<FlowTest, "name"> {
  const headers = headersOf(lines);
  const begun = messageFor(route.id, route.uri);
  const value = body === "" ? undefined : readBody(body);
  const content = { ...(Object.keys(headers).length > 0 && { headers }), ...(value !== undefined && { body: value }) };
  if (begun.post === undefined) return { ...begun, invoke: { ...begun.invoke, ...content } };
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  // JSON that would lose something on the way, such as the digits of a long number, is sent as it is typed.
  const isTypedJson = typeof value === "string" && indented(value) !== value && !hasType;
  const typed = isTypedJson ? { headers: { "Content-Type": "application/json", ...headers } } : {};
  return { post: { ...begun.post, path: route.webhook ?? begun.post.path, ...content, ...typed } };
}

/** What is typed again: the message of a test or an example. */
export function draftOf({ post, invoke, replaceFrom }: Omit<FlowTest, "name">, routes: readonly TryRoute[]): Draft {
  const { body, headers = {} } = (post ?? invoke ?? {}) as { body?: unknown; headers?: Record<string, unknown> };
  const route = routes.find((one) => {
    const own = messageFor(one.id, one.uri);
    if (post !== undefined) return (one.webhook ?? own.post?.path) === post.path;
    return own.replaceFrom === undefined
      ? own.invoke?.["endpoint"] === invoke?.["endpoint"] && own.post === undefined
      : replaceFrom !== undefined && one.id in replaceFrom;
  });
  return {
    routeId: route?.id ?? "",
    body: body === undefined ? "" : typeof body === "string" ? indented(body) : JSON.stringify(body, null, 2),
    headers: Object.entries(headers)
      .map(([name, value]) => `${name}: ${String(value)}`)
      .join("\n"),
  };
}

/** The line that is no header; undefined: all are. */
export function wrongHeader(lines: string): string | undefined {
  return lines.split("\n").find((line) => line.trim() !== "" && !/^[^\s:]+\s*:/.test(line));
}

function headersOf(lines: string): Record<string, string> {
  const pairs = lines.split("\n").flatMap((line): [string, string][] => {
    const at = line.indexOf(":");
    return at <= 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
  });
  return Object.fromEntries(pairs);
}

/** An object or a list as a value when nothing of it is lost, anything else as the text that it is. */
export function readBody(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return indented(JSON.stringify(value)) === indented(text) ? value : text;
  } catch {
    return text;
  }
}
