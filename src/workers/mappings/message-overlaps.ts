/**
 * Finds rules whose targets contradict each other: the same place twice, a place and one inside it, a list with named
 * fields.
 */
import { type MappingRule, pointerOf } from "../../shared/mapping-models.ts";
import { place } from "./message-output.ts";

/**
 * Calls `problem` for each rule that contradicts an earlier one. Rules with a `when` may share a place, since only one
 * of them may apply.
 */
export function findOverlaps(
  rules: readonly MappingRule[],
  problem: (rule: MappingRule, message: string) => void,
): void {
  const root = new TargetNode();
  for (const rule of rules) {
    const message = root.add(rule);
    if (message !== undefined) problem(rule, message);
    findOverlaps(rule.rules ?? [], problem);
  }
}

class TargetNode {
  readonly #inner = new Map<string, TargetNode>();
  /** The rule without a `when` that sets this whole place. */
  #whole: MappingRule | undefined;
  /** A rule without a `when` that sets something inside this place. */
  #part: MappingRule | undefined;
  /** Whether this place is a list, and the first rule that requires it. */
  #list: { readonly is: boolean; readonly rule: MappingRule } | undefined;

  /** Returns the contradiction, undefined when there is none. */
  add(rule: MappingRule): string | undefined {
    const always = rule.when === undefined;
    let node: TargetNode = this;
    for (let at = 0; at < rule.target.length; at++) {
      const step = rule.target[at] as string;
      const isList = place.test(step);
      const where = pointerOf(rule.target.slice(0, at)) || "the result";
      if (node.#list !== undefined && node.#list.is !== isList) {
        return `${where} would be a list and an object: rule ${node.#list.rule.id} says otherwise`;
      }
      node.#list ??= { is: isList, rule };
      if (always && node.#whole !== undefined) {
        return `rule ${node.#whole.id} sets the whole of ${where}: leave out one of the two, or give one a 'when'`;
      }
      if (always) node.#part ??= rule;
      if (step === "-") return undefined;
      node = node.#next(step);
    }
    if (!always) return undefined;
    const other = node.#whole ?? node.#part;
    const where = pointerOf(rule.target) || "the result";
    if (other !== undefined) {
      return `rule ${other.id} sets ${node.#whole === undefined ? "a part of" : ""} ${where} too: leave out one of the two, or give one a 'when'`.replace(
        "  ",
        " ",
      );
    }
    node.#whole = rule;
    return undefined;
  }

  #next(step: string): TargetNode {
    const known = this.#inner.get(step);
    if (known !== undefined) return known;
    const made = new TargetNode();
    this.#inner.set(step, made);
    return made;
  }
}
