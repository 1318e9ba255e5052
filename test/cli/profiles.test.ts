/** Profiles: which runtime is called, where its token comes from, and which files are refused. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { bulkhead } from "../support/command-line.ts";

interface Place {
  readonly url: string;
  /** Writes the person's profiles. */
  write(text: string, mode?: number): void;
  /** Runs `list flows`, and resolves with the token that arrived, or the problem. */
  tokenBy(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
}

/** A server that notes the token of each request, and a directory of configuration. */
async function place(t: TestContext): Promise<Place> {
  let arrived = "";
  const server = createServer((request, response) => {
    arrived = request.headers.authorization ?? "none";
    response.setHeader("Content-Type", "application/json").end("[]");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const home = mkdtempSync(join(tmpdir(), "bulkhead-profiles-"));
  t.after(() => {
    server.close();
    server.closeAllConnections();
    rmSync(home, { recursive: true, force: true });
  });
  mkdirSync(join(home, ".config/bulkhead"), { recursive: true });
  writeFileSync(join(home, ".config/bulkhead/secret"), "of-a-file\n");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    write(text, mode = 0o644) {
      const path = join(home, ".config/bulkhead/profiles.yaml");
      writeFileSync(path, text);
      chmodSync(path, mode);
    },
    async tokenBy(args = [], env = {}) {
      const { code, stderr } = await bulkhead(["list", "flows", ...args], { env: { HOME: home, ...env } });
      return code === 0 ? arrived : `${code} ${stderr}`;
    },
  };
}

test("a profile names the runtime and where its token comes from: a variable, a file, a command", async (t) => {
  const { url, write, tokenBy } = await place(t);
  write(`
default: a
profiles:
  a: { url: "${url}", token: { env: TOKEN_OF_A } }
  b: { url: "${url}", token: { file: secret } }
  c: { url: "${url}", token: { command: ["${process.execPath}", "-p", "'of-a' + '-command'"] } }
  d: { url: "${url}" }
`);
  assert.equal(await tokenBy([], { TOKEN_OF_A: "of-a" }), "Bearer of-a");
  assert.match(await tokenBy([]), /^2 .*the token of 'a' comes from the variable TOKEN_OF_A, which is not set/);
  assert.equal(await tokenBy(["--profile", "b"]), "Bearer of-a-file");
  assert.equal(await tokenBy([], { BULKHEAD_PROFILE: "c" }), "Bearer of-a-command");
  assert.equal(await tokenBy(["--profile", "d"], { BULKHEAD_TOKEN: "own" }), "Bearer own");
  assert.match(
    await tokenBy(["--profile", "e"]),
    /^2 .*there is no profile 'e' in .*profiles\.yaml.*there are a, b, c, d/,
  );
});

test("a token goes only where it belongs: an address without a profile gets none of a profile", async (t) => {
  const { url, write, tokenBy } = await place(t);
  write(`{ "default": "a", "profiles": { "a": { "url": "http://127.0.0.1:1", "token": { "file": "secret" } } } }`);
  assert.match(await tokenBy(["--url", url]), /^2 .*there is no token for/);
  assert.equal(await tokenBy(["--url", url], { BULKHEAD_TOKEN: "own" }), "Bearer own");
  assert.equal(await tokenBy([], { BULKHEAD_URL: url, BULKHEAD_TOKEN: "own" }), "Bearer own");
  assert.equal(await tokenBy(["--profile", "a", "--url", url], { BULKHEAD_TOKEN: "own" }), "Bearer of-a-file");
});

test("a variable that is near to one that names the runtime is warned of, and others are not", async (t) => {
  const { url, tokenBy } = await place(t);
  const env = { BULKHEAD_TOKEN: "own", BULKHEAD_SECRET_A: "x", BULKHEAD_CODE: "x" };
  assert.match(await tokenBy(["--url", "http://127.0.0.1:1"], env), /^1 bulkhead: (?!.*has no effect)/);
  assert.match(
    await tokenBy([], { ...env, BULKHEAD_URLS: url, BULKHEAD_URL: "http://127.0.0.1:1" }),
    /^1 bulkhead: BULKHEAD_URLS has no effect: did you mean BULKHEAD_URL\?\n/,
  );
});

test("a token in clear is taken from a file that only its owner may read", async (t) => {
  const { url, write, tokenBy } = await place(t);
  const text = `{ default: a, profiles: { a: { url: "${url}", token: { value: in-clear } } } }`;
  write(text);
  assert.match(await tokenBy(), /^2 .*may be read by others \(mode 644\): chmod 600 .*profiles\.yaml, or/);
  write(text, 0o600);
  assert.equal(await tokenBy(), "Bearer in-clear");
});

test("what a profile file cannot have is refused with its place", async (t) => {
  const { write, tokenBy } = await place(t);
  write("profiles: { a: { url: x, tokn: {} } }");
  assert.match(await tokenBy(["--profile", "a"]), /^2 bulkhead: .*profiles\.yaml: .*tokn/);
  write("profiles: [");
  assert.match(await tokenBy(["--profile", "a"]), /^2 bulkhead: .*profiles\.yaml: /);
  assert.match(
    await tokenBy([], { BULKHEAD_PROFILES: "/nowhere/p.yaml" }),
    /^2 bulkhead: BULKHEAD_PROFILES: there is no/,
  );
});
