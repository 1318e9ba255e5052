/** Any target at the door: who is asked for the token and who is answered follow from one reading of it. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { parseTarget } from "../../../src/control/http/target.ts";
import { bearer, lastRequest } from "../corpus/case.ts";
import { exchange } from "../corpus/check-case.ts";
import type { World } from "../corpus/world.ts";
import { parseAnswer } from "../http/raw.ts";
import { type Length, lengthOf } from "./seed.ts";

/** Pieces that attacks on the border between two parsers are made of. */
const piece = fc.oneof(
  fc.constantFrom(
    ..."/ // . .. %2e %2E %2f %5c %5C %5f %00 %25 \\ ? # ; _api api _API flows limits health echo %zz % é @ :".split(
      " ",
    ),
  ),
  fc.string({ maxLength: 3 }),
);

export const nastyTargets = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join("")}`);

/** Often close to what exists. Node's parser takes blanks behind a target for a part of what separates it from the version. */
const targets = fc
  .tuple(
    fc.constantFrom("", "/_api", "/_api/flows", "/api/echo", "/_api/health", "/%5fapi", "/_%61pi/flows"),
    nastyTargets,
  )
  .map(([front, rest]) => Buffer.from((front + rest).trimEnd(), "utf8").toString("latin1"));

export async function fuzzTargets(world: World, length: Length): Promise<void> {
  await fc.assert(
    fc.asyncProperty(targets, async (raw) => {
      const blind = await statusOf(world, raw, []);
      const trusted = await statusOf(world, raw, [bearer]);
      const target = parseTarget(raw);
      if ("problem" in target) {
        assert.deepEqual([blind, trusted], [400, 400]);
        return;
      }
      const open = target.path === "/_api/health";
      const guarded = target.area === "management" && !open;
      assert.equal(blind === 401, guarded, `without a token: ${blind}`);
      assert.notEqual(trusted, 401);
      // The management API and the front page answer a GET, and nothing else does: the flows here are webhooks.
      if (trusted === 200) assert.ok(target.area === "management" || target.path === "/", target.path);
      else assert.ok([400, 404, 405].includes(trusted), String(trusted));
    }),
    lengthOf(length),
  );
}

async function statusOf({ port, token }: World, target: string, headers: readonly string[]): Promise<number> {
  const request = lastRequest(`GET ${target}`, headers).replaceAll("TOKEN", token);
  return parseAnswer(await exchange(port, request, false)).status;
}
