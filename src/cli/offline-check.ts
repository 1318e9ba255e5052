/** Checks flows and documents without a runtime, with the check that runtimes use. */
import type { CheckResult } from "../shared/check.ts";
import type { Diagnostic } from "../shared/diagnostic.ts";
import { type Fields, isFields } from "../shared/document-fields.ts";
import { defaultLimits, type LimitName, type Limits, limitNames } from "../shared/limits.ts";
import type { MappingData } from "../shared/mapping.ts";
import { check, checkMapping, readCompanion } from "../workers/check-tasks.ts";
import type { DocumentFile, FlowFile, Project, TextFile } from "./project.ts";

/** A diagnostic with its file. */
export interface Finding extends Diagnostic {
  readonly file: string;
}

/** Which variables a runtime allows is not known here. */
class AnyVariable extends Map<string, boolean> {
  override get(): boolean {
    return true;
  }
  override has(): boolean {
    return true;
  }
}

export interface Checked {
  readonly findings: readonly Finding[];
  readonly files: number;
}

export async function checkProject(project: Project): Promise<Checked> {
  const findings: Finding[] = [];
  const routes = new Map<string, string>();
  let files = 0;
  for (const flow of project.flows) {
    const { found, result } = await checkFlow(flow);
    findings.push(...found, ...taken(flow, result, routes));
    files += flow.companion === undefined ? 1 : 2;
  }
  const tables = new Map<string, MappingData>();
  for (const document of project.documents) {
    findings.push(...(await checkDocument(document, tables)));
    files += 1;
  }
  return { findings, files };
}

/** The options of a flow, as its companion file has them; undefined: the file has faults. */
export async function optionsOf({ companion }: FlowFile): Promise<Fields | undefined> {
  if (companion === undefined) return {};
  const read = await readCompanion(companion.text);
  return "value" in read && isFields(read.value) ? read.value : "value" in read ? {} : undefined;
}

async function checkFlow(flow: FlowFile): Promise<{ readonly found: Finding[]; readonly result: CheckResult }> {
  const found: Finding[] = [];
  const read = flow.companion === undefined ? { value: {} } : await readCompanion(flow.companion.text);
  if (flow.companion !== undefined && "problems" in read)
    for (const { line, column, message } of read.problems)
      found.push({ ...faultOf(flow.companion, "companion_invalid", message), line, column });
  const options = "value" in read && isFields(read.value) ? read.value : {};
  const result = await check({
    flowId: flow.id,
    yaml: flow.text,
    params: (options["params"] ?? {}) as never,
    variables: new AnyVariable(),
    limits: limitsOf(options["limits"]),
  });
  found.push(...result.diagnostics.map((diagnostic) => ({ file: flow.path, ...diagnostic })));
  return { found, result };
}

/** The limits that the flow asks for; what a runtime allows, it decides itself. */
function limitsOf(asked: unknown): Limits {
  const limits: Record<LimitName, number> = { ...defaultLimits };
  if (isFields(asked))
    for (const name of limitNames) {
      const value = asked[name];
      if (typeof value === "number") limits[name] = value;
    }
  return limits;
}

/** Route ids are unique over all flows of a runtime. */
function taken({ path }: FlowFile, { flow }: CheckResult, routes: Map<string, string>): Finding[] {
  const found: Finding[] = [];
  for (const { id, at } of flow?.model.routes ?? []) {
    const other = routes.get(id);
    routes.set(id, path);
    if (other === undefined || other === path) continue;
    const message = `the route id '${id}' is taken by ${other}: route ids are unique over all flows`;
    const { line, column, endLine, endColumn } = at;
    found.push({ ...faultOf({ path }, "id_taken", message), line, column, endLine, endColumn, routeId: id });
  }
  return found;
}

/** `tables`: gets the value mappings, which message mappings look words up in. */
async function checkDocument(file: DocumentFile, tables: Map<string, MappingData>): Promise<readonly Finding[]> {
  if (file.kind !== "value-mappings" && file.kind !== "message-mappings") return jsonFaults(file);
  const kind = file.kind === "value-mappings" ? "value" : "message";
  const document = new TextEncoder().encode(file.text);
  const request = { kind, id: file.id, media: "json", document, limits: defaultLimits } as const;
  let result = await checkMapping({ ...request, tables: [], absent: [] });
  if ("needs" in result) {
    const absent = result.needs.filter((id) => !tables.has(id));
    result = await checkMapping({ ...request, tables: [...tables.values()], absent });
  }
  if ("problems" in result) return result.problems.map((problem) => faultOf(file, "mapping_invalid", problem));
  if ("needs" in result) return [];
  if (kind === "value") tables.set(file.id, { kind, id: file.id, revision: 1, hash: "", data: result.data });
  return result.warnings.map(({ code, message }) => ({ ...faultOf(file, code, message), severity: "warning" }));
}

/** Policies and connections are judged by the runtime, which knows its secrets and its rules: here only whether they are JSON. */
function jsonFaults(file: DocumentFile): readonly Finding[] {
  try {
    JSON.parse(file.text);
    return [];
  } catch (error) {
    return [faultOf(file, "bad_json", error instanceof Error ? error.message : String(error))];
  }
}

function faultOf({ path }: Pick<TextFile, "path">, code: string, message: string): Finding {
  const nowhere = { line: null, column: null, endLine: null, endColumn: null, routeId: null, stepId: null };
  return { file: path, severity: "error", code, message, ...nowhere, pointer: "" };
}
