/** Forms of multipart/form-data at the door: what a route gets of their fields and files (Camel: VertxPlatformHttpConsumer). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { direct, webhook } from "../support/flows.ts";
import { httpRoute, says, withFlow } from "../support/platform-http.ts";

const shown = says(
  "${body}|${attachments.size}|${header.CamelAttachmentsSize}|${header.CamelFileName}|${header.CamelFileLength}|${header.CamelFileContentType}|${header.a}",
);
const text = (content: string, type = "text/plain"): Blob => new Blob([content], { type });

function formOf(
  parts: Readonly<Record<string, string | readonly string[] | readonly [name: string, file: Blob]>>,
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === "string") form.append(name, value);
    else if (value[1] instanceof Blob) form.append(name, value[1], value[0]);
    else for (const one of value) form.append(name, one as string);
  }
  return form;
}

test("fields become headers and a map, files attachments, and a single file the body", async (t) => {
  const app = await withFlow(
    t,
    httpRoute("up", "/up", shown) +
      httpRoute("bare", "/bare?populateBodyWithForm=false&fileNameExtWhitelist=txt,tar.gz", shown) +
      httpRoute(
        "files",
        "/files",
        says(
          "${attachmentsKeys} ${attachmentContent(f)} ${attachmentContentAsText(g)} ${attachmentHeader(f,content-type)} ${attachment[g].name} ${attachment[g].contentLength} ${attachmentContentAs(f,Integer)} ${attachmentContent(none)}",
        ),
      ) +
      httpRoute("bin", "/bin", says("${bodyType} ${body.length}")),
  );
  const sent = async (path: string, body: FormData, method = "POST"): Promise<string> => {
    const answer = await fetch(`${app.url}${path}`, { method, body });
    return `${answer.status} ${await answer.text()}`;
  };
  const one = ["one.txt", text("file one")] as const;
  assert.equal(await sent("/up", formOf({ a: "1", b: "ü" })), "200 {a=1, b=ü}|0|0||||1");
  assert.equal(await sent("/up", formOf({ a: ["1", "2"] }), "PUT"), "200 {a=[1, 2]}|0|0||||[1, 2]");
  assert.equal(await sent("/up?a=q", formOf({ a: "1", f: one })), "200 file one|1|1|one.txt|8|text/plain|[q, 1]");
  assert.equal(await sent("/up", formOf({ a: "1", f: one, g: one })), "200 {a=1}|2|2||||1");
  assert.equal(
    await sent("/up", formOf({ f: ["C:\\x\\ü.csv", text("1,2", "text/csv")] })),
    "200 1,2|1|1|ü.csv|3|text/csv|",
  );
  assert.equal(await sent("/up", formOf({ CamelHttpUri: "evil", a: "x" })), "200 {a=x}|0|0||||x");
  assert.equal(await sent("/bare", formOf({ a: "1" })), "200 |0|0||||1");
  assert.equal(await sent("/bare", formOf({ a: "1", f: ["x.exe", text("x")] })), "200 |0|1||||1");
  assert.equal(await sent("/bare", formOf({ f: ["x.tar.gz", text("x")] })), "200 x|1|1|x.tar.gz|1|text/plain|");
  const two = formOf({ f: ["n.txt", text("42")], g: ["o.json", text('{"a":1}', "application/json")] });
  assert.equal(await sent("/files", two), '200 [f, g] 42 {"a":1} text/plain o.json 7 42 ');
  const bytes = new Blob([Uint8Array.of(0xff, 0, 1)]);
  assert.equal(await sent("/bin", formOf({ f: ["b.bin", bytes] })), "200 byte[] 3");
});

test("a body that is not the form that its Content-Type says is 400, one that is too much 413; GET has no form", async (t) => {
  const app = await withFlow(t, httpRoute("up", "/up", shown), {});
  const post = async (type: string, body: string): Promise<string> => {
    const answer = await app.send("POST", "/up", body, { "Content-Type": `multipart/form-data${type}` });
    return `${answer.status} ${answer.headers.get("x-error-code") ?? (await answer.text())}`;
  };
  const part = 'Content-Disposition: form-data; name="a"\r\n\r\nval';
  const rows: readonly (readonly [type: string, body: string, answer: string])[] = [
    ["; boundary=xx", "", "200 |0|||||"],
    ["; boundary=xx", `--xx\r\n${part}\r\n--xx--`, "200 {a=val}|0|0||||val"],
    ['; boundary="x y"', `preamble\r\n--x y\r\n${part}\r\n--x y--\r\nepilogue`, "200 {a=val}|0|0||||val"],
    ["; boundary=xx", "garbage", "400 bad_request"],
    ["", "garbage", "400 bad_request"],
    ["; boundary=xx", `--xx\r\n${part}`, "400 bad_request"],
    ["; boundary=xx", "--xx\r\nContent-Disposition: form-data; name=a", "400 bad_request"],
    ["; boundary=xx", "--xx\r\nContent-Disposition: form-data\r\n\r\nval\r\n--xx--", "400 bad_request"],
    ["; boundary=xx", "--xx\r\nno field\r\n\r\nval\r\n--xx--", "400 bad_request"],
    ["; boundary=xx", `--xx\r\n${part}\r\n`.repeat(300), "413 body_too_large"],
    [
      "; boundary=xx",
      `${`--xx\r\n${part.replace('"a"', `"${"n".repeat(900)}"`)}\r\n`.repeat(90)}--xx--`,
      "413 body_too_large",
    ],
  ];
  for (const [type, body, answer] of rows) assert.equal(await post(type, body), answer, body.slice(0, 60));
  const got = await fetch(`${app.url}/up`, { headers: { "Content-Type": "multipart/form-data; boundary=xx" } });
  assert.equal(got.status, 200);
});

test("attachments go along to other flows, queues and branches, and come back", async (t) => {
  const app = await withFlow(
    t,
    httpRoute("far", "/far", 'to: "direct:shared"', says("${body} ${attachments.size} ${header.seen}")) +
      httpRoute(
        "near",
        "/near",
        "multicast: { steps: [{ to: 'direct:in' }] }",
        "to: { uri: 'seda:q', pattern: InOut }",
        "marshal: { mimeMultipart: {} }",
        says("${bodyAs(String).contains(file)} ${attachments.size} ${header.seen} ${header.queue}"),
      ) +
      direct("in", "in", "setHeader: { name: seen, simple: '${attachmentContent(f)}' }") +
      "- route: { id: q, from: { uri: 'seda:q', steps: [{ setHeader: { name: queue, simple: '${attachments.size}' } }] } }\n",
  );
  await app.put("other", direct("o", "shared", "setHeader: { name: seen, simple: '${attachmentContent(f)}' }"));
  const body = (): FormData => formOf({ f: ["a.txt", text("file")] });
  const sent = async (path: string): Promise<string> =>
    (await fetch(`${app.url}${path}`, { method: "POST", body: body() })).text();
  assert.equal(await sent("/far"), "file 1 file");
  assert.equal(await sent("/near"), "true 0 file 1");
});

test("a webhook gets the form as it came, which mimeMultipart reads", async (t) => {
  const app = await withFlow(
    t,
    webhook("raw", says("${bodyType}")) +
      webhook(
        "read",
        "unmarshal: { mimeMultipart: {} }",
        says("${body} ${attachmentsKeys} ${attachmentContent(a.txt)}"),
      ),
  );
  const body = formOf({ first: "1", f: ["a.txt", text("file")] });
  const sent = async (route: string): Promise<string> =>
    (await fetch(`${app.url}/api/${route}`, { method: "POST", body })).text();
  assert.equal(await sent("raw"), "byte[]");
  assert.equal(await sent("read"), "1 [a.txt] file");
});

test("records of steps, failures and mocked calls show the names, types and sizes of attachments, and no bytes", async (t) => {
  const yaml =
    httpRoute(
      "up",
      "/up",
      "to: { id: call, uri: 'direct:in' }",
      "filter: { simple: '${header.fail} == 1', steps: [{ throwException: { id: no, exceptionType: java.lang.Exception, message: no } }] }",
    ) + direct("in", "in", says("got"));
  const app = await withFlow(t, yaml);
  const put = await app.api("/flows/f", {
    method: "PUT",
    body: JSON.stringify({ yaml, record: "all" }),
    headers: { "Content-Type": "application/json" },
  });
  assert.equal(put.status, 200, await put.text());
  const body = (): FormData =>
    formOf({ f: ["secret token=abc.txt", text("file of bytes")], g: ["b.csv", text("1,2", "text/csv")] });
  const attachments = [
    { name: "f", fileName: "secret token=***", contentType: "text/plain", bytes: 13 },
    { name: "g", fileName: "b.csv", contentType: "text/csv", bytes: 3 },
  ];
  const sent = async (query = "", headers = {}): Promise<string> => {
    const answer = await fetch(`${app.url}/up${query}`, { method: "POST", body: body(), headers });
    await answer.arrayBuffer();
    return answer.headers.get("x-run-id") ?? "";
  };
  type Message = { readonly attachments?: unknown; readonly redacted?: true };
  const json = async (path: string): Promise<unknown> => (await app.api(path)).json();
  const id = await sent();
  const run = (await json(`/runs/${id}`)) as { stepRuns: { id: string; in: Message; out: Message }[] };
  const call = run.stepRuns.find((step) => step.id === "call");
  assert.deepEqual([call?.in.attachments, call?.out.attachments], [attachments, attachments]);
  assert.ok(!JSON.stringify(run).includes("file of bytes"));
  const { notes } = (await json(`/runs/${id}/fixture`)) as { notes: string[] };
  assert.ok(
    notes.some((note) => /began with had attachments \(f, g\), whose bytes are not recorded/.test(note)),
    notes.join("\n"),
  );

  const opened = await app.api("/test/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ flowId: "f", scope: "session", mocks: { call: { respond: { body: "mocked" } } } }),
  });
  const { sessionId } = (await opened.json()) as { sessionId: string };
  await sent("", { "X-Test-Session": sessionId });
  const closed = await app.api(`/test/session/${sessionId}?waitMs=10000`, { method: "DELETE" });
  const [mocked] = ((await closed.json()) as { recordedCalls: { request: Message; response: Message }[] })
    .recordedCalls;
  assert.deepEqual([mocked?.request.attachments, mocked?.response.attachments], [attachments, attachments]);
  assert.equal(mocked?.request.redacted, true);

  const bare = await app.api("/flows/f", {
    method: "PUT",
    body: JSON.stringify({ yaml, record: "errors" }),
    headers: { "Content-Type": "application/json" },
  });
  assert.equal(bare.status, 200);
  const failed = (await json(`/runs/${await sent("?fail=1")}`)) as typeof run;
  assert.deepEqual(failed.stepRuns.find((step) => step.id === "no")?.in.attachments, attachments);
});

test("a whole form is not read as data: a webhook answers 415, and the record says what the flow can do", async (t) => {
  const csv = (id: string, more = ""): string =>
    webhook(id, `${more}unmarshal: { csv: { useMaps: true } }`, 'setBody: { simple: "${body[0][a]}" }');
  const caught =
    "doTry: { steps: [{ unmarshal: { csv: {} } }], doCatch: [{ exception: [java.lang.Exception], steps: [{ setBody: { constant: caught } }] }] }";
  const apart = "unmarshal: { mimeMultipart: {} }";
  const path = httpRoute(
    "path",
    "/path",
    "unmarshal: { csv: { useMaps: true } }",
    'setBody: { simple: "${body[0][a]}" }',
  );
  const app = await withFlow(
    t,
    csv("plain") +
      webhook("tries", caught) +
      webhook("parts", apart, "unmarshal: { csv: { useMaps: true } }", 'setBody: { simple: "${body[0][a]}" }') +
      path,
  );
  const body = (): FormData => formOf({ f: ["one.csv", text("a,b\n1,2", "text/csv")] });
  const sent = async (to: string): Promise<readonly [status: number, text: string]> => {
    const answer = await fetch(`${app.url}${to}`, { method: "POST", body: body() });
    return [answer.status, await answer.text()];
  };
  const [status, answer] = await sent("/api/plain");
  assert.equal(status, 415);
  assert.match(answer, /is a multipart form, which the flow does not take apart/);
  const [run] = (await (await app.api("/runs?routeId=plain")).json()) as {
    status: string;
    error: { message: string };
  }[];
  assert.equal(run?.status, "failed");
  assert.match(run?.error.message ?? "", /no csv: take it apart first.*mimeMultipart.*platform-http/);
  assert.deepEqual(await sent("/api/tries"), [200, "caught"]);
  assert.deepEqual(await sent("/path"), [200, "1"]);
  assert.deepEqual(await sent("/api/parts"), [200, "1"]);
});
