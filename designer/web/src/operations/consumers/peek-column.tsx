/** The column with the way to a consumer's next messages, or with why there is none. */
import { Button } from "../../ui/button.tsx";
import type { Column } from "../../ui/table.tsx";
import { words } from "../../words.ts";
import type { Consumer } from "./consumer-text.ts";
import { peekAt } from "./peek.ts";

const { peek: texts } = words.operations.consumers;

/** `target`: the name of the runtime. */
export function peekColumn(target: string): Column<Consumer> {
  return {
    id: "peek",
    title: texts.column,
    cell: ({ flowId, routeId, uri, scheme, peeks }) =>
      peeks ? (
        <Button
          icon="search"
          aria-label={texts.lookAt(routeId)}
          onClick={() => peekAt({ target, flowId, routeId, uri })}
        >
          {texts.look}
        </Button>
      ) : (
        <span className="consumer-no-peek faint">{texts.cannot(scheme)}</span>
      ),
  };
}
