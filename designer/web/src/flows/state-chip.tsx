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

interface StateChipProps {
  /** undefined: the flow is on the runtime only. */
  readonly state: FlowState | undefined;
  /** false: the runtime does not answer, and the state is what it was when it was last seen. */
  readonly isKnown?: boolean;
}

export function StateChip({ state, isKnown = true }: StateChipProps) {
  if (state === undefined) {
    return (
      <Chip tone="plain" title={words.flows.runtimeOnlyText}>
        {words.flows.runtimeOnly}
      </Chip>
    );
  }
  const text = words.flows.stateTexts[state];
  return (
    <Chip tone={isKnown ? stateTones[state] : "plain"} title={isKnown ? text : words.flows.lastSeen(text)}>
      {words.flows.states[state]}
    </Chip>
  );
}
