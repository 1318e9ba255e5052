/** A run as its invoke frame brings it: its message, its exchange, and what processes it; and what its sender is answered when the message cannot be read. */
import type { Frames } from "../shared/frame-shape.ts";
import { threadFields } from "../shared/frames-to-thread.ts";
import type { Limits } from "../shared/limits.ts";
import type { HttpTrigger } from "../shared/manifest.ts";
import type { InvokeExtra } from "../shared/protocol.ts";
import { BodyKind, Outcome } from "../shared/protocol.ts";
import { decodeBody, receiveExchange } from "./bodies.ts";
import type { CompiledFlow, CompiledRoute } from "./compile/compile-flow.ts";
import { Exchange } from "./engine/exchange.ts";
import { FormError } from "./engine/form.ts";
import { Headers } from "./engine/headers.ts";
import { Message } from "./engine/message.ts";
import { jsonText } from "./engine/message-text.ts";
import { MultipartError } from "./engine/multipart.ts";
import { parseJson } from "./engine/parse-json.ts";
import type { Processor } from "./engine/processor.ts";
import type { Run } from "./engine/run.ts";
import { receiveIntoVariable } from "./engine/variables.ts";
import { entryOf, restoredExchange } from "./kept-runs.ts";
import { receiveMultipart } from "./multipart-form.ts";
import { receiveForm } from "./platform-http.ts";

const { invoke } = threadFields;

interface ReceivedRun {
  readonly exchange: Exchange;
  readonly process: Processor;
}

/** Throws for a body with a JSON content type that is not JSON, and for a form that cannot become headers. */
export function receiveRun(run: Run<Exchange>, flow: CompiledFlow, frames: Frames, at: number): ReceivedRun {
  const route = flow.route(invoke.route(frames, at));
  const extra = invoke.extra(frames, at);
  const given = extra === "" ? undefined : (parseJson(extra) as InvokeExtra);
  if (invoke.bodyKind(frames, at) !== BodyKind.kept) {
    return { exchange: exchangeOf(run, route, given, frames, at), process: route.processor };
  }
  const exchange = restoredExchange(invoke.body(frames, at) as Uint8Array, run, route, given ?? {});
  return { exchange, process: entryOf(flow, route, given?.entry) };
}

function exchangeOf(
  run: Run<Exchange>,
  route: CompiledRoute,
  given: InvokeExtra | undefined,
  frames: Frames,
  at: number,
): Exchange {
  const received = invoke.headers(frames, at);
  const headers = new Headers(run.limits, received);
  const charset = charsetIn(received);
  const { limits } = run;
  const content = textOf(invoke.bodyKind(frames, at), invoke.body(frames, at), charset);
  const message = receiveMessage(invoke.bodyKind(frames, at), content, headers, limits, route.http);
  const exchange = new Exchange(run, route.id, message);
  if (charset !== undefined) exchange.receiveCharset(charset);
  exchange.cameAsBytes = route.http !== undefined && given === undefined;
  if (given !== undefined) receiveExchange(exchange, given, false);
  if (route.variableReceive !== undefined) {
    receiveIntoVariable(exchange, route.variableReceive);
    message.restore({ ...message.snapshot(), body: null });
  }
  return exchange;
}

/** Returns the value of the last header, if it is the one that control adds there and no request can send. */
function charsetIn(received: string): string | undefined {
  const value = received.lastIndexOf("\n");
  return value > 0 && received.endsWith("\nCamelHttpCharacterEncoding", value) ? received.slice(value + 1) : undefined;
}

/** Returns the text of JSON that is not UTF-8, and other content unchanged. Throws SyntaxError for JSON in a set that is not here. */
function textOf(
  kind: BodyKind,
  content: string | Uint8Array | null,
  charset: string | undefined,
): string | Uint8Array | null {
  if (kind !== BodyKind.json || !(content instanceof Uint8Array)) return content;
  return jsonText(content, charset, (why) => new SyntaxError(why));
}

/** `http`: the trigger of a route with a path of its own, which reads forms. Throws as `refusalOf` names. */
function receiveMessage(
  kind: BodyKind,
  content: string | Uint8Array | null,
  headers: Headers,
  limits: Limits,
  http: HttpTrigger | undefined,
): Message {
  if (http !== undefined && kind === BodyKind.multipart) {
    return receiveMultipart(content as Uint8Array, headers, limits, http);
  }
  const isForm = http !== undefined && kind === BodyKind.form;
  const body = isForm ? receiveForm(content as string, headers, limits, http) : decodeBody(kind, content);
  return new Message(limits, headers, body);
}

/** Returns the outcome of a run whose message could not be read. */
export function refusalOf(error: unknown, kind: BodyKind): Outcome {
  if (error instanceof SyntaxError) return Outcome.badJson;
  if (error instanceof FormError) return Outcome.badForm;
  if (error instanceof MultipartError) return Outcome.badParts;
  if (kind === BodyKind.json) return Outcome.bigJson;
  return kind === BodyKind.form || kind === BodyKind.multipart ? Outcome.longForm : Outcome.failed;
}
