/** The state of a flow as a word with a colour. */
import { Chip } from "../ui/chip.tsx";
import { words } from "../words.ts";
import type { FlowState } from "./state.ts";

export const stateTones = {
  Draft: "plain",
  Saved: "plain",
  Deployed: "good",
  Modified: "accent",
  Drifted: "warn",
  Failed: "bad",
} as const;

/** `state`: undefined for a flow that is on the runtime only. */
export function StateChip({ state }: { readonly state: FlowState | undefined }) {
  if (state === undefined) {
    return (
      <Chip tone="plain" title={words.flows.runtimeOnlyText}>
        {words.flows.runtimeOnly}
      </Chip>
    );
  }
  return (
    <Chip tone={stateTones[state]} title={words.flows.stateTexts[state]}>
      {words.flows.states[state]}
    </Chip>
  );
}
