/** The files of a flow are those of its own directory: by names, by links, and by what the thread itself may do. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { consumingRoute, flowFiles, webhooks } from "../support/flow-files.ts";
import { answering, webhook } from "../support/flows.ts";
import type { ReachOrder } from "../support/reaching-worker.ts";

const refusal = "org.apache.camel.component.file.GenericFileOperationFailedException";
const illegal = "java.lang.IllegalArgumentException";
const patience = 60_000;

test("no name leads out of the endpoint's directory, and none out of the flow's", async (t) => {
  const { deploy, call, list } = await flowFiles(t, {}, "group.my-flow.v1");
  await deploy(
    webhooks({
      jailed: [
        'setHeader: { name: CamelFileName, simple: "${body}" }',
        'to: "file:in/out"',
        'setBody: { simple: "${header.CamelFileNameProduced}" }',
      ],
      free: [
        'setHeader: { name: CamelFileName, simple: "${body}" }',
        'to: "file:in/out?jailStartingDirectory=false"',
        'setBody: { simple: "${header.CamelFileNameProduced}" }',
      ],
      caller: ['to: "file:in/caller"', 'setBody: { simple: "${header.CamelFileNameProduced}" }'],
      temp: ['to: "file:in?fileName=t&tempFileName=${body}"'],
      existing: [
        'to: "file:in?fileName=e"',
        'to: "file:in?fileName=e&fileExist=Move&moveExisting=${file:parent}/../../../x"',
      ],
    }),
  );
  const jail = (whole: string): string =>
    `${illegal}: Cannot write file with name: ${whole} as the filename is jailed to the starting directory: in/out/`;
  const outside = (name: string): string => `${illegal}: the name '${name}' leads out of the flow's directory`;
  for (const [route, name, answer] of [
    ["jailed", "../a", jail("in/a")],
    ["jailed", "../../../../etc/passwd", jail("../../etc/passwd")],
    ["jailed", "a/../../outer/b", jail("in/outer/b")],
    ["jailed", "..\\..\\..\\c", jail("../c")],
    ["jailed", "/etc/passwd", "in/out/etc/passwd"],
    ["jailed", "C:\\d.txt", "in/out/C:/d.txt"],
    ["jailed", "..", jail("in")],
    ["jailed", "...", "in/out/..."],
    ["jailed", ".", `${refusal}: Cannot store file: in/out (it is a directory)`],
    ["jailed", "x/", "in/out/x"],
    ["free", "../a", "in/a"],
    ["free", "../../b", "b"],
    ["free", "/c", "c"],
    ["free", "../../../d", outside("../../../d")],
    ["free", "/../e", outside("/../e")],
    ["temp", "../../t", outside("../../t")],
  ] as const) {
    assert.equal(await call(route, name), answer, `${route} ${name}`);
  }
  const madeUp = await call("caller", "x", { CamelFileName: "../../chosen", CamelOverruleFileName: "chosen" });
  assert.match(madeUp, /^in\/caller\/[0-9A-F-]{32}$/);
  assert.equal(await call("existing"), outside("/in/../../../x"));
  assert.equal(await call("jailed", `a${"\0"}b`), outside("a\\0b"));
  const long = "n".repeat(300);
  assert.equal(
    await call("jailed", long),
    `${refusal}: Cannot store file: in/out/${long.slice(0, 293)}... (a name is too long)`,
  );
  assert.deepEqual(await list(), [
    "b",
    "c",
    "in/a",
    madeUp,
    "in/e",
    "in/out/...",
    "in/out/C:/d.txt",
    "in/out/etc/passwd",
    "in/out/x",
  ]);
});

test("an endpoint's directory is in the flow's own, without expressions", async (t) => {
  const { app } = await flowFiles(t);
  for (const [uri, problem] of [
    ["file:../other", "the name '../other' leads out of the flow's directory"],
    ["file:a/../../other", "the name 'a/../../other' leads out of the flow's directory"],
    [
      "file:a/${header.x}",
      "Invalid directory: a/${header.x}. Dynamic expressions with ${ } placeholders is not allowed.",
    ],
  ] as const) {
    for (const yaml of [webhook("r", `to: "${uri}"`), consumingRoute("r", uri, 'log: "x"')]) {
      const answer = await app.put("f", yaml);
      assert.equal(answer.status, 422);
      const { error } = (await answer.json()) as { readonly error: string };
      assert.ok(error.includes(problem), error);
    }
  }
});

test("links that a person made are neither followed nor written through", async (t) => {
  const { app, deploy, call, write, directory, list } = await flowFiles(t);
  const other = join(app.directory, "files", "other");
  await mkdir(other, { recursive: true });
  await writeFile(join(other, "secret.txt"), "secret");
  await write("in/own.txt", "own");
  await symlink(join(other, "secret.txt"), join(directory, "in/link.txt"));
  await symlink(other, join(directory, "in/linked"));
  await symlink(other, join(directory, "linked"));
  await mkdir(join(directory, "real"));
  await symlink("real", join(directory, "near"));
  execFileSync("mkfifo", [join(directory, "in/pipe"), join(directory, "pipe")]);
  await deploy(
    webhooks({
      through: ['to: "file:linked?fileName=a.txt"'],
      below: ['to: "file:in?fileName=linked/deep/er/a.txt"'],
      append: ['to: "file:in?fileName=link.txt&fileExist=Append"'],
      pipe: ['to: "file:.?fileName=pipe&fileExist=Append"'],
      moved: ['to: "file:in?fileName=m"', 'to: "file:in?fileName=m&fileExist=Move&moveExisting=/linked/m"'],
      near: ['to: "file:near?fileName=a.txt"'],
      over: ['to: "file:in?fileName=link.txt"'],
    }) +
      consumingRoute(
        "c",
        "file:in?recursive=true&noop=true&initialDelay=0&delay=50",
        'log: "took ${file:name} ${body}"',
      ) +
      consumingRoute("l", "file:linked?initialDelay=0&delay=50", 'log: "took ${file:name} ${body}"'),
  );
  const leads = (what: string, from: string): string =>
    `${refusal}: a link leads out of the flow's directory: ${from}${what}`;
  assert.equal(await call("through"), leads("", "linked"));
  assert.equal(await call("below"), leads("", "in/linked"));
  assert.equal(await call("append"), `${refusal}: Cannot store file: in/link.txt (it is a link)`);
  assert.equal(await call("pipe"), `${refusal}: Cannot store file: pipe (it is no file)`);
  assert.equal(await call("moved"), leads("", "linked"));
  assert.equal(await call("near"), "ok");
  await eventually(
    () => app.logs.some(({ message }) => message.includes("files cannot be looked for in 'linked'")),
    "told",
  );
  await eventually(() => app.logs.some(({ message }) => message === "took own.txt own"), "own file");
  assert.equal(
    app.logs.some(({ message }) => message.includes("secret")),
    false,
  );
  assert.equal(await readFile(join(other, "secret.txt"), "utf8"), "secret");
  // The link itself is replaced by a file, which is nobody else's.
  assert.equal(await call("over", "new"), "ok");
  assert.equal(await readFile(join(other, "secret.txt"), "utf8"), "secret");
  await unlink(join(directory, "linked"));
  assert.deepEqual(await list("real"), ["real/a.txt"]);
});

test("a flow without a file endpoint has no files, whatever URI comes with a message; one that names them has", async (t) => {
  const { app, deploy, call, list } = await flowFiles(t);
  const none = "java.lang.IllegalStateException: the flow has no files: an endpoint 'file:' has to stand in its text";
  await deploy(
    webhooks({
      any: ['toD: "${body}"'],
      list: ['recipientList: { simple: "${body}" }'],
      rich: ['enrich: { simple: "${body}" }'],
    }),
  );
  for (const route of ["any", "list", "rich"]) {
    const answer = await call(route, "file:out?fileName=a");
    assert.ok(answer.startsWith(none), answer);
  }
  const other = await app.put(
    "g",
    webhook("named", 'toD: "file:out/${header.to}?fileName=a"').replaceAll("id: r", "id: n"),
  );
  assert.ok(other.ok);
  await deploy(webhooks({ any: ['toD: "file:out/${header.to}?fileName=a"'] }));
  assert.equal(await call("any", "x", { to: "b" }), "ok");
  assert.match(await call("any", "x", { to: "../../b" }), /leads out of the flow's directory/);
  assert.deepEqual(await list(), ["out/b/a"]);
});

test("what the disk refuses is told in Camel's words, with paths of the flow's directory only", async (t) => {
  const { app, deploy, call, write } = await flowFiles(t);
  await write("file", "x");
  await deploy(
    webhooks({
      below: ['to: "file:.?fileName=file/a"'],
      missing: ['to: "file:none?fileName=a&autoCreate=false"'],
      caught: [
        'doTry: { steps: [{ to: "file:none?fileName=a&autoCreate=false" }], doCatch: [{ exception: [java.io.IOException], steps: [{ setBody: { simple: "${exception.message}" } }] }] }',
      ],
    }),
  );
  assert.equal(await call("below"), `${refusal}: Cannot store file: file/a (a part of its path is no directory)`);
  assert.equal(await call("missing"), `${refusal}: Cannot store file: none/a (there is no such file or directory)`);
  assert.equal(await call("caught"), "Cannot store file: none/a (there is no such file or directory)");
  assert.equal(JSON.stringify(app.logs).includes(app.directory), false);
});

test("the thread of a flow with files reaches its directory, and nothing else that one without files does not", async (t) => {
  const reaching = new URL("../support/reaching-worker.ts", import.meta.url);
  // Its attempts are one turn of its loop, which takes long on a busy machine.
  const { app } = await flowFiles(t, { threadEntry: reaching, limits: { stuckLoopMs: 60_000 } }, "f");
  const directory = join(app.directory, "files", "f");
  await app.put("f1", answering("other", "x"));
  await mkdir(join(app.directory, "files", "f1"), { recursive: true });
  await writeFile(join(app.directory, "files", "f1", "a"), "x");
  assert.ok(
    (await app.put("f", webhook("r", 'choice: { when: [{ simple: "false", steps: [{ to: "file:out" }] }] }'))).ok,
  );
  const order: ReachOrder = {
    routesFile: join(app.routesDirectory, "f.yaml"),
    dataDirectory: join(app.directory, "data"),
    descriptor: 1,
    ownDirectory: directory,
    otherDirectory: join(app.directory, "files", "f1"),
  };
  assert.equal((await app.post("/api/r", JSON.stringify(order))).status, 200);
  const printed = (): string[] => app.logs.filter(({ logger }) => logger === "console").map(({ message }) => message);
  await eventually(() => printed().includes("tried all"), "all attempts", patience);
  const outcomes = new Map(
    printed().flatMap((line) => {
      const [, name = "", outcome = ""] = /^tried (.*?): (.*)$/s.exec(line) ?? [];
      return name === "" ? [] : [[name, outcome] as const];
    }),
  );
  assert.equal(outcomes.get("write a file of its own"), '"x"');
  for (const name of [
    "read a system file",
    "read another flow",
    "list the data directory",
    "read /proc/self/environ",
    "open /proc/self/mem",
    "read /proc/self/fd",
    "write a file",
    "write its own code",
    "make a directory",
    "link a file into its code",
    "read a file of another flow",
    "list the files of all flows",
    "write beside its directory",
    "climb out of its directory",
    "link another flow's file into its directory",
    "link another flow's file hard",
    "start a process",
    "write a heap snapshot",
  ]) {
    assert.equal(outcomes.get(name), "ERR_ACCESS_DENIED", name);
  }
});

test("a directory that cannot be made is told to whoever deploys the flow", async (t) => {
  const { app } = await flowFiles(t);
  await writeFile(join(app.directory, "files"), "in the way");
  const answer = await app.put("f", webhook("r", 'to: "file:out"'));
  const { error } = (await answer.json()) as { readonly error: string };
  assert.deepEqual([answer.status, answer.headers.get("x-error-code")], [422, "flow_failed"]);
  assert.match(error, /its directory .*files\/f cannot be made: ENOTDIR/);
});
