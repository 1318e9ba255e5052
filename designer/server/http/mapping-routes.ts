/** The mappings of the workspace: `/designer/mappings`. */
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod";
import { mappingKinds } from "../../shared/mapping-uses.ts";
import type { MappingFile, MappingRecord, MappingWrite } from "../../shared/wire.ts";
import { limits } from "../limits.ts";
import { Refused } from "../refused.ts";
import { readBody } from "./body.ts";
import { conditionOf, type Doors, digest, refuseTarget } from "./workspace-routes.ts";

interface OfMapping {
  readonly Params: { readonly kind: string; readonly id: string };
}

const mappingWrite = z.strictObject({
  text: z.string("must be a text"),
  draft: z.boolean("must be true or false").optional(),
}) satisfies z.ZodType<MappingWrite>;
const mappingRecord = z.strictObject({
  target: z.string(),
  hash: digest,
  revision: z.int().nonnegative(),
}) satisfies z.ZodType<MappingRecord>;

const reading = { config: { least: "viewer" } } as const;
const writing = { config: { least: "editor" } } as const;
const path = "/designer/mappings/:kind/:id";

export function mappingRoutes(app: FastifyInstance, { workspace, targets, userOf }: Doors): void {
  const { mappings } = workspace;

  app.get("/designer/mappings", reading, () => mappings.list());

  app.get<OfMapping>(path, reading, async ({ params: { kind, id } }, reply) =>
    tagged(reply, await mappings.read(kindOf(kind), id)),
  );

  app.put<OfMapping>(path, { ...writing, bodyLimit: limits.documentBodyBytes }, async (request, reply) => {
    const { kind, id } = request.params;
    const sent = readBody(mappingWrite, request);
    const { created, file } = await mappings.write(kindOf(kind), id, sent, conditionOf(request));
    if (created) reply.code(201);
    return tagged(reply, file);
  });

  app.delete<OfMapping>(path, writing, async (request) => {
    const { kind, id } = request.params;
    await mappings.remove(kindOf(kind), id, conditionOf(request));
    return { id, deleted: true };
  });

  app.post<OfMapping>(`${path}/deployed`, writing, async (request) => {
    const { kind, id } = request.params;
    const record = readBody(mappingRecord, request);
    refuseTarget(targets, record.target);
    return mappings.recordDeployed(kindOf(kind), id, record, userOf(request).name);
  });
}

/** Throws Refused (404). */
function kindOf(text: string) {
  const kind = mappingKinds.find((one) => one === text);
  if (kind === undefined) throw new Refused(404, "there are mappings of the kinds value and message");
  return kind;
}

function tagged(reply: FastifyReply, file: MappingFile): MappingFile {
  reply.header("ETag", file.etag);
  return file;
}
