/**
 * Runs the tests against real servers: test/servers. `npm run test:servers -- sql` runs the files and the suites whose names
 * contain a text, and needs their servers only; `npm run test:servers -- suite` runs all suites. With `--smoke` it runs four
 * cases of the suite with one connector of each server, and no other file.
 *
 * Missing servers of Debian's packages are installed if the user may do so, those of Maven Central are downloaded. A server
 * that cannot be had fails the run with a line that says why; with SERVERS_OPTIONAL=1 its tests are left out. With
 * TEST_SERVERS_WITH=MySQL the tests run against MySQL, too, which is unpacked from Debian's unstable distribution.
 */
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Unavailable } from "../test/servers/server-process.ts";
import { servers, type TestServer } from "../test/servers/servers.ts";
import { bundleSuite } from "./bundle-suite.ts";
import { runTestFiles, type TestFile } from "./test-files.ts";

interface ServerTest extends TestFile {
  readonly needs: readonly TestServer[];
}

const root = resolve(import.meta.dirname, "..");
const suite = "test/servers/suite.servers.ts";
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { smoke: { type: "boolean", default: false } },
});
const [part = ""] = positionals;

// The suites take minutes each: they begin first.
const tests = [...suites(), ...(values.smoke ? [] : files())];
if (tests.length === 0) throw new Error(`No file and no suite of test/servers has '${part}' in its name`);

const missing: string[] = [];
for (const { name, install } of servers.filter((server) => tests.some(({ needs }) => needs.includes(server)))) {
  try {
    install();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    process.stderr.write(`${name} cannot be had: ${error.message}\n`);
    missing.push(name);
  }
}
if (missing.length > 0 && process.env["SERVERS_OPTIONAL"] !== "1") process.exit(1);

const env = {
  ...process.env,
  TEST_SERVERS_WITHOUT: missing.join(),
  ...(tests.some(({ file }) => file.endsWith("suite.servers.ts")) && { SUITE_THREADS: await bundleSuite(root) }),
  ...(values.smoke && { SUITE_SMOKE: "1" }),
};
// They mostly wait for their servers. Each suite changes the page that SUITE_PAGE names: one after another.
const atOnce = process.env["SUITE_PAGE"] === undefined ? Math.min(2, tests.length) : 1;
process.exit((await runTestFiles({ files: tests, atOnce, root, env })) ? 0 : 1);

/** A run of the suite for each server; it is chosen by its folder, by its server, and by the word suite. */
function suites(): ServerTest[] {
  return servers
    .filter(({ connectors }) => connectors !== undefined)
    .map((server) => ({
      name: `test/servers/${server.usedBy[0]}suite of ${server.name}`,
      file: suite,
      env: { SUITE_SERVER: server.name },
      needs: [server],
    }))
    .filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()));
}

function files(): ServerTest[] {
  return globSync("test/servers/**/*.servers.ts", { cwd: root })
    .filter((file) => file !== suite && file.includes(part))
    .sort()
    .map((file) => ({ name: file, file, needs: servers.filter((server) => isUsedBy(server, file)) }));
}

function isUsedBy({ usedBy }: TestServer, file: string): boolean {
  return usedBy.some((path) => file.startsWith(`test/servers/${path}`));
}
