/** Where calls of routes by their names lead, and from where a route is called: within the flow, and in other ones. */
import { memo } from "react";
import type { Link, Path } from "../../model/index.ts";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { callersOf, type Jump, jump, jumpsFrom, jumpsTo, linksIn, namedRoutes } from "../calls/flow-links.ts";
import { otherFlows } from "../calls/other-flows.ts";
import { keyOf } from "../session/items.ts";
import { useCanvas, useSession } from "./context.ts";

/** Goes to the routes that a step calls. */
export const LinkChip = memo(function LinkChip({ path }: { readonly path: Path }) {
  const { session } = useCanvas();
  const key = keyOf(path);
  const links = useSession(session, ({ view }) => linksIn(view).from.get(key));
  return links === undefined ? null : <LinkChips links={links} />;
});

function LinkChips({ links }: { readonly links: readonly Link[] }) {
  const { session } = useCanvas();
  const view = useSession(session, (state) => state.view);
  const flows = useStore(otherFlows);
  const jumps = jumpsFrom({ id: session.id, view }, links, flows);
  if (jumps.length === 0) return null;
  return (
    <div className="step-links">
      {jumps.map((one) => (
        <JumpChip key={one.title} to={one} />
      ))}
    </div>
  );
}

/** Goes to the steps that call a route, one after the other, and to the other flows that do. */
export const CallersChip = memo(function CallersChip({ path }: { readonly path: Path }) {
  const { session } = useCanvas();
  const key = keyOf(path);
  const count = useSession(session, ({ view }) => linksIn(view).to.get(key)?.length ?? 0);
  // Drawn anew only when the name changes.
  const name = useSession(session, ({ flow, tree }) => JSON.stringify(namedRoutes(flow, tree).get(key)));
  const flows = useStore(otherFlows);
  const others = name === undefined ? [] : jumpsTo(session.id, JSON.parse(name), flows);
  if (count + others.length === 0) return null;
  const goOn = (): void => {
    const callers = callersOf(session, key);
    const next = callers[(callers.indexOf(session.get().selection.at(-1) ?? "") + 1) % callers.length];
    if (next !== undefined) session.select([next]);
  };
  return (
    <div className="callers">
      {count > 0 && (
        <button type="button" className="link-chip" tabIndex={-1} onClick={goOn}>
          {words.canvas.calledBy(count)}
        </button>
      )}
      {others.map((one) => (
        <JumpChip key={one.title} to={one} />
      ))}
    </div>
  );
});

function JumpChip({ to }: { readonly to: Jump }) {
  const { session } = useCanvas();
  const { title, docs, href } = to;
  if (href !== undefined)
    return (
      <a className="link-chip" tabIndex={-1} href={href} title={docs}>
        {title}
      </a>
    );
  return (
    <button type="button" className="link-chip" tabIndex={-1} onClick={() => jump(session, to)}>
      {title}
    </button>
  );
}
