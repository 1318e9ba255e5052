/** The fields of the message, the rules and the fields of the result side by side, with lines between them. */
import { useEffect, useMemo, useRef } from "react";
import { Button } from "../ui/button.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { mapTogether, useMapper, useMapping } from "./mapper.ts";
import { addRule } from "./model/edit-rules.ts";
import { type FieldNode, fieldsOf } from "./model/fields.ts";
import { pointerOf } from "./model/names.ts";
import { allRules } from "./model/rules.ts";
import { merged, shapeOfSample, shapeOfSchema } from "./model/shape.ts";
import { targetFields, targetKey } from "./model/target-fields.ts";
import { RuleList } from "./rules/rule-list.tsx";
import { FieldTree } from "./trees/field-tree.tsx";
import { Wires } from "./wires.tsx";

export function Board() {
  const mapper = useMapper();
  const { session, picked, isEditable } = mapper;
  const chosen = useStore(picked);
  const list = useMapping(session, (state) => state.list);
  const source = useSourceFields();
  const target = useTargetFields();
  const board = useRef<HTMLDivElement>(null);
  const rules = allRules(list.rules);
  const set = new Map(rules.map((rule) => [targetKey(rule), rule] as const));
  const choose = (field: FieldNode): void => {
    picked.set(chosen?.key === field.key ? undefined : field);
    if (chosen?.key !== field.key) focusTarget(board.current);
  };
  const take = (field: FieldNode): void => {
    const rule = set.get(field.key);
    if (chosen !== undefined) mapTogether(mapper, chosen, field);
    else if (rule !== undefined) session.select(rule.path);
    else if (isEditable && field.lists.length === 0) {
      const at = list.rules.length;
      const to = pointerOf(field.path);
      const fields = { target: to, expr: "''" };
      session.edit((json) => addRule(json, list.path, at, fields), {
        label: words.messageMappings.did.add,
        select: [...list.path, list.isMap ? to : at],
      });
    }
  };
  return (
    <div className="board" ref={board}>
      {chosen !== undefined && (
        <div className="board-chosen" role="status">
          <span>{words.messageMappings.chosen(chosen.key === "" ? chosen.name : chosen.path.join("."))}</span>
          <Button onClick={() => picked.set(undefined)}>{words.messageMappings.letGo}</Button>
        </div>
      )}
      <div className="board-columns">
        <section className="board-side" aria-label={words.messageMappings.fieldsOf.source}>
          <h2>{words.messageMappings.message}</h2>
          <FieldTree side="source" root={source} chosen={chosen?.key} onChoose={isEditable ? choose : undefined} />
        </section>
        <section className="board-rules" aria-label={words.messageMappings.rules}>
          <h2>{words.messageMappings.rules}</h2>
          <RuleList />
        </section>
        <section className="board-side" aria-label={words.messageMappings.fieldsOf.target}>
          <h2>{words.messageMappings.result}</h2>
          <FieldTree
            side="target"
            root={target}
            isSet={(field) => set.has(field.key)}
            onChoose={take}
            onDrop={isEditable ? (from, to) => mapTogether(mapper, from, to) : undefined}
          />
        </section>
        <Wires board={board} />
      </div>
    </div>
  );
}

/** The fields of the message that is tried, and those that only the schema of messages has. */
function useSourceFields(): FieldNode {
  const { session, trial, message, source: store } = useMapper();
  const { source } = useStore(trial);
  const { text } = useStore(message);
  const schema = useMapping(
    session,
    ({ document }) => (document["source"] as { schema?: unknown } | undefined)?.schema,
  );
  const fields = useMemo(() => {
    const name = words.messageMappings.message;
    const sample = shapeOfSample(source ?? parsed(text) ?? {});
    const known = shapeOfSchema(schema);
    return fieldsOf(known === undefined ? sample : merged(sample, known), name);
  }, [source, text, schema]);
  useEffect(() => store.set(fields), [store, fields]);
  return fields;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function useTargetFields(): FieldNode {
  const { session } = useMapper();
  const document = useMapping(session, (state) => state.document);
  const list = useMapping(session, (state) => state.list);
  return useMemo(() => {
    const { schema, sample } = (document["target"] ?? {}) as { readonly schema?: unknown; readonly sample?: unknown };
    return targetFields({ schema, sample, rules: list.rules, name: words.messageMappings.result });
  }, [document, list]);
}

function focusTarget(board: HTMLElement | null): void {
  board?.querySelector<HTMLElement>('[data-target][tabindex="0"]')?.focus();
}
