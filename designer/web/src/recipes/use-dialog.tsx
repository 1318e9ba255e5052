/** Makes a flow of a recipe: asks for its id, shows what comes into the workspace, and opens the flow. */
import { useState } from "react";
import { flowIdProblem } from "../../../shared/ids.ts";
import { pathFor, type Recipe } from "../../../shared/recipes.ts";
import { refreshFlows, workspaceMappings } from "../api/cache.ts";
import { takeRecipe } from "../api/recipes.ts";
import { goTo } from "../app/address.ts";
import type { FlowRow } from "../flows/rows.ts";
import { useFlowRows } from "../flows/use-flow-rows.ts";
import { slug } from "../model/slug.ts";
import { attempt } from "../ui/attempt.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { Field } from "../ui/field.tsx";
import { firstFocus } from "../ui/first-focus.ts";
import { Note } from "../ui/note.tsx";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";

const { recipes: texts } = words;

export async function makeFlowOf(recipe: Recipe): Promise<void> {
  const chosen = await openDialog<string>((close) => <UseDialog recipe={recipe} close={close} />);
  if (chosen === undefined) return;
  await attempt(texts.failed(recipe.title), async () => {
    const { flow, kept } = await takeRecipe(recipe.id, chosen);
    goTo("flows", flow.id);
    if (kept.length === 0) notify({ kind: "done", text: texts.used(flow.id, recipe.needs.replaceAll("`", "")) });
    else notify({ kind: "warn", text: texts.kept(flow.id, kept.join(", "), kept.length) });
  });
  refreshFlows();
  void workspaceMappings().refresh();
}

interface UseDialogProps {
  readonly recipe: Recipe;
  readonly close: (id?: string) => void;
}

function UseDialog({ recipe, close }: UseDialogProps) {
  const { rows = [] } = useFlowRows();
  const [typed, setTyped] = useState<string>();
  const id = (typed ?? slug(recipe.id, new Set(rows.map((row) => row.id.toLowerCase())))).trim();
  const problem = problemOf(id, rows);
  return (
    <Dialog
      title={texts.useTitle(recipe.title)}
      onClose={() => close()}
      onSubmit={() => problem === undefined && close(id)}
      actions={
        <>
          <Button onClick={() => close()}>{words.ui.cancel}</Button>
          <Button kind="primary" icon="plus" type="submit" disabled={problem !== undefined}>
            {texts.useAction}
          </Button>
        </>
      }
    >
      <Field required label={texts.id} help={texts.idHelp} error={problem}>
        {(input) => (
          <input
            {...input}
            ref={firstFocus}
            className="input"
            maxLength={128}
            spellCheck={false}
            autoComplete="off"
            value={typed ?? id}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <RecipeRoutes recipe={recipe} rows={rows} />
      <div className="recipe-comes">
        <h3>{texts.files}</h3>
        <ul>
          {[`${recipe.id}.yaml`, ...recipe.others.map(({ path }) => path)].map((path) => (
            <li key={path}>
              <code>{pathFor(path, recipe.id, problem === undefined ? id : recipe.id)}</code>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

function problemOf(id: string, rows: readonly FlowRow[]): string | undefined {
  const taken = rows.find((row) => row.id.toLowerCase() === id.toLowerCase());
  if (taken === undefined) return flowIdProblem(id);
  return taken.entry === undefined ? texts.idTakenThere(taken.id) : texts.idTaken(taken.id);
}

/** Routes keep their ids; one that another flow of the runtime has would keep the flow from being deployed. */
function RecipeRoutes({
  recipe: { routes },
  rows,
}: Pick<UseDialogProps, "recipe"> & { readonly rows: readonly FlowRow[] }) {
  const taken = rows.flatMap(({ id: flow, running }) =>
    (running?.routes ?? []).filter(({ id }) => routes.includes(id)).map(({ id: route }) => ({ route, flow })),
  );
  const [first] = taken;
  if (first === undefined) return <p className="faint">{texts.routesStay(routes.join(", "), routes.length)}</p>;
  return (
    <Note kind="warn" title={texts.routesTaken}>
      {taken.map(({ route, flow }) => (
        <p key={route}>{texts.routeTaken(route, flow)}</p>
      ))}
      <p>{texts.routesTakenText(first.flow)}</p>
    </Note>
  );
}
