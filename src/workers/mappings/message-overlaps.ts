/** Rules whose targets cannot all be right: the same place twice, a place and one inside it, a list that has names. */
import { type MappingRule, pointerOf } from "../../shared/mapping-models.ts";
import { place } from "./message-output.ts";

/** Calls `problem` for a rule with what is wrong; rules with a `when` may share a place, for one of them is meant. */
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
  /** The rule without a `when` that sets the whole of it. */
  #whole: MappingRule | undefined;
  /** A rule without a `when` that sets something in it. */
  #part: MappingRule | undefined;
  /** Whether it is a list, and the rule that said so. */
  #list: { readonly is: boolean; readonly rule: MappingRule } | undefined;

  /** What is wrong, undefined when nothing. */
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
