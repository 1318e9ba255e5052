/**
 * Lines from calling steps to the routes that they call, below the cards. The links at the steps say the same to screen
 * readers and keyboards.
 */
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { FlowTree } from "../../../model/index.ts";
import { type ItemIndex, keyOf } from "../../session/items.ts";
import type { EditorSession } from "../../session/session.ts";
import { useSession } from "../context.ts";
import { type DrawnLine, drawLine } from "./draw.ts";
import { type LineEnds, readLayout } from "./layout.ts";
import { linesOf } from "./lines.ts";
import "./lines.css";

interface LinkLinesProps {
  readonly session: EditorSession;
  readonly zoom: number;
}

export const LinkLines = memo(function LinkLines({ session, zoom }: LinkLinesProps) {
  const svg = useRef<SVGSVGElement>(null);
  const view = useSession(session, (state) => state.view);
  const ends = useMemo(() => endsOf(view, session.get().index), [view, session]);
  const lines = useLines(svg, ends, zoom);
  // Only the cards at the ends of lines light any.
  const keys = useMemo(() => new Set(ends.flatMap(({ from, to, heads }) => [from, to, heads])), [ends]);
  const selected = useSession(session, ({ selection }) => keyIn(keys, selection.at(-1)));
  const pointed = usePointed(svg, keys);
  if (ends.length === 0) return null;
  const isOn = ({ from, to, heads }: LinkEnds): boolean =>
    [selected, pointed].some((key) => key !== undefined && (key === from || key === to || key === heads));
  const on = new Set(ends.filter(isOn).map(idOf));
  // What is lit is drawn last, above the others.
  const drawn = lines.toSorted((one, other) => Number(on.has(idOf(one))) - Number(on.has(idOf(other))));
  return (
    <svg ref={svg} className="link-lines" aria-hidden="true">
      {drawn.map((line) => (
        <g
          key={idOf(line)}
          className={["link-line", line.isQueue ? "queue" : "", on.has(idOf(line)) ? "on" : ""].join(" ").trim()}
          data-from={line.from}
          data-to={line.to}
        >
          <path className="link-way" d={line.path} />
          <path className="link-arrow" d={line.arrow} />
        </g>
      ))}
    </svg>
  );
});

interface LinkEnds extends LineEnds {
  /** The key of the card that names the called route. */
  readonly heads: string;
}

function idOf({ from, to }: Pick<LineEnds, "from" | "to">): string {
  return `${from} ${to}`;
}

/** The calls of routes of this flow, by the keys of their cards. */
function endsOf({ links, routes }: FlowTree, { items }: ItemIndex): readonly LinkEnds[] {
  const found = links.filter(({ to }) => to !== undefined);
  if (found.length === 0) return [];
  const cards = new Map([...items.values()].map(({ path, key }) => [keyOf(path), key]));
  const starts = new Map(routes.map(({ path, trigger }) => [keyOf(path), trigger && keyOf(trigger.path)]));
  const ends = found.flatMap(({ from, to, scheme }): LinkEnds[] => {
    const heads = keyOf(to ?? []);
    const [caller, start] = [cards.get(keyOf(from)), starts.get(heads)];
    return caller === undefined || start === undefined
      ? []
      : [{ from: caller, to: start, heads, isQueue: scheme === "seda" }];
  });
  return [...new Map(ends.map((one) => [idOf(one), one])).values()];
}

/** The lines as they are drawn, measured anew in a frame of its own whenever something has moved. */
function useLines(svg: RefObject<SVGSVGElement | null>, ends: readonly LineEnds[], zoom: number): readonly DrawnLine[] {
  const [lines, setLines] = useState<readonly DrawnLine[]>([]);
  useEffect(() => {
    const page = svg.current?.parentElement;
    if (ends.length === 0 || page === null || page === undefined) return undefined;
    let frame = 0;
    const measure = (): void => {
      const next = linesOf(readLayout(page, ends, zoom)).map(drawLine);
      setLines((before) => (isSame(before, next) ? before : next));
    };
    // It notices all columns once at its beginning, when they are laid out.
    const sizes = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    });
    for (const part of page.querySelectorAll(":scope > .routes > .route, :scope > .others > .other"))
      sizes.observe(part);
    return () => {
      sizes.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [svg, ends, zoom]);
  return lines;
}

function isSame(before: readonly DrawnLine[], next: readonly DrawnLine[]): boolean {
  return (
    before.length === next.length &&
    next.every((line, at) => {
      const old = before[at];
      return old !== undefined && idOf(line) === idOf(old) && line.path === old.path && line.isQueue === old.isQueue;
    })
  );
}

function keyIn(keys: ReadonlySet<string>, key: string | undefined): string | undefined {
  return key !== undefined && keys.has(key) ? key : undefined;
}

/** The key of the card below the mouse, if a line begins or ends there. */
function usePointed(svg: RefObject<SVGSVGElement | null>, keys: ReadonlySet<string>): string | undefined {
  const [pointed, setPointed] = useState<string>();
  useEffect(() => {
    const page = svg.current?.parentElement;
    if (keys.size === 0 || page === null || page === undefined) return undefined;
    const look = ({ target }: Event): void => {
      const card = target instanceof Element ? target.closest<HTMLElement>(".node[data-key]") : null;
      setPointed(keyIn(keys, card?.dataset["key"]));
    };
    const leave = (): void => setPointed(undefined);
    page.addEventListener("pointerover", look);
    page.addEventListener("pointerleave", leave);
    return () => {
      page.removeEventListener("pointerover", look);
      page.removeEventListener("pointerleave", leave);
    };
  }, [svg, keys]);
  return pointed;
}
