/** How the consumer of a route is on the runtime: whether it polls, backs off and why, and what is under way and waits. */
import { memo } from "react";
import { runtimeHealth } from "../../api/cache.ts";
import { target } from "../../api/target.ts";
import { hashOf } from "../../app/hash.ts";
import { consumerText, consumerTitle, isWorthShowing } from "../../operations/consumers/consumer-text.ts";
import { useStore } from "../../ui/use-store.ts";
import { useCanvas } from "./context.ts";

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
  return (
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
  );
}
