/** Makes a flow: a name and what people find it by; it begins with a webhook, and opens in the editor. */
import { useState } from "react";
import { refreshFlows, workspaceFlows } from "../api/cache.ts";
import { goTo } from "../app/address.ts";
import { slug } from "../model/slug.ts";
import { attempt } from "../ui/attempt.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { Field } from "../ui/field.tsx";
import { firstFocus } from "../ui/first-focus.ts";
import { words } from "../words.ts";
import { categoriesOf } from "./filter.ts";
import { createUnder, isNameUsable, takenIds } from "./fresh-id.ts";

interface NewFlow {
  readonly name: string;
  readonly category: string;
  readonly description: string;
}

export async function newFlow(): Promise<void> {
  const taken = takenIds();
  const made = await openDialog<NewFlow>((close) => <NewFlowDialog taken={taken} close={close} />);
  if (made === undefined) return;
  await attempt(words.flows.createFailed, async () => {
    const { name, category, description } = made;
    const { freshFlow } = await import("../model/fresh-flow.ts");
    const options = { description: name, ...(category !== "" && { category }) };
    const { id } = await createUnder(name, taken, (id) => ({ yaml: freshFlow(id, description), options, draft: true }));
    goTo("flows", id);
  });
  refreshFlows();
}

interface NewFlowDialogProps {
  readonly taken: ReadonlySet<string>;
  readonly close: (made?: NewFlow) => void;
}

function NewFlowDialog({ taken, close }: NewFlowDialogProps) {
  const [name, setName] = useState("");
  const [category, setCategory] = useState("");
  const [description, setDescription] = useState("");
  const [isAsked, setAsked] = useState(false);
  const submit = (): void => {
    if (isNameUsable(name)) close({ name: name.trim(), category: category.trim(), description: description.trim() });
    else setAsked(true);
  };
  return (
    <Dialog
      title={words.flows.create}
      onClose={() => close()}
      onSubmit={submit}
      actions={
        <>
          <Button
            className="from-recipe"
            kind="quiet"
            icon="recipes"
            onClick={() => {
              close();
              goTo("recipes");
            }}
          >
            {words.flows.fromRecipe}
          </Button>
          <Button onClick={() => close()}>{words.ui.cancel}</Button>
          <Button kind="primary" icon="plus" type="submit">
            {words.flows.createAction}
          </Button>
        </>
      }
    >
      <Field
        required
        label={words.flows.name}
        help={isNameUsable(name) ? words.flows.idHelp(slug(name, taken)) : words.flows.nameHelp}
        error={isAsked && !isNameUsable(name) ? words.flows.nameMissing : undefined}
      >
        {(input) => (
          <input
            {...input}
            ref={firstFocus}
            className="input"
            maxLength={200}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label={words.flows.category} help={words.flows.categoryHelp}>
        {(input) => (
          <>
            <input
              {...input}
              className="input"
              list={`${input.id}-known`}
              maxLength={200}
              value={category}
              onChange={(event) => setCategory(event.target.value)}
            />
            <datalist id={`${input.id}-known`}>
              {categoriesOf(workspaceFlows().get().value ?? []).map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field label={words.flows.description} help={words.flows.descriptionHelp}>
        {(input) => (
          <textarea
            {...input}
            className="input prose"
            rows={2}
            maxLength={2000}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
