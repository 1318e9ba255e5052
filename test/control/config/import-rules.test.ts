/** The linter knows who may import whom: each rule is shown a file that breaks it, and neighbours that do not. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const place = realpathSync(mkdtempSync(join(tmpdir(), "bulkhead-lint-")));
after(() => rmSync(place, { recursive: true, force: true }));

/** File, its text, and what the linter says about it (undefined: nothing). */
const cases: (readonly [file: string, text: string, complaint: RegExp | undefined])[] = [
  ["src/shared/a.ts", `import "../control/app.ts";`, /src\/shared imports nothing of ours/],
  ["src/shared/b.ts", `import "./ids.ts"; import "node:crypto";`, undefined],
  ["src/shared/c.ts", `import { z } from "zod";\nz();`, /never load zod/],
  ["src/workers/engine/a.ts", `import "../steps/log.ts";`, /The engine knows only src\/shared/],
  ["src/workers/engine/b.ts", `import "../compile/compile-flow.ts";`, /The engine knows only/],
  ["src/workers/engine/c.ts", `import "../catalog.ts";`, /The engine knows only/],
  ["src/workers/engine/d.ts", `import "../../control/log.ts";`, /Workers never import control/],
  ["src/workers/engine/e.ts", `import "../../shared/ids.ts"; import "./f.ts";`, undefined],
  ["src/workers/engine/regex.ts", `import "re2js"; await import("re2js");`, undefined],
  ["src/workers/engine/g.ts", `import type { z } from "zod";\nexport type Z = typeof z;`, undefined],
  ["src/workers/engine/h.ts", `await import("re2js");`, /one door/],
  ["src/workers/engine/i.ts", `import "node:vm";`, /never code/],
  ["src/workers/steps/a.ts", `import "../components/log.ts";`, /know only the engine/],
  ["src/workers/steps/b.ts", `import "../check/parse.ts";`, /know only the engine/],
  ["src/workers/steps/c.ts", `import "../engine/step.ts"; import "./d.ts"; import "../../shared/ids.ts";`, undefined],
  ["src/workers/steps/e.ts", `import { z } from "zod";\nz();`, /never load zod/],
  ["src/workers/components/a.ts", `import "../languages/simple/eval.ts";`, /know only the engine/],
  ["src/workers/languages/simple/a.ts", `import "../../steps/log.ts";`, /know only the engine/],
  ["src/workers/languages/simple/b.ts", `import "../constant.ts"; import "../../engine/convert.ts";`, undefined],
  ["src/workers/formats/a.ts", `import "../compile/compile-flow.ts";`, /know only the engine/],
  ["src/workers/mappings/a.ts", `import "../steps/log.ts";`, /Mappings know the engine/],
  ["src/workers/mappings/b.ts", `import "../../control/log.ts";`, /Workers never import control/],
  ["src/workers/mappings/c.ts", `import "../engine/convert.ts"; import "../formats/csv.ts";`, undefined],
  ["src/workers/check/a.ts", `import "../compile/compile-flow.ts";`, /knows the catalogue/],
  ["src/workers/check/b.ts", `import "../steps/log.ts";`, /look things up in catalog.ts/],
  ["src/workers/check/c.ts", `import "../catalog.ts"; import { z } from "zod";\nz();`, undefined],
  [
    "src/workers/check/d.ts",
    `import { parse } from "yaml";\nparse();`,
    /Only src\/workers\/check\/parse.ts reads flows/,
  ],
  ["src/workers/check/parse.ts", `import { parse } from "yaml";\nparse();`, undefined],
  ["src/workers/compile/a.ts", `import "../check/check.ts";`, /knows the catalogue/],
  ["src/workers/flow-worker.ts", `import "../control/app.ts";`, /Workers never import control/],
  ["src/control/app.ts", `import "../workers/catalog.ts";`, /Control never imports workers/],
  ["src/control/main.ts", `import "./runs/runner.ts"; import "./api/index.ts";`, undefined],
  ["src/control/config.ts", `import "./runs/runner.ts";`, /read before anything is built/],
  ["src/control/log.ts", `import "pino"; import "../shared/ids.ts";`, undefined],
  ["src/control/http/a.ts", `import "../runs/runner.ts";`, /http knows only src\/shared/],
  ["src/control/http/b.ts", `import "better-sse";`, /Only src\/control\/http\/sse.ts knows better-sse/],
  ["src/control/http/sse.ts", `import "better-sse";`, undefined],
  ["src/control/stores/a.ts", `import "../flows/deployer.ts";`, /stores are at the bottom/],
  ["src/control/stores/b.ts", `import "../config.ts";`, /stores are at the bottom/],
  ["src/control/flows/a.ts", `import "../runs/runner.ts";`, /flows know threads and stores/],
  ["src/control/flows/b.ts", `import "../stores/stores.ts";`, undefined],
  ["src/control/flows/c.ts", `import "piscina";`, /Only the pools/],
  ["src/control/threads/worker-pool.ts", `import "piscina";`, undefined],
  ["src/control/threads/a.ts", `import "../flows/deployer.ts";`, /threads know only src\/shared/],
  ["src/control/threads/hosts/b.ts", `import "../../stores/stores.ts";`, /threads know only src\/shared/],
  ["src/control/triggers/r.ts", `import "rou3";`, /Only src\/control\/flows\/http-paths.ts knows rou3/],
  ["src/control/flows/http-paths.ts", `import "rou3";`, undefined],
  ["src/control/flows/d.ts", `import "../../workers/engine/exchange.ts";`, /Control never imports workers/],
  ["src/control/runs/a.ts", `import "../triggers/timers.ts";`, /runs know flows, stores and http/],
  ["src/control/runs/b.ts", `import "../flows/live-flows.ts"; import "../http/sse.ts";`, undefined],
  ["src/control/runs/test-sessions/a.ts", `import "../../triggers/timers.ts";`, /runs know flows, stores and http/],
  ["src/control/runs/test-sessions/b.ts", `import "../runner.ts"; import "../../threads/within.ts";`, undefined],
  ["src/control/runs/c.ts", `import "pino";`, /Only src\/control\/log.ts knows pino/],
  ["src/control/triggers/a.ts", `import "../api/index.ts";`, /triggers know runs/],
  ["src/control/triggers/b.ts", `import "../runs/runner.ts"; import "../app.ts";`, /triggers know runs/],
  ["src/control/api/a.ts", `import "../triggers/timers.ts";`, /the API knows runs/],
  ["src/control/api/b.ts", `import "undici";`, /http\/undici.ts knows undici/],
  ["src/workers/components/http/client.ts", `import "undici/lib/dispatcher/agent.js";`, /http\/undici.ts knows undici/],
  ["src/workers/components/http/undici.ts", `import "undici"; import "undici/lib/dispatcher/agent.js";`, undefined],
  ["src/control/own-addresses.ts", `import "ipaddr.js";`, /Only src\/shared\/egress.ts reads addresses/],
  ["src/shared/egress.ts", `import "ipaddr.js";`, undefined],
  ["src/shared/address-range.ts", `import "ipaddr.js";`, undefined],
  ["src/control/access/a.ts", `import "../flows/deployer.ts";`, /access knows stores and http/],
  ["src/control/access/b.ts", `import "../triggers/timers.ts";`, /access knows stores and http/],
  ["src/control/access/c.ts", `import "../stores/stores.ts"; import "../http/sse.ts";`, undefined],
  ["src/control/access/e.ts", `import "../mappings/mapping-kinds.ts";`, /access knows stores and http/],
  ["src/control/mappings/a.ts", `import "../access/policies.ts";`, /mappings know flows and stores/],
  ["src/control/mappings/b.ts", `import "../threads/gate.ts"; import "../stores/stores.ts";`, undefined],
  ["src/control/audit/a.ts", `import "../stores/stores.ts";`, /audit log knows only src\/shared/],
  ["src/control/flows/e.ts", `import "../mappings/mapping-kinds.ts";`, /flows know threads and stores/],
  ["src/control/stores/c.ts", `import "../access/policies.ts";`, /stores are at the bottom/],
  [
    "src/control/access/d.ts",
    `import "jose"; await import("jose");`,
    /Only src\/control\/access\/schemes\/jose.ts knows jose/,
  ],
  ["src/control/access/schemes/jose.ts", `await import("jose");`, undefined],
  ["src/control/access/reading/a.ts", `import "../../flows/deployer.ts";`, /access knows stores and http/],
  ["src/control/access/reading/b.ts", `import "../../app.ts";`, /access knows stores and http/],
  ["src/control/access/reading/c.ts", `import "../../stores/stores.ts"; import "../policy.ts";`, undefined],
  ["src/control/api/c.ts", `import "../runs/d";`, /useImportExtensions/],
  ["src/control/runs/d.ts", `import "./e.ts";`, /noImportCycles/],
  ["src/control/runs/e.ts", `import "./d.ts";`, /noImportCycles/],
  ["src/control/api/d.ts", `import "fs";`, /useNodejsImportProtocol/],
  ["src/control/api/e.ts", "export default 1;", /noDefaultExport/],
  ["src/control/api/f.ts", `import { A } from "./g.ts";\nexport type B = A;`, /useImportType/],
  ["src/control/api/g.ts", "export type A = 1;", undefined],
  ["src/control/api/h.ts", "async function f() {}\nf();", /noFloatingPromises/],
  ["src/control/api/i.ts", "async function f() {}\nif (f()) f().catch(() => 1);", /noMisusedPromises/],
  [
    "src/control/api/j.ts",
    `export function f(a: "x" | "y") {\n  switch (a) {\n    case "x":\n  }\n}`,
    /useExhaustiveSwitchCases/,
  ],
  ["src/control/api/k.ts", "export const a: any = 1;", /noExplicitAny/],
];

/** What the linter says, by file. */
function lint(): Map<string, string> {
  const biome = join(root, "node_modules", ".bin", "biome");
  const args = ["lint", "--error-on-warnings", "--max-diagnostics=none", "--reporter=github", "."];
  const { stdout, stderr } = spawnSync(biome, args, { cwd: place, encoding: "utf8" });
  const told = new Map<string, string>();
  for (const line of stdout.split("\n")) {
    const file = /^::\w+ .*file=([^,]+)/.exec(line)?.[1];
    if (file === undefined) continue;
    const name = relative(place, file);
    told.set(name, `${told.get(name) ?? ""}${line}\n`);
  }
  assert.ok(told.size > 0, `no diagnostics at all: ${stderr}`);
  return told;
}

test("the linter refuses each forbidden import and allows its neighbours", () => {
  cpSync(join(root, "biome.json"), join(place, "biome.json"));
  cpSync(join(root, "scripts", "doors.grit"), join(place, "scripts", "doors.grit"));
  cpSync(join(root, ".gitignore"), join(place, ".gitignore"));
  for (const [file, text] of cases) {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    writeFileSync(join(place, file), `${text}\n`);
  }
  const told = lint();
  for (const [file, , complaint] of cases) {
    const said = told.get(file);
    if (complaint === undefined) assert.equal(said, undefined, file);
    else assert.match(said ?? "", complaint, `${file} is not refused`);
  }
});
