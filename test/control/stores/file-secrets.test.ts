/** Secrets as operators keep them: whose they are, what a file may be, and names that must not reach elsewhere. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  FileSecrets,
  noSecretVariables,
  secretPrefixProblem,
  secretsDirectoryProblem,
  takeSecretVariables,
} from "../../../src/control/stores/secrets.ts";
import { AppError } from "../../../src/shared/errors.ts";

async function secretsIn(t: TestContext, env: Record<string, string> = {}) {
  const base = await mkdtemp(join(tmpdir(), "bulkhead-secrets-"));
  t.after(() => rm(base, { recursive: true, force: true }));
  const directory = join(base, "secrets");
  for (const owner of ["f", "g", "_shared"]) await mkdir(join(directory, owner), { recursive: true });
  const { variables, problems } = takeSecretVariables(env, "BULKHEAD_SECRET_", 1024);
  assert.deepEqual(problems, []);
  return { base, directory, secrets: new FileSecrets({ directory, variables, mostBytes: 1024 }) };
}

test("a flow's file precedes the shared file, the flow's variable and the shared variable, and all are read at each call", async (t) => {
  const env = { BULKHEAD_SECRET_f__KEY: "variable of f", BULKHEAD_SECRET__shared__KEY: "shared variable" };
  const { directory, secrets } = await secretsIn(t, env);
  assert.deepEqual(Object.keys(env), [], "no variable is left behind");
  const steps: readonly (readonly [string | undefined, string, string])[] = [
    [undefined, "variable of f", "shared variable"],
    ["_shared", "of _shared", "of _shared"],
    ["f", "of f", "of _shared"],
  ];
  for (const [owner, f, g] of steps) {
    if (owner !== undefined) await writeFile(join(directory, owner, "KEY"), `of ${owner}`);
    assert.deepEqual([await secrets.read("f", "KEY"), await secrets.read("g", "KEY")], [f, g]);
  }
  assert.equal(await secrets.read("g", "OTHER"), undefined);
  assert.equal(await secrets.read("nobody", "KEY"), "of _shared");
});

test("one line end at the end is not part of a value, and everything else is", async (t) => {
  const { directory, secrets } = await secretsIn(t);
  for (const [content, value] of [
    ["a", "a"],
    ["a\n", "a"],
    ["a\r\n", "a"],
    ["a\n\n", "a\n"],
    [" a ", " a "],
    ["\ufeffa", "\ufeffa"],
    ["\0", "\0"],
  ] as const) {
    await writeFile(join(directory, "f/KEY"), content);
    assert.equal(await secrets.read("f", "KEY"), value, JSON.stringify(content));
  }
});

test("a link within the directory is followed, as Kubernetes mounts secrets, and a link out of it is refused", async (t) => {
  const { base, directory, secrets } = await secretsIn(t);
  await mkdir(join(directory, "f/..2026_01"));
  await writeFile(join(directory, "f/..2026_01/KEY"), "mounted");
  await symlink("..2026_01", join(directory, "f/..data"));
  await symlink("..data/KEY", join(directory, "f/KEY"));
  assert.equal(await secrets.read("f", "KEY"), "mounted");
  await writeFile(join(base, "outside"), "outside");
  await symlink(join(base, "outside"), join(directory, "f/OUT"));
  await symlink(base, join(directory, "h"));
  await assert.rejects(secrets.read("f", "OUT"), /secret 'OUT' cannot be read: it is a link out of SECRETS_DIR/);
  await assert.rejects(secrets.read("h", "outside"), /link out of/);
});

test("a secret in a folder is the flow's own or a shared one, like any other", async (t) => {
  const { base, directory, secrets } = await secretsIn(t);
  for (const [path, value] of [
    ["_shared/kafka/password", "of all"],
    ["f/kafka/password", "of f"],
    ["f/a/b/c", "deep"],
  ] as const) {
    await mkdir(join(directory, path, ".."), { recursive: true });
    await writeFile(join(directory, path), `${value}\n`);
  }
  assert.equal(await secrets.read("f", "kafka/password"), "of f");
  assert.equal(await secrets.read("g", "kafka/password"), "of all");
  assert.equal(await secrets.read("f", "a/b/c"), "deep");
  assert.equal(await secrets.read("g", "a/b/c"), undefined);
  assert.equal(await secrets.read("f", "a/b/c/d"), undefined, "a file is no folder");
  await assert.rejects(
    secrets.read("f", "kafka"),
    /secret 'kafka' cannot be read: it is a folder: name a file in it, 'kafka\/NAME'/,
  );
  await mkdir(join(base, "elsewhere"));
  await writeFile(join(base, "elsewhere/KEY"), "outside");
  await symlink(join(base, "elsewhere"), join(directory, "f/linked"));
  await assert.rejects(secrets.read("f", "linked/KEY"), /link out of SECRETS_DIR/);
});

test("an error about an unusable secret has its name, and never its content or path", async (t) => {
  const { directory, secrets } = await secretsIn(t);
  await mkdir(join(directory, "f/DIRECTORY"));
  execFileSync("mkfifo", [join(directory, "f/FIFO")]);
  await writeFile(join(directory, "f/LARGE"), "x".repeat(1025));
  await writeFile(join(directory, "f/BINARY"), Uint8Array.of(0x61, 0xff));
  await writeFile(join(directory, "f/EMPTY"), "\n");
  for (const [name, why] of [
    ["DIRECTORY", /it is a folder: name a file in it|EISDIR/],
    ["FIFO", /no regular file/],
    ["LARGE", /more than 1024 bytes/],
    ["BINARY", /not UTF-8/],
    ["EMPTY", /empty/],
  ] as const) {
    await assert.rejects(secrets.read("f", name), (error) => {
      assert.ok(error instanceof AppError && error.code === "store_failed");
      assert.match(error.message, why);
      return !error.message.includes(directory);
    });
  }
});

test("no name and no id gives access to another flow's secrets", async (t) => {
  const { directory, secrets } = await secretsIn(t, { BULKHEAD_SECRET_a__b__KEY: "of a" });
  await mkdir(join(directory, "g/folder"), { recursive: true });
  await mkdir(join(directory, "f/folder"));
  await writeFile(join(directory, "g/KEY"), "of g");
  await writeFile(join(directory, "g/folder/KEY"), "of g");
  for (const name of ["..", ".", "", "a\0b", "a\\b", "..data", "a".repeat(129)]) {
    await assert.rejects(secrets.read("f", name), AppError, name);
  }
  const outward = [
    "../g/KEY",
    "/etc/passwd",
    "folder/../../g/KEY",
    "folder/..",
    "./KEY",
    "folder//KEY",
    "folder/",
    "/",
  ];
  for (const name of [...outward, "folder/..data/KEY", "folder\\..\\..\\g\\KEY", "folder/%2e%2e/KEY"]) {
    await assert.rejects(secrets.read("f", name), AppError, name);
  }
  assert.equal(await secrets.read("f", "g/KEY"), undefined);
  assert.equal(await secrets.read("f", "folder/KEY"), undefined);
  for (const id of ["..", "_shared", "f/../g", ""]) await assert.rejects(secrets.read(id, "KEY"), AppError, id);
  assert.equal(await secrets.read("a__b", "KEY"), undefined);
  assert.equal(await secrets.read("a", "b__KEY"), "of a");
});

test("different ids have different variables", () => {
  const env = {
    S_KEY_a_2Db__K: "a-b",
    S_KEY_a_2Eb__K: "a.b",
    S_KEY_a_5Fb__K: "a_b",
    S_KEY_a__b__K: "a, name b__K",
    OTHER: "stays",
  };
  const { variables, problems } = takeSecretVariables(env, "S_KEY_", 100);
  assert.deepEqual(problems, []);
  assert.deepEqual(env, { OTHER: "stays" });
  for (const id of ["a-b", "a.b", "a_b"]) assert.equal(variables.value(id, "K"), id);
  assert.equal(variables.value("A-B", "K"), undefined);
  const bad = { S_KEY_ORDERS_K: "no separator", S_KEY_a__: "no name", S_KEY_b__K: "", S_KEY_c__K: "x".repeat(101) };
  const told = takeSecretVariables(bad, "S_KEY_", 100).problems;
  assert.deepEqual(bad, {});
  assert.deepEqual(
    told.map((line) => line.split(":")[0]),
    ["S_KEY_ORDERS_K", "S_KEY_a__", "S_KEY_b__K", "S_KEY_c__K"],
  );
  assert.ok(!told.join().includes("no separator"));
});

test("a directory that flows write to, and a prefix of the runtime's own variables, are refused", () => {
  const others = { ROUTES_DIR: "/srv/routes", FILES_DIR: "/srv/data/files" };
  for (const path of ["secrets", "/srv/routes", "/srv/routes/s", "/srv/data/files/f", "/srv"]) {
    assert.ok(secretsDirectoryProblem(path, others), path);
  }
  assert.equal(secretsDirectoryProblem("/srv/secrets", others), undefined);
  for (const prefix of ["S_", "LIMIT_", "LIMIT_X_", "SERVICE_", "BULKHEAD", "1ABC_"]) {
    assert.ok(secretPrefixProblem(prefix, ["LIMIT_", "SERVICE_DEPLOY_TOKEN"]), prefix);
  }
  assert.equal(secretPrefixProblem("BULKHEAD_SECRET_", ["LIMIT_", "SERVICE_DEPLOY_TOKEN"]), undefined);
});

test("a directory that everybody may read is reported", async (t) => {
  const { directory } = await secretsIn(t);
  const secrets = new FileSecrets({ directory, variables: noSecretVariables, mostBytes: 10 });
  await chmod(directory, 0o755);
  assert.match((await secrets.warning()) ?? "", /open to every user/);
  await chmod(directory, 0o750);
  assert.equal(await secrets.warning(), undefined);
  const missing = new FileSecrets({ directory: join(directory, "none"), variables: noSecretVariables, mostBytes: 10 });
  assert.match((await missing.warning()) ?? "", /cannot be looked at: ENOENT/);
});
