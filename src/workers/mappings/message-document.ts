/** A message mapping's document, in the documented form or a short one -> its model. */
import { idProblem } from "../../shared/ids.ts";
import {
  type JsonSchema,
  type MappingRule,
  type MessageMappingModel,
  mappingFormats,
  onErrorModes,
  onMissingModes,
} from "../../shared/message-mapping-model.ts";
import { isPlainObject } from "../engine/convert.ts";
import { type ReadRules, readRules, readShortRules } from "./message-rule-document.ts";
import { type MessageTest, readTests } from "./message-test-document.ts";
import { type Findings, shown } from "./value-findings.ts";
import {
  below,
  type Fields,
  fieldOf,
  fieldsOf,
  flagOf,
  kindOf,
  NotUnderstood,
  textOf,
  warnOfOthers,
  wordOf,
} from "./value-shape.ts";

export interface MessageDocument {
  /** "" when it has none. */
  readonly name: string;
  /** Flows of other groups may use it, too. */
  readonly shared: boolean;
  readonly model: MessageMappingModel;
  /** JSON pointers of the rules in the document. */
  readonly places: ReadonlyMap<MappingRule, string>;
  readonly tests: readonly MessageTest[];
  /** Value mappings that the document says it uses. */
  readonly uses: readonly string[];
}

const contents = ["rules", "expression", "mappings", "fields"] as const;
const settings = [
  "version",
  "id",
  "name",
  "description",
  "shared",
  "language",
  "source",
  "target",
  "onMissing",
  "onError",
  "limits",
  "uses",
  "tests",
  "labels",
];

/** Throws NotUnderstood. */
export function readMessageDocument(document: Fields, findings: Findings): MessageDocument {
  const [content, ...others] = contents.filter((name) => Object.hasOwn(document, name));
  if (content === undefined) {
    throw new NotUnderstood(
      'it has none of rules, expression, mappings and fields, such as {"mappings": {"/order/id": "orderNo"}}',
    );
  }
  if (others.length > 0) findings.problem("", `it has ${content} and ${others.join(", ")}: write one of them`);
  warnOfOthers(document, [...settings, ...contents], "", findings);
  checkVersion(document, findings);
  const { rules, places } = readContent(document, content, findings);
  const source = fieldsOf(fieldOf(document, "source") ?? {}, "/source", '{"format": "json"}');
  warnOfOthers(source, ["format", "schema", "sample", "name", "description"], "/source", findings);
  const model: MessageMappingModel = {
    source: { format: wordOf(source, "format", "/source", mappingFormats, findings) ?? "json" },
    target: readTargetSide(document, findings),
    rules,
    onMissing: wordOf(document, "onMissing", "", onMissingModes, findings) ?? "omit",
    onError: wordOf(document, "onError", "", onErrorModes, findings) ?? "fail",
    limits: readLimits(document, findings),
  };
  return {
    name: textOf(document, "name", "") ?? "",
    shared: flagOf(document, "shared", "") ?? false,
    model,
    places,
    tests: readTests(fieldOf(document, "tests"), findings),
    uses: readUses(fieldOf(document, "uses"), findings),
  };
}

function checkVersion(document: Fields, findings: Findings): void {
  const version = fieldOf(document, "version");
  if (version !== undefined && version !== 1 && version !== "1") {
    findings.warning("unknown_version", "/version", "only version 1 is known: the document is read as that");
  }
  const language = textOf(document, "language", "");
  if (language !== undefined && language.toLowerCase() !== "jsonata") {
    throw new NotUnderstood(`/language is '${language.slice(0, 60)}': expressions are JSONata here`);
  }
}

function readContent(document: Fields, content: (typeof contents)[number], findings: Findings): ReadRules {
  const value = fieldOf(document, content);
  switch (content) {
    case "rules":
      return readRules(value, "/rules", findings);
    case "expression": {
      if (typeof value !== "string") throw new NotUnderstood(`/expression is ${kindOf(value)}, not a text in JSONata`);
      const rule = { id: "r1", name: "r1", target: [], expr: value };
      return { rules: [rule], places: new Map([[rule, "/expression"]]) };
    }
    case "mappings":
    case "fields":
      return Array.isArray(value)
        ? readRules(value, `/${content}`, findings)
        : readShortRules(fieldsOf(value, `/${content}`, '{"/order/id": "orderNo"}'), `/${content}`, findings);
  }
}

function readTargetSide(document: Fields, findings: Findings): MessageMappingModel["target"] {
  const target = fieldsOf(fieldOf(document, "target") ?? {}, "/target", '{"format": "json"}');
  warnOfOthers(target, ["format", "schema", "validate", "sample", "name", "description"], "/target", findings);
  const format = wordOf(target, "format", "/target", mappingFormats, findings) ?? "json";
  const schema = readSchema(fieldOf(target, "schema"));
  const validate = wordOf(target, "validate", "/target", ["fail", "warn", "off"], findings);
  if (schema === undefined && validate !== undefined && validate !== "off") {
    findings.warning(
      "no_schema",
      "/target/validate",
      "there is no schema to hold the result against: write it under /target/schema",
    );
  }
  return {
    format,
    ...(schema !== undefined && { schema }),
    validate: schema === undefined ? "off" : (validate ?? "fail"),
  };
}

function readSchema(schema: unknown): JsonSchema | undefined {
  if (schema === undefined || typeof schema === "boolean" || isPlainObject(schema)) return schema;
  throw new NotUnderstood(`/target/schema is ${kindOf(schema)}, not a JSON Schema`);
}

const limitNames = ["timeoutMs", "maxDepth", "maxSequence"] as const;

function readLimits(document: Fields, findings: Findings): MessageMappingModel["limits"] {
  const fields = fieldsOf(fieldOf(document, "limits") ?? {}, "/limits", '{"timeoutMs": 250}');
  warnOfOthers(fields, limitNames, "/limits", findings);
  const limits: Partial<Record<(typeof limitNames)[number], number>> = {};
  for (const name of limitNames) {
    const value = fieldOf(fields, name);
    if (value === undefined) continue;
    if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) limits[name] = value;
    else findings.problem(below("/limits", name), "it is a whole number above 0");
  }
  return limits;
}

function readUses(value: unknown, findings: Findings): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((one) => typeof one === "string")) {
    throw new NotUnderstood("/uses is not a list of ids of value mappings");
  }
  value.forEach((id: string, at) => {
    const problem = idProblem(id);
    if (problem !== undefined)
      findings.problem(below("/uses", at), `${shown(id)} is no id of a value mapping: ${problem}`);
  });
  return value;
}
