/** `GET /_api/flows/:id/secrets` and `/_api/connection-secrets`: names of secrets, and nothing of their values. */
import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { FileSecrets, takeSecretVariables } from "../../src/control/stores/secrets.ts";
import { AppError } from "../../src/shared/errors.ts";
import { startTestApp } from "../support/start-app.ts";

const value = "a-value-that-nobody-may-see";
const secrets = {
  "shop.in/CRM_KEY": value,
  "shop.in/kafka/password": value,
  "shop.out/OTHER": value,
  "_shared/CRM_KEY": value,
  "_shared/MAIL": value,
  "_connections/DB": value,
  "_connections/tls/key": value,
};

test("a flow's names are its own and the shared ones, deployed or not, and no answer has a value", async (t) => {
  const app = await startTestApp(t, { secrets });
  const read = async (path: string): Promise<unknown> => {
    const answer = await app.api(path);
    assert.equal(answer.status, 200);
    const text = await answer.text();
    assert.ok(!text.includes(value) && !text.includes("value"), text);
    return JSON.parse(text);
  };
  assert.deepEqual(await read("/flows/shop.in/secrets"), [
    { name: "CRM_KEY", shared: false },
    { name: "MAIL", shared: true },
    { name: "kafka/password", shared: false },
  ]);
  assert.deepEqual(await read("/flows/shop.other/secrets"), [
    { name: "CRM_KEY", shared: true },
    { name: "MAIL", shared: true },
  ]);
  assert.deepEqual(await read("/connection-secrets"), ["DB", "tls/key"]);
  for (const owner of ["_shared", "_connections"])
    assert.equal((await app.api(`/flows/${owner}/secrets`)).status, 400, "no flow has the id");
});

test("without SECRETS_DIR there are no names", async (t) => {
  const app = await startTestApp(t);
  assert.deepEqual(await (await app.api("/flows/f/secrets")).json(), []);
  assert.deepEqual(await (await app.api("/connection-secrets")).json(), []);
});

async function directoryWith(t: TestContext, files: readonly string[]): Promise<string> {
  const base = await mkdtemp(join(tmpdir(), "bulkhead-secret-names-"));
  t.after(() => rm(base, { recursive: true, force: true }));
  for (const file of files) {
    await mkdir(dirname(join(base, "secrets", file)), { recursive: true });
    await writeFile(join(base, "secrets", file), value);
    // Whoever lists names opens no file.
    await chmod(join(base, "secrets", file), 0);
  }
  return join(base, "secrets");
}

function secretsOf(directory: string | undefined, env: Record<string, string> = {}): FileSecrets {
  const { variables, problems } = takeSecretVariables(env, "S_KEY_", 100);
  assert.deepEqual(problems, []);
  return new FileSecrets({ directory, variables, mostBytes: 100 });
}

test("variables are listed with the files, each name once, as the one whose value is used", async (t) => {
  const directory = await directoryWith(t, ["f/A", "_shared/B"]);
  const env = { S_KEY_f__A: "x", S_KEY_f__B: "x", S_KEY_f__C: "x", S_KEY__shared__C: "x", S_KEY_f_2Eg__D: "x" };
  const named = secretsOf(directory, { ...env, S_KEY__connections__DB: "x" });
  assert.deepEqual(await named.names("f"), [
    { name: "A", shared: false },
    // A file comes before a variable.
    { name: "B", shared: true },
    { name: "C", shared: false },
  ]);
  assert.deepEqual(await named.names("f.g"), [
    { name: "B", shared: true },
    { name: "C", shared: true },
    { name: "D", shared: false },
  ]);
  assert.deepEqual(await named.connectionNames(), ["DB"]);
  assert.deepEqual(await secretsOf(undefined, { S_KEY_f__A: "x" }).names("f"), [{ name: "A", shared: false }]);
});

test("files that Kubernetes mounts are listed by their names; what cannot be a secret, or lies elsewhere, is not", async (t) => {
  const directory = await directoryWith(t, ["f/..2026/KEY", "f/.hidden", "f/a b", "f/deep/er/KEY", "g/OTHER"]);
  const inF = (name: string): string => join(directory, "f", name);
  await symlink("..2026", inF("..data"));
  await symlink("..data/KEY", inF("KEY"));
  await symlink("../g/OTHER", inF("LINKED"));
  await symlink("/etc/passwd", inF("AWAY"));
  await symlink("nothing", inF("DANGLING"));
  await symlink("..", inF("deep/again"));
  const names = (await secretsOf(directory).names("f")).map(({ name }) => name);
  assert.deepEqual(names, ["KEY", "LINKED", "deep/er/KEY"]);
});

test("a folder with too many files, and one that leads out of the directory, are refused in place of a part of the list", async (t) => {
  const directory = await directoryWith(t, ["g/KEY"]);
  await symlink("/etc", join(directory, "f"));
  const refused = (why: RegExp) => (error: unknown) =>
    error instanceof AppError && error.code === "store_failed" && why.test(error.message);
  await assert.rejects(secretsOf(directory).names("f"), refused(/SECRETS_DIR\/f cannot be listed: it is a link out/));
  await mkdir(join(directory, "many"));
  for (let from = 0; from < 10_001; from += 500)
    await Promise.all(Array.from({ length: 500 }, (_, n) => writeFile(join(directory, "many", `k${from + n}`), "")));
  await assert.rejects(secretsOf(directory).names("many"), refused(/more than 10000 files/));
});
