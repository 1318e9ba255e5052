/** Reads a message mapping's document, in the documented form or a short one, to its model. */
import type * as z from "zod";
import type { Fields } from "../../shared/document-fields.ts";
import { extendPointer } from "../../shared/document-place.ts";
import { idProblem } from "../../shared/ids.ts";
import {
  type JsonSchema,
  type MappingRule,
  type MessageMappingModel,
  mappingFormats,
  onErrorModes,
  onMissingModes,
} from "../../shared/mapping-models.ts";
import { isPlainObject } from "../engine/convert.ts";
import { type ReadRules, readRules, readShortRules } from "./message-rule-document.ts";
import { type MessageTest, readTests } from "./message-test-document.ts";
import { type Findings, shown } from "./value-findings.ts";
import {
  anyFields,
  anything,
  flag,
  kindOf,
  NotUnderstood,
  part,
  readPart,
  shape,
  text,
  wordOf,
} from "./value-shape.ts";

export interface MessageDocument {
  /** "" without a name. */
  readonly name: string;
  /** true: flows of other groups may use it, too. */
  readonly shared: boolean;
  readonly model: MessageMappingModel;
  /** JSON pointers of the rules in the document. */
  readonly places: ReadonlyMap<MappingRule, string>;
  readonly tests: readonly MessageTest[];
  /** Ids of value mappings that the document declares. */
  readonly uses: readonly string[];
}

const contents = ["rules", "expression", "mappings", "fields"] as const;
const documentSchema = part(
  {
    ...{ rules: anything, expression: anything, mappings: anything, fields: anything },
    ...{ version: anything, id: anything, name: text, description: anything, shared: flag, language: text },
    ...{ source: anything, target: anything, onMissing: text, onError: text, limits: anything },
    ...{ uses: anything, tests: anything, labels: anything },
  },
  '{"mappings": {"/order/id": "orderNo"}}',
);
type Sent = z.output<typeof documentSchema>;
const remarks = { sample: anything, name: anything, description: anything };
const sourceSchema = part({ format: text, schema: anything, ...remarks }, '{"format": "json"}');
const targetSchema = part(
  {
    format: text,
    schema: shape<JsonSchema>(
      "a JSON Schema",
      (value) => typeof value === "boolean" || isPlainObject(value),
    ).optional(),
    validate: text,
    ...remarks,
  },
  '{"format": "json"}',
);
const shortRules = anyFields('{"/order/id": "orderNo"}');

/** Throws NotUnderstood. */
export function readMessageDocument(document: Fields, findings: Findings): MessageDocument {
  const [content, ...others] = contents.filter((name) => Object.hasOwn(document, name));
  if (content === undefined) {
    throw new NotUnderstood(
      'it has none of rules, expression, mappings and fields, such as {"mappings": {"/order/id": "orderNo"}}',
    );
  }
  if (others.length > 0) findings.problem("", `it has ${content} and ${others.join(", ")}: write one of them`);
  const sent = readPart(documentSchema, document, "", findings);
  checkVersion(sent, findings);
  const { rules, places } = readContent(sent, content, findings);
  const source = readPart(sourceSchema, sent.source ?? {}, "/source", findings);
  const model: MessageMappingModel = {
    source: { format: wordOf(source.format, "/source/format", mappingFormats, findings) ?? "json" },
    target: readTargetSide(sent.target, findings),
    rules,
    onMissing: wordOf(sent.onMissing, "/onMissing", onMissingModes, findings) ?? "omit",
    onError: wordOf(sent.onError, "/onError", onErrorModes, findings) ?? "fail",
    limits: readLimits(sent.limits, findings),
  };
  return {
    name: sent.name ?? "",
    shared: sent.shared ?? false,
    model,
    places,
    tests: readTests(sent.tests, findings),
    uses: readUses(sent.uses, findings),
  };
}

function checkVersion({ version, language }: Sent, findings: Findings): void {
  if (version !== undefined && version !== 1 && version !== "1") {
    findings.warning("unknown_version", "/version", "only version 1 is known: the document is read as that");
  }
  if (language !== undefined && language.toLowerCase() !== "jsonata") {
    throw new NotUnderstood(`/language is '${language.slice(0, 60)}': expressions are JSONata here`);
  }
}

function readContent(sent: Sent, content: (typeof contents)[number], findings: Findings): ReadRules {
  const value = sent[content];
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
        : readShortRules(readPart(shortRules, value, `/${content}`, findings), `/${content}`, findings);
  }
}

function readTargetSide(sent: unknown, findings: Findings): MessageMappingModel["target"] {
  const { schema, ...target } = readPart(targetSchema, sent ?? {}, "/target", findings);
  const format = wordOf(target.format, "/target/format", mappingFormats, findings) ?? "json";
  const validate = wordOf(target.validate, "/target/validate", ["fail", "warn", "off"], findings);
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

const limitsSchema = part({ timeoutMs: anything, maxDepth: anything, maxSequence: anything }, '{"timeoutMs": 250}');
const limitNames = ["timeoutMs", "maxDepth", "maxSequence"] as const;

function readLimits(given: unknown, findings: Findings): MessageMappingModel["limits"] {
  const sent = readPart(limitsSchema, given ?? {}, "/limits", findings);
  const limits: Partial<Record<(typeof limitNames)[number], number>> = {};
  for (const name of limitNames) {
    const value = sent[name];
    if (value === undefined) continue;
    if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) limits[name] = value;
    else findings.problem(extendPointer("/limits", name), "it is a whole number above 0");
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
      findings.problem(extendPointer("/uses", at), `${shown(id)} is no id of a value mapping: ${problem}`);
  });
  return value;
}
