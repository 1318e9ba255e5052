/** The command line as a whole: help, versions, what is refused, exit codes, and what a process loads. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Command } from "commander";
import { runtimeWords } from "../../src/cli/first-word.ts";
import { tree } from "../../src/cli/program.ts";
import { pathOf, textOf } from "../../src/cli/tree.ts";
import { bulkhead, bulkheadProcess } from "../support/command-line.ts";

const program = tree({
  terminal: { env: {}, width: undefined, paint: (_, text) => text, say() {}, write() {}, complain() {} },
  ending: { code: 0 },
  connect: () => Promise.reject(new Error("nothing is called")),
});

/** Reports the modules that a process loads. */
const reporting = `data:text/javascript,${encodeURIComponent(
  'import { registerHooks } from "node:module"; registerHooks({ load(url, context, next) { process.stderr.write(`${url}\\n`); return next(url, context); } });',
)}`;

function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

test("every command's help has its summary, an example that begins with it and a sentence for each option, and starts nothing", async () => {
  for (const command of commandsOf(program).slice(1)) {
    const path = pathOf(command);
    const text = textOf(command);
    assert.ok(text !== undefined && text.examples.length > 0, path);
    for (const example of text.examples) assert.match(example, /\bbulkhead /, path);
    for (const { flags, description } of command.options) assert.match(description, /\w \w/, `${path} ${flags}`);
    if (runtimeWords.some((word) => path === `bulkhead ${word}`)) continue;
    const { code, stdout, stderr } = await bulkhead([...path.split(" ").slice(1), "--help"]);
    assert.deepEqual([code, stderr], [0, ""], path);
    assert.ok(stdout.startsWith(`Usage: ${path}`) && stdout.includes(text.summary.split(" ")[0] ?? ""), path);
  }
});

test("--help names every command, and --version prints the version of package.json without loading a runtime", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  const [help, shown] = await Promise.all([
    bulkheadProcess(["--help"]),
    bulkheadProcess(["--version"], {}, ["--import", reporting]),
  ]);
  assert.deepEqual([help.code, help.stderr], [0, ""]);
  for (const command of program.commands) assert.match(help.stdout, new RegExp(`^ {2}${command.name()}\\b`, "m"));
  assert.deepEqual([shown.code, shown.stdout], [0, `bulkhead ${version}\n`]);
  const loaded = shown.stderr
    .split("\n")
    .filter((line) => line.includes("/src/") || line.includes("/dist/") || line.includes("/node_modules/"));
  assert.ok(
    loaded.some((url) => /\/(?:bulkhead|program)[^/]*$/.test(url)),
    shown.stderr,
  );
  assert.deepEqual(
    loaded.filter((url) => /\/(?:fastify|piscina|zod)\/|\/src\/(?:control|workers)\/|\/dist\/[^/]+\/main/.test(url)),
    [],
  );
});

test("a word that is no command is refused with the one that is meant, exit code 2, and starts nothing", async () => {
  assert.deepEqual(await bulkheadProcess(["strat"]), {
    code: 2,
    stdout: "",
    stderr: "bulkhead: there is no command 'strat' (did you mean 'start'?): see bulkhead --help\n",
  });
});

test("run takes its options in place of the variables", async () => {
  const { code, stderr } = await bulkheadProcess(["run", "--port", "nine"], { PORT: "8080" });
  assert.equal(code, 1);
  assert.match(stderr, /PORT: 'nine' is not a port/);
});

test("options, words and arguments that do not fit are refused with what to do, exit code 2", async () => {
  const refusals: readonly (readonly [line: string, message: RegExp])[] = [
    ["list --hlep", /^bulkhead: there is no option '--hlep' \(did you mean '--help'\?\): see bulkhead list --help$/],
    ["list flows --jsn", /there is no option '--jsn' \(did you mean '--json'\?\): see bulkhead list --help$/],
    [
      "--port 1",
      /there is no option '--port': the options of the runtime follow its command, such as bulkhead run --port 8081: /,
    ],
    ["list flws", /list: there is no 'flws' \(did you mean 'flows'\?\); there are flows, /],
    ["get flows", /missing required argument 'id': see bulkhead get --help$/],
    ["list flows orders", /too many arguments .*: see bulkhead list --help$/],
    ["completion", /bulkhead completion takes a command: bash, zsh, fish/],
    ["list flows --url", /option '--url <url>' argument missing: see bulkhead list --help$/],
    ["list flows --url nowhere", /'nowhere' is no address of a runtime|there is no token for nowhere/],
  ];
  for (const [line, message] of refusals) {
    const { code, stdout, stderr } = await bulkhead(line.split(" "));
    assert.deepEqual([code, stdout], [2, ""], line);
    assert.match(stderr.trimEnd(), message);
  }
});

test("without a token a command says what to set; without a runtime, what was called and how one is started", async () => {
  const tokenless = await bulkhead(["list", "flows"]);
  assert.equal(tokenless.code, 2);
  assert.match(tokenless.stderr, /no token for http:\/\/127\.0\.0\.1:8080: set BULKHEAD_TOKEN/);
  // Nobody listens on a port that is not to be used.
  const env = { BULKHEAD_URL: "http://127.0.0.1:1", BULKHEAD_TOKEN: "some-token" };
  const unreachable = await bulkhead(["list", "flows"], { env });
  assert.equal(unreachable.code, 1);
  assert.match(
    unreachable.stderr,
    /^bulkhead: http:\/\/127\.0\.0\.1:1 does not answer: .*\nStart a runtime with `bulkhead run`/,
  );
});
