/** Reads the rules of a message mapping's document. */

import type * as z from "zod";
import type { Fields } from "../../shared/document-fields.ts";
import { extendPointer } from "../../shared/document-place.ts";
import type { MappingRule } from "../../shared/mapping-models.ts";
import { exceptionMessage } from "../engine/exception.ts";
import { findOverlaps } from "./message-overlaps.ts";
import { type RuleIds, ruleIdsIn } from "./message-rule-ids.ts";
import { type Findings, shown } from "./value-findings.ts";
import { anything, flag, list, NotUnderstood, part, readPart, text } from "./value-shape.ts";

export interface ReadRules {
  readonly rules: readonly MappingRule[];
  /** JSON pointers of the rules in the document, nested ones included. */
  readonly places: Map<MappingRule, string>;
}

const mostRules = 5000;
const deepest = 16;
const example = '{"target": "/order/id", "expr": "orderNo"}';
const ruleFields = {
  ...{ id: text, name: anything, description: anything, target: text, to: text },
  /** Accepted names of the expression. */
  ...{ expr: text, expression: text, source: text, from: text },
  ...{ forEach: text, rules: anything, when: text, default: anything, required: flag },
};
const ruleSchema = part(ruleFields, example);
/** A rule in `{"target": {...}}`, whose key is the target. */
const shortSchema = part(ruleFields, '"orderNo"');

/** Reads a list of rules. Throws NotUnderstood. */
export function readRules(value: unknown, pointer: string, findings: Findings): ReadRules {
  const places: ReadRules["places"] = new Map();
  const rules = readList(value, pointer, { findings, places, ids: ruleIdsIn(value), depth: 0, outer: undefined });
  return finish({ rules, places }, findings);
}

/** Reads `{"target": "expression"}`. Throws NotUnderstood. */
export function readShortRules(fields: Fields, pointer: string, findings: Findings): ReadRules {
  const places: ReadRules["places"] = new Map();
  const reading = { findings, places, ids: ruleIdsIn(Object.values(fields)), depth: 0, outer: undefined };
  const rules = Object.entries(fields).map(([target, expr], index) => {
    const at = extendPointer(pointer, target);
    const sent = typeof expr === "string" ? { expr } : readPart(shortSchema, expr, at, findings);
    return readRule({ target, ...sent }, at, index, reading);
  });
  return finish({ rules, places }, findings);
}

interface Reading {
  readonly findings: Findings;
  readonly places: ReadRules["places"];
  readonly ids: RuleIds;
  readonly depth: number;
  /** The rule that contains this one. */
  readonly outer: { readonly id: string; readonly name: string } | undefined;
}

function readList(value: unknown, pointer: string, reading: Reading): readonly MappingRule[] {
  if (reading.depth > deepest) throw new NotUnderstood(`rules are in each other at most ${deepest} deep`);
  return readPart(list, value, pointer, reading.findings).map((element, index) => {
    if (reading.places.size >= mostRules) throw new NotUnderstood(`a mapping has at most ${mostRules} rules`);
    const at = extendPointer(pointer, index);
    return readRule(readPart(ruleSchema, element, at, reading.findings), at, index, reading);
  });
}

function readRule(sent: z.output<typeof ruleSchema>, pointer: string, index: number, reading: Reading): MappingRule {
  const { findings, places, ids, outer } = reading;
  const { id: own, rules, forEach, when, default: value, required } = sent;
  const id = own ?? ids.freeId(outer === undefined ? `r${index + 1}` : `${outer.id}.${index + 1}`);
  const name = own ?? outer?.name ?? id;
  const written = sent.target ?? sent.to;
  if (written === undefined) throw new NotUnderstood(`${pointer} has no target, such as ${example}`);
  const target = targetOf(written, pointer, id, findings);
  const expr = sent.expr ?? sent.expression ?? sent.source ?? sent.from;
  const inner =
    rules === undefined
      ? undefined
      : readList(rules, extendPointer(pointer, "rules"), { ...reading, depth: reading.depth + 1, outer: { id, name } });
  const rule: MappingRule = {
    id,
    name,
    target,
    ...(expr !== undefined && { expr }),
    ...(forEach !== undefined && { forEach }),
    ...(when !== undefined && { when }),
    ...(inner !== undefined && { rules: inner }),
    ...(value !== undefined && { default: value }),
    ...(required !== undefined && { required }),
  };
  checkKind(rule, pointer, written, findings);
  places.set(rule, pointer);
  return rule;
}

function targetOf(text: string, pointer: string, id: string, findings: Findings): readonly string[] {
  try {
    return readTarget(text);
  } catch (error) {
    findings.problem(extendPointer(pointer, "target"), `rule ${id} -> ${shown(text)}: ${exceptionMessage(error)}`);
    return [id];
  }
}

/** A rule has an expression, or `forEach` with rules or an expression for each element. */
function checkKind(rule: MappingRule, pointer: string, target: string, findings: Findings): void {
  const { expr, forEach, rules } = rule;
  const problem = (message: string): void => findings.problem(pointer, `rule ${rule.id} -> ${target}: ${message}`);
  if (forEach === undefined && rules !== undefined)
    problem("rules inside a rule need a forEach: the list that they are for");
  else if (forEach !== undefined && (rules === undefined) === (expr === undefined)) {
    problem("a forEach has either rules, or an expr for each element");
  } else if (forEach === undefined && expr === undefined)
    problem('it has no expr: write one, such as "orderNo" or "\'a text\'"');
}

function finish(read: ReadRules, findings: Findings): ReadRules {
  const { rules, places } = read;
  const ids = new Set<string>();
  for (const [{ id }, pointer] of places) {
    if (ids.has(id)) findings.problem(extendPointer(pointer, "id"), `rule ${id}: another rule has this id`);
    ids.add(id);
  }
  findOverlaps(rules, (rule, message) => {
    findings.problem(places.get(rule) ?? "", `rule ${rule.id} -> /${rule.target.join("/")}: ${message}`);
  });
  return read;
}

const mostSteps = 64;
const dotted = /^(?:[^.[\]'"`]+|\[(?:\d+|-)\])(?:\.[^.[\]'"`]+|\[(?:\d+|-)\])*$/;

/** Returns the steps of a target; no steps mean the whole result. Throws Error that names the fault of the text. */
export function readTarget(text: string): readonly string[] {
  const steps = text === "" || text === "/" || text === "$" ? [] : text.startsWith("/") ? pointer(text) : path(text);
  if (steps.length > mostSteps) throw new Error(`a target has at most ${mostSteps} steps`);
  return steps;
}

function pointer(text: string): readonly string[] {
  if (/~(?![01])/.test(text)) throw new Error("in a JSON pointer ~ is written ~0, and / inside a name ~1");
  return text
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function path(text: string): readonly string[] {
  const own = text.replace(/^\$\./, "");
  if (own.includes("[]") || own.includes("[*]")) {
    throw new Error("a target names one place: use forEach with rules for the elements of a list");
  }
  if (!dotted.test(own))
    throw new Error("write a JSON pointer such as /order/id, or a dotted path such as order.lines[0].id");
  return own.match(/[^.[\]]+/g) ?? [];
}
