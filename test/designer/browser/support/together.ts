/**
 * Runs browser test files one after another in one process: `node together.ts FILE...`. Each is a test whose parts are the
 * file's own, so what it opens is closed before the next one begins, and the report says of each file whether it passed.
 */
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
// What the files share stays until the last one has ended: it must not be loaded within a test.
import "./stage.ts";

for (const file of process.argv.slice(2)) test(file, () => import(pathToFileURL(resolve(file)).href));
