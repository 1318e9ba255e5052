/**
 * What `npm pack` runs first: makes all that the package has and a checkout has not, and writes the package.json that is published.
 * docs/decisions/0036 says why the package has no dependencies.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundle } from "../bundle.ts";
import { restore, restoreAfter, setAside } from "./checkout.ts";
import { packClientTypes } from "./client.ts";
import { packDesigner } from "./designer.ts";
import { librariesOf } from "./libraries.ts";
import { type Checkout, publishedManifest } from "./manifest.ts";
import { noticeOf } from "./notice.ts";
import { sbomOf } from "./sbom.ts";

const root = resolve(import.meta.dirname, "../..");
const dist = join(root, "dist");
const npm = process.ppid;

restore(root);
const checkout = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Checkout;
const { name, inputs: bundled } = await bundle(dist);
const types = packClientTypes(dist);
const { inputs } = await packDesigner(join(dist, "designer"));
// The checkout runs these bundles, too, until a source changes.
execFileSync(process.execPath, [join(root, "scripts/code-cache.ts")], { stdio: "inherit" });

const libraries = librariesOf(root, [...bundled, ...types, ...inputs]);
// Orphaned: npm has been killed, and nothing packs any more.
if (process.ppid !== npm) process.exit(1);
restoreAfter(npm);
setAside(root, publishedManifest(checkout, root, name), {
  NOTICE: noticeOf(checkout.name, libraries),
  "sbom.cdx.json": `${JSON.stringify(sbomOf(checkout, libraries), undefined, 1)}\n`,
});
