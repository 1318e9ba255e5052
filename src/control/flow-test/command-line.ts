/** The arguments of `bulkhead test`. */
import { parseArgs } from "node:util";
import { type EgressRule, parseEgressAllow } from "../../shared/egress.ts";
import { BadFile, isDirectory } from "./text-files.ts";

export interface CommandLine {
  /** Paths of files and directories; empty: the default of test-paths.ts. */
  readonly paths: readonly string[];
  readonly routes: string | undefined;
  readonly junit: string | undefined;
  readonly filter: string | undefined;
  readonly egressAllow: readonly EgressRule[];
  readonly watch: boolean;
  readonly update: boolean;
  readonly help: boolean;
  readonly remote: { readonly url: string; readonly token: string } | undefined;
}

export const usage = `bulkhead test [options] [files or directories]

Runs tests of flows: each opens a test session, calls its flow, and compares what came of it. Without files or
directories: those of routes/tests, and the companion files routes/*.flow.yaml that have tests.

  --filter TEXT         only tests whose names, or whose flow's id, hold the text
  --routes DIR          the flows; else the directory above 'tests', of a companion file (orders.flow.yaml) its own
  --egress-allow LIST   what flows may call, as EGRESS_ALLOW has it; else nothing
  --junit FILE          writes the results as JUnit XML, too
  --update              writes what was got into the 'expect' of tests that fail by it, or have none
  --watch               runs tests again when their files, flows or documents change
  --help                this text

With BULKHEAD_URL and BULKHEAD_TOKEN the tests run against the flows that are deployed there, and nothing is deployed.
NO_COLOR writes without colours.
Ends with 0 when all tests pass, 1 when one fails, 2 when a file or an argument cannot be used.`;

/** Reads the arguments. Throws BadFile. */
export function readCommandLine(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): CommandLine {
  const { values, positionals } = parse(args);
  const egress = parseEgressAllow((values["egress-allow"] ?? []).join(","));
  if (egress.problems.length > 0) throw new BadFile(`--egress-allow: ${egress.problems.join("; ")}`);
  const url = env["BULKHEAD_URL"]?.trim() ?? "";
  const token = env["BULKHEAD_TOKEN"]?.trim() ?? "";
  if (url !== "") {
    if (!/^https?:\/\/[^?#@\s]+$/.test(url) || !URL.canParse(url))
      throw new BadFile("BULKHEAD_URL: it must be a URL such as http://127.0.0.1:8080, without a user or a query");
    if (token === "") throw new BadFile("BULKHEAD_TOKEN: give the deploy token of the runtime that BULKHEAD_URL names");
    if (!/^[\x21-\x7e]+$/.test(token)) throw new BadFile("BULKHEAD_TOKEN: it has characters that no token has");
    if (values["egress-allow"] !== undefined)
      throw new BadFile("--egress-allow: what flows may call is decided where BULKHEAD_URL leads");
  }
  const { routes, junit, filter, watch = false, update = false, help = false } = values;
  if (routes !== undefined && !isDirectory(routes)) throw new BadFile(`--routes: '${routes}' is no directory`);
  const remote = url === "" ? undefined : { url, token };
  return { paths: positionals, routes, junit, filter, egressAllow: egress.rules, watch, update, help, remote };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        filter: { type: "string" },
        routes: { type: "string" },
        "egress-allow": { type: "string", multiple: true },
        junit: { type: "string" },
        update: { type: "boolean" },
        watch: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new BadFile(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}
