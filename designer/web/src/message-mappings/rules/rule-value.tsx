/** What came of a rule when the message was mapped, or what is wrong with it. */
import { stringify } from "../../../../../src/client/json.ts";
import { Icon } from "../../ui/icon.tsx";
import { words } from "../../words.ts";
import type { TrialAnswer } from "../mapping-api.ts";
import type { Rule } from "../model/rules.ts";
import { outcomeOf, type RuleProblem } from "../outcomes.ts";

interface RuleValueProps {
  readonly rule: Rule;
  readonly problems: readonly RuleProblem[];
  readonly result: TrialAnswer | undefined;
}

const longest = 200;

export function RuleValue({ rule, problems, result }: RuleValueProps) {
  const { outcomes, errors } = outcomeOf(result, rule);
  const messages = problems.length > 0 ? problems.map(({ message }) => message) : errors;
  if (messages.length > 0) {
    return (
      <p className="rule-value wrong">
        <Icon name="error" /> {messages.join(" ")}
      </p>
    );
  }
  const [first] = outcomes;
  if (result === undefined) return null;
  if (first === undefined) return <p className="rule-value faint">{words.messageMappings.noItem}</p>;
  const { value, matched, missing } = outcomes.find((one) => one.matched && one.missing !== true) ?? first;
  if (!matched) return <p className="rule-value faint">{words.messageMappings.skipped}</p>;
  if (missing === true) return <p className="rule-value faint">{words.messageMappings.noValue}</p>;
  const text = stringify(value) ?? "";
  return (
    <p className="rule-value" title={text.slice(0, 2000)}>
      <code>{text.length > longest ? `${text.slice(0, longest)}${words.messageMappings.cut}` : text}</code>
      {outcomes.length > 1 && <span className="faint"> {words.messageMappings.items(outcomes.length)}</span>}
    </p>
  );
}
