/** What becomes of each file that is imported: new, in place of what is there, or left out. */
import { useState } from "react";
import type { FlowEntry, Target } from "../../../shared/wire.ts";
import { slug } from "../model/slug.ts";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { firstFocus } from "../ui/first-focus.ts";
import { Icon } from "../ui/icon.tsx";
import { Note } from "../ui/note.tsx";
import { words } from "../words.ts";
import { useImportCheck } from "./import-check.ts";
import type { ImportedFiles, ImportedFlow } from "./import-files.ts";

/** What becomes of a file. */
export type ImportPlan =
  | { readonly flow: ImportedFlow; readonly action: "create"; readonly id: string }
  | { readonly flow: ImportedFlow; readonly action: "replace"; readonly id: string; readonly etag: string }
  | { readonly flow: ImportedFlow; readonly action: "skip" };

interface ImportDialogProps extends ImportedFiles {
  readonly entries: readonly FlowEntry[];
  readonly target: Target | undefined;
  readonly close: (plans?: readonly ImportPlan[]) => void;
}

type Choice = "create" | "replace" | "skip";

export function ImportDialog({ flows, refused, entries, target, close }: ImportDialogProps) {
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map());
  const found = useImportCheck(flows, target);
  const plans = planOf(flows, entries, choices);
  const count = plans.filter(({ action }) => action !== "skip").length;
  return (
    <Dialog
      wide
      title={words.flows.importTitle}
      onClose={() => close()}
      onSubmit={() => count > 0 && close(plans)}
      actions={
        <>
          <Button onClick={() => close()}>{words.ui.cancel}</Button>
          <Button ref={firstFocus} kind="primary" icon="upload" type="submit" disabled={count === 0}>
            {words.flows.importAction(count)}
          </Button>
        </>
      }
    >
      {flows.length > 0 && <p className="faint">{words.flows.importText}</p>}
      {flows.length > 0 && (
        <ul className="import-list" aria-label={words.flows.importTitle}>
          {plans.map((plan) => (
            <li key={plan.flow.file}>
              <div className="import-line">
                <Icon name="file" />
                <span className="import-file">{plan.flow.file}</span>
                {plan.flow.companion !== undefined && <Chip tone="plain">{words.flows.importWithCompanion}</Chip>}
                {plan.flow.taken === undefined && <Chip tone="good">{words.flows.importNew}</Chip>}
              </div>
              {plan.flow.taken !== undefined && (
                <TakenChoice
                  flow={plan.flow}
                  freeId={freeIdOf(plan.flow, entries)}
                  choice={choices.get(plan.flow.file) ?? "skip"}
                  onChoice={(choice) => setChoices(new Map([...choices, [plan.flow.file, choice]]))}
                />
              )}
              {found.has(plan.flow.file) && target !== undefined && (
                <Note kind="warn" title={words.flows.importFound(target.label)}>
                  {found.get(plan.flow.file)?.map((problem) => (
                    <p key={problem}>{problem}</p>
                  ))}
                </Note>
              )}
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <Note kind="error" title={words.flows.importRefused}>
          {refused.map(({ file, problem }) => (
            <p key={file}>
              <b>{file}</b>: {problem}
            </p>
          ))}
        </Note>
      )}
    </Dialog>
  );
}

interface TakenChoiceProps {
  readonly flow: ImportedFlow;
  readonly freeId: string;
  readonly choice: Choice;
  readonly onChoice: (choice: Choice) => void;
}

function TakenChoice({ flow: { id, taken, companion }, freeId, choice, onChoice }: TakenChoiceProps) {
  return (
    <div className="import-taken">
      <Icon name="warn" /> {words.flows.importTaken(taken?.id ?? id)}
      <select
        className="input"
        aria-label={words.flows.importChoice(id)}
        value={choice}
        onChange={(event) => onChoice(event.target.value as Choice)}
      >
        <option value="skip">{words.flows.importSkip}</option>
        <option value="create">{words.flows.importAs(freeId)}</option>
        {/* A file of a name that differs by case only cannot be written. */}
        {taken?.id === id && <option value="replace">{words.flows.importReplace}</option>}
      </select>
      {choice === "replace" && companion === undefined && <span className="faint">{words.flows.importOptions}</span>}
    </div>
  );
}

function freeIdOf({ id }: ImportedFlow, entries: readonly FlowEntry[]): string {
  return slug(id, new Set(entries.map((entry) => entry.id.toLowerCase())));
}

function planOf(
  flows: readonly ImportedFlow[],
  entries: readonly FlowEntry[],
  choices: ReadonlyMap<string, Choice>,
): readonly ImportPlan[] {
  return flows.map((flow): ImportPlan => {
    const { id, taken } = flow;
    if (taken === undefined) return { flow, action: "create", id };
    const choice = choices.get(flow.file) ?? "skip";
    if (choice === "create") return { flow, action: "create", id: freeIdOf(flow, entries) };
    return choice === "replace" ? { flow, action: "replace", id, etag: taken.etag } : { flow, action: "skip" };
  });
}
