/** The laws of imports (laws.ts) hold in src, and the test refuses what breaks them. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { circles, importsOf, offences } from "./imports.ts";
import { apart, laws } from "./laws.ts";

const src = fileURLToPath(new URL("../../src/", import.meta.url));

test("every folder of src imports what its law allows, and no module depends on itself", () => {
  const files = globSync("**/*.ts", { cwd: src });
  assert.ok(files.length > 500, `${files.length} files`);
  const imports = importsOf(new Map(files.map((file) => [file, readFileSync(join(src, file), "utf8")])));
  for (const [file, targets] of imports)
    for (const target of targets) assert.ok(imports.has(target), `${file} imports ${target}, which is not there`);
  assert.deepEqual(offences(imports, laws, apart), []);
  assert.deepEqual(circles(imports), []);
});

test("a file of src holds one idea: at most 300 lines, unless it is generated", () => {
  const written = globSync("**/*.ts", { cwd: src }).filter((file) => file !== join("client", "openapi.ts"));
  const lines = written.map((file) => ({
    file,
    count: readFileSync(join(src, file), "utf8").split("\n").length - 1,
  }));
  assert.deepEqual(
    lines.filter(({ count }) => count > 300),
    [],
  );
});

/** A file, what it imports, and whether it may. */
const cases: (readonly [file: string, path: string, allowed: boolean])[] = [
  ["shared/a.ts", "../control/app.ts", false],
  ["shared/a.ts", "./ids.ts", true],
  ["workers/flow-worker.ts", "../control/app.ts", false],
  ["workers/flow-worker.ts", "./languages/simple/eval.ts", true],
  ["workers/engine/a.ts", "../steps/log.ts", false],
  ["workers/engine/a.ts", "../compile/compile-flow.ts", false],
  ["workers/engine/a.ts", "../catalog.ts", false],
  ["workers/engine/a.ts", "../../control/log.ts", false],
  ["workers/engine/a.ts", "../../shared/ids.ts", true],
  ["workers/engine/net/a.ts", "../run.ts", true],
  ["workers/engine/net/a.ts", "../../components/http.ts", false],
  ["workers/steps/a.ts", "../components/log.ts", false],
  ["workers/steps/a.ts", "../check/parse.ts", false],
  ["workers/steps/a.ts", "../engine/step.ts", true],
  ["workers/steps/a.ts", "./b.ts", false],
  ["workers/steps/a.ts", "./rest-binding/cors.ts", false],
  ["workers/steps/rest-binding/a.ts", "../log.ts", false],
  ["workers/steps/rest-binding.ts", "./rest-binding/cors.ts", true],
  ["workers/steps/rest-binding/a.ts", "./cors.ts", true],
  ["workers/steps/index.ts", "./log.ts", true],
  ["workers/components/a.ts", "../languages/simple/eval.ts", false],
  ["workers/components/file.ts", "./http/client.ts", false],
  ["workers/components/quartz.ts", "./cron-schedule.ts", true],
  ["workers/languages/simple/a.ts", "../../steps/log.ts", false],
  ["workers/languages/simple/a.ts", "../values.ts", true],
  ["workers/formats/a.ts", "../compile/compile-flow.ts", false],
  ["workers/elements/a.ts", "../../control/app.ts", false],
  ["workers/kamelets/a.ts", "../engine/step.ts", false],
  ["workers/mocks/a.ts", "../../control/app.ts", false],
  ["workers/mocks/a.ts", "../testing/matching.ts", true],
  ["workers/testing/a.ts", "../mocks/armed-mock.ts", false],
  ["workers/mappings/a.ts", "../steps/log.ts", false],
  ["workers/mappings/a.ts", "../formats/csv.ts", true],
  ["workers/check/a.ts", "../compile/compile-flow.ts", false],
  ["workers/check/expand/a.ts", "../../catalog.ts", true],
  ["workers/compile/a.ts", "../check/check.ts", false],
  ["control/app.ts", "../workers/catalog.ts", false],
  ["control/main.ts", "./api/index.ts", true],
  ["control/config.ts", "./runs/runner.ts", false],
  ["control/config.ts", "./stores/stores.ts", true],
  ["control/log.ts", "./config.ts", false],
  ["control/host/a.ts", "../flows/deployer.ts", false],
  ["control/host/a.ts", "../threads/hosts/host-process.ts", true],
  ["control/http/a.ts", "../runs/runner.ts", false],
  ["control/stores/a.ts", "../config.ts", false],
  ["control/flows/a.ts", "../runs/runner.ts", false],
  ["control/flows/a.ts", "../mappings/mapping-register.ts", false],
  ["control/flows/a.ts", "../../workers/engine/exchange.ts", false],
  ["control/threads/a.ts", "../flows/deployer.ts", false],
  ["control/threads/hosts/a.ts", "../../stores/stores.ts", false],
  ["control/runs/a.ts", "../triggers/timers.ts", false],
  ["control/runs/a.ts", "../http/reply.ts", true],
  ["control/runs/a.ts", "../streams/log-hub.ts", true],
  ["control/streams/a.ts", "../runs/runner.ts", false],
  ["control/runs/test-sessions/a.ts", "../../triggers/timers.ts", false],
  ["control/runs/test-sessions/a.ts", "../../threads/within.ts", true],
  ["control/triggers/a.ts", "../api/index.ts", false],
  ["control/triggers/a.ts", "../app.ts", false],
  ["control/api/a.ts", "../triggers/timers.ts", false],
  ["control/access/a.ts", "../flows/deployer.ts", false],
  ["control/access/reading/a.ts", "../../app.ts", false],
  ["control/access/reading/a.ts", "../policy.ts", true],
  ["control/mappings/a.ts", "../access/policies.ts", false],
  ["control/mappings/a.ts", "../threads/gate.ts", true],
  ["control/audit/a.ts", "../stores/stores.ts", false],
  ["client/a.ts", "./errors.ts", true],
  ["client/a.ts", "../control/http/reply.ts", false],
  ["client/a.ts", "../workers/catalog.ts", false],
  ["control/api/a.ts", "../../client/client.ts", false],
  ["control/flow-test/a.ts", "../../client/client.ts", true],
  ["control/flow-test/a.ts", "../api/index.ts", false],
  ["control/flow-test/a.ts", "../main.ts", false],
];

for (const [file, path, allowed] of cases) {
  test(`${file} ${allowed ? "may" : "must not"} import ${path}`, () => {
    const imports = importsOf(new Map([[file, `import type { A } from "${path}";\n`]]));
    const said = offences(imports, laws, apart).filter((offence) => !offence.endsWith("there is no such file"));
    assert.equal(said.length, allowed ? 0 : 1, said.join("\n"));
  });
}

test("a folder without a law is refused, and so is a law without files", () => {
  const imports = importsOf(new Map([["workers/brokers/kafka.ts", ""]]));
  assert.deepEqual(offences(imports, { "workers/engine/**": "" }, {}), [
    "workers/brokers/kafka.ts: its folder has no law",
    "workers/engine/**: there is no such file",
  ]);
});

for (const [form, text] of [
  ["an import", `import {\n  a,\n  b,\n} from "./b.ts";`],
  ["an import of types", `import type { A } from "./b.ts";`],
  ["an import for its effects", `import "./b.ts";`],
  ["an export", `export * from "./b.ts";`],
  ["a late import", `await import("./b.ts");`],
  ["a type", `type A = import("./b.ts").A;`],
] as const) {
  test(`a circle is found when one of its ends is ${form}`, () => {
    const imports = importsOf(
      new Map([
        ["shared/a.ts", text],
        ["shared/b.ts", `import { c } from "./c.ts";`],
        ["shared/c.ts", `import { a } from "./a.ts";`],
      ]),
    );
    assert.deepEqual(circles(imports), ["shared/a.ts -> shared/b.ts -> shared/c.ts -> shared/a.ts"]);
  });
}
