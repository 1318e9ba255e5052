/** Bodies of requests, checked by a schema. */
import type { FastifyRequest } from "fastify";
import type * as z from "zod";
import { Refused } from "../refused.ts";

/** Throws Refused (400) that names the first field that is wrong. */
export function readBody<Schema extends z.ZodType>(schema: Schema, { body }: FastifyRequest): z.output<Schema> {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue?.path.join(".") ?? "";
  throw new Refused(400, `the body is not as it should be: ${place === "" ? "" : `${place}: `}${issue?.message}`);
}
