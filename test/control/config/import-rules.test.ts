/** The linter knows the doors of dependencies and the house's habits: each rule is shown a file that breaks it, and neighbours that do not. */
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
  ["src/shared/c.ts", `import { z } from "zod";\nz();`, /never load zod/],
  ["src/workers/engine/regex.ts", `import "re2js"; await import("re2js");`, undefined],
  ["src/workers/engine/g.ts", `import type { z } from "zod";\nexport type Z = typeof z;`, undefined],
  ["src/workers/engine/h.ts", `await import("re2js");`, /one door/],
  ["src/workers/engine/i.ts", `import "node:vm";`, /never code/],
  ["src/workers/steps/e.ts", `import { z } from "zod";\nz();`, /never load zod/],
  ["src/workers/check/c.ts", `import "../catalog.ts"; import { z } from "zod";\nz();`, undefined],
  [
    "src/workers/check/d.ts",
    `import { parse } from "yaml";\nparse();`,
    /Only src\/workers\/check\/parse.ts reads flows/,
  ],
  ["src/workers/check/parse.ts", `import { parse } from "yaml";\nparse();`, undefined],
  ["src/control/log.ts", `import "pino"; import "../shared/ids.ts";`, undefined],
  ["src/control/streams/b.ts", `import "better-sse";`, /Only src\/control\/streams\/sse.ts knows better-sse/],
  ["src/control/streams/sse.ts", `import "better-sse";`, undefined],
  ["src/control/flows/c.ts", `import "piscina";`, /Only the pools/],
  ["src/control/threads/local/worker-pool.ts", `import "piscina";`, undefined],
  ["src/control/triggers/r.ts", `import "rou3";`, /Only src\/control\/flows\/http-paths.ts knows rou3/],
  ["src/control/flows/http-paths.ts", `import "rou3";`, undefined],
  ["src/control/runs/c.ts", `import "pino";`, /Only src\/control\/log.ts knows pino/],
  ["src/control/api/b.ts", `import "undici";`, /http\/undici.ts knows undici/],
  ["src/workers/components/http/client.ts", `import "undici/lib/dispatcher/agent.js";`, /http\/undici.ts knows undici/],
  ["src/workers/components/http/undici.ts", `import "undici"; import "undici/lib/dispatcher/agent.js";`, undefined],
  ["src/control/app.ts", `import "ipaddr.js";`, /Only src\/shared\/egress.ts reads addresses/],
  ["src/shared/egress.ts", `import "ipaddr.js";`, undefined],
  ["src/shared/address-range.ts", `import "ipaddr.js";`, undefined],
  [
    "src/control/access/d.ts",
    `import "jose"; await import("jose");`,
    /Only src\/control\/access\/schemes\/jose.ts knows jose/,
  ],
  ["src/control/access/schemes/jose.ts", `await import("jose");`, undefined],
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

test("the linter refuses each thing that the house does without, and allows its neighbours", () => {
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
