/** Files that a flow consumes (`from: file:`), in real threads: which, in what order, and what becomes of them. */
import assert from "node:assert/strict";
import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { consumingRoute, type FlowFiles, manyFlows } from "../support/flow-files.ts";

const soon = "initialDelay=0&delay=50";
const took = 'log: "took ${routeId} ${file:name} ${body}"';

/** What routes of the flow have logged of the files that they took. */
function taken({ app, id }: FlowFiles, route = "c"): string[] {
  const start = `took ${route} `;
  const own = app.logs.filter(({ flowId }) => flowId === id);
  return own.flatMap(({ message }) => (message.startsWith(start) ? [message.slice(start.length)] : []));
}

async function consumed(files: FlowFiles, count: number, route = "c"): Promise<string[]> {
  await eventually(() => taken(files, route).length >= count, `${count} files of ${route}`, 60_000);
  return taken(files, route);
}

/** A route of which it is known that it looks again, so that what it has not taken by then it does not take. */
async function polledAgain(files: FlowFiles, directory: string, route: string): Promise<void> {
  const count = taken(files, route).length;
  await files.write(`${directory}/zz-${count}.txt`, "last");
  await consumed(files, count + 1, route);
}

test("files that a flow consumes", async (t) => {
  const flow = await manyFlows(t);

  await t.test(
    "a file is a message: text, bytes or text of a character set, with Camel's headers; then it is in .camel",
    async (own) => {
      const files = flow(own);
      await files.write("in/sub/a.txt", "héllo\n");
      await files.write("in/b.bin", Uint8Array.of(0xff, 0xfe, 0));
      await files.write("latin/c.txt", Uint8Array.of(0xe9));
      await files.write("in/.hidden", "x");
      await files.write("in/x.camelLock", "x");
      await utimes(join(files.directory, "in/sub/a.txt"), 1e9, 1e9);
      const headers = [
        "CamelFileName CamelFileNameOnly CamelFileNameConsumed CamelFileAbsolute CamelFileAbsolutePath CamelFilePath",
        "CamelFileRelativePath CamelFileParent CamelFileLength CamelFileLastModified CamelMessageTimestamp",
      ]
        .join(" ")
        .split(" ")
        .map((name) => `\${header.${name}}`)
        .join(" ");
      await files.deploy(
        consumingRoute(
          "c",
          `file:in?recursive=true&${soon}`,
          `log: "took c \${bodyType} ${headers} \${exchangeProperty.CamelBatchIndex}/\${exchangeProperty.CamelBatchSize}/\${exchangeProperty.CamelBatchComplete}"`,
        ) + consumingRoute("latin", `file:latin?charset=ISO-8859-1&flatten=true&${soon}`, took),
      );
      const [first = "", second = ""] = await consumed(files, 2);
      assert.match(first, /^byte\[\] b.bin b.bin b.bin false \/in\/b.bin in\/b.bin b.bin in 3 \d+ \d+ 0\/2\/false$/);
      assert.equal(
        second,
        "java.lang.String sub/a.txt a.txt sub/a.txt false /in/sub/a.txt in/sub/a.txt sub/a.txt in/sub 7 1000000000000 1000000000000 1/2/true",
      );
      assert.deepEqual(await consumed(files, 1, "latin"), ["c.txt é"]);
      const wanted = ["in/.camel/b.bin", "in/.hidden", "in/sub/.camel/a.txt", "in/x.camelLock", "latin/.camel/c.txt"];
      await eventually(async () => (await files.list()).join() === wanted.join(), "all moved");
      const [run] = await files.runs("routeId=c&limit=1");
      assert.equal(run?.trigger.kind, "file");
      assert.equal(run?.trigger.uri, `file:in?recursive=true&${soon}`);
    },
  );

  await t.test(
    "delete, move, moveFailed and preMove say where a file goes; names may be of the message",
    async (own) => {
      const files = flow(own);
      for (const directory of ["delete", "move", "name", "failed", "pre", "handled", "marked"])
        await files.write(`${directory}/a.txt`, "x");
      const fail = "throwException: { exceptionType: java.io.IOException, message: broken }";
      await files.deploy(
        consumingRoute("delete", `file:delete?delete=true&${soon}`, took) +
          consumingRoute("move", `file:move?move=../done&${soon}`, took) +
          consumingRoute(
            "name",
            `file:name?move=/archive/\${header.to}/\${file:name.noext}.old&${soon}`,
            'setHeader: { name: to, constant: "box" }',
            took,
          ) +
          consumingRoute(
            "failed",
            `file:failed?moveFailed=bad/\${exception.message}-\${file:onlyname}&${soon}`,
            took,
            fail,
          ) +
          consumingRoute(
            "pre",
            `file:pre?preMove=work&move=done&${soon}`,
            'log: "took pre ${file:name} ${file:parent}"',
          ) +
          consumingRoute(
            "handled",
            `file:handled?moveFailed=bad&${soon}`,
            `doTry: { steps: [{ ${fail} }], doCatch: [{ exception: [java.io.IOException], steps: [{ ${took} }] }] }`,
          ) +
          consumingRoute(
            "marked",
            `file:marked?moveFailed=bad/\${exception.message}&${soon}`,
            took,
            "rollback: { markRollbackOnly: true }",
          ),
      );
      for (const route of ["delete", "move", "name", "failed", "handled", "marked"])
        assert.deepEqual(await consumed(files, 1, route), ["a.txt x"]);
      assert.deepEqual(await consumed(files, 1, "pre"), ["a.txt pre/work"]);
      const wanted = [
        "archive/box/a.old",
        "done/a.txt",
        "failed/bad/broken-a.txt",
        "handled/.camel/a.txt",
        "marked/bad/the route was marked for rollback",
        "pre/work/done/a.txt",
      ];
      await eventually(async () => (await files.list()).join() === wanted.join(), "all moved");
    },
  );

  await t.test("a failed file without moveFailed stays, and is taken again", async (own) => {
    const files = flow(own);
    await files.write("in/a.txt", "x");
    await files.deploy(
      consumingRoute(
        "c",
        `file:in?idempotent=true&${soon}`,
        took,
        "throwException: { exceptionType: java.lang.Exception, message: broken }",
      ),
    );
    await consumed(files, 2);
    assert.deepEqual(await files.list(), ["in/a.txt"]);
    const [run] = await files.runs("routeId=c&limit=1");
    assert.equal(run?.error?.message, "broken");
  });

  await t.test(
    "noop leaves files where they are and takes each once; idempotentKey says which are the same",
    async (own) => {
      const files = flow(own);
      for (const name of ["a", "b"])
        for (const directory of ["noop", "same", "lazy"]) await files.write(`${directory}/${name}.txt`, "x");
      await files.deploy(
        consumingRoute("c", `file:noop?noop=true&${soon}`, took) +
          consumingRoute("same", `file:same?idempotent=true&idempotentKey=\${file:size}&${soon}`, took) +
          consumingRoute(
            "lazy",
            `file:lazy?idempotent=true&idempotentEager=false&idempotentKey=\${file:size}&${soon}`,
            took,
          ),
      );
      assert.deepEqual(await consumed(files, 2), ["a.txt x", "b.txt x"]);
      assert.deepEqual(await consumed(files, 1, "same"), ["a.txt x"]);
      assert.deepEqual(await consumed(files, 2, "lazy"), ["a.txt x", "b.txt x"]);
      await polledAgain(files, "noop", "c");
      await polledAgain(files, "same", "same");
      assert.deepEqual(taken(files), ["a.txt x", "b.txt x", "zz-2.txt last"]);
      assert.deepEqual(taken(files, "same"), ["a.txt x", "zz-1.txt last"]);
      assert.ok((await files.list("same")).includes("same/b.txt"));
      // The file is another one, but its key is known.
      await writeFile(join(files.directory, "noop/a.txt"), "changed");
      await polledAgain(files, "noop", "c");
      assert.equal(taken(files).filter((line) => line.startsWith("a.txt")).length, 1);
    },
  );

  await t.test("files are chosen by name, path, depth and content of their headers", async (own) => {
    const files = flow(own);
    const names = ["a.txt", "B.TXT", "c.tar.gz", "sub/d.txt", "sub/deep/e.xml", ".git/f.txt", ".camel/g.txt", ".h.txt"];
    const rules: Readonly<Record<string, readonly [options: string, expected: string]>> = {
      include: ["include=.*[.]txt", "B.TXT a.txt"],
      exclude: ["exclude=.*txt&recursive=true", "c.tar.gz sub/deep/e.xml"],
      ext: ["includeExt=gz, TXT", "B.TXT a.txt c.tar.gz"],
      noext: ["excludeExt=txt", "c.tar.gz"],
      ant: ["recursive=true&antInclude=**/*.txt,**/e.*&antExclude=sub/d*", "a.txt sub/deep/e.xml"],
      anycase: ["antInclude=*.txt&antFilterCaseSensitive=false", "B.TXT a.txt"],
      min: ["recursive=true&minDepth=2&maxDepth=2", "sub/d.txt"],
      max: ["recursive=true&maxDepth=2", "B.TXT a.txt c.tar.gz sub/d.txt"],
      hidden: [
        "recursive=true&includeHiddenFiles=true&includeHiddenDirs=true&include=.*[.]txt&maxDepth=2",
        ".git/f.txt .h.txt B.TXT a.txt sub/d.txt",
      ],
      shuffle: ["shuffle=true&fileName=B.TXT", "B.TXT"],
      name: ["fileName=a.${header.CamelFileNameOnly.substring(2)}&recursive=true", "a.txt"],
      filter: ["recursive=true&filterFile=${file:size} > 10", "sub/deep/e.xml"],
      dirs: [
        "recursive=true&filterDirectory=${file:onlyname} != 'deep'&include=[^.].*",
        "B.TXT a.txt c.tar.gz sub/d.txt",
      ],
    };
    for (const rule of Object.keys(rules)) for (const name of names) await files.write(`${rule}/${name}`, name);
    const routes = Object.entries(rules).map(([rule, [options]]) =>
      consumingRoute(rule, `file:${rule}?noop=true&repeatCount=1&initialDelay=0&${options}`, took),
    );
    await files.deploy(routes.join(""));
    for (const [rule, [, expected]] of Object.entries(rules)) {
      await consumed(files, expected.split(" ").length, rule);
    }
    for (const [rule, [, expected]] of Object.entries(rules)) {
      assert.equal(
        taken(files, rule)
          .map((line) => line.split(" ")[0])
          .join(" "),
        expected,
        rule,
      );
    }
  });

  await t.test("sortBy, preSort and maxMessagesPerPoll give the order and the size of a poll", async (own) => {
    const files = flow(own);
    const sizes: Readonly<Record<string, number>> = { "a.txt": 10, "B.txt": 9, "c.txt": 100, "d.txt": 9 };
    const rules: Readonly<Record<string, readonly [options: string, expected: string]>> = {
      name: ["sortBy=file:name", "B.txt a.txt c.txt d.txt"],
      nocase: ["sortBy=reverse:ignoreCase:file:name", "d.txt c.txt B.txt a.txt"],
      size: ["sortBy=file:size;reverse:file:name", "d.txt B.txt a.txt c.txt"],
      nested: ["sortBy=reverse:file:size;file:name", "c.txt a.txt d.txt B.txt"],
      eager: ["sortBy=reverse:file:name&maxMessagesPerPoll=2", "a.txt B.txt d.txt c.txt"],
      late: [
        "sortBy=reverse:file:name&maxMessagesPerPoll=3&eagerMaxMessagesPerPoll=false&idempotent=true",
        "d.txt c.txt a.txt B.txt",
      ],
      pre: ["preSort=-size&maxMessagesPerPoll=1", "c.txt a.txt d.txt B.txt"],
    };
    for (const rule of Object.keys(rules))
      for (const [name, size] of Object.entries(sizes)) await files.write(`${rule}/${name}`, "x".repeat(size));
    const routes = Object.entries(rules).map(([rule, [options]]) =>
      consumingRoute(rule, `file:${rule}?delete=true&${soon}&${options}`, took),
    );
    await files.deploy(routes.join(""));
    for (const [rule, [, expected]] of Object.entries(rules)) {
      const lines = await consumed(files, 4, rule);
      assert.equal(lines.map((line) => line.split(" ")[0]).join(" "), expected, rule);
    }
  });

  await t.test("a done file says that a file is complete, and goes with it", async (own) => {
    const files = flow(own);
    await files.write("own/a.txt", "a");
    await files.write("own/b.txt", "b");
    await files.write("own/b.txt.done", "");
    await files.write("all/a.txt", "a");
    await files.write("all/b.txt", "b");
    await files.write("failed/a.txt", "a");
    await files.write("failed/done-a", "");
    await files.deploy(
      consumingRoute("own", `file:own?doneFileName=\${file:name}.done&delete=true&${soon}`, took) +
        consumingRoute("all", `file:all?doneFileName=ready&delete=true&${soon}`, took) +
        consumingRoute(
          "failed",
          `file:failed?doneFileName=done-\${file:name.noext}&${soon}`,
          took,
          "throwException: { exceptionType: java.lang.Exception, message: broken }",
        ),
    );
    assert.deepEqual(await consumed(files, 1, "own"), ["b.txt b"]);
    await files.write("all/ready", "");
    assert.deepEqual(await consumed(files, 2, "all"), ["a.txt a", "b.txt b"]);
    await consumed(files, 2, "failed");
    const wanted = ["failed/a.txt", "failed/done-a", "own/a.txt"];
    await eventually(async () => (await files.list()).join() === wanted.join(), "the rest stays");
    await files.write("own/a.txt.done", "");
    assert.deepEqual(await consumed(files, 2, "own"), ["b.txt b", "a.txt a"]);
  });

  await t.test("readLock=changed takes a file that does not change, and none that is empty", async (own) => {
    const files = flow(own);
    await files.write("in/empty.txt", "");
    await files.write("in/still.txt", "still");
    await files.deploy(
      consumingRoute("c", `file:in?readLock=changed&readLockCheckInterval=200&delete=true&${soon}`, took),
    );
    assert.deepEqual(await consumed(files, 1), ["still.txt still"]);
    await polledAgain(files, "in", "c");
    // A file is deleted when its run is over.
    await eventually(async () => (await files.list()).length === 1, "the last file is deleted");
    assert.deepEqual(await files.list(), ["in/empty.txt"]);
  });

  await t.test(
    "an idle poll may be a message, polls may be counted, and a directory that must be there is missed once",
    async (own) => {
      const files = flow(own);
      await files.deploy(
        consumingRoute(
          "idle",
          "file:idle?sendEmptyMessageWhenIdle=true&initialDelay=0&delay=10&repeatCount=3",
          'log: "took idle ${bodyType}"',
        ) +
          consumingRoute("none", `file:none?autoCreate=false&directoryMustExist=true&${soon}`, took) +
          consumingRoute("never", `file:never?autoCreate=false&startingDirectoryMustExist=true&${soon}`, took),
      );
      await consumed(files, 3, "idle");
      const missed = () =>
        files.app.logs.filter(({ message }) =>
          message.includes("files cannot be looked for in 'none': Directory does not exist: none"),
        );
      await eventually(() => missed().length > 0, "told");
      await files.write("none/a.txt", "x");
      assert.deepEqual(await consumed(files, 1, "none"), ["a.txt x"]);
      assert.equal(missed().length, 1);
      assert.equal(taken(files, "idle").length, 3);
    },
  );

  await t.test(
    "a file that is too large is a run that failed, and is left alone until it is another one",
    async (own) => {
      const files = flow(own);
      await files.write("in/large.txt", "x".repeat(1001));
      await files.write("moved/large.txt", "x".repeat(1001));
      await files.deploy(
        consumingRoute("c", `file:in?${soon}`, took) +
          consumingRoute("moved", `file:moved?moveFailed=bad&${soon}`, took),
        { messageBodyBytes: 1000 },
      );
      const runs = await eventually(async () => {
        const list = await files.runs("routeId=c");
        return list.some(({ finishedAt }) => finishedAt !== null) ? list : undefined;
      }, "a run");
      assert.match(
        runs[0]?.error?.message ?? "",
        /^a message's body has at most 1000 bytes: raise the limit messageBodyBytes with LIMIT_MESSAGE_BODY_BYTES, /,
      );
      await eventually(async () => (await files.list("moved")).join() === "moved/bad/large.txt", "moved");
      await polledAgain(files, "in", "c");
      assert.equal((await files.runs("routeId=c&status=failed")).length, 1);
      await files.write("in/large.txt", "small");
      await eventually(() => taken(files).includes("large.txt small"), "the small one");

      const { api } = files.app;
      const [kept] = (await (await api(`/failed?flowId=${files.id}&routeId=c`)).json()) as { id: string }[];
      const detail = (await (await api(`/failed/${kept?.id}`)).json()) as Record<string, unknown>;
      assert.equal(detail["headOnly"], true);
      assert.match(JSON.stringify(detail["message"]), /"CamelFileName":"large\.txt"/);
      const retry = (body?: string): Promise<Response> =>
        api(`/failed/${kept?.id}/retry?wait=true`, {
          method: "POST",
          ...(body !== undefined && { body, headers: { "content-type": "application/json" } }),
        });
      const refused = await retry();
      assert.equal(refused.status, 409);
      assert.match(await refused.text(), /the message .* has headers alone, .* give the body with the retry/);
      assert.ok((await retry(JSON.stringify({ body: "given" }))).ok);
      assert.ok(taken(files).includes("large.txt given"));
      assert.match(
        await (await api("/metrics")).text(),
        new RegExp(`bulkhead_failed_messages_total\\{flow="${files.id}",event="head_only"\\} 2`),
      );
    },
  );

  await t.test("a backslash in a file's name is part of the name when the file is moved away", async (own) => {
    const files = flow(own);
    await files.write("in/a\\b.txt", "x");
    await files.write("pre/c\\d.txt", "x");
    await files.deploy(
      consumingRoute("c", `file:in?${soon}`, took) +
        consumingRoute("pre", `file:pre?preMove=work\\\\sub&move=done&${soon}`, took),
    );
    assert.deepEqual(await consumed(files, 1), ["a\\b.txt x"]);
    const wanted = ["in/.camel/a\\b.txt", "pre/work/sub/done/c\\d.txt"];
    await eventually(async () => (await files.list()).join() === wanted.join(), "both are moved");
  });

  await t.test("a file that was processed but cannot be moved away is not processed again", async (own) => {
    const files = flow(own);
    await files.write("in/a.txt", "x");
    await files.write("in/.camel", "in the way");
    await files.deploy(consumingRoute("c", `file:in?${soon}`, took));
    await consumed(files, 1);
    await polledAgain(files, "in", "c");
    await polledAgain(files, "in", "c");
    assert.deepEqual(
      taken(files).filter((line) => line.startsWith("a.txt")),
      ["a.txt x"],
    );
    assert.ok(
      files.app.logs.some(({ message }) =>
        /the file 'in\/a.txt' was processed, but cannot be moved or deleted/.test(message),
      ),
    );
  });
});
