import { existsSync } from "node:fs";
import { UsageError } from "../errors.ts";
import { sayFindings, summaryOf } from "../findings.ts";
import type { Finding } from "../offline-check.ts";
import { type Project, readProject, sourcesOf } from "../project.ts";
import { sayJson } from "../terminal.ts";
import { counted } from "../times.ts";
import { type AddCommand, addCommand, withJson } from "../tree.ts";

interface Options {
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly canonical?: boolean;
}

const notChecked =
  "Not checked without a runtime: whether it has the connections, secrets and variables, and which names others have. deploy --dry-run checks that.";

export const addValidate: AddCommand = (parent, { terminal, ending }) => {
  const command = addCommand(parent, "validate [paths...]", {
    summary: "checks flows, their companion files and documents; no server is needed",
    details: `Takes folders, flows (orders.yaml) and documents (documents/value-mappings/codes.json); without a path the folder of ROUTES_DIR, else ./routes. All problems of all files are printed. Limits are compared with the usual ceilings; the variables LIMIT_..._CEILING set other ones. ${notChecked}`,
    examples: ["bulkhead validate routes", "bulkhead validate orders.yaml --json"],
  });
  withJson(command, "prints the findings as JSON")
    .option("--strict", "fails on warnings, too")
    .option("--canonical", "warns of short forms that Camel 4.23 deprecates; bulkhead normalize rewrites them")
    .action(async (paths: readonly string[], options: Options) => {
      const project = readProject(paths.length > 0 ? paths : [usualFolder(terminal.env)]);
      const { checkProject } = await import("../offline-check.ts");
      const { usualCeilings } = await import("../../shared/flow-limits.ts");
      const checked = await checkProject(project, usualCeilings(terminal.env));
      const { files } = checked;
      const findings = [...checked.findings, ...(options.canonical === true ? await shorthands(project) : [])];
      if (options.json === true) sayJson(terminal, findings);
      else {
        sayFindings(terminal, findings, sourcesOf(project));
        if (findings.length === 0) terminal.say(`${terminal.paint("green", "valid")}: ${counted(files, "file")}`);
        else terminal.say(summaryOf(terminal, findings, files));
        if (findings.every(({ severity }) => severity !== "error")) terminal.say(terminal.paint("dim", notChecked));
      }
      if (findings.some(({ severity }) => options.strict === true || severity === "error")) ending.code = 1;
    });
};

async function shorthands({ flows }: Project): Promise<readonly Finding[]> {
  const { normalizeTexts, shorthandsIn } = await import("../shorthands.ts");
  // The check has reported what cannot be read.
  return (await normalizeTexts(flows)).flatMap(shorthandsIn).filter(({ code }) => code === "shorthand");
}

function usualFolder(env: Readonly<Record<string, string | undefined>>): string {
  const folder = env["ROUTES_DIR"] || "routes";
  if (existsSync(folder)) return folder;
  throw new UsageError(`there is no folder ${folder}: name the folder or the files to check`);
}
