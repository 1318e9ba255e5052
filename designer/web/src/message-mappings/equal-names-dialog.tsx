/** Offers rules for fields of the result that the message has under the same name. */
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import type { Mapper } from "./mapper.ts";
import { addRule, type RuleFields } from "./model/edit-rules.ts";
import { equalNames } from "./model/equal-names.ts";
import { allRules } from "./model/rules.ts";
import { targetFields, targetKey } from "./model/target-fields.ts";

export async function mapEqualNames({ session, source }: Mapper): Promise<void> {
  const { list, document } = session.get();
  const { schema, sample } = (document["target"] ?? {}) as { readonly schema?: unknown; readonly sample?: unknown };
  const target = targetFields({ schema, sample, rules: list.rules, name: "" });
  const taken = allRules(list.rules).flatMap((rule) => targetKey(rule) ?? []);
  const offered = taken.includes("") ? [] : equalNames(source.get(), target, new Set(taken));
  if (offered.length === 0) {
    notify({ kind: "warn", text: words.messageMappings.equalNone });
    return;
  }
  const chosen = await openDialog<readonly RuleFields[]>((close) => <EqualNames offered={offered} close={close} />);
  if (chosen === undefined || chosen.length === 0) return;
  const at = list.rules.length;
  session.edit(
    chosen.map((rule, index) => (json) => addRule(json, list.path, at + index, rule)),
    { label: words.messageMappings.did.equal },
  );
}

interface EqualNamesProps {
  readonly offered: readonly RuleFields[];
  readonly close: (chosen?: readonly RuleFields[]) => void;
}

function EqualNames({ offered, close }: EqualNamesProps) {
  const [left, setLeft] = useState<ReadonlySet<RuleFields>>(new Set());
  const chosen = offered.filter((one) => !left.has(one));
  return (
    <Dialog
      title={words.messageMappings.equalTitle}
      onClose={() => close()}
      onSubmit={() => close(chosen)}
      actions={
        <>
          <Button onClick={() => close()}>{words.ui.cancel}</Button>
          <Button kind="primary" type="submit" disabled={chosen.length === 0}>
            {words.messageMappings.equalAction(chosen.length)}
          </Button>
        </>
      }
    >
      <p>{words.messageMappings.equalText}</p>
      {offered.map((rule) => (
        <label key={rule.target} className="check">
          <input
            type="checkbox"
            checked={!left.has(rule)}
            onChange={(event) => {
              const next = new Set(left);
              if (event.target.checked) next.delete(rule);
              else next.add(rule);
              setLeft(next);
            }}
          />
          <span>{sentenceFor(rule)}</span>
        </label>
      ))}
    </Dialog>
  );
}

function sentenceFor({ target, expr, forEach, rules }: RuleFields): string {
  if (forEach === undefined) return words.messageMappings.equalRule(target, expr ?? "");
  return words.messageMappings.equalLoop(target, forEach, rules?.length ?? 1);
}
