/** Bodies in chunks of a byte: each chunk is an event, so what one write makes is bounded as the number of requests is. */
import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { acceptBody } from "../../../src/control/http/pipeline.ts";
import { onNextTurn } from "../../support/clock.ts";
import { openDoor } from "./door.ts";
import { exchangeRaw, parseAnswer } from "./raw.ts";

const head = "POST /api/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n";
const chunked = (text: string): string =>
  `${head}Transfer-Encoding: chunked\r\n\r\n${[...text].map((one) => `1\r\n${one}\r\n`).join("")}0\r\n\r\n`;
/** Bytes of which none is like the one before it. */
const text = (length: number): string => Array.from({ length }, (_, i) => String.fromCharCode(97 + (i % 26))).join("");

/** A door that repeats the body; `mostInTurn`: parts of bodies that came in one turn of the event loop. */
async function countingDoor(t: TestContext) {
  const seen = { parts: 0, mostInTurn: 0 };
  const { port } = await openDoor(t, {
    ingress(request, response) {
      acceptBody(response);
      const body: Buffer[] = [];
      request.on("data", (part: Buffer) => {
        if (seen.parts++ === 0) onNextTurn(() => (seen.parts = 0));
        seen.mostInTurn = Math.max(seen.mostInTurn, seen.parts);
        body.push(part);
      });
      request.on("end", () => response.end(Buffer.concat(body)));
    },
  });
  return { port, seen };
}

it("after one such body, others come a few parts in a turn of the event loop, and whole", async (t) => {
  const { port, seen } = await countingDoor(t);
  await exchangeRaw(port, chunked(text(1000)));
  seen.mostInTurn = 0;
  const body = text(10_000);
  assert.equal(parseAnswer(await exchangeRaw(port, chunked(body))).body, body);
  assert.ok(seen.mostInTurn > 0 && seen.mostInTurn < 700, `${seen.mostInTurn} parts in one turn`);
});

it("bodies of which the length is known, and such of large chunks, change nothing for others", async (t) => {
  const { port, seen } = await countingDoor(t);
  const large = text(60_000);
  await exchangeRaw(port, `${head}Content-Length: ${large.length}\r\n\r\n${large}`);
  await exchangeRaw(
    port,
    `${head}Transfer-Encoding: chunked\r\n\r\n${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`,
  );
  const body = text(999);
  assert.equal(parseAnswer(await exchangeRaw(port, chunked(body))).body, body);
  assert.ok(seen.mostInTurn > 700, `${seen.mostInTurn} parts in one turn`);
});
