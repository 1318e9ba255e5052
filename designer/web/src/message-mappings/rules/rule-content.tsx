/** Where the value of a rule comes from: a field, a constant, a lookup, an expression, or a list that it goes over. */
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { useMapper } from "../mapper.ts";
import { makeExpression, makeLoop, setRule } from "../model/edit-rules.ts";
import { kindOf } from "../model/expression-kinds.ts";
import { allFields, type FieldNode } from "../model/fields.ts";
import { removeValue, setValue } from "../model/json-edit.ts";
import { expressionFor } from "../model/map-field.ts";
import { type Rule, ruleKey } from "../model/rules.ts";
import { ConstantInput } from "./constant-input.tsx";
import { ExpressionInput } from "./expression-input.tsx";
import { LookupInput } from "./lookup-input.tsx";

const kinds = ["copy", "constant", "lookup", "expression", "loop"] as const;
type Kind = (typeof kinds)[number];

interface RuleContentProps {
  readonly rule: Rule;
  readonly error: string | undefined;
  readonly listError: string | undefined;
}

export function RuleContent({ rule, error, listError }: RuleContentProps) {
  const { session, isEditable } = useMapper();
  const { expr = "", forEach, form, target } = rule;
  const written: Kind = forEach === undefined ? kindOf(expr).kind : "loop";
  // A kind that was chosen, until it is written by a value; an expression may also look like another kind.
  const [chosen, setChosen] = useState<Kind>();
  const kind = chosen ?? written;
  const change = (text: string): void => {
    session.edit((json) => setRule(json, rule, "expr", text), {
      label: words.messageMappings.did.change(target),
      join: `${ruleKey(rule)} expr`,
    });
  };
  const choose = (next: Kind): void => {
    setChosen(next);
    const label = words.messageMappings.did.change(target);
    if (next === "loop" && forEach === undefined) session.edit(makeLoop(rule, expr), { label });
    else if (next !== "loop" && forEach !== undefined) session.edit(makeExpression(rule, forEach), { label });
  };
  return (
    <>
      <Field label={words.messageMappings.kind} help={words.messageMappings.kindHelp}>
        {(input) => (
          <select
            {...input}
            className="input"
            value={kind}
            disabled={!isEditable}
            onChange={(event) => choose(event.target.value as Kind)}
          >
            {kinds
              .filter((one) => one !== "loop" || (form !== "short" && form !== "expression"))
              .map((one) => (
                <option key={one} value={one}>
                  {words.messageMappings.kinds[one]}
                </option>
              ))}
          </select>
        )}
      </Field>
      {kind === "loop" ? (
        <LoopInput rule={rule} error={error} listError={listError} />
      ) : kind === "copy" ? (
        <FieldChoice rule={rule} value={expr} isField={written === "copy"} onValue={change} />
      ) : kind === "constant" ? (
        <ConstantInput expression={expr} onExpression={change} />
      ) : kind === "lookup" ? (
        <LookupInput expression={expr} context={rule.context} onExpression={change} error={error} />
      ) : (
        <ExpressionInput
          label={words.messageMappings.expression}
          help={words.messageMappings.expressionHelp}
          error={error}
          value={expr}
          onValue={(text) => {
            setChosen("expression");
            change(text);
          }}
        />
      )}
    </>
  );
}

interface FieldChoiceProps {
  readonly rule: Rule;
  readonly value: string;
  /** Whether the value is a field now. */
  readonly isField: boolean;
  readonly onValue: (expression: string) => void;
}

function FieldChoice({ rule, value, isField, onValue }: FieldChoiceProps) {
  const { source, isEditable } = useMapper();
  const fields = allFields(useStore(source)).slice(0, 2000);
  const options = fields.map((field) => [expressionFor(field.path, rule.context), nameOf(field)] as const);
  const isListed = options.some(([expression]) => expression === value.trim());
  return (
    <Field label={words.messageMappings.field}>
      {(input) => (
        <select
          {...input}
          className="input mono"
          value={isField ? value.trim() : ""}
          disabled={!isEditable}
          onChange={(event) => onValue(event.target.value)}
        >
          {!isField && <option value="">{words.messageMappings.chooseField}</option>}
          {isField && !isListed && <option value={value.trim()}>{value}</option>}
          {options.map(([expression, name]) => (
            <option key={name} value={expression}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function nameOf({ path, name }: FieldNode): string {
  return path.length === 0 ? name : path.join(".");
}

function LoopInput({ rule, error, listError }: RuleContentProps) {
  const { session, isEditable } = useMapper();
  const { forEach = "", expr, rules, path, target } = rule;
  const edit = { label: words.messageMappings.did.change(target), join: `${ruleKey(rule)} forEach` };
  return (
    <>
      <ExpressionInput
        label={words.messageMappings.forEach}
        help={words.messageMappings.forEachHelp}
        error={listError}
        value={forEach}
        onValue={(text) => session.edit((json) => setRule(json, rule, "forEach", text), edit)}
      />
      {expr !== undefined && rules === undefined && (
        <ExpressionInput
          label={words.messageMappings.eachItem}
          help={words.messageMappings.eachItemHelp}
          error={error}
          value={expr}
          onValue={(text) =>
            session.edit((json) => setRule(json, rule, "expr", text), { ...edit, join: `${ruleKey(rule)} expr` })
          }
        />
      )}
      {isEditable && rules === undefined && (
        <Button onClick={() => session.edit(makeLoop(rule, forEach), { label: edit.label })}>
          {words.messageMappings.useRules}
        </Button>
      )}
      {isEditable && rules?.length === 0 && (
        <Button
          onClick={() =>
            session.edit(
              [(json) => removeValue(json, [...path, "rules"]), (json) => setValue(json, [...path, "expr"], "$")],
              {
                label: edit.label,
              },
            )
          }
        >
          {words.messageMappings.useExpression}
        </Button>
      )}
    </>
  );
}
