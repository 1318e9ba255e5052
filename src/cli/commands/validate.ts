import { existsSync } from "node:fs";
import { UsageError } from "../errors.ts";
import { sayFindings, summaryOf } from "../findings.ts";
import { readProject, sourcesOf } from "../project.ts";
import { sayJson } from "../terminal.ts";
import { counted } from "../times.ts";
import { type AddCommand, addCommand, withJson } from "../tree.ts";

interface Options {
  readonly json?: boolean;
  readonly strict?: boolean;
}

export const addValidate: AddCommand = (parent, { terminal, ending }) => {
  const command = addCommand(parent, "validate [paths...]", {
    summary: "checks flows, their companion files and mappings; no server is needed",
    details:
      "Takes folders, flows (orders.yaml) and documents (documents/value-mappings/codes.json); without a path the folder of ROUTES_DIR, else ./routes. All problems of all files are printed. Whether a runtime has the connections, secrets, variables and rights that a flow needs, deploy --dry-run tells.",
    examples: ["bulkhead validate routes", "bulkhead validate orders.yaml --json"],
  });
  withJson(command, "prints the findings as JSON")
    .option("--strict", "fails on warnings, too")
    .action(async (paths: readonly string[], options: Options) => {
      const project = readProject(paths.length > 0 ? paths : [usualFolder(terminal.env)]);
      const { checkProject } = await import("../offline-check.ts");
      const { findings, files } = await checkProject(project);
      if (options.json === true) sayJson(terminal, findings);
      else {
        sayFindings(terminal, findings, sourcesOf(project));
        if (findings.length === 0) terminal.say(`${terminal.paint("green", "valid")}: ${counted(files, "file")}`);
        else terminal.say(summaryOf(terminal, findings, files));
      }
      if (findings.some(({ severity }) => options.strict === true || severity === "error")) ending.code = 1;
    });
};

function usualFolder(env: Readonly<Record<string, string | undefined>>): string {
  const folder = env["ROUTES_DIR"] || "routes";
  if (existsSync(folder)) return folder;
  throw new UsageError(`there is no folder ${folder}: name the folder or the files to check`);
}
