/** The management API: the table of its endpoints, and the router that serves them behind the door. */
import type { IncomingMessage } from "node:http";
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { serializerCompiler } from "fastify-type-provider-zod";
import type { Limits } from "../../shared/limits.ts";
import { errorAnswer } from "../http/reply.ts";
import type { Admission, ManagementHandler } from "../http/server.ts";
import { Places, type QueuePlace } from "../stores/keyed-queue.ts";
import { AuditedCalls } from "./audit.ts";
import { auditEndpoints } from "./audit-log.ts";
import { backupEndpoints } from "./backup.ts";
import { readBody } from "./body.ts";
import { catalogEndpoints, limitEndpoints } from "./catalog.ts";
import { connectionEndpoints } from "./connections.ts";
import { deploymentsEndpoints } from "./deployments.ts";
import type { Endpoint } from "./endpoint.ts";
import { allowedMethods, noEndpoint, toAppError } from "./errors.ts";
import { expressionEndpoints } from "./expressions.ts";
import { failedEndpoints } from "./failed.ts";
import { flowStateEndpoints } from "./flow-state.ts";
import { flowEndpoints } from "./flows.ts";
import { healthEndpoints, OpenHealth } from "./health.ts";
import { messageMappingEndpoints, valueMappingEndpoints } from "./mappings.ts";
import { openapiEndpoints, schemaOf } from "./openapi.ts";
import { openapiDocument } from "./openapi-document.ts";
import { peekEndpoints } from "./peek.ts";
import { policyEndpoints } from "./policies.ts";
import { partCompiler } from "./request-parts.ts";
import { runNowEndpoints } from "./run-now.ts";
import { runEndpoints } from "./runs.ts";
import { secretEndpoints } from "./secrets.ts";
import type { Services } from "./services.ts";
import { streamEndpoints } from "./streams.ts";
import { testSessionEndpoints } from "./test-sessions.ts";
import { metricEndpoints, usageEndpoints } from "./usage.ts";

/** All endpoints of the API. `openapi` returns the document that describes them. */
export function endpointTable(services: Services, openapi: () => object | Promise<object>): readonly Endpoint[] {
  return [
    ...healthEndpoints(services),
    ...flowEndpoints(services),
    ...deploymentsEndpoints(services),
    ...flowStateEndpoints(services),
    ...secretEndpoints(services),
    ...policyEndpoints(services),
    ...valueMappingEndpoints(services),
    ...messageMappingEndpoints(services),
    ...connectionEndpoints(services),
    ...runEndpoints(services),
    ...runNowEndpoints(services),
    ...peekEndpoints(services),
    ...failedEndpoints(services),
    ...testSessionEndpoints(services),
    ...expressionEndpoints(services),
    ...streamEndpoints(services),
    ...limitEndpoints(services),
    ...metricEndpoints(services),
    ...usageEndpoints(services),
    ...catalogEndpoints(services),
    ...auditEndpoints(services),
    ...backupEndpoints(services),
    ...openapiEndpoints(openapi),
  ];
}

/** Builds the API. It does not listen, and serves only requests that the door has let in. */
export async function createManagementApi(services: Services): Promise<ManagementHandler> {
  const admissions = new WeakMap<IncomingMessage, Admission>();
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    routerOptions: {
      // Longer than any target that the door lets in, so that a long id is answered with `bad_id`.
      maxParamLength: services.limits.values.requestHeaderBytes,
      querystringParser: (text) => queryOf(text),
    },
  });
  app.setValidatorCompiler(partCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeAllContentTypeParsers();
  // readBody reads bodies, after the rest of the request was validated.
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  const { audit } = services;
  const audited = audit && new AuditedCalls(audit.trail, audit.hashOf, services.actorOf);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    audited?.failed(request, error);
    sendFailure(services, error, reply);
  });

  let document: Promise<object> | undefined;
  const endpoints: readonly Endpoint[] = endpointTable(
    services,
    () => (document ??= openapiDocument(endpoints, services.runtime.version)),
  );
  app.addHook("onRequest", async (request, reply) => {
    const admission = admissions.get(request.raw);
    if (admission === undefined) throw new Error("a request came round the door");
    if (!request.is404) {
      // Fastify would refuse an unknown type even where no body is taken.
      if (request.routeOptions.schema?.body === undefined) delete request.raw.headers["content-type"];
      return;
    }
    const allowed = allowedMethods(endpoints, admission.target.segments);
    if (request.method !== "OPTIONS" || allowed.length === 0) throw noEndpoint(request.method, allowed);
    reply.code(204).header("Allow", allowed.join(", ")).send();
    return reply;
  });
  const places = new Places();
  const enter = ({ action }: Endpoint, params: object): QueuePlace => {
    const named = `${Object.values(params)}`;
    // Flows have their own queue, which the boot load shares.
    if (action.startsWith("flows.")) return services.flows.enter(named);
    return places.enter(`${action} ${named}`.toLowerCase());
  };
  for (const one of endpoints) addEndpoint(app, one, { admissions, enter, audited, limits: services.limits.values });
  await app.ready();

  const openHealth = new OpenHealth(services);
  return (request, response, admission) => {
    if (!admission.authenticated && openHealth.answer(request, response, admission.target)) return;
    admissions.set(request, admission);
    app.routing(request, response);
  };
}

interface Around {
  readonly admissions: WeakMap<IncomingMessage, Admission>;
  /** Reserves a place for a change of the resource that the parameters name. */
  enter(one: Endpoint, params: object): QueuePlace;
  readonly audited: AuditedCalls | undefined;
  readonly limits: Limits;
}

function addEndpoint(app: FastifyInstance, one: Endpoint, { admissions, enter, audited, limits }: Around): void {
  const { body } = one;
  const places = new WeakMap<FastifyRequest, QueuePlace>();
  app.route({
    method: one.method,
    url: one.path,
    exposeHeadRoute: one.method === "GET" && one.head !== false,
    schema: schemaOf(one),
    onRequest: (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      audited?.arrived(request, reply, one);
      if (isChange(one)) {
        const place = enter(one, request.params as object);
        places.set(request, place);
        // Frees the place however the request ends: a refused body or a closed connection, too.
        reply.raw.once("close", place.pass);
      }
      done();
    },
    ...(body && {
      preValidation: async (request: FastifyRequest, reply: FastifyReply) => {
        const { media, raw = false, optional = false, limit = "managementBodyBytes" } = body;
        request.body = await readBody(request.raw, reply.raw, { media, raw, optional, limitBytes: limits[limit] });
      },
    }),
    handler: async (request, reply) => {
      const authenticated = admissions.get(request.raw)?.authenticated === true;
      if (!authenticated && one.open !== true) throw new Error("the door let in what it should not");
      const place = places.get(request);
      await place?.turn;
      try {
        await audited?.begins(request);
        const sent = await one.handle(request, reply, authenticated, place);
        await audited?.done(request, reply, sent);
        return sent;
      } finally {
        place?.pass();
      }
    },
  });
}

/** Returns true for an endpoint that changes the resource that its path names. */
function isChange({ action, params }: Endpoint): boolean {
  return params !== undefined && /\.(write|operate)$/.test(action);
}

/** Parses a query that the door has validated; a repeated name gets a list. */
function queryOf(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}

function sendFailure(services: Services, error: FastifyError, reply: FastifyReply): void {
  const known = toAppError(error);
  if (known === undefined) services.onError(error, String(reply.raw.getHeader("X-Request-Id")));
  const { status, headers, body } = errorAnswer(known ?? error);
  reply.code(status).headers(headers).send(body);
}
