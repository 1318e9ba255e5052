/** Sends a case and holds its answer against what is expected, and against what holds for every answer. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { parseAnswer, type RawAnswer } from "../http/raw.ts";
import type { Case, FetchCase, RawCase } from "./case.ts";
import { canaryRequest, canaryRuns, type World } from "./world.ts";

/** A connection on which nothing comes for so long is a case that failed: the server should have closed it. */
const patienceMs = 60_000;

export async function checkCase(world: World, one: Case): Promise<void> {
  const answer = "bytes" in one ? await checkRaw(world, one) : await sendByFetch(world, one);
  assert.equal(answer.status, one.status, answer.body);
  assert.equal(answer.headers["x-error-code"], one.code);
  const isHead = "method" in one ? one.method === "HEAD" : one.bytes.startsWith("HEAD ");
  const text = one.status >= 400 && !isHead ? errorOf(answer, world) : answer.body;
  if (one.says !== undefined) assert.match(text, one.says);
  if (one.not !== undefined) assert.doesNotMatch(text, one.not);
  if (one.header !== undefined) assert.match(answer.headers[one.header[0]] ?? "", one.header[1]);
  if (one.status === 401) assert.match(answer.headers["www-authenticate"] ?? "", /^Bearer/);
  if (one.status === 405) assert.match(answer.headers.allow ?? "", /^[A-Z, ]+$/);
}

/** What all errors have in common (docs/api.md 1). Returns the message. */
export function errorOf({ headers, body }: RawAnswer, { secrets }: Pick<World, "secrets">): string {
  assert.match(headers["content-type"] ?? "", /^application\/json/);
  assert.ok(Buffer.byteLength(body, "latin1") <= 1024, `${body.length} bytes`);
  const value: unknown = JSON.parse(Buffer.from(body, "latin1").toString());
  assert.ok(typeof value === "object" && value !== null && "error" in value, body);
  assert.deepEqual(Object.keys(value), ["error"]);
  assert.ok(typeof value.error === "string" && value.error !== "", body);
  assert.match(headers["x-request-id"] ?? "", /^[\w.-]+$/);
  assert.match(headers["x-error-code"] ?? "", /^[a-z_]+$/);
  assert.doesNotMatch(value.error, /\n\s+at |node:internal|\.ts:\d|file:\/\//, "a stack");
  for (const secret of secrets) assert.ok(!value.error.includes(secret), `it tells ${secret}`);
  return value.error;
}

async function sendByFetch({ url, token }: World, { method, path, headers, body }: FetchCase): Promise<RawAnswer> {
  const usual: Record<string, string> = { authorization: `Bearer ${token}` };
  if (body !== undefined) usual["content-type"] = "application/json";
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value === null) delete usual[name.toLowerCase()];
    else usual[name.toLowerCase()] = value;
  }
  // A string body would bring a content type of its own; bytes do not.
  const bytes = body === undefined ? undefined : new Uint8Array(Buffer.from(body));
  const response = await fetch(url + path, { method, headers: usual, ...(bytes && { body: bytes }) });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()).toString("latin1"),
  };
}

async function checkRaw(world: World, one: RawCase): Promise<RawAnswer> {
  const before = one.behind === undefined ? 0 : await canaryRuns(world);
  const bytes = one.bytes.replaceAll("TOKEN", world.token) + (one.behind === undefined ? "" : canaryRequest);
  const text = await exchange(world.port, bytes, one.ends === true);
  if (one.behind !== undefined) {
    const expected = one.behind === "served" ? 1 : 0;
    assert.equal(text.match(/HTTP\/1\.1 \d{3} [A-Z]/g)?.length, 1 + expected, `answers: ${text}`);
    assert.equal((await canaryRuns(world)) - before, expected, "the request behind it was executed");
  }
  return firstAnswer(text);
}

/** Writes the bytes (Latin-1) and reads until the server closes the connection. `ends`: then the caller closes its side. */
export function exchange(port: number, bytes: string, ends: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      const data = Buffer.from(bytes, "latin1");
      if (ends) socket.end(data);
      else socket.write(data);
    });
    let text = "";
    socket.setEncoding("latin1");
    socket.setTimeout(patienceMs, () => {
      socket.destroy();
      reject(new Error(`the server left the connection open after: ${text.slice(0, 500)}`));
    });
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
}

/** Its body cut to its declared length, since another answer may follow. */
function firstAnswer(text: string): RawAnswer {
  const answer = parseAnswer(text);
  const length = answer.headers["content-length"];
  return length === undefined ? answer : { ...answer, body: answer.body.slice(0, Number(length)) };
}
