/** An endpoint of the management API: one entry of the table that the router, the OpenAPI document and `Allow` are derived from. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import type { ErrorCode } from "../../shared/errors.ts";
import type { LimitName } from "../../shared/limits.ts";
import type { QueuePlace } from "../stores/keyed-queue.ts";
import type { Media } from "./body.ts";

export type Method = "GET" | "PUT" | "POST" | "DELETE";

/** What a caller does with a resource. Changes of the same resource wait for each other, and the OpenAPI document groups by action. */
export type Action =
  | "health.read"
  | "flows.read"
  | "flows.write"
  | "flows.operate"
  | "state.read"
  | "state.write"
  | "secrets.read"
  | "runs.read"
  | "runs.cancel"
  | "runs.start"
  | "failed.list"
  | "failed.read"
  | "failed.retry"
  | "failed.discard"
  | "streams.read"
  | "runtime.read"
  | "runtime.backup"
  | "audit.read"
  | "mappings.read"
  | "mappings.write"
  | "connections.read"
  | "connections.write"
  | "connections.test"
  | "policies.read"
  | "policies.write"
  | "tests.read"
  | "tests.run";

export interface Answer {
  readonly description: string;
  /** By content type; absent: no body. */
  readonly content?: Readonly<Record<string, z.ZodType>>;
  /** Of an event stream: the data of its events, by their names. Each schema has an id. */
  readonly events?: Readonly<Record<string, z.ZodType>>;
}

interface Head {
  readonly method: Method;
  /** `:name` stands for a parameter. */
  readonly path: string;
  readonly action: Action;
  /** The `operationId` of the OpenAPI document. */
  readonly name: string;
  readonly summary: string;
  /** true: needs no bearer. The door decides; the API checks that both agree. */
  readonly open?: boolean;
  /** false: HEAD is refused, as for streams. */
  readonly head?: boolean;
  /** Successful answers by status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Errors beside those that every endpoint has. */
  readonly errors?: readonly ErrorCode[];
}

export interface BodySpec<B extends z.ZodType = z.ZodType> {
  readonly schema: B;
  readonly media: readonly Media[];
  /** true: the body of a request without one is `{}`. */
  readonly optional?: true;
  /** true: the body is not parsed, the schema only describes it, and the handler gets a RawBody. */
  readonly raw?: true;
  /** The limit of its size; absent: `managementBodyBytes`. */
  readonly limit?: LimitName;
}

export interface Endpoint extends Head {
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: BodySpec;
  /** Returns the resource for the audit log from the answer, where the path names none. */
  made?(sent: unknown): string;
  /** Returns the body of the answer. */
  handle(request: FastifyRequest, reply: FastifyReply, authenticated: boolean, place?: QueuePlace): unknown;
}

export interface Call<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly authenticated: boolean;
  /** The place of a change among those of the same resource; its turn has come. */
  readonly place: QueuePlace | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface EndpointSpec<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A> extends Head {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: BodySpec<B>;
  made?(sent: A): string;
  handle(call: Call<z.output<P>, z.output<Q>, z.output<B>>): A | Promise<A>;
}

/** Ties a handler's types to its schemas; the router has validated all three parts when the handler runs. */
export function endpoint<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A = unknown>(
  spec: EndpointSpec<P, Q, B, A>,
): Endpoint {
  const { made, ...rest } = spec;
  return {
    ...rest,
    ...(made && { made: (sent) => made(sent as A) }),
    handle: (request, reply, authenticated, place) =>
      spec.handle({
        params: request.params as z.output<P>,
        query: request.query as z.output<Q>,
        body: request.body as z.output<B>,
        authenticated,
        place,
        request,
        reply,
      }),
  };
}
