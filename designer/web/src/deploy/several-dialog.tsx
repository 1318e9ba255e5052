/** Deploys several flows of the list: those that are chosen, each over the version that was compared. */
import { useState } from "react";
import type { Target } from "../../../shared/wire.ts";
import { refreshFlows } from "../api/cache.ts";
import type { FlowState } from "../flows/state.ts";
import { StateChip } from "../flows/state-chip.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { firstFocus } from "../ui/first-focus.ts";
import { words } from "../words.ts";
import { isReady, useSeveral } from "./several.ts";
import { SeveralOutcome } from "./several-outcome.tsx";
import "./deploy.css";

export interface SeveralFlow {
  readonly id: string;
  readonly name: string;
  readonly state: FlowState;
}

/** Drafts are not finished, and what drifted is somebody else's work: both are chosen by hand. */
const chosenAtFirst: readonly FlowState[] = ["Saved", "Modified", "Failed"];

export async function openSeveral(flows: readonly SeveralFlow[], target: Target): Promise<void> {
  await openDialog<void>((close) => <SeveralDialog flows={flows} target={target} close={close} />);
}

interface SeveralDialogProps {
  readonly flows: readonly SeveralFlow[];
  readonly target: Target;
  readonly close: () => void;
}

function SeveralDialog({ flows, target, close }: SeveralDialogProps) {
  const { progress, go } = useSeveral(
    flows.map(({ id }) => id),
    target,
  );
  const [chosen, setChosen] = useState(
    () => new Set(flows.filter(({ state }) => chosenAtFirst.includes(state)).map(({ id }) => id)),
  );
  const [isWorking, setWorking] = useState(false);
  const ready = flows.filter(({ id }) => chosen.has(id) && isReady(progress.get(id))).map(({ id }) => id);
  const isCompared = flows.every(({ id }) => progress.has(id));
  const leave = (): void => {
    if (!isWorking) close();
  };
  const submit = async (): Promise<void> => {
    if (isWorking || !isCompared || ready.length === 0) return;
    setWorking(true);
    await go(ready);
    setWorking(false);
    refreshFlows(target.name);
  };
  const choose = (id: string, isChosen: boolean): void =>
    setChosen(new Set(isChosen ? [...chosen, id] : [...chosen].filter((one) => one !== id)));
  return (
    <Dialog
      wide
      title={words.deploy.severalTitle(target.label)}
      onClose={leave}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button ref={firstFocus} disabled={isWorking} onClick={leave}>
            {words.ui.close}
          </Button>
          <Button kind="primary" icon="deploy" type="submit" disabled={isWorking || !isCompared || ready.length === 0}>
            {words.deploy.severalAction(ready.length)}
          </Button>
        </>
      }
    >
      <p>{flows.length === 0 ? words.deploy.severalNone(target.label) : words.deploy.severalText}</p>
      <ul className="several" aria-label={words.deploy.several}>
        {flows.map(({ id, name, state }) => (
          <li key={id}>
            <label className="check">
              <input
                type="checkbox"
                aria-label={words.deploy.severalChoose(name)}
                checked={chosen.has(id) && isReady(progress.get(id))}
                disabled={isWorking || !isReady(progress.get(id))}
                onChange={(event) => choose(id, event.target.checked)}
              />
              <b>{name}</b>
              <StateChip state={state} />
            </label>
            <SeveralOutcome one={progress.get(id)} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
