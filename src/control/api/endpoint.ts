/** What an endpoint of the management API is: one entry of the table, from which router, OpenAPI document and `Allow` follow. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import type { ErrorCode } from "../../shared/errors.ts";
import type { LimitName } from "../../shared/limits.ts";
import type { Place } from "../stores/keyed-queue.ts";
import type { Media } from "./body.ts";

export type Method = "GET" | "PUT" | "POST" | "DELETE";

/** What a caller does with a resource: changes of the same thing wait for each other, and the document sorts by them. */
export type Action =
  | "health.read"
  | "flows.read"
  | "flows.write"
  | "flows.operate"
  | "runs.read"
  | "runs.cancel"
  | "streams.read"
  | "runtime.read"
  | "mappings.read"
  | "mappings.write"
  | "policies.read"
  | "policies.write"
  | "tests.run";

export interface Answer {
  readonly description: string;
  /** By content type; absent: no body. */
  readonly content?: Readonly<Record<string, z.ZodType>>;
}

interface Head {
  readonly method: Method;
  /** With `:name` for parameters. */
  readonly path: string;
  readonly action: Action;
  /** The `operationId` of the OpenAPI document. */
  readonly name: string;
  readonly summary: string;
  /** true: needs no bearer. Only the door decides; the API checks that both agree. */
  readonly open?: boolean;
  /** false: a HEAD is refused, as with streams. */
  readonly head?: boolean;
  /** Successful answers by status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Errors of its own, beside those that every endpoint has. */
  readonly errors?: readonly ErrorCode[];
}

export interface BodySpec<B extends z.ZodType = z.ZodType> {
  readonly schema: B;
  readonly media: readonly Media[];
  /** true: a request without a body has `{}`. */
  readonly optional?: true;
  /** true: nothing of it is parsed; the schema describes it, and the handler is given a RawBody. */
  readonly raw?: true;
  /** The limit for its size; absent: `managementBodyBytes`. */
  readonly limit?: LimitName;
}

export interface Endpoint extends Head {
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: BodySpec;
  /** What the audit log names, of an answer, where the path names nothing. */
  made?(sent: unknown): string;
  /** Returns what is sent as the body. */
  handle(request: FastifyRequest, reply: FastifyReply, authenticated: boolean, place?: Place): unknown;
}

export interface Call<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly authenticated: boolean;
  /** Of a change: its place among those of the same thing, whose turn has come. */
  readonly place: Place | undefined;
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
