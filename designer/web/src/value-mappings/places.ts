/** Where in the grid a problem is that the runtime reports by a JSON pointer. */
import { isFields, type MappingDocument } from "./document.ts";
import { writeDocument } from "./write-document.ts";

export interface Problem {
  readonly severity: "error" | "warning";
  readonly pointer: string;
  readonly message: string;
  /** The row of the grid; undefined: it is not about a row. */
  readonly row: number | undefined;
  /** The column of the grid; undefined: it is about the whole row. */
  readonly column: number | undefined;
}

/** How the runtime reports: problems with their pointers apart, warnings with them in front. */
export interface Findings {
  readonly problems: readonly { readonly pointer: string; readonly message: string }[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

export function placed({ problems, warnings }: Findings, document: MappingDocument | undefined): readonly Problem[] {
  const find = document === undefined ? () => nowhere : placesIn(document);
  return [
    ...problems.map((one): Problem => ({ severity: "error", ...one, ...find(one.pointer).place })),
    ...warnings.map(({ message }): Problem => {
      const { place, rest } = find(message);
      const pointer = message.slice(0, message.length - rest.length);
      return { severity: "warning", pointer: pointer.replace(/: $/, ""), message: rest, ...place };
    }),
  ];
}

interface Found {
  readonly place: Pick<Problem, "row" | "column">;
  /** What follows the pointer. */
  readonly rest: string;
}

const nowhere: Found = { place: { row: undefined, column: undefined }, rest: "" };

/** Finds the place of a text that begins with a pointer. Names may have any characters: they are compared with those that there are. */
function placesIn(document: MappingDocument): (text: string) => Found {
  const { content, sheet } = document;
  const written = writeDocument(document)[content];
  const keys = isFields(written) ? Object.keys(written) : undefined;
  const names = sheet.columns.map(({ name, kind }, column) => ({
    column,
    text: kind === "qualifier" ? `/when/${escaped(name)}` : `/${escaped(name)}`,
  }));
  const longestFirst = names.toSorted((one, other) => other.text.length - one.text.length);
  return (text) => {
    const start = `/${content}/`;
    if (!text.startsWith(start)) return elsewhere(text);
    const below = text.slice(start.length);
    if (keys !== undefined) {
      const row = keys.findIndex((key) => isName(below, escaped(key)));
      return row < 0 ? elsewhere(text) : { place: { row, column: 1 }, rest: behind(below, escaped(keys[row] ?? "")) };
    }
    const index = /^\d+/.exec(below)?.[0];
    if (index === undefined) return elsewhere(text);
    const inRow = below.slice(index.length);
    const found = longestFirst.find((name) => isName(inRow, name.text));
    const rest = behind(inRow, found?.text ?? /^\/when/.exec(inRow)?.[0] ?? "");
    return { place: { row: Number(index), column: found?.column }, rest };
  };
}

function elsewhere(text: string): Found {
  const pointer = /^\/[^\s:]*(?=: )/.exec(text)?.[0] ?? "";
  return { ...nowhere, rest: behind(text, pointer) };
}

function isName(text: string, name: string): boolean {
  return text.startsWith(name) && (text.length === name.length || text.startsWith(": ", name.length));
}

function behind(text: string, name: string): string {
  return text.slice(name.length).replace(/^: /, "");
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
