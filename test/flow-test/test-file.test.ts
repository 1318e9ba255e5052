/** Test files that cannot be used: each problem is reported at its place, and no test runs. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import { parseTestFile } from "../../src/control/flow-test/test-file.ts";
import { FlowTestFiles } from "../support/flow-test-process.ts";

const head = "flow: a\ntests:\n  - name: one\n    post: { path: /x }\n";
const posting = (post: string): string => `flow: a\ntests:\n  - { name: one, post: { path: /x, ${post} } }\n`;

const bad: readonly (readonly [text: string, told: string])[] = [
  ["", "1:1: the file must be an object"],
  ["flow: a\n", "1:1: 'tests' is missing"],
  ["flow: a\ntests: []\n", "2:1: 'tests' has no test"],
  ["flow: ../a\ntests: [{ name: b, post: { path: /x } }]\n", "1:1: 'flow' is no flow's id: an id has 1 to 128 "],
  ["flow: a\ntests: [{ name: 5, post: { path: /x } }]\n", "2:11: 'name' must be a text"],
  ["flow: a\ntests: [{ name: b }]\n", "2:9: the test needs 'invoke' or 'post': one of them"],
  ["flow: a\ntests: [{ name: b, invoke: { routeId: c, timeoutMs: 0 } }]\n", "'timeoutMs' must be a number of "],
  ["flow: !t a\n", "1:7: Unresolved tag: !t"],
  ["flow: a\ntests: &t [{ name: b, post: { path: /x, body: *t } }]\n", "1:1: an alias stands inside of what it "],
  [`${head}    waitMs: 60001\n`, "5:5: 'waitMs' must be at most 60000 milliseconds"],
  [`${head}    skip: 7\n`, "5:5: 'skip' must be true, false, or the reason"],
  [`${head}    expect: { body: { $gtt: 1 } }\n`, "5:23: '$gtt': unknown operator (did you mean '$gt'?)"],
  [`${head}    expect: { body: { $not: { $eq: 1, b: 2 } } }\n`, "5:23: '$not': '$eq' stands beside 'b'"],
  [`${head}    expect: { headers: { b: { $regex: "(" } } }\n`, "5:31: '$regex': Invalid regular expression"],
  [`${head}    expect: { status: { $in: 200 } }\n`, "5:25: '$in': a list of values is expected; found 200"],
  [`${head}    expect: { headers: { $in: [a] } }\n`, "5:26: '$in': headers are named here"],
  [posting("method: get"), "3:36: 'method' must be one of GET, HEAD, POST"],
  [posting("method: GET, body: b"), "3:36: 'method' must be another one: GET and HEAD send no body"],
  [posting("body: b, bodyBase64: eA=="), "3:45: 'bodyBase64' stands beside 'body'"],
  [posting("bodyBase64: '*'"), "3:36: 'bodyBase64' must be base64"],
  [posting("headers: { 'a b': c }"), "3:47: 'a b' cannot be sent"],
  [posting("headers: { a: [b] }"), "3:47: 'a' must be a text, a number"],
  [posting("headers: { x-test-session: b }"), "3:47: 'x-test-session' is sent by the test itself"],
];

for (const [text, told] of bad)
  test(`the problem of ${JSON.stringify(text.replace(head, "... "))}: ${told}`, () => {
    assert.throws(
      () => parseTestFile("t.yaml", text),
      ({ message }: Error) => {
        assert.ok(message.startsWith("t.yaml:") && message.includes(told), message);
        return true;
      },
    );
  });

test("CRLF, a byte order mark, anchors and JSON are read", () => {
  const plain = `${head}    expect: &e { status: 200 }\n  - { name: two, post: { path: /y }, expect: *e }\n`;
  const json = { flow: "a", tests: [{ name: "one", post: { path: "/x" } }] };
  for (const text of [plain, plain.replaceAll("\n", "\r\n"), `\ufeff${plain}`, JSON.stringify(json)])
    assert.equal(parseTestFile("t.yaml", text).tests[0]?.name, "one");
  assert.deepEqual(parseTestFile("t.yaml", plain).tests[1]?.expect, { status: 200 });
});

test("a file that is not UTF-8, an unusable token and an unusable address are refused", async (t) => {
  const files = await FlowTestFiles.write(t, {});
  await writeFile(files.path("t.yaml"), Buffer.from("flow: caf\xe9\n", "latin1"));
  const refused = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const { code, stderr } = await files.here(["/t.yaml"], env);
    assert.equal(code, 2);
    return stderr;
  };
  assert.equal(await refused({}), "t.yaml: it is not UTF-8\n");
  const url = "http://127.0.0.1:1";
  const token = await refused({ BULKHEAD_URL: url, BULKHEAD_TOKEN: "a\nb" });
  assert.equal(token, "BULKHEAD_TOKEN: it has characters that no token has\n");
  assert.match(await refused({ BULKHEAD_URL: "http://a:b@c", BULKHEAD_TOKEN: "x" }), /^BULKHEAD_URL: it must be a URL/);
});
