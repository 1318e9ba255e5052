/** Any bytes at the door: well-formed answers from the table, or a closed connection. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { errorTable } from "../../../src/shared/errors.ts";
import { errorOf, exchange } from "../corpus/check-case.ts";
import type { World } from "../corpus/world.ts";
import { parseAnswer } from "../http/raw.ts";
import { rawBytes } from "./raw-bytes.ts";
import { type Length, lengthOf } from "./seed.ts";

const head = /^HTTP\/1\.1 (\d{3}) [A-Za-z][^\r\n]*\r\n(?:[!-9;-~]+: ?[^\r\n\0]*\r\n)*\r\n/;

export async function fuzzBytes(world: World, length: Length): Promise<void> {
  await fc.assert(
    fc.asyncProperty(rawBytes, async (bytes) => {
      checkAnswers(await exchange(world.port, bytes, true), world);
    }),
    lengthOf(length),
  );
}

/** Every answer of a connection, one behind the other. */
export function checkAnswers(text: string, world: Pick<World, "secrets">): void {
  let rest = text;
  while (rest !== "") {
    const found = head.exec(rest);
    assert.ok(found !== null, `not HTTP: ${rest.slice(0, 300)}`);
    const answer = parseAnswer(rest);
    const after = rest.slice(found[0].length);
    const declared = Number(answer.headers["content-length"] ?? 0);
    // An answer to HEAD tells a length and has no body.
    const length = after.startsWith("HTTP/1.1 ") ? 0 : declared;
    const body = after.slice(0, length);
    checkOne({ ...answer, body }, world);
    rest = after.slice(length);
  }
}

function checkOne(answer: ReturnType<typeof parseAnswer>, world: Pick<World, "secrets">): void {
  const { status, headers } = answer;
  if (status < 400) return;
  const code = headers["x-error-code"] ?? "";
  assert.ok(code in errorTable, `${status} ${code}`);
  assert.equal(errorTable[code as keyof typeof errorTable], status);
  assert.ok(status < 500 || status === 501 || status === 503, `${status} ${code}`);
  if (answer.body !== "") errorOf(answer, world);
}
