/** Which names in the workspace are flows, and what to do about the others. */
import { flowIdProblem } from "../../shared/ids.ts";

export interface NamedFile {
  readonly file: string;
  /** The flow's id; with a `problem`, the file's name. */
  readonly id: string;
  readonly problem?: string;
}

export function flowFile(id: string): string {
  return `${id}.yaml`;
}

export function companionFile(id: string): string {
  return `${id}.flow.yaml`;
}

/** Returns the YAML files among `names`, sorted, without companions of flows; hidden files and other extensions are left out. */
export function flowFiles(names: readonly string[]): NamedFile[] {
  const present = new Set(names);
  const seen = new Map<string, string>();
  return names
    .filter((name) => !name.startsWith(".") && /\.ya?ml$/i.test(name) && !isCompanion(name, present))
    .sort()
    .map((file) => {
      const problem = nameProblem(file);
      if (problem !== undefined) return { file, id: file, problem };
      const id = file.slice(0, -".yaml".length);
      const earlier = seen.get(id.toLowerCase());
      seen.set(id.toLowerCase(), earlier ?? id);
      if (earlier === undefined) return { file, id };
      return { file, id: file, problem: `'${id}' and '${earlier}' differ only by case: rename one of the files` };
    });
}

/** Returns the name of a file whose flow has the same id but for its case. */
export function caseClash(id: string, names: readonly string[]): string | undefined {
  const own = [flowFile(id), companionFile(id)];
  return names.find((name) => !own.includes(name) && own.some((one) => one.toLowerCase() === name.toLowerCase()));
}

function isCompanion(name: string, present: ReadonlySet<string>): boolean {
  const end = companionFile("");
  return name.endsWith(end) && present.has(flowFile(name.slice(0, -end.length)));
}

function nameProblem(file: string): string | undefined {
  const stem = file.replace(/\.ya?ml$/i, "");
  if (/\.flow$/i.test(stem)) {
    const own = stem.replace(/\.flow$/i, "");
    return `it has the options of a flow '${own}', but there is no '${flowFile(own)}': rename it, or delete it`;
  }
  const reason = flowIdProblem(stem);
  if (reason !== undefined) return `its name is not the id of a flow (${reason}): rename it`;
  return file.endsWith(".yaml") ? undefined : `the file of a flow ends in .yaml: rename it to '${flowFile(stem)}'`;
}
