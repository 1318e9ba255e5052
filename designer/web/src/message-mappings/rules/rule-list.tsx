/** The rules of a mapping in their order. */
import { useMemo } from "react";
import { Button } from "../../ui/button.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { useMapper, useMapping } from "../mapper.ts";
import { addRule, writeAsRules } from "../model/edit-rules.ts";
import { allRules, type Rule, ruleKey } from "../model/rules.ts";
import { problemsByRule, type RuleProblem } from "../outcomes.ts";
import { RuleRow } from "./rule-row.tsx";
import "./rules.css";

export function RuleList() {
  const { session, trial, isEditable } = useMapper();
  const list = useMapping(session, (state) => state.list);
  const selected = useMapping(session, (state) => state.selected);
  const { problems, result } = useStore(trial);
  const found = useMemo(() => problemsByRule(problems, allRules(list.rules)), [problems, list]);
  const isShort = list.content === "expression" || list.isMap;
  const add = (listPath: Rule["path"], at: number, isMap: boolean): void => {
    const target = isMap ? freeTarget(list.rules) : "/";
    session.edit(
      (json) => addRule(json, listPath, at, { target: isMap ? target : freeTarget(list.rules), expr: "''" }),
      {
        label: words.messageMappings.did.add,
        select: [...listPath, isMap ? target : at],
      },
    );
  };
  const rows = (rules: readonly Rule[], label: string) => (
    <ol className="rule-list" aria-label={label}>
      {rules.map((rule) => (
        <RuleRow
          key={ruleKey(rule)}
          rule={rule}
          count={rules.length}
          isSelected={selected === ruleKey(rule)}
          problems={found.get(ruleKey(rule)) ?? none}
          result={result}
        >
          {rule.rules !== undefined && (
            <>
              {rows(rule.rules, rule.target)}
              {isEditable && (
                <Button
                  kind="quiet"
                  icon="plus"
                  className="rule-add"
                  onClick={() => add([...rule.path, "rules"], rule.rules?.length ?? 0, false)}
                >
                  {words.messageMappings.addRule}
                </Button>
              )}
            </>
          )}
        </RuleRow>
      ))}
    </ol>
  );
  return (
    <>
      <Problems messages={(found.get("") ?? []).map(({ message }) => message)} />
      {isShort && isEditable && (
        <p className="rule-short">
          <span className="faint">
            {words.messageMappings.asRulesText[list.content === "expression" ? "expression" : "map"]}
          </span>
          <Button
            onClick={() =>
              session.edit(writeAsRules(list.content ?? "rules", list.rules), {
                label: words.messageMappings.did.asRules,
                select: null,
              })
            }
          >
            {words.messageMappings.asRules}
          </Button>
        </p>
      )}
      {list.rules.length === 0 && (
        <p className="faint rule-none">
          <strong>{words.messageMappings.noRules}</strong> {words.messageMappings.noRulesText}
        </p>
      )}
      {rows(list.rules, words.messageMappings.rules)}
      {isEditable && list.content !== undefined && list.content !== "expression" && (
        <Button
          kind="quiet"
          icon="plus"
          className="rule-add"
          onClick={() => add(list.path, list.rules.length, list.isMap)}
        >
          {words.messageMappings.addRule}
        </Button>
      )}
    </>
  );
}

const none: readonly RuleProblem[] = [];

/** Problems of the document that belong to no rule. */
function Problems({ messages }: { readonly messages: readonly string[] }) {
  if (messages.length === 0) return null;
  return (
    <ul className="rule-problems" aria-label={words.messageMappings.problems}>
      {messages.map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  );
}

function freeTarget(rules: readonly Rule[]): string {
  const taken = new Set(allRules(rules).map(({ target }) => target));
  for (let number = 1; ; number += 1) if (!taken.has(`/field${number}`)) return `/field${number}`;
}
