/** The options of a rule. What is typed is in the document at once. */
import { useState } from "react";
import { Field } from "../../ui/field.tsx";
import { words } from "../../words.ts";
import { useMapper, useMapping } from "../mapper.ts";
import { type RuleField, setRule } from "../model/edit-rules.ts";
import { JsonSource } from "../model/json-style.ts";
import { sourceAt } from "../model/json-text.ts";
import { allRules, type Rule, ruleKey } from "../model/rules.ts";
import type { ProblemField, RuleProblem } from "../outcomes.ts";
import { DraftInput } from "./draft-input.tsx";
import { ExpressionInput } from "./expression-input.tsx";
import { RuleContent } from "./rule-content.tsx";

interface RuleFormProps {
  readonly rule: Rule;
  readonly problems: readonly RuleProblem[];
}

export function RuleForm({ rule, problems }: RuleFormProps) {
  const { session, isEditable } = useMapper();
  const json = useMapping(session, (state) => state.json);
  const { form, id, target, when, required, hasDefault, name, description, unknown } = rule;
  const errorOf = (field: ProblemField): string | undefined => problems.find((one) => one.field === field)?.message;
  const set = (field: RuleField, value: unknown): void => {
    session.edit((now) => setRule(now, rule, field, value), {
      label: words.messageMappings.did.change(target),
      join: `${ruleKey(rule)} ${field}`,
      ...(field === "target" &&
        (form === "short" || form === "member") && { select: [...rule.listPath, String(value)] }),
    });
  };
  if (form === "expression") return <RuleContent rule={rule} error={errorOf("expr")} listError={undefined} />;
  const isNamed = form !== "item";
  const hasId = sourceAt(json, [...rule.path, "id"]) !== undefined;
  const isWritten = when !== undefined || required || hasDefault || name !== undefined || description !== undefined;
  return (
    <div className="rule-form">
      <Field
        label={words.messageMappings.target}
        help={words.messageMappings.targetHelp}
        error={errorOf("target") ?? errorOf("rule")}
      >
        {(input) => (
          <DraftInput
            {...input}
            value={target}
            readOnly={!isEditable}
            // The target is the name of the rule here: each letter would be another rule.
            isLate={isNamed}
            onValue={(value) => set("target", value)}
          />
        )}
      </Field>
      <RuleContent rule={rule} error={errorOf("expr")} listError={errorOf("forEach")} />
      <details className="rule-more" open={isWritten || errorOf("when") !== undefined || undefined}>
        <summary>{words.messageMappings.more}</summary>
        <div className="rule-form">
          <ExpressionInput
            label={words.messageMappings.when}
            help={words.messageMappings.whenHelp}
            error={errorOf("when")}
            value={when ?? ""}
            onValue={(value) => set("when", value.trim() === "" ? undefined : value)}
          />
          <DefaultField
            written={hasDefault ? (sourceAt(json, [...rule.path, "default"]) ?? "") : ""}
            onText={(text) => set("default", text === "" ? undefined : new JsonSource(text))}
          />
          <label className="check">
            <input
              type="checkbox"
              checked={required}
              disabled={!isEditable}
              onChange={(event) => set("required", event.target.checked ? true : undefined)}
            />
            <span>{words.messageMappings.isRequired}</span>
          </label>
          <TextField
            label={words.messageMappings.ruleId}
            help={words.messageMappings.ruleIdHelp(hasId ? placeId(session.get().list.rules, rule) : id)}
            value={hasId ? id : ""}
            onValue={(value) => set("id", value)}
          />
          <TextField label={words.messageMappings.name} value={name ?? ""} onValue={(value) => set("name", value)} />
          <TextField
            label={words.messageMappings.description}
            value={description ?? ""}
            onValue={(value) => set("description", value)}
          />
        </div>
      </details>
      {unknown.length > 0 && <p className="rule-unknown">{words.messageMappings.unknownOptions(unknown.join(", "))}</p>}
    </div>
  );
}

/** How the runtime names a rule that loses its id. */
function placeId(rules: readonly Rule[], rule: Rule): string {
  const outer = allRules(rules).find(
    ({ path }) => path.length === rule.listPath.length - 1 && path.every((key, at) => rule.listPath[at] === key),
  );
  return outer === undefined ? `r${rule.index + 1}` : `${outer.id}.${rule.index + 1}`;
}

interface TextFieldProps {
  readonly label: string;
  readonly help?: string;
  readonly value: string;
  /** undefined: the option is left out. */
  readonly onValue: (value: string | undefined) => void;
}

function TextField({ label, help, value, onValue }: TextFieldProps) {
  const { isEditable } = useMapper();
  return (
    <Field label={label} help={help}>
      {(input) => (
        <input
          {...input}
          className="input"
          value={value}
          readOnly={!isEditable}
          onChange={(event) => onValue(event.target.value === "" ? undefined : event.target.value)}
        />
      )}
    </Field>
  );
}

/** A value as JSON: what is none yet is not taken. */
function DefaultField({ written, onText }: { readonly written: string; readonly onText: (text: string) => void }) {
  const { isEditable } = useMapper();
  const [draft, setDraft] = useState<string>();
  const isWrong = draft !== undefined;
  return (
    <Field
      label={words.messageMappings.default}
      help={words.messageMappings.defaultHelp}
      error={isWrong ? words.messageMappings.notDefault : undefined}
    >
      {(input) => (
        <input
          {...input}
          className="input mono"
          value={draft ?? written}
          readOnly={!isEditable}
          onChange={(event) => {
            const text = event.target.value;
            try {
              if (text.trim() !== "") JSON.parse(text);
              setDraft(undefined);
              onText(text.trim());
            } catch {
              setDraft(text);
            }
          }}
        />
      )}
    </Field>
  );
}
