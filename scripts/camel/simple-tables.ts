/** The functions and operators of Camel's simple as the page of compatibility shows them. */
import { type CamelName, functionStates, operatorStates } from "./functions.ts";
import { missingReasons } from "./missing.ts";

/** Resolves with the lines of the section. */
export async function simpleTables(): Promise<readonly string[]> {
  const [functions, operators] = [await functionStates(), await operatorStates()];
  return [
    "## Functions and operators of simple",
    "",
    `${summary(functions, "functions")} Each name is written as in Camel's catalogue. This runtime reads the forms that Camel's parser reads: \`date:command\` and \`throwException(msg,type)\`.`,
    "",
    `Taken: ${listed(functions)}.`,
    "",
    ...others(functions),
    `${summary(operators, "operators")}`,
    "",
    `Taken: ${listed(operators)}.`,
    "",
    ...others(operators),
  ];
}

function summary(names: readonly CamelName[], what: string): string {
  const count = (state: CamelName["state"]): number => names.filter((one) => one.state === state).length;
  const [refused, missing] = [count("refused"), count("missing")];
  if (refused + missing === 0) return `All of Camel's ${names.length} ${what} are taken.`;
  const lacking = missing === 0 ? "none is missing" : `${missing} are missing`;
  return `Camel's catalogue has ${names.length} ${what}: ${count("taken")} are taken, ${refused} are refused, and ${lacking}.`;
}

function listed(names: readonly CamelName[]): string {
  return names
    .filter(({ state }) => state === "taken")
    .map(({ name }) => `\`${name}\``)
    .join(", ");
}

/** A row for each name that is refused or missing; names with one reason share it. */
function others(names: readonly CamelName[]): string[] {
  const rows = Map.groupBy(
    names.filter(({ state }) => state !== "taken"),
    ({ name, state, why = "" }) => `${state} | ${state === "missing" ? missingReasons.get(name) : why}`,
  );
  if (rows.size === 0) return [];
  return [
    "| name | state | reason |",
    "|---|---|---|",
    ...[...rows].map(
      ([end, of]) => `| ${of.map(({ name }) => `\`${name}\``).join(", ")} | ${end.replaceAll("\n", " ")} |`,
    ),
    "",
  ];
}
