/** Which names in the routes directory are flows, and what to rename the others to. */
import { flowIdProblem } from "../../shared/ids.ts";

export interface NamedFile {
  readonly file: string;
  /** The flow's id; with a `problem`, the file's name. */
  readonly id: string;
  readonly problem?: string;
}

/** The name of the file that has the options of a flow, beside the flow's own. */
export function companionName(id: string): string {
  return `${id}.flow.yaml`;
}

/** The path, in the routes directory, of the document that `bulkhead deploy` takes for a flow's access policy. */
export function policyFileName(id: string): string {
  return `documents/auth/${id}.json`;
}

/** Whether it is the companion of a file that is there. */
export function isCompanion(name: string, present: ReadonlySet<string>): boolean {
  const end = companionName("");
  return name.endsWith(end) && present.has(`${name.slice(0, -end.length)}.yaml`);
}

/** Returns the YAML files among `names`, sorted; companions, hidden files and other extensions are not flows. */
export function flowFileNames(names: readonly string[]): NamedFile[] {
  const present = new Set(names);
  const ids = new Map<string, string>();
  return names
    .filter((name) => !name.startsWith(".") && /\.ya?ml$/i.test(name) && !isCompanion(name, present))
    .sort(byCodeUnit)
    .map((file) => {
      const named = nameFile(file, present);
      if (named.problem !== undefined) return named;
      const folded = named.id.toLowerCase();
      const earlier = ids.get(folded);
      ids.set(folded, earlier ?? named.id);
      if (earlier === undefined) return named;
      return { file, id: named.id, problem: `'${named.id}' and '${earlier}' differ only by case: rename one of them` };
    });
}

function nameFile(file: string, present: ReadonlySet<string>): NamedFile {
  const stem = file.replace(/\.ya?ml$/i, "");
  if (/\.flow$/i.test(stem)) return { file, id: file, problem: loneCompanion(stem, present) };
  const reason = flowIdProblem(stem);
  if (reason === undefined) {
    if (file.endsWith(".yaml")) return { file, id: stem };
    return { file, id: file, problem: `a flow's file ends in .yaml: ${rename(`${stem}.yaml`, present)}` };
  }
  return {
    file,
    id: file,
    problem: `the name is not a flow id (${reason}): ${rename(`${slugOf(stem)}.yaml`, present)}`,
  };
}

function loneCompanion(stem: string, present: ReadonlySet<string>): string {
  const own = stem.slice(0, -".flow".length);
  if (present.has(`${own}.yaml`))
    return `a companion's file ends in .flow.yaml: ${rename(companionName(own), present)}`;
  return (
    `the id of a flow does not end with '.flow', and the flow '${own}' that it could be the companion of is not there: if it is a ` +
    `flow, ${rename(`${slugOf(`${own}-flow`)}.yaml`, present)}`
  );
}

function rename(wanted: string, present: ReadonlySet<string>): string {
  return present.has(wanted) ? `'${wanted}' exists already, so remove one of the two` : `rename it to '${wanted}'`;
}

function slugOf(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 120)
    .replace(/[.-]+$/, "");
  if (plain === "") return "flow";
  return flowIdProblem(plain) === undefined ? plain : `flow-${plain}`;
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
