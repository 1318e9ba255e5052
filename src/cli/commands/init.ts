import { UsageError } from "../errors.ts";
import { categories, type Example, filesOf, readExamples } from "../examples.ts";
import { flowsFolder, starter, writeProject } from "../new-project.ts";
import { ownName } from "../own-name.ts";
import { shellWord } from "../shell-word.ts";
import { sayJson, type Terminal } from "../terminal.ts";
import { type AddCommand, addCommand, withJson, wordOf } from "../tree.ts";

interface Options {
  readonly json?: boolean;
  readonly from?: string;
  readonly list?: boolean;
}

export const addInit: AddCommand = (parent, { terminal }) => {
  const command = addCommand(parent, "init [folder]", {
    summary: "makes a project folder: a flow with its params, its tests, and a schema for editors",
    details: `Without a folder it is the current one. The flows are in ${flowsFolder}/, where run, validate and test look for them; ${flowsFolder}/flow-schema.json lets editors with the YAML language server complete a flow. --from begins with an example in place of a greeting; in a project that is there it adds one. No file is overwritten.`,
    examples: ["bulkhead init shop", "bulkhead init --list", "bulkhead init shop --from scatter-gather"],
  });
  withJson(command, "prints the files that were written, or the examples, as JSON")
    .option("--from <example>", "begins with this example")
    .option("--list", "lists the examples by category")
    .action(async (folder: string | undefined, options: Options) => {
      const { from, list } = options;
      if (list === true) {
        if (folder !== undefined || from !== undefined)
          throw new UsageError("--list only lists: leave the folder and --from out");
        const examples = readExamples();
        if (options.json === true) sayJson(terminal, examples);
        else sayExamples(terminal, examples);
        return;
      }
      const example = from === undefined ? undefined : exampleNamed(from);
      const files = example === undefined ? starter : filesOf(example.id);
      const written = await writeProject(folder ?? ".", files, schemaOfFlows);
      const next = nextOf(folder, ownName(terminal.env));
      if (options.json === true) {
        sayJson(terminal, { ...written, ...(example !== undefined && { example }), next: next.map(([line]) => line) });
        return;
      }
      for (const path of written.written) terminal.say(`${terminal.paint("green", "written")}  ${path}`);
      for (const path of written.kept) terminal.say(`${terminal.paint("dim", "kept")}     ${path}`);
      if (example !== undefined) terminal.say(`\n${example.title}. ${example.needs}`);
      sayNext(terminal, next);
    });
};

async function schemaOfFlows(): Promise<object> {
  const { describeFlows } = await import("../check-thread.ts");
  return (await describeFlows()).flowSchema;
}

function exampleNamed(id: string): Example | undefined {
  const examples = readExamples();
  const found = wordOf(
    id,
    examples.map((one) => one.id),
    "--from",
  );
  return examples.find((one) => one.id === found);
}

/** Commands, each with what it is for. */
function nextOf(folder: string | undefined, bulkhead: string): (readonly [line: string, what: string])[] {
  const enter =
    folder === undefined || folder === "." ? "" : `cd ${folder.startsWith("-") ? "-- " : ""}${shellWord(folder)}`;
  return [
    ...(enter === "" ? [] : [[enter, ""] as const]),
    [`${bulkhead} validate`, "all problems, without a server"],
    [`${bulkhead} test`, "the tests, without a server"],
    [`${bulkhead} run --dev`, "serves the flows, and deploys what you save; Ctrl-C ends it"],
    [`${bulkhead} deploy ${flowsFolder}`, "sends what has changed to another runtime (--url)"],
  ];
}

function sayNext(terminal: Terminal, next: ReturnType<typeof nextOf>): void {
  const width = Math.max(24, ...next.map(([line]) => line.length));
  terminal.say("\nNext:");
  for (const [line, what] of next)
    terminal.say(`  ${what === "" ? line : `${line.padEnd(width)} ${terminal.paint("dim", `# ${what}`)}`}`);
}

function sayExamples(terminal: Terminal, examples: readonly Example[]): void {
  for (const [category, title] of Object.entries(categories)) {
    terminal.say(terminal.paint("bold", title));
    for (const { id, title: what } of examples.filter((one) => one.category === category))
      terminal.say(`  ${terminal.paint("cyan", id.padEnd(30))}  ${what}`);
    terminal.say("");
  }
  terminal.say("bulkhead init FOLDER --from EXAMPLE begins a project with one of them.");
}
