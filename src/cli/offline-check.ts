/** Checks flows and documents without a runtime, with the check that runtimes use. */
import type { CheckResult } from "../shared/check.ts";
import type { Diagnostic } from "../shared/diagnostic.ts";
import { type Fields, isFields } from "../shared/document-fields.ts";
import { type Variables, variableNamed } from "../shared/environment-mark.ts";
import { AppError } from "../shared/errors.ts";
import { externalDirectOf } from "../shared/external-direct.ts";
import { type Ceilings, flowLimits, type StoredLimits, usualCeilings } from "../shared/flow-limits.ts";
import { groupOf } from "../shared/ids.ts";
import { defaultLimits, type LimitName, type Limits, limitNames } from "../shared/limits.ts";
import type { MappingData } from "../shared/mapping.ts";
import { CheckThread } from "./check-thread.ts";
import type { DocumentFile, FlowFile, Project, TextFile } from "./project.ts";
import { placeInYaml } from "./yaml.ts";

/** A diagnostic with its file. */
export interface Finding extends Diagnostic {
  readonly file: string;
}

/** Which variables a runtime allows is not known here: all that the text names are taken. */
function variablesIn(yaml: string): Variables {
  const written = [...yaml.matchAll(/\{\{\??env:([^}:]+)/g)].map(([, name = ""]) => name.trim());
  return new Map(written.map((name) => [variableNamed(name, new Map()), true]));
}

export interface Checked {
  readonly findings: readonly Finding[];
  readonly files: number;
}

/** `ceilings`: what the operator lets flows set their limits to; absent: as much as they like. */
export async function checkProject(project: Project, ceilings: Ceilings = noCeilings): Promise<Checked> {
  const thread = new CheckThread();
  try {
    return await checkAll(project, ceilings, thread);
  } finally {
    await thread.close();
  }
}

const noCeilings: Ceilings = Object.fromEntries(
  Object.keys(usualCeilings({})).map((name) => [name, Number.MAX_SAFE_INTEGER]),
);

async function checkAll(project: Project, ceilings: Ceilings, thread: CheckThread): Promise<Checked> {
  const routes = new Map<string, string>();
  const consumed = new Set<string>();
  const ofFlows: { readonly flow: FlowFile; readonly found: readonly Finding[] }[] = [];
  let files = 0;
  for (const flow of project.flows) {
    const { found, result } = await checkFlow(flow, ceilings, thread);
    ofFlows.push({ flow, found: [...found, ...taken(flow, result, routes)] });
    for (const key of consumedBy(flow, result)) consumed.add(key);
    files += flow.companion === undefined ? 1 : 2;
  }
  const findings = ofFlows.flatMap(({ flow, found }) => found.filter((one) => !isConsumed(one, flow, consumed)));
  const tables = new Map<string, MappingData>();
  for (const document of project.documents) {
    findings.push(...(await checkDocument(document, tables, thread)));
    files += 1;
  }
  return { findings, files };
}

/** The options of flows by their paths, as their companion files have them; undefined: the file has faults. */
export async function optionsOf(flows: readonly FlowFile[]): Promise<ReadonlyMap<string, Fields | undefined>> {
  const options = new Map<string, Fields | undefined>(flows.map(({ path }) => [path, {}]));
  const accompanied = flows.filter(({ companion }) => companion !== undefined);
  if (accompanied.length === 0) return options;
  const thread = new CheckThread();
  try {
    for (const { path, companion } of accompanied) {
      const read = await thread.run("readCompanion", companion?.text ?? "");
      const value = "value" in read ? (read.value ?? {}) : undefined;
      options.set(path, isFields(value) ? value : undefined);
    }
  } finally {
    await thread.close();
  }
  return options;
}

async function checkFlow(
  flow: FlowFile,
  ceilings: Ceilings,
  thread: CheckThread,
): Promise<{ readonly found: Finding[]; readonly result: CheckResult }> {
  const found: Finding[] = [];
  const read = flow.companion === undefined ? { value: {} } : await thread.run("readCompanion", flow.companion.text);
  if (flow.companion !== undefined && "problems" in read)
    for (const { line, column, message } of read.problems)
      found.push({ ...faultOf(flow.companion, "companion_invalid", message), line, column });
  const options = "value" in read && isFields(read.value) ? read.value : {};
  if (flow.companion !== undefined) found.push(...limitFaults(flow.companion, options, ceilings));
  const result = await thread.run("check", {
    flowId: flow.id,
    yaml: flow.text,
    params: (options["params"] ?? {}) as never,
    variables: variablesIn(flow.text),
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

/** What a deployment refuses of the flow's limits, each by itself. */
function limitFaults(file: TextFile, options: Fields, ceilings: Ceilings): readonly Finding[] {
  const { limits, threads } = options;
  const asked: (readonly [path: readonly string[], name: string, value: unknown])[] = [
    ...Object.entries(isFields(limits) ? limits : {}).map(([name, value]) => [["limits", name], name, value] as const),
    ...(threads === undefined ? [] : [[["threads"], "threads", threads] as const]),
  ];
  return asked.flatMap(([path, name, value]) => {
    try {
      flowLimits(defaultLimits, { [name]: value } as StoredLimits, ceilings);
      return [];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [{ ...faultOf(file, error.code, error.message), ...placeInYaml(file.text, path) }];
    }
  });
}

/** Targets of `direct:` with the group whose flows may call them; `*`: all may. */
function consumedBy({ id }: FlowFile, { flow }: CheckResult): readonly string[] {
  return (flow?.manifest.routes ?? []).flatMap(({ trigger }) => {
    if (trigger.kind !== "direct") return [];
    return trigger.shared ? [`*\n${trigger.name}`] : [`${groupOf(id)}\n${trigger.name}`];
  });
}

/** Whether the finding warns of a target that another of the flows consumes. */
function isConsumed(finding: Finding, { id }: FlowFile, consumed: ReadonlySet<string>): boolean {
  const name = externalDirectOf(finding);
  return name !== undefined && [groupOf(id), "*"].some((group) => consumed.has(`${group}\n${name}`));
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
async function checkDocument(
  file: DocumentFile,
  tables: Map<string, MappingData>,
  thread: CheckThread,
): Promise<readonly Finding[]> {
  if (file.kind === "auth" || file.kind === "connections") return await documentFaults(file);
  const kind = file.kind === "value-mappings" ? "value" : "message";
  const document = new TextEncoder().encode(file.text);
  const request = { kind, id: file.id, media: "json", document, limits: defaultLimits } as const;
  let result = await thread.run("checkMapping", { ...request, tables: [], absent: [] });
  if ("needs" in result) {
    const absent = result.needs.filter((id) => !tables.has(id));
    result = await thread.run("checkMapping", { ...request, tables: [...tables.values()], absent });
  }
  if ("problems" in result) return result.problems.map((problem) => faultOf(file, "mapping_invalid", problem));
  if ("needs" in result) return [];
  if (kind === "value") tables.set(file.id, { kind, id: file.id, revision: 1, hash: "", data: result.data });
  return result.warnings.map(({ code, message }) => ({ ...faultOf(file, code, message), severity: "warning" }));
}

/** Beside a bundle, or among the sources. */
const documentChecks = new URL(
  import.meta.url.endsWith(".js") ? "./document-checks.js" : "../control/document-checks.ts",
  import.meta.url,
);

interface DocumentChecks {
  checkPolicy(flowId: string, value: unknown): readonly Pick<Finding, "severity" | "code" | "message">[];
  checkConnection(value: unknown): readonly Pick<Finding, "severity" | "code" | "message">[];
}

/** What a runtime refuses of a policy or a connection, but for what only it knows, such as its secrets. */
async function documentFaults(file: DocumentFile): Promise<readonly Finding[]> {
  let value: unknown;
  try {
    value = JSON.parse(file.text);
  } catch (error) {
    return [faultOf(file, "bad_json", error instanceof Error ? error.message : String(error))];
  }
  const { checkPolicy, checkConnection } = (await import(documentChecks.href)) as DocumentChecks;
  const found = file.kind === "auth" ? checkPolicy(file.id, value) : checkConnection(value);
  return found.map(({ severity, code, message }) => ({ ...faultOf(file, code, message), severity }));
}

function faultOf({ path }: Pick<TextFile, "path">, code: string, message: string): Finding {
  const nowhere = { line: null, column: null, endLine: null, endColumn: null, routeId: null, stepId: null };
  return { file: path, severity: "error", code, message, ...nowhere, pointer: "" };
}
