/** Lines of the audit log: JSON objects, each with the hash of the one before it. */
import { hash } from "node:crypto";

/** What is told of a call; what is not known, or not there, is null. No bodies, no queries, no secrets. */
export interface AuditEvent {
  /** The first 8 hexadecimal digits of the token's SHA-256; `anonymous`; `runtime` for what the log says of itself. */
  readonly actor: string;
  /** Of the peer, without its port. */
  readonly address: string | null;
  readonly method: string | null;
  readonly path: string | null;
  /** As the API's table names it (`flows.write`); `refused`, `refused.more`, `audit.*`. */
  readonly action: string;
  /** The id that the path names. */
  readonly resource: string | null;
  readonly status: number | null;
  /** An error's, as in X-Error-Code. */
  readonly code: string | null;
  /** Hashes of the resource's text. */
  readonly before: string | null;
  readonly after: string | null;
  readonly durationMs: number | null;
  readonly requestId: string | null;
  readonly note?: string;
}

/** A line's place in the chain. */
export interface Link {
  /** 1 for the first line that was ever written; no number is missing. */
  readonly seq: number;
  /** `hash` of the line. */
  readonly hash: string;
}

/** Before the first line. */
export const chainStart: Link = { seq: 0, hash: "0".repeat(64) };

const hashField = /,"hash":"([0-9a-f]{64})"\}$/;

/** The line with its line end, and its link. */
export function auditLine(event: AuditEvent, at: string, before: Link): { readonly text: string; readonly link: Link } {
  const seq = before.seq + 1;
  const content = JSON.stringify({ seq, at, prev: before.hash, ...event });
  const own = digest(before.hash, content);
  return { text: `${content.slice(0, -1)},"hash":"${own}"}\n`, link: { seq, hash: own } };
}

/** What a line, without its line end, says of itself; `problem`: why it is none of this log, or has been changed. */
export function readLine(
  text: string,
): { readonly link: Link; readonly prev: string; readonly problem?: undefined } | { readonly problem: string } {
  const own = hashField.exec(text)?.[1];
  if (own === undefined) return { problem: "it is not a line of an audit log" };
  const content = `${text.slice(0, -own.length - ',"hash":""}'.length)}}`;
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return { problem: "it is not JSON" };
  }
  const { seq, prev } = value as { seq?: unknown; prev?: unknown };
  if (typeof seq !== "number" || typeof prev !== "string") return { problem: "it has no seq or no prev" };
  if (digest(prev, content) !== own) return { problem: "its hash is not that of its content" };
  return { link: { seq, hash: own }, prev };
}

function digest(prev: string, content: string): string {
  return hash("sha256", prev + content);
}
