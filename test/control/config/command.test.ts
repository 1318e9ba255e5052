/** What the runtime's own commands take, and what they refuse; test/cli has the others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { forRuntime } from "../../../src/cli/first-word.ts";
import { readCommand, UsageError } from "../../../src/control/command.ts";

function refusal(...args: readonly string[]): string {
  try {
    return `taken: ${readCommand(args).name}`;
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return error.message;
  }
}

test("run and start are words, too; help of a command is the command's own", () => {
  const named = (...args: readonly string[]): string => readCommand(args).name;
  for (const args of [[], ["start"], ["run"]]) assert.equal(named(...args), "start");
  for (const args of [
    ["start", "--help"],
    ["run", "-h"],
  ])
    assert.equal(named(...args), "help", args.join(" "));
  for (const word of ["run", "start", "restore", "test", "audit"])
    assert.deepEqual(forRuntime(["help", word]), [word, "--help"]);
  assert.deepEqual(readCommand(["test", "-x", "a"]), { name: "test", args: ["-x", "a"] });
});

test("options that do not exist are refused, with the option or the variable to use", () => {
  assert.match(
    refusal("start", "--hlep"),
    /^there is no option '--hlep' \(did you mean '--help'\?\); see bulkhead run --help$/,
  );
  for (const args of [
    ["run", "--colour=1"],
    ["start", "--colour", "1"],
  ])
    assert.match(refusal(...args), /^there is no option '--colour': environment variables .* PORT=8081 bulkhead run;/);
  assert.match(refusal("run", "-p", "1"), /^there is no option '-p'/);
  assert.match(refusal("start", "now"), /^run takes no further words, and 'now' is one/);
});

test("only no word at all, 'run' and 'start' start a runtime", () => {
  const word = fc.oneof(fc.string(), fc.constantFrom("start", "run", "wat", "--help", "-h", "-v", "--", "-", ""));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 4 }), (args) => {
      const handed = forRuntime(args);
      const starts = handed !== undefined && refusal(...handed) === "taken: start";
      const plain = args.filter((arg, at) => arg !== "--" || args.indexOf("--") !== at);
      const named = args[0] === "start" || args[0] === "run";
      assert.equal(starts, args.length === 0 || (named && plain.length === 1), args.join(" "));
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
    ["restore", "-h"],
  ])
    assert.match((readCommand(args) as { text: string }).text, /^bulkhead restore ARCHIVE/);
});

test("start takes --start, without a value", () => {
  for (const args of [["--start"], ["start", "--start"]]) {
    assert.deepEqual(forRuntime(args), args);
    assert.deepEqual(readCommand(args), { name: "start", all: true, variables: {} });
  }
  assert.deepEqual(readCommand([]), { name: "start", all: false, variables: {} });
  assert.match(refusal("--start=no"), /^--start takes no value/);
});

test("run takes the port, the address and the directories in place of variables, each with a value", () => {
  assert.deepEqual(readCommand(["run", "--port", "0", "--host=::1", "--routes", "a", "--data", "b", "--watch"]), {
    name: "start",
    all: false,
    variables: { PORT: "0", HOST: "::1", ROUTES_DIR: "a", DATA_DIR: "b", ROUTES_WATCH: "true" },
  });
  for (const args of [["--port"], ["--port="], ["--data", ""]])
    assert.match(refusal("run", ...args), /^--(?:port|data) takes a value/);
  assert.match(refusal("run", "--watch=no"), /^--watch takes no value/);
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
