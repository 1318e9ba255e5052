/** What may follow `bulkhead`, and what is refused. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { readCommand, UsageError } from "../../../src/control/command.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const entry = process.env["BULKHEAD_COVERAGE_DIR"] === undefined ? "bin/bulkhead.js" : "src/control/main.ts";

/** The process, which must not start a runtime: its port is none. */
function bulkhead(...args: readonly string[]) {
  const env = { ...process.env, PORT: "none" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

function refusal(...args: readonly string[]): string {
  try {
    return `taken: ${readCommand(args).name}`;
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return error.message;
  }
}

test("--help names every command with an example, and starts nothing", () => {
  const { status, stdout, stderr } = bulkhead("--help");
  assert.deepEqual([status, stderr], [0, ""]);
  for (const example of [
    "PORT=8081 bulkhead start",
    "bulkhead restore backup.tar --to restored",
    "bulkhead test routes/tests",
    "bulkhead audit verify data/audit",
  ])
    assert.ok(stdout.includes(`    ${example}\n`), example);
});

test("--version prints the version of package.json", () => {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string };
  assert.deepEqual(bulkhead("--version"), { status: 0, stdout: `bulkhead ${version}\n`, stderr: "" });
});

test("a word that is no command is refused with the one that is meant, exit code 2, and starts nothing", () => {
  assert.deepEqual(bulkhead("strat"), {
    status: 2,
    stdout: "",
    stderr:
      "bulkhead: there is no command 'strat' (did you mean 'start'?); " +
      "there are start, restore, test, audit, help, version: see bulkhead --help\n",
  });
});

test("help, version and start are words, too; help of a command is the command's own", () => {
  const named = (...args: readonly string[]): string => readCommand(args).name;
  assert.equal(named(), "start");
  assert.equal(named("start"), "start");
  for (const args of [["help"], ["-h"], ["--help"], ["start", "--help"], ["--help=yes"], ["help", "audit"]])
    assert.equal(named(...args), "help", args.join(" "));
  assert.deepEqual(readCommand(["help", "start"]), readCommand(["start", "--help"]));
  assert.notDeepEqual(readCommand(["help", "start"]), readCommand(["--help"]));
  for (const args of [["version"], ["-v"], ["--version"]]) assert.equal(named(...args), "version");
  assert.deepEqual(readCommand(["help", "test"]), { name: "test", args: ["--help"] });
  assert.deepEqual(readCommand(["test", "-x", "a"]), { name: "test", args: ["-x", "a"] });
});

test("options that do not exist are refused, with the option or the variable to use", () => {
  assert.match(refusal("--hlep"), /^there is no option '--hlep' \(did you mean '--help'\?\); see bulkhead --help$/);
  for (const args of [["--port", "1"], ["--port=1"], ["start", "--port", "1"]])
    assert.match(refusal(...args), /^there is no option '--port': environment variables .* PORT=8081 bulkhead start;/);
  assert.match(refusal("-p", "1"), /^there is no option '-p'/);
  assert.match(refusal("start", "now"), /^start takes no further words, and 'now' is one/);
});

test("only no word at all and 'start' start a runtime", () => {
  const word = fc.oneof(fc.string(), fc.constantFrom("start", "wat", "--help", "-h", "-v", "--", "-", ""));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 4 }), (args) => {
      const starts = refusal(...args) === "taken: start";
      const plain = args.filter((arg, at) => arg !== "--" || args.indexOf("--") !== at);
      assert.equal(starts, plain.length === 0 || (plain.length === 1 && plain[0] === "start"), args.join(" "));
    }),
  );
});

test("restore takes an archive, a directory and whether timers begin", () => {
  const restored = { name: "restore", archive: "a.tar", directory: "b" };
  assert.deepEqual(readCommand(["restore", "a.tar", "--to", "b"]), { ...restored, start: false });
  assert.deepEqual(readCommand(["restore", "--start", "--to=b", "a.tar"]), { ...restored, start: true });
  assert.match(refusal("restore"), /^restore takes the archive of a backup: see bulkhead restore --help$/);
  assert.match(refusal("restore", "a.tar"), /^restore takes the directory to make, as --to DIRECTORY:/);
  assert.match(refusal("restore", "a.tar", "b"), /^restore takes one archive, and 'b' is more:/);
  assert.match(
    refusal("restore", "a.tar", "--into", "b"),
    /^restore: Unknown option '--into'.*: see bulkhead restore/s,
  );
  for (const args of [
    ["restore", "--help"],
    ["help", "restore"],
    ["restore", "-h"],
  ])
    assert.match((readCommand(args) as { text: string }).text, /^bulkhead restore ARCHIVE/);
});

test("start takes --start, without a value", () => {
  for (const args of [["--start"], ["start", "--start"]])
    assert.deepEqual(readCommand(args), { name: "start", all: true });
  assert.deepEqual(readCommand([]), { name: "start", all: false });
  assert.match(refusal("--start=no"), /^--start takes no value/);
});

test("audit verify takes a directory and a hash, and refuses what it does not know", () => {
  for (const args of [
    ["audit", "verify", "a", "b"],
    ["audit", "a", "b"],
  ])
    assert.deepEqual(readCommand(args), { name: "audit", args: ["a", "b"] });
  assert.deepEqual(readCommand(["audit", "verify"]), { name: "audit", args: [] });
  assert.equal(refusal("audit", "-h"), "taken: help");
  assert.match(refusal("audit", "verify", "--directory", "x"), /^audit has no option '--directory'/);
  assert.match(
    refusal("audit", "verify", "a", "b", "c"),
    /^audit verify takes a directory and a hash, and 'c' is more/,
  );
});
