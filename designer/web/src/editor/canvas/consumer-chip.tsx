/** How the consumer of a route is on the runtime: whether it polls, backs off and why, and what is under way and waits. */
import { memo, useEffect } from "react";
import { runtimeHealth } from "../../api/cache.ts";
import { mayDo } from "../../api/session.ts";
import { target } from "../../api/target.ts";
import { offerCommands } from "../../app/commands.ts";
import { hashOf } from "../../app/hash.ts";
import { consumerText, consumerTitle, isWorthShowing } from "../../operations/consumers/consumer-text.ts";
import { type PeekedConsumer, peekAt } from "../../operations/consumers/peek.ts";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { useCanvas } from "./context.ts";

const { peek: texts } = words.operations.consumers;

interface ConsumerChipProps {
  readonly routeId: string | undefined;
}

export const ConsumerChip = memo(function ConsumerChip({ routeId }: ConsumerChipProps) {
  const at = useStore(target)?.name;
  return at === undefined || routeId === undefined ? null : <ChipOn target={at} routeId={routeId} />;
});

function ChipOn({ target: at, routeId }: { readonly target: string; readonly routeId: string }) {
  const { session } = useCanvas();
  const { value } = useStore(runtimeHealth(at));
  const consumer = value?.consumers?.find((one) => one.flowId === session.id && one.routeId === routeId);
  if (consumer === undefined || !isWorthShowing(consumer)) return null;
  const { uri, peeks } = consumer;
  return (
    <div className="consumer-line">
      <a
        className={
          consumer.state === "backing_off" || consumer.overdue > 0 ? "link-chip consumer bad" : "link-chip consumer"
        }
        tabIndex={-1}
        href={hashOf(["operations"], { tab: "consumers", flow: session.id })}
        title={consumerTitle(consumer)}
      >
        {consumerText(consumer)}
      </a>
      {peeks && mayDo("editor") && <PeekChip target={at} flowId={session.id} routeId={routeId} uri={uri} />}
    </div>
  );
}

/** The palette has it, too, since chips are not among what the keyboard goes through. */
function PeekChip({ target: at, flowId, routeId, uri }: PeekedConsumer) {
  useEffect(
    () =>
      offerCommands(() => [
        {
          id: `peek ${flowId} ${routeId}`,
          title: texts.lookAt(routeId),
          group: words.operations.consumers.title,
          icon: "search",
          run: () => peekAt({ target: at, flowId, routeId, uri }),
        },
      ]),
    [at, flowId, routeId, uri],
  );
  return (
    <button
      type="button"
      className="link-chip consumer-peek"
      tabIndex={-1}
      aria-label={texts.lookAt(routeId)}
      onClick={() => peekAt({ target: at, flowId, routeId, uri })}
    >
      {texts.look}
    </button>
  );
}
