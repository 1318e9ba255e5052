/** The content of a failed message: what is kept of a run's request, and the request that it becomes again. */
import { isCredentialHeader, saysJson } from "../../../shared/http-headers.ts";
import { BodyKind, type InvokeExtra } from "../../../shared/protocol.ts";
import type { FailedContent, NewMessage } from "../../state/failed-operations.ts";
import type { KeptMessage } from "../../threads/invocation.ts";
import type { RunRequest } from "../running-run.ts";
import { bodyOf } from "../test-sessions/invoked-run.ts";
import type { GivenMessage } from "../test-sessions/test-service.ts";

type Content = Pick<NewMessage, "form" | "head" | "body" | "alike">;
type Called = Pick<RunRequest, "headers" | "bodyKind" | "body" | "extra">;

/** How the content is read; the rest of it is in `head` and `body`. `entry`: as of KeptMessage. */
export interface Form {
  readonly bodyKind: BodyKind;
  readonly entry: string;
  /** true: the source could not read the body, and the headers alone are kept. */
  readonly headOnly?: true;
}

interface Head {
  readonly headers: string;
  readonly extra: string;
}

/** Headers that differ although the message is the same. */
const passing =
  /^(?:date|traceparent|tracestate|x-request-id|x-b3-.*|b3|x-amzn-trace-id|forwarded|via|x-forwarded-.*|x-real-ip|cf-ray)$/i;

/** Returns what is kept of a run that control has begun with a message of its own. Credentials are left out. */
export function calledContent({ headers, bodyKind, body, extra = "" }: Called): Content {
  const pairs = pairsOf(headers).filter(([name]) => !isCredentialHeader(name));
  const head: Head = { headers: textOf(pairs), extra: withoutCredentials(extra) };
  const form: Form = { bodyKind, entry: "" };
  const alike = pairs.filter(([name]) => !passing.test(name)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    form: JSON.stringify(form),
    head: JSON.stringify(head),
    body,
    alike: JSON.stringify([bodyKind, alike, head.extra]),
  };
}

/** Returns what is kept of a run that began in its flow's thread, which has left out credentials. */
export function threadContent({ entry, bytes, problem }: Pick<KeptMessage, "entry" | "bytes" | "problem">): Content {
  const form: Form = { bodyKind: BodyKind.kept, entry, ...(problem !== "" && { headOnly: true }) };
  return { form: JSON.stringify(form), head: "", body: bytes, alike: entry };
}

/** Whether the body is not there, since the source could not read it. A message that is over has no content any more. */
export function isHeadOnly({ form }: Pick<FailedContent, "form">): boolean {
  return form !== "" && (JSON.parse(form) as Form).headOnly === true;
}

/** Returns what the next run of a kept message begins with. `given`: what replaces its body, and headers of it. */
export function requestOf(
  { form, head, body }: FailedContent,
  { headers: edited = {}, body: newBody }: GivenMessage,
): Called {
  const { bodyKind, entry } = JSON.parse(form) as Form;
  if (bodyKind === BodyKind.kept) {
    const replaced = newBody === undefined ? undefined : bodyOf({ body: newBody, headers: edited });
    const text = replaced?.body ?? null;
    const extra: InvokeExtra = {
      ...(entry === "" ? {} : { entry }),
      headers: Object.entries(edited),
      ...(replaced && { body: { kind: replaced.bodyKind, text: text === null ? null : String(text) } }),
    };
    return { headers: "", bodyKind, body, extra: JSON.stringify(extra) };
  }
  const { headers, extra } = JSON.parse(head) as Head;
  const first = extra === "" ? {} : (JSON.parse(extra) as InvokeExtra);
  const own = Object.fromEntries(pairsOf(headers));
  const isJson = bodyKind === BodyKind.json || bodyKind === BodyKind.maybeJson || saysJson({ ...own, ...edited });
  const replaced =
    newBody === undefined
      ? { bodyKind, body }
      : bodyOf({ body: newBody, headers: isJson ? { "content-type": "application/json" } : edited });
  const joined: InvokeExtra = {
    ...first,
    headers: [...(first.headers ?? []), ...Object.entries(edited)],
  };
  return { headers, ...replaced, extra: JSON.stringify(joined) };
}

/** `name\nvalue\n...` as pairs. */
function pairsOf(headers: string): (readonly [name: string, value: string])[] {
  const parts = headers === "" ? [] : headers.split("\n");
  return parts.flatMap((name, i) => (i % 2 === 0 ? [[name, parts[i + 1] ?? ""] as const] : []));
}

function textOf(pairs: readonly (readonly [name: string, value: string])[]): string {
  return pairs.map(([name, value]) => `${name}\n${value}`).join("\n");
}

function withoutCredentials(extra: string): string {
  if (extra === "") return "";
  const { headers = [], ...rest } = JSON.parse(extra) as InvokeExtra;
  return JSON.stringify({ ...rest, headers: headers.filter(([name]) => !isCredentialHeader(name)) });
}
