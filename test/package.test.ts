/** What the package states about itself: the Node.js it needs, what npm checks before it installs, its license. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

function textOf(name: string): string {
  return readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
}

interface Manifest {
  readonly license: string;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly engines?: { readonly node?: string };
  readonly devEngines: { readonly runtime: { readonly name: string; readonly version: string } };
}

const manifest = JSON.parse(textOf("package.json")) as Manifest;

test("npm ci on a machine with Node.js 20 has nothing to warn of: the Node.js that runs comes with the install", () => {
  const { packages } = JSON.parse(textOf("package-lock.json")) as {
    packages: Readonly<Record<string, { engines?: { node?: string }; optional?: boolean }>>;
  };
  const newest = lowestMajor(manifest.devDependencies["node"] ?? "");
  const needed = Object.entries(packages)
    .filter(([, { optional = false }]) => !optional)
    .map(([path, { engines }]) => [path, lowestMajor(engines?.node ?? "*")] as const);
  const tooNew = needed.filter(([, major]) => major > newest).map(([path]) => path);
  assert.deepEqual(tooNew, []);
  // Some need more than Node.js 20, and npm judges by the Node.js that npm runs on.
  if (needed.some(([, major]) => major > 20)) assert.match(textOf(".npmrc"), /^loglevel=error$/m);
});

/** Of a range such as `^20.19.0 || >=22.12.0`. */
function lowestMajor(range: string): number {
  return Math.min(...range.split("||").map((one) => Number(/\d+/.exec(one)?.[0] ?? 0)));
}

test("the version that package.json names is the one that the command checks", () => {
  assert.deepEqual(manifest.devEngines.runtime.version, ">=24.12");
  assert.match(textOf("bin/bulkhead.js"), /major > 24 \|\| \(major === 24 && Number\(parts\[1\]\) >= 12\)/);
});

test("the license that package.json names lies beside it", () => {
  assert.equal(manifest.license, "Apache-2.0");
  assert.match(textOf("LICENSE"), /^\s+Apache License\n\s+Version 2\.0, January 2004\n/);
});
