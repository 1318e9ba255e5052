/** The messages that wait for a consumer, which stay where they are: looked at when it is opened, and again when asked. */
import { useMemo, useState } from "react";
import { orThrow } from "../../../../../src/client/client.ts";
import { polled } from "../../api/polled.ts";
import { runtimeOf, type Schemas } from "../../api/runtime.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Loading } from "../../ui/loading.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import type { PeekedConsumer } from "./peek.ts";
import { PeekedItem } from "./peeked-item.tsx";
import "./peek.css";

const { peek: texts } = words.operations.consumers;
/** How many messages are looked at first, and at most. */
const few = 10;
const most = 50;

export interface PeekDialogProps extends PeekedConsumer {
  readonly onClose: () => void;
}

export function PeekDialog({ target, flowId, routeId, uri, onClose }: PeekDialogProps) {
  const [limit, setLimit] = useState(few);
  const [isLooking, setLooking] = useState(false);
  const store = useMemo(
    () =>
      polled<readonly Schemas["PeekedMessage"][]>({
        load: (signal) =>
          orThrow(
            runtimeOf(target).GET("/_api/flows/{id}/routes/{routeId}/messages", {
              params: { path: { id: flowId, routeId }, query: { limit } },
              signal,
            }),
          ),
        // Each look asks the server of the messages.
        everyMs: 0,
        isVisible: () => true,
      }),
    [target, flowId, routeId, limit],
  );
  const { value, error, at } = useStore(store);
  const look = (): void => {
    setLooking(true);
    void store.refresh().finally(() => setLooking(false));
  };
  return (
    <Dialog
      title={texts.title(routeId)}
      onClose={onClose}
      wide
      actions={
        <>
          {limit < most && value !== undefined && value.length >= limit && (
            <Button onClick={() => setLimit(most)}>{texts.more(most)}</Button>
          )}
          <Button icon="redo" disabled={isLooking} onClick={look}>
            {texts.again}
          </Button>
        </>
      }
    >
      <p className="faint">
        <code>{uri}</code>
        <br />
        {texts.stay}
      </p>
      {error !== undefined && <ErrorNote title={texts.failed} error={error} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && error === undefined && (
        <p role="status">{texts.found(value.length, new Date(at).toLocaleTimeString("en-GB"))}</p>
      )}
      {value !== undefined && error === undefined && value.length > 0 && (
        <ol className="peeked" aria-label={texts.messages}>
          {value.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages have no names of their own, and only their places
            <PeekedItem key={index} message={message} index={index} />
          ))}
        </ol>
      )}
    </Dialog>
  );
}
