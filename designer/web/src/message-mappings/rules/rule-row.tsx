/** One rule: what it sets, from what, and what came of it. Opened, it has its form. */
import { type DragEvent, type KeyboardEvent, memo, type ReactNode, useState } from "react";
import { IconButton } from "../../ui/button.tsx";
import { words } from "../../words.ts";
import { type Mapper, useMapper } from "../mapper.ts";
import type { TrialAnswer } from "../mapping-api.ts";
import { duplicateRule, moveRule, removeRule, setRule } from "../model/edit-rules.ts";
import { kindOf } from "../model/expression-kinds.ts";
import { expressionFor } from "../model/map-field.ts";
import { type Rule, ruleKey } from "../model/rules.ts";
import type { RuleProblem } from "../outcomes.ts";
import { draggedField, endDrag } from "../trees/drag.ts";
import { RuleForm } from "./rule-form.tsx";
import { RuleValue } from "./rule-value.tsx";

interface RuleRowProps {
  readonly rule: Rule;
  /** How many rules its list has. */
  readonly count: number;
  readonly isSelected: boolean;
  readonly problems: readonly RuleProblem[];
  readonly result: TrialAnswer | undefined;
  /** The rules in it. */
  readonly children: ReactNode;
}

export const RuleRow = memo(function RuleRow({ rule, count, isSelected, problems, result, children }: RuleRowProps) {
  const mapper = useMapper();
  const { session, isEditable } = mapper;
  const [isOver, setOver] = useState(false);
  const kind = rule.forEach === undefined ? kindOf(rule.expr ?? "").kind : "loop";
  const target = rule.target === "" ? words.messageMappings.wholeResult : rule.target;
  const text = rule.forEach ?? rule.expr ?? "";
  return (
    <li
      className={`rule${isSelected ? " selected" : ""}${problems.length > 0 ? " wrong" : ""}${isOver ? " over" : ""}`}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the form of the rule chooses a field by the keyboard */}
      <div
        className="rule-row"
        data-rule={ruleKey(rule)}
        onDragOver={(event) => {
          if (!isEditable || !accepts(event, rule)) return;
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          setOver(false);
          drop(event, mapper, rule);
        }}
      >
        <button
          type="button"
          className="rule-head"
          aria-expanded={isSelected}
          onClick={() => session.select(isSelected ? undefined : rule.path)}
          onKeyDown={(event) => {
            if (isEditable) onKey(event, mapper, rule, count);
          }}
        >
          <span className="rule-target">{target}</span>
          <span className={`rule-kind ${kind}`}>{words.messageMappings.kinds[kind]}</span>
          <code className="rule-expr">{text}</code>
        </button>
        <RuleValue rule={rule} problems={problems} result={result} />
      </div>
      {isSelected && (
        <div className="rule-open">
          {isEditable && <RuleActions mapper={mapper} rule={rule} count={count} />}
          <RuleForm rule={rule} problems={problems} />
        </div>
      )}
      {children}
    </li>
  );
});

interface RuleActionsProps {
  readonly mapper: Mapper;
  readonly rule: Rule;
  readonly count: number;
}

function RuleActions({ mapper, rule, count }: RuleActionsProps) {
  const { ruleActions: titles } = words.messageMappings;
  if (rule.form === "expression") return null;
  return (
    <div className="rule-actions">
      <IconButton
        icon="sortUp"
        label={titles.up}
        disabled={rule.index === 0}
        onClick={() => move(mapper, rule, rule.index - 1)}
      />
      <IconButton
        icon="sortDown"
        label={titles.down}
        disabled={rule.index === count - 1}
        onClick={() => move(mapper, rule, rule.index + 1)}
      />
      <IconButton icon="copy" label={titles.duplicate} onClick={() => duplicate(mapper, rule)} />
      <IconButton icon="trash" label={titles.remove} onClick={() => remove(mapper, rule)} />
    </div>
  );
}

function onKey(event: KeyboardEvent<HTMLButtonElement>, mapper: Mapper, rule: Rule, count: number): void {
  const { key, altKey, ctrlKey, metaKey } = event;
  const isControlled = ctrlKey || metaKey;
  const to = rule.index + (key === "ArrowUp" ? -1 : 1);
  if (altKey && (key === "ArrowUp" || key === "ArrowDown")) {
    if (to >= 0 && to < count) move(mapper, rule, to);
  } else if (isControlled && key.toLowerCase() === "d") duplicate(mapper, rule);
  else if (key === "Delete" && !altKey && !isControlled) remove(mapper, rule);
  else if ((key === "ArrowUp" || key === "ArrowDown") && !isControlled) focusBeside(event.currentTarget, key);
  else return;
  event.preventDefault();
}

function move({ session }: Mapper, rule: Rule, to: number): void {
  const isNamed = rule.form !== "item";
  session.edit((json) => moveRule(json, rule, to), {
    label: words.messageMappings.did.move,
    select: isNamed ? rule.path : [...rule.listPath, to],
  });
  focusRule(isNamed ? ruleKey(rule) : JSON.stringify([...rule.listPath, to]));
}

function duplicate({ session }: Mapper, rule: Rule): void {
  session.edit(duplicateRule(rule), { label: words.messageMappings.did.duplicate });
}

function remove({ session }: Mapper, rule: Rule): void {
  session.edit((json) => removeRule(json, rule), { label: words.messageMappings.did.remove, select: null });
  requestAnimationFrame(() => {
    const heads = [...document.querySelectorAll<HTMLElement>(".rule-head")];
    (heads[Math.min(rule.index, heads.length - 1)] ?? document.querySelector<HTMLElement>(".rule-add"))?.focus();
  });
}

function focusRule(key: string): void {
  requestAnimationFrame(() => {
    const row = [...document.querySelectorAll<HTMLElement>("[data-rule]")].find((one) => one.dataset["rule"] === key);
    row?.querySelector<HTMLElement>(".rule-head")?.focus();
  });
}

function focusBeside(head: HTMLElement, key: string): void {
  const heads = [...document.querySelectorAll<HTMLElement>(".rule-head")];
  heads[heads.indexOf(head) + (key === "ArrowUp" ? -1 : 1)]?.focus();
}

function accepts(event: DragEvent, { forEach }: Rule): boolean {
  if (draggedField() === undefined || forEach !== undefined) return false;
  event.preventDefault();
  event.dataTransfer.dropEffect = "copy";
  return true;
}

/** A field that is dropped on a rule becomes its value. */
function drop(event: DragEvent, { session, isEditable }: Mapper, rule: Rule): void {
  const source = draggedField();
  endDrag();
  if (source === undefined || !isEditable || rule.forEach !== undefined) return;
  event.preventDefault();
  const expr = expressionFor(source.path, rule.context);
  session.edit((json) => setRule(json, rule, "expr", expr), {
    label: words.messageMappings.did.map(rule.target),
    select: rule.path,
  });
}
