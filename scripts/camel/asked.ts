/** Asks the check what becomes of a name of Camel in a flow. */
import { defaultLimits } from "../../src/shared/limits.ts";
import { check } from "../../src/workers/check-tasks.ts";

export interface Answer {
  /** `idle`: it is taken and changes nothing. */
  readonly state: "taken" | "idle" | "refused" | "missing";
  /** What the check says, unless it takes the name in silence. */
  readonly why?: string;
}

/** Resolves with what the check says of a flow in which `name` stands once. */
export async function asked(flow: readonly object[], name: string): Promise<Answer> {
  const request = { flowId: "asked", yaml: JSON.stringify(flow), params: {}, limits: defaultLimits };
  const { diagnostics } = await check(request);
  const said = diagnostics.filter(({ message }) => message.includes(`'${name}'`));
  for (const [code, state] of codes) {
    const found = said.find((one) => one.code === code);
    if (found !== undefined) return { state, why: found.message };
  }
  return { state: "taken" };
}

const codes = [
  ["unknown_option", "missing"],
  ["not_yet", "refused"],
  ["no_effect", "idle"],
] as const;

const refusal = /^\$\{[^}]*\} is not available: (.*)$/;

/** Resolves with what the check says of a text of simple as a condition. */
export async function askedOfSimple(text: string): Promise<Answer> {
  const steps = [{ filter: { simple: text, steps: [{ log: "x" }] } }];
  const yaml = JSON.stringify([{ from: { uri: "direct:a", steps } }]);
  const { diagnostics } = await check({ flowId: "asked", yaml, params: {}, limits: defaultLimits });
  const error = diagnostics.find(({ severity }) => severity === "error")?.message;
  if (error === undefined) return { state: "taken" };
  const [, why] = refusal.exec(error.replace(/^.*?(?=\$\{[^}]*\} is not available)/, "")) ?? [];
  return why === undefined ? { state: "missing", why: error } : { state: "refused", why };
}
