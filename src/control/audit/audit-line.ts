/** Lines of the audit log: JSON objects, each with the hash of the one before it. */
import { hash } from "node:crypto";
import { escapeControls } from "../../shared/escape-controls.ts";

/** What a line records of a call; what is unknown or absent is null. No bodies, no queries, no secrets. */
export interface AuditEvent {
  /** The first 8 hexadecimal digits of the token's SHA-256; `anonymous`; `runtime` for the log's own lines. */
  readonly actor: string;
  /** The peer's IP address, without its port. */
  readonly address: string | null;
  readonly method: string | null;
  readonly path: string | null;
  /** The action's name in the API's table (`flows.write`), or one of `ownActions`. */
  readonly action: string;
  /** The id that the path names. */
  readonly resource: string | null;
  readonly status: number | null;
  /** The error code, as in X-Error-Code; null: the call succeeded. */
  readonly code: string | null;
  /** Hash of the resource's text before the call, and below after it. */
  readonly before: string | null;
  readonly after: string | null;
  readonly durationMs: number | null;
  readonly requestId: string | null;
  readonly note?: string;
}

/** Actions of lines that the log writes of itself, and of calls that the door has refused. */
export const ownActions = ["refused", "refused.more", "audit.torn", "audit.restarted", "audit.lost"] as const;

/** A line's place in the chain. */
export interface Link {
  /** 1 for the first line that was ever written; no number is missing. */
  readonly seq: number;
  /** The SHA-256 that the line carries of itself. */
  readonly hash: string;
}

/** A line as it is written. */
export interface AuditEntry extends AuditEvent, Link {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The hash of the line before. */
  readonly prev: string;
}

/** The link that the first line follows. */
export const chainStart: Link = { seq: 0, hash: "0".repeat(64) };

const hashField = /,"hash":"([0-9a-f]{64})"\}$/;

/** Makes a line, with its line end, and the link that the next line follows. */
export function auditLine(event: AuditEvent, at: string, before: Link): { readonly text: string; readonly link: Link } {
  const seq = before.seq + 1;
  const content = escapeControls(JSON.stringify({ seq, at, prev: before.hash, ...event }));
  const own = digest(before.hash, content);
  return { text: `${content.slice(0, -1)},"hash":"${own}"}\n`, link: { seq, hash: own } };
}

/** Reads a line without its line end; `problem`: why it does not belong to this log, or was changed. */
export function readLine(
  text: string,
): { readonly link: Link; readonly entry: AuditEntry; readonly problem?: undefined } | { readonly problem: string } {
  const own = hashField.exec(text)?.[1];
  if (own === undefined) return { problem: "it is not a line of an audit log" };
  const content = `${text.slice(0, -own.length - ',"hash":""}'.length)}}`;
  let value: Readonly<Record<string, unknown>>;
  try {
    value = JSON.parse(content) as typeof value;
  } catch {
    return { problem: "it is not JSON" };
  }
  const { seq, prev } = value;
  if (!isWhole(seq) || typeof prev !== "string") return { problem: "it has no seq or no prev" };
  if (digest(prev, content) !== own) return { problem: "its hash is not that of its content" };
  return { link: { seq, hash: own }, entry: { ...eventOf(value), seq, prev, hash: own } };
}

/** What another version has written may lack a field. */
function eventOf(value: Readonly<Record<string, unknown>>): AuditEvent & Pick<AuditEntry, "at"> {
  const text = (name: string): string | null => (typeof value[name] === "string" ? value[name] : null);
  const { status, durationMs } = value;
  const note = text("note");
  return {
    at: text("at") ?? "",
    actor: text("actor") ?? "",
    address: text("address"),
    method: text("method"),
    path: text("path"),
    action: text("action") ?? "",
    resource: text("resource"),
    status: isWhole(status) ? status : null,
    code: text("code"),
    before: text("before"),
    after: text("after"),
    durationMs: typeof durationMs === "number" ? durationMs : null,
    requestId: text("requestId"),
    ...(note !== null && { note }),
  };
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function digest(prev: string, content: string): string {
  return hash("sha256", prev + content);
}
