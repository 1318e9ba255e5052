/** deploy/: the files name settings, commands and paths that exist. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { variables as designerVariables } from "../designer/server/variables.ts";
import { variables } from "../src/control/variables.ts";
import { bulkhead } from "./support/command-line.ts";

const folder = fileURLToPath(new URL("../deploy/", import.meta.url));
const textOf = (name: string): string => readFileSync(join(folder, name), "utf8");

/** Those of Node, of libc and of the shell. */
const others = ["NODE_ENV", "PATH", "MALLOC_ARENA_MAX"];

function refuseUnknown(names: readonly string[], known: readonly string[]): void {
  assert.notEqual(names.length, 0);
  assert.deepEqual(
    names.filter((name) => !known.includes(name) && !others.includes(name)),
    [],
  );
}

test("the unit, the image and the stack set variables that the runtime or the designer has", () => {
  const both = [...Object.keys(variables), ...Object.keys(designerVariables)];
  const [, unit = ""] = /^Environment=(.*)$/m.exec(textOf("bulkhead.service")) ?? [];
  refuseUnknown(
    [...unit.matchAll(/(\w+)=/g)].map(([, name = ""]) => name),
    Object.keys(variables),
  );
  const [, image = ""] = /^ENV ((?:.*\\\n)*.*)$/m.exec(textOf("Containerfile")) ?? [];
  refuseUnknown(
    [...image.matchAll(/(\w+)=/g)].map(([, name = ""]) => name),
    both,
  );
  const { runtime, designer } = stack().services;
  const { SECRETS_ENV_PREFIX: prefix = "none" } = runtime?.environment ?? {};
  const settings = Object.keys(runtime?.environment ?? {}).filter((name) => !name.startsWith(prefix));
  refuseUnknown(settings, Object.keys(variables));
  refuseUnknown(Object.keys(designer?.environment ?? {}), Object.keys(designerVariables));
});

test("the stack publishes nothing beyond the loopback address, and mounts files that are there or that README.md makes", () => {
  for (const [name, { ports = [], volumes = [] }] of Object.entries(stack().services)) {
    for (const port of ports) assert.match(port, /^127\.0\.0\.1:/, name);
    for (const [file = ""] of volumes.map((volume) => volume.split(":")))
      if (file.startsWith("./")) assert.ok(existsSync(join(folder, file)), file);
  }
  for (const { file } of Object.values(stack().secrets))
    assert.match(textOf("README.md"), new RegExp(`> ${file.slice(2)}$`, "m"));
});

test("the flow of the stack is valid, and its password is one that the stack sets", async () => {
  const { code, stdout } = await bulkhead(["validate", join(folder, "flows")]);
  assert.equal(code, 0, stdout);
  const connection = JSON.parse(textOf("flows/documents/connections/postgres.json")) as { passwordRef: string };
  const { environment = {} } = stack().services["runtime"] ?? {};
  assert.ok(environment[`${environment["SECRETS_ENV_PREFIX"]}_connections__${connection.passwordRef}`]);
});

interface Stack {
  readonly services: Readonly<
    Record<
      string,
      { environment?: Readonly<Record<string, string>>; ports?: readonly string[]; volumes?: readonly string[] }
    >
  >;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

function stack(): Stack {
  return parse(textOf("compose.yaml"), { merge: true }) as Stack;
}
