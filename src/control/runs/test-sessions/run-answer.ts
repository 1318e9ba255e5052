/** How a run answered, as plain values: for whoever invoked it, and for assertions on its result. */
import { parseExactly } from "../../../shared/exact-json.ts";
import type { AssessedResult } from "../../../shared/mock.ts";
import { BodyKind } from "../../../shared/protocol.ts";
import { hidden, isSecretName } from "../../../shared/redact.ts";
import type { InvocationResult } from "../../threads/invocation.ts";
import { isDeeper } from "../../threads/line/run-frames.ts";
import type { RunningRun } from "../running-run.ts";

/** What is deeper stays the text that it is: nobody could write it down again. */
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

/** Text as text, however it came. */
function bodyOf({ bodyKind, body }: InvocationResult): string | Uint8Array | null {
  const text = bodyKind === BodyKind.textBytes || bodyKind === BodyKind.jsonBytes;
  return text && body !== null ? Buffer.from(body).toString() : body;
}

/** By name; a repeated one is a list. Values of secret names are hidden. */
export function plainHeaders(result: InvocationResult | undefined): Record<string, unknown> {
  const headers: Record<string, unknown> = Object.create(null);
  for (const [name, value] of result === undefined ? [] : pairsOf(result)) {
    if (isSecretName(name)) headers[name] = hidden;
    else headers[name] = name in headers ? [headers[name], value].flat() : value;
  }
  return { ...headers };
}

/** The end of a run as a session keeps it, without the run; its texts are parsed when assertions are about it. */
export class KeptResult {
  /** As its run's record has it. */
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

/** As of recorded calls (assess): bytes that may be JSON as text, others as base64. */
function comparedBody({ body, bodyEncoding }: PlainBody): unknown {
  if (bodyEncoding === undefined) return body;
  const text = Buffer.from(String(body), "base64").toString();
  return /^\s*[[{]/.test(text) ? text : body;
}

/** A character is counted as two bytes. */
function bytesOf(result: InvocationResult | undefined): number {
  const { body = null, reply = "" } = result ?? {};
  return 2 * reply.length + (typeof body === "string" ? 2 * body.length : (body?.length ?? 0));
}

/** Of a run whose whole exchange comes back they are in its `extra`; what a thread says there is not to be trusted. */
function pairsOf({ reply, headers }: InvocationResult): readonly (readonly [name: string, value: unknown])[] {
  if (reply === "") {
    const parts = headers === "" ? [] : headers.split("\n");
    return parts.flatMap((name, i) => (i % 2 === 0 ? [[name, parts[i + 1] ?? ""] as const] : []));
  }
  const extra = parsed(reply);
  const told = typeof extra === "object" && extra !== null && "headers" in extra ? extra.headers : [];
  return Array.isArray(told) ? told.filter((pair) => Array.isArray(pair) && typeof pair[0] === "string") : [];
}

function parsed(text: string): unknown {
  try {
    const value = parseExactly(text);
    return isDeeper(value, mostDepth) ? text : value;
  } catch {
    return text;
  }
}
