/**
 * Runs the tests against real servers: test/servers. `npm run test:servers -- sql` runs the files whose names contain a
 * text, and needs their servers only. Servers of Debian's packages are installed when they are missing and the user may do
 * so, those of Maven Central are downloaded. A server that cannot be had fails the run with a line that says why; with SERVERS_OPTIONAL=1 its tests are left out. With
 * TEST_SERVERS_WITH=MySQL they run against MySQL, too, which is unpacked from Debian's unstable distribution.
 */
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { Unavailable } from "../test/servers/server-process.ts";
import { servers } from "../test/servers/servers.ts";
import { runTestFiles } from "./test-files.ts";

const root = resolve(import.meta.dirname, "..");
const part = process.argv[2] ?? "";

const files = globSync("test/servers/**/*.servers.ts", { cwd: root })
  .filter((file) => file.includes(part))
  // The suites take minutes each: they begin first.
  .sort((one, other) => Number(isSuite(other)) - Number(isSuite(one)) || one.localeCompare(other));
if (files.length === 0) throw new Error(`No file of test/servers has '${part}' in its name`);

const needed = servers.filter(({ usedBy }) =>
  files.some((file) => usedBy.some((path) => file.startsWith(`test/servers/${path}`))),
);
const missing: string[] = [];
for (const { name, start } of needed) {
  try {
    const server = await start();
    await server.close();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    process.stderr.write(`${name} cannot be had: ${error.message}\n`);
    missing.push(name);
  }
}
if (missing.length > 0 && process.env["SERVERS_OPTIONAL"] !== "1") process.exit(1);

const env = { ...process.env, TEST_SERVERS_WITHOUT: missing.join() };
// They mostly wait for their servers.
const atOnce = Math.min(2, files.length);
process.exit((await runTestFiles({ files, atOnce, root, env })) ? 0 : 1);

function isSuite(file: string): boolean {
  return file.endsWith("/suite.servers.ts");
}
