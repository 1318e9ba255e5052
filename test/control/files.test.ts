/** Files that a flow writes (`to: file:`), over HTTP and in real threads; the words are Camel's, asked of Camel 4.22 itself. */
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { manyFlows, webhooks } from "../support/flow-files.ts";

const refusal = "org.apache.camel.component.file.GenericFileOperationFailedException";
const produced = 'setBody: { simple: "${header.CamelFileNameProduced}" }';
const to = (uri: string): string => `to: "${uri}"`;
const named = (name: string): string => `setHeader: { name: CamelFileName, constant: "${name}" }`;

test("files that a flow writes", async (t) => {
  const flow = await manyFlows(t);

  await t.test(
    "a name comes from fileName, else from CamelFileName, once from CamelOverruleFileName, and is made up without any",
    async (own) => {
      const { deploy, call, read, list } = flow(own);
      const over = "setHeader: { name: CamelOverruleFileName, constant: c.txt }";
      const after = 'setBody: { simple: "${header.CamelFileName} ${header.CamelOverruleFileName}" }';
      await deploy(
        webhooks({
          template: [to("file:out?fileName=${header.who}-1.txt"), produced],
          header: [named("deep/er\\\\b.txt"), to("file:out"), produced],
          flat: [named("deep/er/b.txt"), to("file:out?flatten=true"), produced],
          over: [named("d.txt"), over, to("file:out?fileName=copy-${file:name}"), to("file:out"), after],
          none: [to("file:/madeup/"), produced],
          empty: [named(""), to("file:out")],
        }),
      );
      assert.equal(await call("template", "one", { who: "a" }), "out/a-1.txt");
      assert.equal(await read("out/a-1.txt"), "one");
      assert.equal(await call("header"), "out/deep/er/b.txt");
      assert.equal(await call("flat"), "out/b.txt");
      assert.equal(await call("over"), "d.txt ");
      const madeUp = await call("none");
      assert.match(madeUp, /^madeup\/[0-9A-F]{15}-[0-9A-F]{16}$/);
      assert.equal(await call("empty"), `${refusal}: Cannot store file: out (its name is empty)`);
      assert.deepEqual(await list(), [
        madeUp,
        "out/a-1.txt",
        "out/b.txt",
        "out/copy-c.txt",
        "out/d.txt",
        "out/deep/er/b.txt",
      ]);
    },
  );

  await t.test("fileExist says what becomes of a file that is there", async (own) => {
    const { deploy, call, read, list } = flow(own);
    const options = {
      override: "fileExist=Override",
      append: "fileExist=Append&appendChars=-\\\\n",
      fail: "fileExist=Fail",
      ignore: "fileExist=Ignore&doneFileName=${file:name}.done",
      ignoretemp: "fileExist=Ignore&tempPrefix=t-",
      tryrename: "fileExist=TryRename&tempPrefix=t-",
      move: "fileExist=Move&moveExisting=backup",
      movename: "fileExist=Move&moveExisting=${file:parent}/old-${file:onlyname.noext}/",
      moveonce: "fileExist=Move&moveExisting=backup&eagerDeleteTargetFile=false",
    };
    const routes = Object.entries(options).map(([name, option]) => [
      name,
      [to("file:out?fileName=a.txt"), 'setBody: { constant: "y" }', to(`file:out?fileName=a.txt&${option}`), produced],
    ]);
    await deploy(webhooks(Object.fromEntries(routes)));
    for (const [name, answer, content] of [
      ["override", "out/a.txt", "y"],
      ["append", "out/a.txt", "xy-\n"],
      ["fail", `${refusal}: File already exist: out/a.txt. Cannot write new file.`, "x"],
      ["ignore", "out/a.txt", "x"],
      ["ignoretemp", "out/a.txt", "x"],
      ["tryrename", "out/a.txt", "y"],
      ["move", "out/a.txt", "y"],
      ["movename", "out/a.txt", "y"],
      [
        "moveonce",
        `${refusal}: Cannot move existing file from: out/a.txt to: out/backup/a.txt as there already exists a file: out/backup/a.txt`,
        "x",
      ],
    ] as const) {
      assert.equal(await call(name), answer, name);
      assert.equal(await read("out/a.txt"), content, name);
    }
    assert.deepEqual(await list(), ["out/a.txt", "out/a.txt.done", "out/backup/a.txt", "out/old-a/a.txt"]);
    assert.equal(await read("out/backup/a.txt"), "x");
  });

  await t.test(
    "bodies are text and bytes; null is refused unless it may be an empty file; what has no bytes is refused",
    async (own) => {
      const { deploy, call, read, list, directory } = flow(own);
      const nothing = 'setBody: { simple: "${null}" }';
      await deploy(
        webhooks({
          plain: [to("file:out?fileName=a&forceWrites=true")],
          latin: [to("file:out?fileName=latin&charset=ISO-8859-1")],
          nobody: [nothing, to("file:out?fileName=nobody")],
          empty: [nothing, to("file:out?fileName=empty&allowNullBody=true")],
          kept: [nothing, to("file:out?fileName=a&allowNullBody=true&fileExist=Append")],
          map: ["unmarshal: { json: {} }", to("file:out?fileName=map")],
          jq: ['setBody: { jq: "{b: [.a]}" }', to("file:out?fileName=jq")],
          number: ['setBody: { simple: { expression: "5", resultType: Integer } }', to("file:out?fileName=number")],
          time: [
            'setHeader: { name: CamelFileLastModified, simple: { expression: "1000000000000", resultType: Long } }',
            to("file:out?fileName=time&keepLastModified=true"),
          ],
        }),
      );
      const bytes = Uint8Array.of(0, 0xff, 0xfe, 10);
      assert.equal(await call("plain", bytes, { "content-type": "application/octet-stream" }), "ok");
      assert.equal(await read("out/a"), Buffer.from(bytes).toString("utf8"));
      assert.equal(await call("kept"), "");
      assert.equal((await stat(join(directory, "out/a"))).size, 4);
      assert.equal(await call("latin", "é€"), "ok");
      assert.equal(await read("out/latin"), Buffer.from([0xe9, 0x3f]).toString("utf8"));
      assert.equal(await call("nobody"), `${refusal}: Cannot write null body to file: out/nobody`);
      await call("empty");
      assert.equal(await read("out/empty"), "");
      const noText = (name: string, type: string): string =>
        `${refusal}: Cannot store file: out/${name} (No body available of type: java.io.InputStream but has type: ${type}: make it text first, such as marshal: {json: {}}, or convertBodyTo: {type: String})`;
      assert.equal(await call("map", '{"a":1}'), noText("map", "java.util.LinkedHashMap"));
      await call("jq", '{"a":1}');
      assert.equal(await read("out/jq"), '{"b":[1]}');
      assert.equal(await call("number"), noText("number", "java.lang.Integer"));
      await call("time");
      assert.equal((await stat(join(directory, "out/time"))).mtimeMs, 1e12);
      assert.deepEqual(await list(), ["out/a", "out/empty", "out/jq", "out/latin", "out/time"]);
    },
  );

  await t.test("temporary names, done files and checksums are beside the file", async (own) => {
    const { deploy, call, read, list } = flow(own);
    await deploy(
      webhooks({
        temp: [named("sub/a.txt"), to("file:out?tempFileName=../t-${file:onlyname}.tmp"), produced],
        done: [named("sub/b.tar.gz"), to("file:out?doneFileName=done-${file:name.noext}"), produced],
        fixed: [named("sub/c.txt"), to("file:out?doneFileName=ready"), produced],
        sum: [
          named("d.txt"),
          to("file:out?checksumFileAlgorithm=SHA-256"),
          'setBody: { simple: "${header.CamelFileChecksum}" }',
        ],
        sumonly: [
          named("e.txt"),
          to("file:out?checksumFileAlgorithm=md5&checksumWriteFile=false"),
          'setBody: { simple: "${header.CamelFileChecksum}" }',
        ],
      }),
    );
    assert.equal(await call("temp"), "out/sub/a.txt");
    assert.equal(await call("done"), "out/sub/b.tar.gz");
    assert.equal(await call("fixed"), "out/sub/c.txt");
    const digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
    assert.equal(await call("sum"), digest);
    assert.equal(await call("sumonly"), "9dd4e461268c8034f5c8564e155c67a6");
    assert.equal(await read("out/d.txt.SHA-256"), digest);
    assert.deepEqual(await list(), [
      "out/d.txt",
      "out/d.txt.SHA-256",
      "out/e.txt",
      "out/sub/a.txt",
      "out/sub/b.tar.gz",
      "out/sub/c.txt",
      "out/sub/done-b.tar",
      "out/sub/ready",
    ]);
  });

  await t.test("messages that append to one file at the same time each append all of theirs", async (own) => {
    const { deploy, call, read } = flow(own);
    await deploy(webhooks({ log: [to("file:.?fileName=log.txt&fileExist=Append&appendChars=\\\\n")] }));
    const bodies = Array.from({ length: 40 }, (_, index) => String(index).repeat(2000));
    await Promise.all(bodies.map((body) => call("log", body)));
    assert.deepEqual((await read("log.txt")).trimEnd().split("\n").sort(), bodies.sort());
  });

  await t.test("of messages that write one file at the same time one finds none there", async (own) => {
    const { deploy, call, list } = flow(own);
    await deploy(webhooks({ once: [to("file:.?fileName=a&fileExist=Fail")] }));
    const answers = await Promise.all(Array.from({ length: 20 }, () => call("once")));
    assert.equal(answers.filter((answer) => answer === "ok").length, 1);
    assert.equal(answers.filter((answer) => answer.includes("File already exist: a.")).length, 19);
    assert.deepEqual(await list(), ["a"]);
  });

  await t.test("a flow's files have a bound: their bytes, and for each file 4096 at least", async (own) => {
    const { deploy, call, list } = flow(own);
    await deploy(
      webhooks({ out: [to("file:.?fileName=${header.name}")], more: [to("file:/?fileName=a&fileExist=Append")] }),
      { flowFilesBytes: 40_960 },
    );
    for (let at = 0; at < 8; at++) assert.equal(await call("out", "x", { name: `f${at}` }), "ok");
    assert.equal(await call("more", "x".repeat(4097)), "ok");
    assert.equal(
      await call("more", "y".repeat(4096)),
      `LimitExceededException: the flow's files take 36865 bytes and may take 40960, so 4096 more do not fit: raise the limit flowFilesBytes with LIMIT_FLOW_FILES_BYTES, for this flow alone with 'flowFilesBytes' in its limits`,
    );
    assert.equal((await list()).length, 9);
  });
});
