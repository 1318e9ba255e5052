/** What the options of servers of files do, for each of the servers. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { eventually } from "../support/clock.ts";
import type { TestApp } from "../support/start-app.ts";

export interface RemoteCase {
  readonly app: TestApp;
  readonly scheme: "sftp" | "ftp" | "ftps";
  /** Where the user is after the login, on this machine's disk. */
  readonly files: string;
  readonly makeDirectory: (path: string) => Promise<void>;
  /** Makes another connection to the server. */
  readonly connect: (name: string) => Promise<void>;
}

let last = 0;

/** Deploys a consumer of `in` that logs its messages; `body`: what is logged. */
async function consumer({ app, scheme }: RemoteCase, parameters: string, steps = ""): Promise<string> {
  const id = `take-${++last}`;
  const put = await app.put(
    id,
    `- route:
    id: ${id}
    from:
      uri: ${scheme}
      parameters: { directoryName: in, delay: 20, initialDelay: 0, ${parameters} }
      steps:
        - log: "took \${file:name} \${body}"
${steps}`,
  );
  assert.ok(put.ok, await put.text());
  return id;
}

function taken({ app }: RemoteCase, id: string): readonly string[] {
  return app.logs
    .filter(({ flowId, message }) => flowId === id && message.startsWith("took "))
    .map(({ message }) => message.slice(5));
}

/** Consumers see whole files only, which they may take and remove at once. */
async function fill({ files, makeDirectory }: RemoteCase, names: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(names)) {
    const at = name.lastIndexOf("/");
    if (at > 0) await makeDirectory(`in/${name.slice(0, at)}`);
    const part = join(files, "part");
    await writeFile(part, text);
    await chmod(part, 0o666);
    await rename(part, join(files, "in", name));
  }
}

async function ended({ app }: RemoteCase, id: string): Promise<void> {
  await app.api(`/flows/${id}`, { method: "DELETE" });
}

async function emptied(test: RemoteCase): Promise<void> {
  for (const name of await readdir(test.files))
    await rm(join(test.files, name), { recursive: true, force: true, maxRetries: 20 });
  await test.makeDirectory("in");
  await test.makeDirectory("out");
}

type Run = (test: RemoteCase) => Promise<void>;

const cases: Readonly<Record<string, Run>> = {
  async "include, sortBy, recursive and ant patterns select files, and delete removes them"(test) {
    await fill(test, { "b.csv": "2", "a.csv": "1", "c.txt": "3", "sub/d.csv": "4", ".hidden.csv": "5" });
    const id = await consumer(
      test,
      `delete: true, recursive: true, antInclude: "**/*.csv", sortBy: "reverse:file:name"`,
    );
    await eventually(() => taken(test, id).length >= 3, "three are taken");
    await ended(test, id);
    assert.deepEqual(taken(test, id), ["sub/d.csv 4", "b.csv 2", "a.csv 1"]);
    assert.deepEqual((await readdir(join(test.files, "in"))).sort(), [".hidden.csv", "c.txt", "sub"]);
  },
  async "move, moveFailed and preMove put files away, and a failed one is read again after moveFailed"(test) {
    await fill(test, { "well.txt": "x", "ill.txt": "x" });
    const fail = `        - filter: { simple: "\${file:name} contains 'ill'", steps: [{ throwException: { exceptionType: java.io.IOException, message: no } }] }\n`;
    const id = await consumer(test, `move: done, moveFailed: "failed/\${file:name.noext}.bad", preMove: now`, fail);
    const isAway = (): boolean =>
      existsSync(join(test.files, "in/now/done/well.txt")) && existsSync(join(test.files, "in/failed/ill.bad"));
    await eventually(isAway, "both are away");
    await ended(test, id);
    assert.equal(taken(test, id).length, 2);
  },
  async "noop takes each file once, also after a redeploy, and a changed one again by its key"(test) {
    await fill(test, { "a.txt": "1" });
    const id = await consumer(test, `noop: true, idempotentKey: "\${file:name}-\${file:size}"`);
    await eventually(() => taken(test, id).length === 1, "it is taken");
    const { yaml } = (await (await test.app.api(`/flows/${id}`)).json()) as { yaml: string };
    assert.ok((await test.app.put(id, `${yaml}\n# again`)).ok);
    await fill(test, { "a.txt": "changed" });
    await eventually(() => taken(test, id).length === 2, "the changed one is taken");
    await ended(test, id);
    assert.deepEqual(taken(test, id), ["a.txt 1", "a.txt changed"]);
  },
  async "a done file, a read lock and maxMessagesPerPoll hold files back"(test) {
    await fill(test, { "a.txt": "1", "b.txt": "2" });
    const id = await consumer(
      test,
      `delete: true, doneFileName: "\${file:name}.ready", readLock: changed, readLockCheckInterval: 50, readLockTimeout: 1000, maxMessagesPerPoll: 1`,
    );
    await fill(test, { "b.txt.ready": "" });
    await eventually(() => taken(test, id).length === 1, "the one that is ready is taken");
    await ended(test, id);
    assert.deepEqual(taken(test, id), ["b.txt 2"]);
    assert.deepEqual((await readdir(join(test.files, "in"))).sort(), ["a.txt"]);
  },
  async "readLock: rename takes what can be renamed, and download: false reads nothing"(test) {
    await fill(test, { "a.txt": "content" });
    const id = await consumer(test, "delete: true, readLock: rename, download: false");
    await eventually(() => taken(test, id).length === 1, "it is taken");
    await ended(test, id);
    assert.deepEqual(taken(test, id), ["a.txt "]);
  },
  async "a file of several pieces, and one of bytes, come whole; one that is too large fails its run"(test) {
    const large = "x".repeat(3_000_000);
    await fill(test, { "large.txt": large });
    await writeFile(
      join(test.files, "in/bytes.bin"),
      Uint8Array.from({ length: 256 }, (_, at) => at),
    );
    const copy = `        - to: { uri: ${test.scheme}, parameters: { directoryName: out, fileName: "copy-\${file:onlyname}" } }\n`;
    const id = await consumer(test, "noop: true", copy);
    const isWhole = async (name: string, size: number): Promise<boolean> =>
      existsSync(join(test.files, "out", name)) && (await stat(join(test.files, "out", name))).size === size;
    await eventually(async () => await isWhole("copy-bytes.bin", 256), "the one of bytes is copied");
    await eventually(async () => await isWhole("copy-large.txt", large.length), "the large one is copied");
    await ended(test, id);
    assert.equal(await readFile(join(test.files, "out/copy-large.txt"), "utf8"), large);
    assert.deepEqual(
      [...(await readFile(join(test.files, "out/copy-bytes.bin")))],
      Array.from({ length: 256 }, (_, at) => at),
    );
  },
  async "fileExist: Append, Fail, Ignore, Move and Override say what becomes of a file that is there"(test) {
    const write = async (more: string, body: string): Promise<number> => {
      const id = `write-${++last}`;
      const step = `{ to: { uri: ${test.scheme}, parameters: { directoryName: out, fileName: a.txt, ${more} } } }`;
      const put = await test.app.put(id, `- route: { id: ${id}, from: { uri: webhook, steps: [${step}] } }`);
      assert.ok(put.ok, await put.text());
      return (await test.app.post(`/api/${id}`, body)).status;
    };
    const content = (): Promise<string> => readFile(join(test.files, "out/a.txt"), "utf8");
    assert.equal(await write("fileExist: Append", "1"), 200);
    assert.equal(await write("fileExist: Append", "2"), 200);
    assert.equal(await content(), "12");
    assert.equal(await write("fileExist: Fail", "3"), 500);
    assert.equal(await write("fileExist: Ignore", "4"), 200);
    assert.equal(await content(), "12");
    assert.equal(await write("fileExist: Move, moveExisting: old", "5"), 200);
    assert.deepEqual([await content(), await readFile(join(test.files, "out/old/a.txt"), "utf8")], ["5", "12"]);
    assert.equal(
      await write('tempPrefix: part-, doneFileName: "${file:name}.done", checksumFileAlgorithm: MD5', "6"),
      200,
    );
    assert.equal(await content(), "6");
    assert.deepEqual((await readdir(join(test.files, "out"))).sort(), ["a.txt", "a.txt.MD5", "a.txt.done", "old"]);
    assert.equal(await write("fileExist: Override", "7"), 200);
    assert.equal(await content(), "7");
  },
  async "directories are made, names do not lead out, and the header says what was written"(test) {
    const step = `{ to: { uri: ${test.scheme}, parameters: { directoryName: out, keepLastModified: true } } }, { setBody: { simple: "\${header.CamelFileNameProduced}" } }`;
    const put = await test.app.put(
      "named",
      `- route: { id: named, from: { uri: webhook, steps: [{ setHeader: { name: CamelFileName, simple: "\${body}" } }, { setHeader: { name: CamelFileLastModified, constant: 1000000000000 } }, ${step}] } }`,
    );
    assert.ok(put.ok, await put.text());
    assert.equal(await (await test.app.post("/api/named", "x/y/z.txt")).text(), "out/x/y/z.txt");
    assert.equal((await stat(join(test.files, "out/x/y/z.txt"))).mtime.toISOString(), "2001-09-09T01:46:40.000Z");
    for (const bad of ["../up.txt", "/etc/passwd\0", "a/../../up.txt"])
      assert.equal((await test.app.post("/api/named", bad)).status, 500, bad);
    assert.deepEqual(
      await readdir(test.files),
      (await readdir(test.files)).filter((name) => name !== "up.txt"),
    );
    await test.app.api("/flows/named", { method: "DELETE" });
  },
  async "disconnect closes the connection after each operation, and ignoreFileNotFoundOrPermissionError hides a missing directory"({
    app,
    scheme,
    connect,
  }) {
    // Nobody else uses it.
    await connect("own");
    const open = async (): Promise<number> =>
      ((await (await app.api("/connections/own")).json()) as { state: { open: number } }).state.open;
    for (const disconnects of [true, false]) {
      const to = `{ to: { uri: ${scheme}, parameters: { connection: "#own", directoryName: out, fileName: a.txt, disconnect: ${disconnects} } } }`;
      const put = await app.put("leaves", `- route: { id: leaves, from: { uri: webhook, steps: [${to}] } }`);
      assert.ok(put.ok, await put.text());
      assert.equal((await app.post("/api/leaves", "x")).status, 200);
      // Sooner than nobody using it would close it.
      await eventually(async () => (await open()) === (disconnects ? 0 : 1), `disconnect ${disconnects}`, 30_000);
    }
    await app.api("/flows/leaves", { method: "DELETE" });
    const looks = `directoryName: missing, autoCreate: false, sendEmptyMessageWhenIdle: true, initialDelay: 0, delay: 20`;
    for (const ignores of [true, false]) {
      const from = `{ uri: ${scheme}, parameters: { ${looks}, ignoreFileNotFoundOrPermissionError: ${ignores} }, steps: [{ log: "no files" }] }`;
      const put = await app.put("looks", `- route: { id: looks, from: ${from} }`);
      assert.ok(put.ok, await put.text());
      const expected = ignores ? /^no files$/ : /'looks' cannot poll: .*Directory does not exist: missing/;
      await eventually(() => app.logs.some(({ message }) => expected.test(message)), `${expected}`, 60_000);
      await app.api("/flows/looks", { method: "DELETE" });
    }
  },
};

export async function tryCases(t: TestContext, test: RemoteCase): Promise<void> {
  for (const [name, run] of Object.entries(cases)) {
    await t.test(name, async () => {
      await emptied(test);
      await run(test);
    });
  }
}
