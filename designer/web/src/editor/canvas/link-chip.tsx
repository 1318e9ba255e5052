/** Where a call of `direct:` or `seda:` leads within the flow, and from where a route is called. */
import { memo } from "react";
import type { FlowTree, Link, Path } from "../../model/index.ts";
import { words } from "../../words.ts";
import { keyOf } from "../session/items.ts";
import { useCanvas, useSession } from "./context.ts";

/** Goes to the route that a step calls. */
export const LinkChip = memo(function LinkChip({ path }: { readonly path: Path }) {
  const { session } = useCanvas();
  const key = keyOf(path);
  const link = useSession(session, ({ view }) => linksOf(view).from.get(key));
  const name = useSession(session, ({ view }) => {
    const to = link?.to === undefined ? undefined : keyOf(link.to);
    const route = view.routes.find((one) => keyOf(one.path) === to);
    return to === undefined ? undefined : (route?.description ?? route?.id ?? link?.name);
  });
  if (link?.to === undefined || name === undefined) return null;
  const to = link.to;
  return (
    <div className="link">
      <button type="button" className="link-chip" tabIndex={-1} onClick={() => session.select([keyOf(to)])}>
        {words.canvas.leadsTo(name)}
      </button>
    </div>
  );
});

/** Goes to the steps that call a route, one after the other. */
export const CallersChip = memo(function CallersChip({ path }: { readonly path: Path }) {
  const { session } = useCanvas();
  const key = keyOf(path);
  const count = useSession(session, ({ view }) => linksOf(view).to.get(key)?.length ?? 0);
  if (count === 0) return null;
  const goOn = (): void => {
    const { view, index, selection } = session.get();
    const callers = (linksOf(view).to.get(key) ?? []).flatMap(({ from }) => {
      const item = [...index.items.values()].find((one) => keyOf(one.path) === keyOf(from));
      return item === undefined ? [] : [item.key];
    });
    const next = callers[(callers.indexOf(selection.at(-1) ?? "") + 1) % callers.length];
    if (next !== undefined) session.select([next]);
  };
  return (
    <button type="button" className="link-chip" tabIndex={-1} onClick={goOn}>
      {words.canvas.calledBy(count)}
    </button>
  );
});

interface Links {
  readonly from: ReadonlyMap<string, Link>;
  /** Calls by the route that they lead to. */
  readonly to: ReadonlyMap<string, readonly Link[]>;
}

const known = new WeakMap<FlowTree["links"], Links>();

function linksOf({ links }: FlowTree): Links {
  const indexed = known.get(links);
  if (indexed !== undefined) return indexed;
  const made: Links = {
    from: new Map(links.map((link) => [keyOf(link.from), link])),
    to: Map.groupBy(links, ({ to }) => (to === undefined ? "" : keyOf(to))),
  };
  known.set(links, made);
  return made;
}
