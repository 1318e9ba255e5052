/** The ratchet of `npm run prose`, in a repository of its own. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { prose } from "../../scripts/prose/command.ts";
import { folderOf, writeFiles } from "../support/folders.ts";

const countsFile = "scripts/prose/counts.json";
const page = "The file is there.\n\nThe folder is empty.\n";

/** A repository with `docs/a.md`, which has one finding, and its recorded counts. */
async function repository(t: TestContext) {
  const root = folderOf(t, { "docs/a.md": page, "scripts/prose/empty.txt": "" });
  const git = (...words: string[]): void => {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false"];
    execFileSync("git", [...identity, ...words], { cwd: root, stdio: "ignore" });
  };
  const run = async (...words: string[]) => {
    const lines: string[] = [];
    const code = await prose(root, words, (line) => lines.push(line), {});
    return { code, text: lines.join("\n") };
  };
  const recorded = (): unknown => JSON.parse(readFileSync(join(root, countsFile), "utf8"));
  git("init", "-q");
  assert.equal((await run("--record")).code, 0);
  git("add", ".");
  git("commit", "-qm", "a page");
  return { root, git, run, recorded };
}

test("counts that are as recorded pass, with the count of each rule and the total", async (t) => {
  const { run, recorded } = await repository(t);
  assert.deepEqual(recorded(), { "docs/a.md": 1 });
  const { code, text } = await run();
  assert.equal(code, 0, text);
  assert.match(text, /^is-there +1$/m);
  assert.match(text, /^total +1$/m);
});

test("a finding on a touched line fails with its place, until the line is fixed", async (t) => {
  const { root, run, git } = await repository(t);
  writeFiles(root, { "docs/a.md": page.replace("is empty", "is not there") });
  const { code, text } = await run();
  assert.equal(code, 1);
  assert.match(text, /^docs\/a\.md has 2 findings, 1 are recorded$/m);
  assert.match(text, /^docs\/a\.md:3:12 is-there: write exists/m);
  assert.doesNotMatch(text, /^docs\/a\.md:1:/m);
  assert.match((await run("docs/a.md")).text, /^docs\/a\.md:1:10 is-there.*\ndocs\/a\.md:3:12 is-there/);
  git("commit", "-qam", "more of it");
  assert.equal((await run()).code, 1);
  writeFiles(root, { "docs/a.md": page.replace("is empty", "has no files") });
  assert.equal((await run()).code, 0);
});

test("an old finding on a line that is touched fails although no count rises", async (t) => {
  const { root, run } = await repository(t);
  writeFiles(root, { "docs/a.md": page.replace("The file", "The first file") });
  const { code, text } = await run();
  assert.equal(code, 1);
  assert.match(text, /^docs\/a\.md:1:16 is-there.*\n1 findings on lines touched since/m);
});

test("fewer findings ask to be recorded, and recording never raises a count", async (t) => {
  const { root, run, recorded } = await repository(t);
  writeFiles(root, { "docs/a.md": "The file exists.\n" });
  const fallen = await run();
  assert.equal(fallen.code, 0);
  assert.match(fallen.text, /npm run prose -- --record$/m);
  assert.equal((await run("--record")).code, 0);
  assert.deepEqual(recorded(), {});
  writeFiles(root, { "docs/a.md": page });
  assert.equal((await run("--record")).code, 1);
  assert.equal((await run("--record", "docs/a.md")).code, 1);
  assert.deepEqual(recorded(), {});
});

test("text that moves to another file is not touched, and its counts move when the file is named", async (t) => {
  const { root, run, git, recorded } = await repository(t);
  writeFiles(root, { "docs/a.md": "# A\n", "docs/b.md": "" });
  git("add", ".");
  writeFiles(root, { "docs/b.md": `# B\n\n${page}` });
  assert.match((await run()).text, /^0 findings on lines touched since/m);
  assert.equal((await run("--record")).code, 1);
  assert.equal((await run("--record", "docs/b.md")).code, 0);
  assert.deepEqual(recorded(), { "docs/b.md": 1 });
  assert.equal((await run()).code, 0);
});
