/** The lists of the checkout that name every connector, and what a new one adds to each. */
import { CommandError } from "../errors.ts";
import { withImport } from "./imports.ts";
import type { Names } from "./names.ts";

export interface ListEdit {
  readonly path: string;
  /** Returns the text with the connector in it. Throws CommandError when the text has another shape. */
  readonly change: (text: string, names: Names) => string;
}

/** Those of the code come first: names are taken when they have them. */
export const codeLists: readonly ListEdit[] = [
  ofModules("src/shared/connections/kinds.ts", "connectionKinds", "end"),
  ofModules("src/workers/connectors/index.ts", "connectors", "end"),
  ofModules("src/workers/components/index.ts", "components", "alphabet"),
];

export const lists: readonly ListEdit[] = [
  ...codeLists,
  ofTable(
    "docs/connectors/delivery.md",
    "| consumer |",
    ({ id }) =>
      `| \`${id}\` | at least once | a loss | as its server says | it is acknowledged, and is among the failed messages |`,
  ),
  ofTable(
    "docs/connectors/delivery.md",
    "| producer |",
    ({ id }) => `| \`${id}\` | the server has taken it | by a redelivery | as its server says |`,
  ),
  ofTable(
    "docs/README.md",
    "| connector |",
    ({ id, title }) =>
      `| [connectors/${id}.md](connectors/${id}.md) | ${title}: queues, producers, consumers and delivery guarantees |`,
  ),
];

/** A module that imports all members and has them in a list, a line each. */
function ofModules(path: string, list: string, where: "end" | "alphabet"): ListEdit {
  const change = (text: string, { id, camel }: Names): string => {
    const imported = withImport(text, camel, `./${id}.ts`);
    const begin = imported?.match(new RegExp(`^export const ${list}\\b.*= \\[\\n`, "m"));
    const from = (begin?.index ?? 0) + (begin?.[0].length ?? 0);
    const to = imported?.indexOf("\n];", from) ?? -1;
    if (imported === undefined || begin === undefined || begin === null || to < 0)
      throw unfit(path, `the list ${list}`);
    const members = imported.slice(from, to).split("\n");
    if (!members.every((line) => /^ {2}\w+,$/.test(line))) throw unfit(path, `the list ${list}, a name on each line`);
    const behind = where === "end" ? -1 : members.findIndex((line) => line.trim() > `${camel},`);
    members.splice(behind < 0 ? members.length : behind, 0, `  ${camel},`);
    return imported.slice(0, from) + members.join("\n") + imported.slice(to);
  };
  return { path, change };
}

/** A table of a page. The row goes to its end. */
function ofTable(path: string, head: string, row: (names: Names) => string): ListEdit {
  const change = (text: string, names: Names): string => {
    const lines = text.split("\n");
    const from = lines.findIndex((line) => line.startsWith(head));
    const rest = lines.slice(from);
    const end = rest.findIndex((line) => !line.startsWith("|"));
    if (from < 0) throw unfit(path, `the table that begins with '${head}'`);
    return lines.toSpliced(end < 0 ? lines.length : from + end, 0, row(names)).join("\n");
  };
  return { path, change };
}

function unfit(path: string, what: string): CommandError {
  return new CommandError(`nothing is written: ${path} has not got ${what}, as this version of the command knows it`);
}
