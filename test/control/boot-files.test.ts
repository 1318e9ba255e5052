/** Files of the routes directory that cannot be loaded: told, left alone, and in nobody's way (reliability K7). */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  unlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { answering } from "../support/flows.ts";
import { startTestApp } from "../support/start-app.ts";

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly error?: string;
}

interface Health {
  readonly status: string;
  readonly counts: { readonly flows: number; readonly failedFiles: number };
  readonly failedFiles?: readonly { readonly file: string; readonly reason: string }[];
}

interface Bad {
  readonly file: string;
  /** Absent: the text below. */
  readonly make?: (path: string, outside: string) => Promise<unknown>;
  readonly text?: string | Uint8Array;
  readonly reason: RegExp;
  /** Where the list has it; absent: under the file's name without `.yaml`. */
  readonly id?: string;
  /** Why this machine cannot make it. */
  readonly skip?: string | false;
}

const isRoot = process.getuid?.() === 0;
const anchors = "a: &a [x,x,x,x,x,x,x,x,x]\n";
const bomb = `${anchors}${"bcdefghi"
  .split("")
  .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[at]}`).join(",")}]\n`)
  .join("")}`;

const bad: readonly Bad[] = [
  { file: "empty.yaml", text: "", reason: /it is empty/ },
  { file: "only-a-comment.yaml", text: "# nothing yet\n", reason: /^only-a-comment\.yaml:1:1: / },
  { file: "half.yaml", text: answering("half", "x").slice(0, 40), reason: /^half\.yaml:\d+:\d+: / },
  { file: "open.yaml", text: "- route: [", reason: /^open\.yaml:1:/ },
  { file: "binary.yaml", text: new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 0xff, 0xfe]), reason: /it is not UTF-8/ },
  { file: "zeros.yaml", text: new Uint8Array(64), reason: /^zeros\.yaml:/ },
  {
    file: "huge.yaml",
    make: async (path) => (await writeFile(path, ""), truncate(path, 50 * 1024 * 1024)),
    reason: /52428800 bytes.*LIMIT_FLOW_YAML_BYTES/,
  },
  { file: "folder.yaml", make: (path) => mkdir(path), reason: /it is a directory/ },
  {
    file: "leads-out.yaml",
    make: (path, outside) => symlink(join(outside, "secret.yaml"), path),
    reason: /symbolic link that leads out/,
  },
  {
    file: "dangling.yaml",
    make: (path) => symlink("no-such-file", path),
    reason: /symbolic link that cannot be followed \(ENOENT\)/,
  },
  {
    file: "circle.yaml",
    make: (path) => symlink("circle.yaml", path),
    reason: /symbolic link that cannot be followed \(ELOOP\)/,
  },
  { file: "pipe.yaml", make: async (path) => execFileSync("mkfifo", [path]), reason: /not a regular file/ },
  {
    file: "secret.yaml",
    make: async (path) => (await writeFile(path, answering("secret", "x")), chmod(path, 0)),
    reason: /cannot be read \(EACCES\)/,
    skip: isRoot && "root reads everything",
  },
  { file: "latin1.yaml", text: Buffer.from(answering("latin1", "M\u00fcll"), "latin1"), reason: /it is not UTF-8/ },
  { file: "utf16.yaml", text: Buffer.from(`\ufeff${answering("utf16", "x")}`, "utf16le"), reason: /it is not UTF-8/ },
  { file: "twin.yaml", text: answering("good", "the later one"), reason: /route id 'good' belongs to flow 'good'/ },
  {
    file: "reserved.yaml",
    text: "- route:\n    id: reserved\n    from:\n      uri: platform-http:/_api/flows\n      steps:\n        - log: x\n",
    reason: /_api/,
  },
  { file: "later.yaml", text: answering("later", "x").replace("setBody", "setBdy"), reason: /did you mean 'setBody'/ },
  { file: "bomb.yaml", text: bomb, reason: /^bomb\.yaml:/ },
  { file: "other.yml", id: "other.yml", text: answering("other", "x"), reason: /rename it to 'other\.yaml'/ },
  { file: "SHOUT.YAML", id: "SHOUT.YAML", text: answering("shout", "x"), reason: /rename it to 'SHOUT\.yaml'/ },
  {
    file: "ein Fl\u00f6\u00dfchen.yaml",
    id: "ein Fl\u00f6\u00dfchen.yaml",
    text: answering("fl", "x"),
    reason: /rename it to '[\w.-]+\.yaml'/,
  },
  { file: "con.yaml", id: "con.yaml", text: answering("con", "x"), reason: /rename it to 'flow-con\.yaml'/ },
  { file: "good.yml", id: "good.yml", text: answering("x", "x"), reason: /'good\.yaml' exists already/ },
  { file: "plain.yaml", text: answering("plain", "x"), reason: /'plain' and 'Plain' differ only by case/ },
];

const good: Readonly<Record<string, string>> = {
  "good.yaml": answering("good", "good"),
  "Plain.yaml": answering("cased", "cased"),
  "zz.yaml": answering("zz", "zz"),
  "marked.yaml": `\ufeff${answering("marked", "marked")}`,
};

/** Neither flows nor worth a word; the temp file is what an interrupted write leaves, and is swept. */
const others = { "notes.txt": "x", "f.json": "{}", "f.yaml.bak": "x", ".hidden.yaml": "x", sub: undefined } as const;

/** Makes them in a routes directory below a new directory, and gives the latter. */
async function directoryOf(made: readonly Bad[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-boot-"));
  const routes = join(directory, "routes");
  await mkdir(routes);
  await writeFile(join(directory, "secret.yaml"), answering("out", "x"));
  for (const { file, make, text } of made) {
    if (make !== undefined) await make(join(routes, file), directory);
    else await writeFile(join(routes, file), text ?? "");
  }
  for (const [file, text] of Object.entries(good)) await writeFile(join(routes, file), text);
  for (const [file, text] of Object.entries(others)) {
    if (text === undefined) await mkdir(join(routes, file));
    else await writeFile(join(routes, file), text);
  }
  await writeFile(join(routes, "sub", "inner.yaml"), answering("inner", "x"));
  await writeFile(join(routes, ".good.yaml.0123456789ab.tmp"), "torn");
  return directory;
}

test("a routes directory full of bad files", async (t) => {
  const made = bad.filter(({ skip }) => !skip);
  const directory = await directoryOf(made);
  const app = await startTestApp(t, { directory });
  t.after(() => rm(directory, { recursive: true, force: true }));

  const list = async (): Promise<readonly Listed[]> => (await (await app.api("/flows")).json()) as Listed[];
  const health = async (): Promise<Health> => (await (await app.api("/health")).json()) as Health;

  await t.test("every good flow runs", async () => {
    for (const id of ["good", "cased", "zz", "marked"]) assert.equal(await (await app.post(`/api/${id}`)).text(), id);
    assert.equal((await app.api("/health?probe=ready")).status, 200);
  });

  await t.test("the open report counts the bad ones and names none", async () => {
    const open = (await (await fetch(`${app.url}/_api/health`)).json()) as Health;
    assert.equal(open.status, "DEGRADED");
    assert.deepEqual([open.counts.failedFiles, open.failedFiles], [made.length, undefined]);
  });

  await t.test("the log says how many flows are loaded, and names each of the others once", () => {
    const lines = app.logs.filter(({ level }) => level !== "ERROR");
    const summary = lines.filter(({ message }) => message.endsWith(" flows loaded"));
    assert.deepEqual(
      summary.map(({ message }) => message),
      [`4 of ${made.length + 4} flows loaded`],
    );
    for (const { file, id, reason } of made) {
      const flowId = file.replace(/\.yaml$/, "");
      const about = lines.filter((line) => line.message.startsWith(`${file} is not`) || line.flowId === flowId);
      assert.equal(about.length, 1, `${id ?? flowId}: ${about.map(({ message }) => message).join("; ")}`);
      assert.match(about[0]?.message.replace(/^(not deployed|.* is not loaded): /, "") ?? "", reason);
    }
  });

  await t.test("nothing else is listed, and nothing is deleted or moved but the torn write", async () => {
    const expected = [
      ...made.map(({ id, file }) => id ?? file.replace(/\.yaml$/, "")),
      ...["good", "Plain", "zz", "marked"],
    ];
    assert.deepEqual((await list()).map(({ id }) => id).sort(), expected.sort());
    const names = [...made.map(({ file }) => file), ...Object.keys(good), ...Object.keys(others)];
    assert.deepEqual((await readdir(app.routesDirectory)).sort(), names.sort());
  });

  for (const { file, id, text, reason, skip = false } of bad) {
    await t.test(`${file} is listed as Failed, and behind the bearer with its reason`, { skip }, async () => {
      const entry = (await list()).find((one) => one.id === (id ?? file.replace(/\.yaml$/, "")));
      assert.equal(entry?.state, "Failed");
      assert.match(entry.error ?? "", reason);
      const told = (await health()).failedFiles?.filter((one) => one.file === file);
      assert.equal(told?.length, 1);
      assert.match(told[0]?.reason ?? "", reason);
      for (const words of [entry.error, told[0]?.reason])
        assert.ok(!words?.includes(directory) && !words?.includes(tmpdir()), words ?? "");
      const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
      if (bytes !== undefined) assert.ok((await readFile(join(app.routesDirectory, file))).equals(bytes));
    });
  }

  await t.test("a bad file can be looked at, and a stop of it says what is wrong", async () => {
    const shown = (await (await app.api("/flows/huge")).json()) as { yaml: string; state: string };
    assert.deepEqual([shown.yaml, shown.state], ["", "Failed"]);
    for (const call of ["stop", "start", "reload"]) {
      const refused = await app.api(`/flows/huge/${call}`, { method: "POST" });
      assert.equal(refused.status, 422, call);
      assert.match(((await refused.json()) as { error: string }).error, /^huge\.yaml: it has 52428800 bytes/);
    }
  });

  /** The reload's status, and whether the file is on the list afterwards. */
  const reloaded = async (id: string, file: string): Promise<readonly [number, boolean]> => {
    const { status } = await app.api(`/flows/${id}/reload`, { method: "POST" });
    return [status, (await health()).failedFiles?.some((one) => one.file === file) === true];
  };

  await t.test("a file that is mended by hand runs after a reload, and is off the list", async () => {
    await writeFile(join(app.routesDirectory, "empty.yaml"), answering("mended", "by hand"));
    assert.deepEqual(await reloaded("empty", "empty.yaml"), [200, false]);
    assert.equal(await (await app.post("/api/mended")).text(), "by hand");
    await rename(join(app.routesDirectory, "other.yml"), join(app.routesDirectory, "other.yaml"));
    assert.deepEqual(await reloaded("other", "other.yml"), [200, false]);
    assert.equal(await (await app.post("/api/other")).text(), "x");
  });

  await t.test("a file that is mended badly stays on the list, with its new reason", async () => {
    await writeFile(join(app.routesDirectory, "latin1.yaml"), "- rout: {}");
    assert.deepEqual(await reloaded("latin1", "latin1.yaml"), [422, true]);
    const entry = (await list()).find(({ id }) => id === "latin1");
    assert.equal(entry?.state, "Failed");
    assert.match(entry.error ?? "", /^latin1\.yaml:1:/);
  });

  await t.test("a PUT mends a file, too", async () => {
    assert.equal((await app.put("open", answering("open", "put"))).status, 200);
    assert.equal(await (await app.post("/api/open")).text(), "put");
    assert.ok(!(await health()).failedFiles?.some(({ file }) => file === "open.yaml"));
  });

  await t.test("a file that is removed by hand is off the list when the list is next read", async () => {
    const before = (await health()).counts.failedFiles;
    await unlink(join(app.routesDirectory, "half.yaml"));
    await unlink(join(app.routesDirectory, "dangling.yaml"));
    await list();
    // What the list forgets has its turn among the changes of that flow; so has this.
    await app.api("/flows/half/reload", { method: "POST" });
    assert.equal((await health()).counts.failedFiles, before - 2);
  });

  await t.test("an id that is the name of such a file is no flow's: the file is told, and left alone", async () => {
    const refused = await app.put("good.yml", answering("fresh", "x"));
    assert.deepEqual([refused.status, refused.headers.get("x-error-code")], [409, "id_taken"]);
    assert.match(((await refused.json()) as { error: string }).error, /'good\.yml'.*'good\.yaml' exists already/);
    const deleted = await app.api("/flows/good.yml", { method: "DELETE" });
    assert.equal(deleted.status, 422);
    assert.ok((await stat(join(app.routesDirectory, "good.yml"))).isFile());
    assert.equal((await app.put("shout", answering("shout", "x"))).status, 201);
  });

  await t.test("a DELETE of a bad file deletes it, and its id is free", async () => {
    assert.equal((await app.api("/flows/zeros", { method: "DELETE" })).status, 200);
    assert.ok(!(await health()).failedFiles?.some(({ file }) => file === "zeros.yaml"));
    assert.equal((await app.put("zeros", answering("zeros", "x"))).status, 201);
  });
});

test("one flow is not several in the log", async (t) => {
  const app = await startTestApp(t, { files: { "one.yaml": answering("one", "x") } });
  assert.deepEqual(
    app.logs.filter(({ message }) => message.endsWith("loaded")).map(({ message }) => message),
    ["1 flow loaded"],
  );
});
