/** The workspace's own API: `/designer/flows`, `/designer/connections`, `/designer/examples`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import type { DeployedRecord, Examples, FailedRecord, FlowFile, FlowWrite, Target, User } from "../../shared/wire.ts";
import { limits } from "../limits.ts";
import { Refused } from "../refused.ts";
import { listConnections } from "../workspace/connection-files.ts";
import { readExamples, writeExamples } from "../workspace/examples.ts";
import { CallsOfFlows } from "../workspace/flow-calls.ts";
import type { Precondition } from "../workspace/precondition.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { readBody } from "./body.ts";

interface OfFlow {
  readonly Params: { readonly id: string };
}

export const digest = z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 of 64 hexadecimal digits");
const flowWrite = z.strictObject({
  yaml: z.string("must be a text"),
  options: z.record(z.string(), z.unknown(), "must be an object").optional(),
  companion: z.string("must be a text").optional(),
  draft: z.boolean("must be true or false").optional(),
}) satisfies z.ZodType<FlowWrite>;
const deployedRecord = z
  .strictObject({
    target: z.string(),
    hash: digest,
    revision: z.int().positive(),
    optionsHash: digest.optional(),
    options: z.record(z.string(), z.unknown(), "must be an object").optional(),
  })
  .refine(({ optionsHash, options }) => (optionsHash === undefined) !== (options === undefined), {
    error: "it has either optionsHash or options",
  }) satisfies z.ZodType<DeployedRecord>;
const failedRecord = z.strictObject({
  target: z.string(),
  hash: digest,
  optionsHash: digest,
  reason: z.string().max(2000),
}) satisfies z.ZodType<FailedRecord>;
const examples = z.strictObject({
  examples: z
    .array(z.looseObject({ name: z.string().min(1).max(200) }))
    .max(limits.examples, `a flow has at most ${limits.examples} examples: delete some of them`),
}) satisfies z.ZodType<Examples>;

const reading = { config: { least: "viewer" } } as const;
const writing = { config: { least: "editor" } } as const;

export interface Doors {
  readonly workspace: Workspace;
  readonly targets: readonly Target[];
  /** Who sends a request. Throws Refused. */
  readonly userOf: (request: FastifyRequest) => User;
}

export function workspaceRoutes(app: FastifyInstance, { workspace, targets, userOf }: Doors): void {
  app.get("/designer/flows", reading, () => workspace.list());

  const calls = new CallsOfFlows(workspace);
  app.get("/designer/calls", reading, () => calls.list());

  app.get("/designer/connections", reading, () => listConnections(workspace.directory));

  app.get<OfFlow>("/designer/flows/:id", reading, async ({ params }, reply) =>
    tagged(reply, await workspace.read(params.id)),
  );

  app.put<OfFlow>("/designer/flows/:id", writing, async (request, reply) => {
    const { created, file } = await workspace.write(
      request.params.id,
      readBody(flowWrite, request),
      conditionOf(request),
    );
    if (created) reply.code(201);
    return tagged(reply, file);
  });

  app.delete<OfFlow>("/designer/flows/:id", writing, async (request) => {
    const { id } = request.params;
    await workspace.remove(id, conditionOf(request));
    return { id, deleted: true };
  });

  app.post<OfFlow>("/designer/flows/:id/deployed", writing, async (request) => {
    const record = readBody(deployedRecord, request);
    refuseTarget(targets, record.target);
    return workspace.recordDeployed(request.params.id, record, userOf(request).name);
  });

  app.post<OfFlow>("/designer/flows/:id/failed", writing, async (request) => {
    const record = readBody(failedRecord, request);
    refuseTarget(targets, record.target);
    return workspace.recordFailed(request.params.id, record);
  });

  app.delete<{ Params: { id: string; target: string } }>(
    "/designer/flows/:id/deployed/:target",
    writing,
    ({ params }) => {
      refuseTarget(targets, params.target);
      return workspace.forgetDeployed(params.id, params.target);
    },
  );

  app.get<OfFlow>("/designer/examples/:id", reading, async ({ params }) => ({
    examples: await readExamples(workspace, params.id),
  }));

  app.put<OfFlow>("/designer/examples/:id", writing, async (request) => {
    const sent = readBody(examples, request);
    await writeExamples(workspace, request.params.id, sent.examples);
    return sent;
  });
}

/** Throws Refused (404). */
export function refuseTarget(targets: readonly Target[], name: string): void {
  if (!targets.some((target) => target.name === name))
    throw new Refused(404, `there is no target '${name.slice(0, 100)}'`);
}

export function conditionOf({ headers }: FastifyRequest): Precondition {
  return { match: headers["if-match"], absent: headers["if-none-match"]?.trim() === "*" };
}

function tagged(reply: FastifyReply, file: FlowFile): FlowFile {
  reply.header("ETag", file.etag);
  return file;
}
