/** What a test session keeps of its runs: the recorded calls, and how the last run answered, as plain values for callers and assertions. */

import { parseExactly } from "../../../shared/exact-json.ts";
import type { AssessedResult, MockedCall } from "../../../shared/mock.ts";
import { BodyKind } from "../../../shared/protocol.ts";
import { hidden, isSecretName } from "../../../shared/redact.ts";
import type { InvocationResult } from "../../threads/invocation.ts";
import { isDeeper } from "../../threads/line/run-frames.ts";
import type { RunningRun } from "../running-run.ts";

export interface KeptCall {
  readonly call: MockedCall;
  readonly runId: string;
  /** For a child run: the id of the topmost run that waits for it. */
  readonly rootId: string;
  readonly flowId: string;
}

/** The bytes that all sessions keep together, and the most that they may. */
export interface KeptBytes {
  now: number;
  readonly most: number;
}

/** The recorded calls that a test session keeps: as many as fit; the others are counted. */
export class KeptCalls {
  readonly #most: number;
  readonly #mostBytes: number;
  readonly #total: KeptBytes;
  readonly #calls: KeptCall[] = [];
  #bytes = 0;
  /** How many calls were recorded, kept or not. */
  received = 0;

  constructor(most: number, mostBytes: number, total: KeptBytes) {
    this.#most = most;
    this.#mostBytes = mostBytes;
    this.#total = total;
  }

  /** How many calls were recorded and not kept. */
  get refused(): number {
    return this.received - this.#calls.length;
  }

  /** The bytes of the kept calls; a character of JSON counts as two. */
  get bytes(): number {
    return this.#bytes;
  }

  add(kept: KeptCall, characters: number): void {
    this.received += 1;
    const bytes = 2 * characters;
    if (this.#calls.length >= this.#most || this.#bytes + bytes > this.#mostBytes) return;
    if (this.#total.now + bytes > this.#total.most) return;
    this.#bytes += bytes;
    this.#total.now += bytes;
    this.#calls.push(kept);
  }

  /** Drops all calls: the session is forgotten. */
  forget(): void {
    this.#total.now -= this.#bytes;
    this.#bytes = 0;
    this.#calls.length = 0;
  }

  /** Returns the calls in the order in which they began. */
  all(): KeptCall[] {
    return this.#calls.toSorted((a, b) => a.call.seq - b.call.seq);
  }
}

/** JSON that is nested deeper stays text, since it could not be written as JSON again. */
const mostDepth = 500;

export interface PlainBody {
  /** A JSON value; base64 with `bodyEncoding`. */
  readonly body: unknown;
  readonly bodyEncoding?: "base64";
}

export function plainBody(result: InvocationResult | undefined): PlainBody {
  if (result === undefined) return { body: null };
  const { bodyKind, httpStatus } = result;
  // A webhook answers `ok` when no step wrote a body (triggers/http-answer.ts).
  if (bodyKind === BodyKind.unwritten) return { body: httpStatus === 204 || httpStatus === 304 ? null : "ok" };
  const body = bodyOf(result);
  if (body === null) return { body: null };
  if (typeof body !== "string") return { body: Buffer.from(body).toString("base64"), bodyEncoding: "base64" };
  return { body: jsonKinds.includes(bodyKind) ? parsed(body) : body };
}

const jsonKinds: readonly BodyKind[] = [BodyKind.json, BodyKind.value, BodyKind.jsonBytes];

/** Returns a text as a string, whether it came as a string or as bytes. */
function bodyOf({ bodyKind, body }: InvocationResult): string | Uint8Array | null {
  const text = bodyKind === BodyKind.textBytes || bodyKind === BodyKind.jsonBytes;
  return text && body !== null ? Buffer.from(body).toString() : body;
}

/** Returns the headers by name; a repeated header has a list. Values of headers with secret names are hidden. */
export function plainHeaders(result: InvocationResult | undefined): Record<string, unknown> {
  const headers: Record<string, unknown> = Object.create(null);
  for (const [name, value] of result === undefined ? [] : pairsOf(result)) {
    if (isSecretName(name)) headers[name] = hidden;
    else headers[name] = name in headers ? [headers[name], value].flat() : value;
  }
  return { ...headers };
}

/** The end of a run as a session keeps it, without the run itself; its texts are parsed only when assertions need them. */
export class KeptResult {
  /** When the run began, as in its record. */
  readonly began: number;
  readonly #result: InvocationResult | undefined;
  readonly #facts: Pick<AssessedResult, "runId" | "status" | "httpStatus" | "cut" | "error">;

  /** `mostBytes`: a body that is larger is left out. */
  constructor({ runId, record }: RunningRun, result: InvocationResult | undefined, mostBytes: number) {
    const { status, httpStatus, error } = record;
    this.began = record.began;
    const cut = bytesOf(result) > mostBytes;
    this.#result = cut && result !== undefined ? { ...result, body: null } : result;
    this.#facts = {
      ...{ runId, status, httpStatus },
      ...(cut && { cut }),
      error: error && { type: error.type, message: error.message, stepId: error.stepId },
    };
  }

  get bytes(): number {
    return bytesOf(this.#result);
  }

  read(): AssessedResult {
    const headers = plainHeaders(this.#result);
    const code = Number(headers["CamelHttpResponseCode"]);
    const httpStatus = this.#facts.httpStatus ?? (Number.isInteger(code) ? code : null);
    return { ...this.#facts, httpStatus, headers, body: comparedBody(plainBody(this.#result)) };
  }
}

/** Returns the body as assertions on recorded calls get it: bytes that may be JSON as text, others as base64. */
function comparedBody({ body, bodyEncoding }: PlainBody): unknown {
  if (bodyEncoding === undefined) return body;
  const text = Buffer.from(String(body), "base64").toString();
  return /^\s*[[{]/.test(text) ? text : body;
}

/** Returns the bytes of a result; a character counts as two. */
function bytesOf(result: InvocationResult | undefined): number {
  const { body = null, reply = "" } = result ?? {};
  return 2 * reply.length + (typeof body === "string" ? 2 * body.length : (body?.length ?? 0));
}

/** Returns the headers. When the whole exchange came back they are in `reply`, which is checked here since it comes from a thread. */
function pairsOf({ reply, headers }: InvocationResult): readonly (readonly [name: string, value: unknown])[] {
  if (reply === "") {
    const parts = headers === "" ? [] : headers.split("\n");
    return parts.flatMap((name, i) => (i % 2 === 0 ? [[name, parts[i + 1] ?? ""] as const] : []));
  }
  const extra = parsed(reply);
  const pairs = typeof extra === "object" && extra !== null && "headers" in extra ? extra.headers : [];
  return Array.isArray(pairs) ? pairs.filter((pair) => Array.isArray(pair) && typeof pair[0] === "string") : [];
}

function parsed(text: string): unknown {
  try {
    const value = parseExactly(text);
    return isDeeper(value, mostDepth) ? text : value;
  } catch {
    return text;
  }
}
