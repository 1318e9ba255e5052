/** Makes a copy of a flow, with its options: another name, and routes with ids of their own. */
import { useState } from "react";
import { describedAs, restOf } from "../../../shared/description.ts";
import type { FlowFile, FlowWrite } from "../../../shared/wire.ts";
import { refreshFlows } from "../api/cache.ts";
import { readFlow } from "../api/workspace.ts";
import { goTo } from "../app/address.ts";
import { slug } from "../model/slug.ts";
import { attempt } from "../ui/attempt.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { Field } from "../ui/field.tsx";
import { firstFocus } from "../ui/first-focus.ts";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import { createUnder, isNameUsable, takenIds } from "./fresh-id.ts";
import type { FlowRow } from "./rows.ts";

export async function duplicateFlow({ id, name }: FlowRow): Promise<void> {
  const taken = takenIds();
  const chosen = await openDialog<string>((close) => <DuplicateDialog {...{ name, taken, close }} />);
  if (chosen === undefined) return;
  await attempt(words.flows.duplicateFailed(name), async () => {
    const original = await readFlow(id);
    let kept: readonly string[] = [];
    const copy = await createUnder(chosen, taken, async (copyId) => {
      const made = await copyOf(original, { id: copyId, name: chosen, taken });
      kept = made.kept;
      return made.write;
    });
    goTo("flows", copy.id);
    if (kept.length === 0) notify({ kind: "done", text: words.flows.duplicated(chosen) });
    else notify({ kind: "warn", text: words.flows.duplicateKept(kept.join(", ")) });
  });
  refreshFlows();
}

interface Copy {
  readonly id: string;
  readonly name: string;
  readonly taken: ReadonlySet<string>;
}

async function copyOf(
  { id: old, yaml, options, companion }: FlowFile,
  { id, name, taken }: Copy,
): Promise<{ readonly write: FlowWrite; readonly kept: readonly string[] }> {
  const { renamedTests, renameRoutes } = await import("../model/index.ts");
  const used = new Set([...taken, id]);
  const rename = (before: string, kind: "route" | "direct"): string => {
    if (before === old) return id;
    const wanted = before.startsWith(`${old}-`) ? id + before.slice(old.length) : `${id}-${before}`;
    if (kind === "direct") return slug(wanted);
    const made = slug(wanted, used);
    used.add(made);
    return made;
  };
  const renamed = renameRoutes(yaml, rename);
  const { tests } = options;
  const description = describedAs(name, restOf(options["description"]));
  const own = { ...options, description, ...(tests !== undefined && { tests: renamedTests(tests, renamed) }) };
  return {
    write: { yaml: renamed.text, options: own, draft: true, ...(companion !== undefined && { companion }) },
    kept: renamed.kept,
  };
}

interface DuplicateDialogProps {
  readonly name: string;
  readonly taken: ReadonlySet<string>;
  readonly close: (name?: string) => void;
}

function DuplicateDialog({ name, taken, close }: DuplicateDialogProps) {
  const [chosen, setChosen] = useState<string>(words.flows.copyOf(name));
  const isUsable = isNameUsable(chosen);
  return (
    <Dialog
      title={words.flows.duplicateOf(name)}
      onClose={() => close()}
      onSubmit={() => isUsable && close(chosen.trim())}
      actions={
        <>
          <Button onClick={() => close()}>{words.ui.cancel}</Button>
          <Button kind="primary" icon="copy" type="submit">
            {words.flows.duplicateAction}
          </Button>
        </>
      }
    >
      <p>{words.flows.duplicateText}</p>
      <Field
        required
        label={words.flows.name}
        help={isUsable ? words.flows.duplicateIdHelp(slug(chosen, taken)) : undefined}
        error={isUsable ? undefined : words.flows.nameMissing}
      >
        {(input) => (
          <input
            {...input}
            ref={firstFocus}
            className="input"
            maxLength={200}
            autoComplete="off"
            value={chosen}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setChosen(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
