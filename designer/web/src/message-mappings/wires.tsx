/** Lines from the fields that rules read to the rules, and from the rules to the fields that they set. */
import { type RefObject, useEffect, useState } from "react";
import { useMapper, useMapping } from "./mapper.ts";
import { pointerOf } from "./model/names.ts";
import { fieldsNamed } from "./model/references.ts";
import { allRules, type Rule, ruleKey } from "./model/rules.ts";
import { targetKey } from "./model/target-fields.ts";

interface Wire {
  readonly key: string;
  readonly path: string;
  readonly isSelected: boolean;
}

/** Lines of a rule that are drawn at most: an expression may name any number of fields. */
const mostOfRule = 40;

export function Wires({ board }: { readonly board: RefObject<HTMLElement | null> }) {
  const { session } = useMapper();
  const list = useMapping(session, (state) => state.list);
  const selected = useMapping(session, (state) => state.selected);
  const [wires, setWires] = useState<readonly Wire[]>([]);
  useEffect(() => {
    const columns = board.current?.querySelector<HTMLElement>(".board-columns");
    if (columns === null || columns === undefined) return undefined;
    let frame = 0;
    const draw = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setWires(wiresOf(columns, allRules(list.rules), selected)));
    };
    const sizes = new ResizeObserver(draw);
    const changes = new MutationObserver(draw);
    for (const part of columns.querySelectorAll("section")) {
      sizes.observe(part);
      changes.observe(part, { childList: true, subtree: true });
    }
    draw();
    return () => {
      sizes.disconnect();
      changes.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [board, list, selected]);
  return (
    <svg className="wires" aria-hidden="true">
      {wires.map(({ key, path, isSelected }) => (
        <path key={key} d={path} className={isSelected ? "selected" : ""} />
      ))}
    </svg>
  );
}

function wiresOf(columns: HTMLElement, rules: readonly Rule[], selected: string | undefined): readonly Wire[] {
  const origin = columns.getBoundingClientRect();
  const rows = (name: string): ReadonlyMap<string, DOMRect> =>
    new Map(
      [...columns.querySelectorAll<HTMLElement>(`[data-${name}]`)].map((row) => [
        row.dataset[name] ?? "",
        row.getBoundingClientRect(),
      ]),
    );
  const [sources, heads, targets] = [rows("source"), rows("rule"), rows("target")];
  const line = (from: DOMRect, to: DOMRect): string => {
    const [x1, y1] = [from.right - origin.left, from.top + from.height / 2 - origin.top];
    const [x2, y2] = [to.left - origin.left, to.top + to.height / 2 - origin.top];
    const bend = (x2 - x1) / 2;
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  };
  return rules.flatMap((rule): readonly Wire[] => {
    const key = ruleKey(rule);
    const head = heads.get(key);
    if (head === undefined) return [];
    const isSelected = key === selected;
    const read = namedBy(rule).flatMap((names) => {
      const row = nearest(sources, names);
      return row === undefined ? [] : [{ key: `${key} from ${pointerOf(names)}`, path: line(row, head), isSelected }];
    });
    const to = targetKey(rule);
    const row = to === undefined ? undefined : targets.get(to);
    const written = row === undefined ? [] : [{ key: `${key} to`, path: line(head, row), isSelected }];
    return [...read.slice(0, mostOfRule), ...written];
  });
}

function namedBy({ expr, forEach, when, context, inner }: Rule): readonly (readonly string[])[] {
  const outer = [forEach, when, forEach === undefined ? expr : undefined].filter((one) => one !== undefined);
  const item = forEach !== undefined && expr !== undefined ? fieldsNamed(expr, inner, context) : [];
  return [...outer.flatMap((one) => fieldsNamed(one, context)), ...item];
}

/** The row of a field, or of what it is in when that is closed; undefined: the message has no such field. */
function nearest(rows: ReadonlyMap<string, DOMRect>, names: readonly string[]): DOMRect | undefined {
  for (let length = names.length; length > 0; length -= 1) {
    const row = rows.get(pointerOf(names.slice(0, length)));
    if (row !== undefined) return row;
  }
  return undefined;
}
