/** `connector new`: what it would write, what it refuses, and that it writes all or nothing. */
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bulkhead } from "../support/command-line.ts";
import { folderOf, writeFiles } from "../support/folders.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

const lists = [
  "src/shared/connections/kinds.ts",
  "src/workers/connectors/index.ts",
  "src/workers/components/index.ts",
  "docs/connectors/delivery.md",
  "docs/README.md",
];

interface Made {
  readonly written: boolean;
  readonly files: readonly string[];
  readonly changed: readonly { readonly path: string; readonly added: readonly string[] }[];
  readonly next: readonly string[];
}

/** The files of a checkout that the command reads. */
function checkout(t: TestContext, files: Readonly<Record<string, string>> = {}): string {
  const folder = folderOf(t, {});
  for (const path of ["package.json", "templates", ...lists])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  writeFiles(folder, files);
  return folder;
}

const pathsIn = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

async function refusal(args: readonly string[], code = 2): Promise<string> {
  const ended = await bulkhead(["connector", "new", ...args]);
  assert.deepEqual([ended.code, ended.stdout], [code, ""], ended.stderr);
  return ended.stderr;
}

test("a dry run shows each file, the line of each list and the next commands, and writes nothing", async (t) => {
  const folder = checkout(t);
  const before = pathsIn(folder);
  const { code, stdout, stderr } = await bulkhead(["connector", "new", "message-board", "--in", folder, "--dry-run"]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^to write {2}src\/shared\/connections\/message-board\.ts$/m);
  assert.match(stdout, /^to change src\/shared\/connections\/kinds\.ts\n {10}\+ import \{ messageBoard \} from /m);
  assert.match(stdout, /^ {2}npm run docs$/m);
  assert.match(stdout, /^ {2}npm run test:servers -- message-board$/m);
  assert.deepEqual(pathsIn(folder), before);
  assert.ok(lists.every((path) => readFileSync(join(folder, path)).equals(readFileSync(join(root, path)))));
});

test("what it writes has the connector's names, title and port, in the code and in the lists", async (t) => {
  const folder = checkout(t);
  const args = ["message-board", "--in", join(folder, "src"), "--title", "Message Board 2", "--port", "4711", "--json"];
  const made = JSON.parse((await bulkhead(["connector", "new", ...args])).stdout) as Made;
  assert.equal(made.written, true);
  assert.ok(made.files.length >= 14, String(made.files));
  for (const path of made.files) {
    const text = readFileSync(join(folder, path), "utf8");
    assert.doesNotMatch(text + path, /post.?box|7000|templates\/|"(?:\.\.\/)+src\/src/i, path);
  }
  const kind = readFileSync(join(folder, "src/shared/connections/message-board.ts"), "utf8");
  assert.match(kind, /^import type \{ ConnectionKind \} from "\.\/kind\.ts";/);
  assert.match(kind, /export const messageBoard.*\n {2}name: "message-board",\n {2}title: "Message Board 2",/);
  assert.match(kind, /^ {2}port: 4711,$/m);
  const added = Object.fromEntries(made.changed.map((one) => [one.path, one.added]));
  assert.deepEqual(Object.keys(added), lists);
  assert.deepEqual(added["src/workers/components/index.ts"], [
    'import { messageBoard } from "./message-board.ts";',
    "  messageBoard,",
  ]);
  const components = readFileSync(join(folder, "src/workers/components/index.ts"), "utf8");
  assert.match(components, /"\.\/mapping\.ts";\nimport .*"\.\/message-board\.ts";\nimport .*"\.\/mock\.ts";/);
  assert.match(components, /\n {2}mapping,\n {2}messageBoard,\n {2}mock,\n/);
  const again = await refusal(["message-board", "--in", folder]);
  assert.match(again, /'message-board' is taken: it is in src\/shared\/connections\/kinds\.ts\. Take another name/);
});

test("outside of a checkout it is refused, and says where it works", async (t) => {
  const folder = folderOf(t, { "package.json": '{ "name": "shop" }' });
  assert.match(await refusal(["message-board", "--in", folder]), /is not in a checkout of Bulkhead's sources.*--in/);
});

for (const [name, expected] of [
  [
    "MessageBoard",
    /'MessageBoard' is no name of a connector \(did you mean 'message-board'\?\): a name is of 2 to 24 /,
  ],
  ["message_board", /did you mean 'message-board'\?/],
  ["2wire", /did you mean 'wire'\?/],
  ["x", /'x' is no name of a connector: a name/],
  ["a-name-that-has-far-too-many-letters", /is no name of a connector: a name/],
  ["import", /'import' is a word of the language: write another name, such as import-server/],
  ["mqtt", /'mqtt' is taken: it is in src\/shared\/connections\/kinds\.ts/],
  ["activemq", /'activemq' is taken: it is in src\/workers\/components\/index\.ts/],
  ["platform-http", /'platform-http' is taken/],
  ["producers", /'producers' is a word that the code of a connector uses \(src\/.*: take a longer name/],
] as const)
  test(`the name ${name} is refused with what to do`, async (t) => {
    assert.match(await refusal([name, "--in", checkout(t)]), expected);
  });

test("titles and ports that do not fit are refused", async (t) => {
  const folder = checkout(t);
  assert.match(
    await refusal(["board", "--in", folder, "--title", 'a "board"']),
    /^bulkhead: --title: 'a "board"' is not/,
  );
  assert.match(await refusal(["board", "--in", folder, "--port", "70000"]), /--port takes a number from 1 to 65535/);
});

test("a file or a folder that is in the way is named, and nothing is written", async (t) => {
  const folder = checkout(t, {
    "docs/connectors/board.md": "mine\n",
    "src/workers/components/board/other.ts": "mine\n",
  });
  const before = pathsIn(folder);
  assert.match(
    await refusal(["board", "--in", folder]),
    /'board' is taken: docs\/connectors\/board\.md, src\/workers\/components\/board are there already, and nothing is/,
  );
  assert.deepEqual(pathsIn(folder), before);
});

test("a list of another shape is named, and nothing is written", async (t) => {
  const folder = checkout(t);
  const before = pathsIn(folder);
  for (const [path, from, to] of [
    ["src/workers/connectors/index.ts", "[] = [\n", "[] = [ // all\n"],
    ["docs/connectors/delivery.md", "| producer |", "| sender |"],
  ] as const) {
    const text = readFileSync(join(folder, path), "utf8");
    writeFileSync(join(folder, path), text.replace(from, to));
    assert.match(
      await refusal(["board", "--in", folder], 1),
      new RegExp(`nothing is written: ${path} has not got the`),
    );
    writeFileSync(join(folder, path), text);
  }
  assert.deepEqual(pathsIn(folder), before);
});

test("when a file cannot be written, those before it are taken back", async (t) => {
  const folder = checkout(t, { "test/servers": "a file, and no folder\n" });
  const before = pathsIn(folder);
  assert.match(
    await refusal(["board", "--in", folder], 1),
    /nothing is written: test\/servers\/board\/\S+ cannot be: E/,
  );
  assert.deepEqual(pathsIn(folder), before);
});
