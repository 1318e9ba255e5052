/** `designer`: what the command line of the designer answers without a start. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { variables } from "../../designer/server/variables.ts";
import { bulkheadProcess } from "../support/command-line.ts";

test("designer --help and help designer print the commands and the variables of the designer", async () => {
  const [help, other] = await Promise.all([
    bulkheadProcess(["designer", "--help"]),
    bulkheadProcess(["help", "designer"]),
  ]);
  assert.deepEqual(help, other);
  assert.deepEqual([help.code, help.stderr], [0, ""]);
  assert.match(help.stdout, /^bulkhead designer \[command\]\n/);
  for (const name of ["hash-password", ...Object.keys(variables)])
    assert.ok(help.stdout.includes(`  ${name} `) || help.stdout.includes(`  ${name}\n`), name);
});

test("designer hash-password prints a hash of the password that it reads", async () => {
  const { code, stdout, stderr } = await bulkheadProcess(["designer", "hash-password"], {}, [], {
    input: "correct horse battery staple\n",
  });
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^\$scrypt\$ln=17,r=8,p=1\$\S+\n$/);
});

test("a word or a setting that the designer does not have is refused with what is meant, and nothing is started", async () => {
  const [word, more, setting] = await Promise.all([
    bulkheadProcess(["designer", "hash-pasword"]),
    bulkheadProcess(["designer", "hash-password", "secret"]),
    bulkheadProcess(["designer"], { DESIGNER_PROT: "1", BULKHEAD_URL: "nowhere" }),
  ]);
  assert.deepEqual(word, {
    code: 2,
    stdout: "",
    stderr: "there is no command 'hash-pasword' (did you mean 'hash-password'?): see bulkhead designer --help\n",
  });
  assert.equal(more.code, 2);
  assert.deepEqual([setting.code, setting.stdout], [1, ""]);
  assert.match(setting.stderr, /DESIGNER_PROT: there is no such setting \(did you mean DESIGNER_PORT\?\)/);
  assert.match(setting.stderr, /BULKHEAD_URL: 'nowhere' is not the address of a runtime/);
});
