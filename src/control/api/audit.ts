/** Records management calls in the audit log: one line for each call that changes something, or tries to. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../shared/errors.ts";
import type { AuditEvent } from "../audit/audit-line.ts";
import type { AuditStatus } from "../audit/audit-log.ts";
import type { AuditPage, AuditQuery } from "../audit/read-audit.ts";
import type { Endpoint } from "./endpoint.ts";
import { toAppError } from "./errors.ts";

export interface AuditTrail {
  /** true: an answer waits until its line is on the disk, and changes are refused while lines cannot be written. */
  readonly strict: boolean;
  /** Resolves when the line survives the end of this process; with `strict` when it is on the disk. */
  note(event: AuditEvent): Promise<void>;
  /** Rejects with a system error when the log cannot be read. */
  read(query: AuditQuery): Promise<AuditPage>;
  status(): AuditStatus;
}

/** Returns the current hash of the resource that the path of an endpoint names; undefined: there is no resource, or it has no hash. */
export type HashOf = (path: string, id: string) => Promise<string | undefined>;

interface Begun {
  readonly one: Endpoint;
  readonly response: ServerResponse;
  readonly began: number;
  before: string | null;
}

interface Ended {
  readonly status: number;
  readonly code: string | null;
  readonly after: string | null;
  /** Absent: the call was refused. */
  readonly sent?: unknown;
}

export class AuditedCalls {
  readonly #trail: AuditTrail;
  readonly #hashOf: HashOf;
  readonly #actorOf: (request: IncomingMessage) => string;
  readonly #begun = new WeakMap<FastifyRequest, Begun>();

  constructor(trail: AuditTrail, hashOf: HashOf, actorOf: (request: IncomingMessage) => string) {
    this.#trail = trail;
    this.#hashOf = hashOf;
    this.#actorOf = actorOf;
  }

  arrived(request: FastifyRequest, reply: FastifyReply, one: Endpoint): void {
    if (isAudited(one)) this.#begun.set(request, { one, response: reply.raw, began: performance.now(), before: null });
  }

  /** Called when the turn of the request has come. Throws AppError `audit_failed`. */
  async begins(request: FastifyRequest): Promise<void> {
    const begun = this.#begun.get(request);
    if (begun === undefined) return;
    const { writable, reason } = this.#trail.status();
    if (this.#trail.strict && !writable) {
      throw new AppError("audit_failed", `nothing was changed, since it cannot be recorded: ${reason}`);
    }
    begun.before = await this.#hash(request, begun.one);
  }

  /** Throws AppError `audit_failed` when the line had to be on the disk and is not. */
  async done(request: FastifyRequest, reply: FastifyReply, sent: unknown): Promise<void> {
    const begun = this.#take(request);
    if (begun === undefined) return;
    const after = await this.#hash(request, begun.one);
    const noted = this.#trail.note(this.#event(request, begun, { status: reply.statusCode, code: null, after, sent }));
    await noted.catch((error: unknown) => {
      if (!this.#trail.strict) return;
      const why = error instanceof Error ? error.message : String(error);
      throw new AppError("audit_failed", `the change was made, but its record is not on the disk: ${why}`);
    });
  }

  /** Records a call that was refused, whatever the reason. */
  failed(request: FastifyRequest, error: unknown): void {
    const begun = this.#take(request);
    if (begun === undefined) return;
    const known = toAppError(error as Parameters<typeof toAppError>[0]);
    const { status = 500, code = "internal" } = known ?? {};
    void this.#trail.note(this.#event(request, begun, { status, code, after: begun.before }));
  }

  #take(request: FastifyRequest): Begun | undefined {
    const begun = this.#begun.get(request);
    this.#begun.delete(request);
    return begun;
  }

  async #hash(request: FastifyRequest, { path }: Endpoint): Promise<string | null> {
    const [id] = Object.values(request.params as Record<string, string>);
    if (id === undefined) return null;
    return (await this.#hashOf(path, id).catch(() => undefined)) ?? null;
  }

  #event(
    request: FastifyRequest,
    { one, response, began, before }: Begun,
    { status, code, after, sent }: Ended,
  ): AuditEvent {
    const named = Object.values(request.params as Record<string, string>).join("/");
    const resource = (sent === undefined ? named : (one.made?.(sent) ?? named)).slice(0, mostText);
    return {
      ...callOf(request.raw, response),
      actor: this.#actorOf(request.raw),
      action: one.action,
      resource: resource === "" ? null : resource,
      ...{ status, code, before, after },
      durationMs: Math.round((performance.now() - began) * 10) / 10,
    };
  }
}

const mostText = 300;

/** The event for a call that the door did not let in. */
export function refusedCall(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code }: AppError,
): AuditEvent & { readonly code: string } {
  const unknown = { resource: null, before: null, after: null, durationMs: null };
  return { ...callOf(request, response), actor: "anonymous", action: "refused", ...unknown, status, code };
}

function callOf(request: IncomingMessage, response: ServerResponse) {
  const { method = null, url = "" } = request;
  const path = url.split("?", 1)[0]?.slice(0, mostText) ?? null;
  return {
    address: request.socket.remoteAddress ?? null,
    method,
    path,
    requestId: String(response.getHeader("X-Request-Id")),
  };
}

/** Returns true for an endpoint that changes something, or may, and for one that hands out all that is kept. */
export function isAudited({ action, method }: Endpoint): boolean {
  if (action === "runtime.backup") return true;
  // Who reads the message of somebody else is on record.
  if (action.startsWith("failed.")) return action !== "failed.list";
  return method !== "GET" && /\.(write|operate)$|^runs\.(cancel|start)$|^(tests\.run|connections\.test)$/.test(action);
}
