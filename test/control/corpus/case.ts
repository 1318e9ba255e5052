/** One request that is bad, or looks like it, and what must come back. */
import type { ErrorCode } from "../../../src/shared/errors.ts";

interface Expected {
  /** Unique in its group. */
  readonly name: string;
  readonly status: number;
  /** The answer's `X-Error-Code`; absent: no error. */
  readonly code?: ErrorCode;
  /** Of an error's message, else of the body. */
  readonly says?: RegExp;
  /** Must not be found in the body. */
  readonly not?: RegExp;
  /** A response header and what it holds. */
  readonly header?: readonly [name: string, value: RegExp];
}

/** Sent by fetch, over connections that are used again and again. */
export interface FetchCase extends Expected {
  readonly method: string;
  readonly path: string;
  /** null takes one of the usual headers away. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Uint8Array;
}

/** Written to a socket of its own. */
export interface RawCase extends Expected {
  /** Latin-1: one character a byte. `TOKEN` stands for the deploy token. */
  readonly bytes: string;
  /**
   * What becomes of a good request that is written right behind. `dropped`: it is not executed, this case's answer is the only
   * one, and the connection ends. `served`: it is answered too. Absent: nothing is written behind, the case asks for the end itself.
   */
  readonly behind?: "dropped" | "served";
  /** true: the caller's side of the connection is closed after the bytes. */
  readonly ends?: boolean;
}

export type Case = FetchCase | RawCase;

export interface Group {
  readonly group: string;
  readonly cases: readonly Case[];
}

/** A whole request with the deploy token; `Connection: close` only where nothing follows. */
export function rawRequest(line: string, headers: readonly string[] = [], body = ""): string {
  return [`${line} HTTP/1.1`, "Host: localhost", ...headers, "", body].join("\r\n");
}

/** The same as `rawRequest`, with the end of the connection asked for. */
export function lastRequest(line: string, headers: readonly string[] = [], body = ""): string {
  return rawRequest(line, ["Connection: close", ...headers], body);
}

export const bearer = "Authorization: Bearer TOKEN";
