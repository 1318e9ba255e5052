/** Replaces `{{secret:NAME}}` and `{{env:NAME}}` by marks, and refuses marks in a flow's text or parameters. */
import type { CheckRequest, Params } from "../../shared/check.ts";
import { environmentName, variableNamed, variableNameProblem, variableProblem } from "../../shared/environment-mark.ts";
import { hasSecret, secretMark, secretNameProblem } from "../../shared/secret-mark.ts";
import type { Report } from "./report.ts";
import type { Node } from "./tree.ts";

/** The values for a flow's placeholders. */
export type FlowValues = Pick<CheckRequest, "flowId" | "params" | "variables">;

/** A placeholder without a value; reported at the place of the placeholder. */
export class PlaceholderError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** `qualified`: with `?` or `!`. Throws PlaceholderError. */
export function secretMarkOf(name: string, qualified: boolean): string {
  if (qualified) {
    const message = `{{secret:${name}}} takes neither '?' nor '!': a secret is there, or the flow does not start`;
    throw new PlaceholderError("secret_name", message);
  }
  if (name.includes(":")) {
    const message = "a secret has no default, which would be no secret: write {{secret:NAME}}";
    throw new PlaceholderError("secret_name", message);
  }
  const problem = secretNameProblem(name);
  if (problem !== undefined) throw new PlaceholderError("secret_name", `{{secret:${name.slice(0, 60)}}}: ${problem}`);
  return secretMark(name);
}

/** `text`: NAME or NAME:default. Throws PlaceholderError. */
export function variableMarkOf(text: string, qualified: boolean, { flowId, variables }: FlowValues): string {
  const colon = text.indexOf(":");
  const name = variableNamed(colon < 0 ? text : text.slice(0, colon), variables ?? new Map());
  const fallback = colon < 0 ? undefined : text.slice(colon + 1);
  const refuse = (message: string): PlaceholderError =>
    new PlaceholderError("environment_name", `{{env:${name.slice(0, 60)}}}: ${message}`);
  if (qualified) throw refuse("it takes neither '?' nor '!'; a default does: {{env:NAME:default}}");
  const problem = variableNameProblem(name);
  if (problem !== undefined) throw refuse(problem);
  if (fallback !== undefined && hasSecret(fallback))
    throw refuse("its default holds neither {{secret:...}} nor {{env:...}}");
  if (fallback?.isWellFormed() === false) throw refuse("its default is no Unicode text");
  const use = { name, fallback };
  const refused = variableProblem(use, flowId, variables ?? new Map());
  if (refused !== undefined) throw new PlaceholderError("environment_name", refused);
  return secretMark(environmentName(use));
}

/** Reports texts and parameters that would be taken for marks. */
export function refuseMarks(node: Node, params: Params, report: Report): void {
  const message = "U+FDD0 and U+FDD1 are no characters (Unicode keeps them for the inside of programs): leave them out";
  const isMark = (text: string | null): boolean => text !== null && (hasSecret(text) || text.includes("\uFDD1"));
  const visit = (at: Node): void => {
    if (at.kind === "scalar") {
      if (!isMark(at.text)) return;
      report.error("bad_character", message, at);
      report.spoil(at);
    } else if (at.kind === "seq") at.items.forEach(visit);
    else {
      for (const { key, value } of at.entries) {
        if (isMark(key)) report.error("bad_character", message, value);
        visit(value);
      }
    }
  };
  visit(node);
  for (const [name, value] of Object.entries(params)) {
    if (isMark(name) || isMark(String(value))) report.error("bad_character", `params: ${message}`, null);
  }
}
