/** The chosen recipe: what it does, needs and uses, how it is drawn and written, and the way to a flow of one's own. */
import { useEffect, useState } from "react";
import type { Recipe, RecipeEntry } from "../../../shared/recipes.ts";
import { readRecipe } from "../api/recipes.ts";
import { mayDo } from "../api/session.ts";
import { offerCommands } from "../app/commands.ts";
import { bindShortcuts } from "../app/shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { DocsText } from "../ui/docs-text.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { words } from "../words.ts";
import { RecipeFacts } from "./recipe-facts.tsx";
import { RecipePreview } from "./recipe-preview.tsx";
import { makeFlowOf } from "./use-dialog.tsx";

const { recipes: texts } = words;

interface RecipeViewProps {
  readonly id: string;
  /** undefined: there is no such recipe. */
  readonly entry: RecipeEntry | undefined;
}

export function RecipeView({ id, entry }: RecipeViewProps) {
  const [recipe, setRecipe] = useState<Recipe>();
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try reads it again
  useEffect(() => {
    const abort = new AbortController();
    setError(undefined);
    readRecipe(id, abort.signal).then(setRecipe, (reason: unknown) => {
      if (!abort.signal.aborted) setError(reason);
    });
    return () => abort.abort();
  }, [id, tries]);
  const title = entry?.title ?? id;
  return (
    <section className="recipe-view" aria-label={title}>
      {entry !== undefined && (
        <header className="recipe-head">
          <div className="recipe-name">
            <h2>{title}</h2>
            <code className="faint">{id}</code>
          </div>
          <p>{entry.purpose}</p>
          <p className="faint">
            <DocsText text={entry.needs} />
          </p>
          <RecipeFacts entry={entry} />
          {recipe !== undefined && <UseButton recipe={recipe} />}
        </header>
      )}
      {error !== undefined && (
        <ErrorNote title={texts.notOpened(title)} error={error} onRetry={() => setTries(tries + 1)} />
      )}
      {recipe !== undefined ? <RecipePreview recipe={recipe} /> : error === undefined && <Loading />}
    </section>
  );
}

function UseButton({ recipe }: { readonly recipe: Recipe }) {
  const isEditor = mayDo("editor");
  useEffect(() => {
    if (!isEditor) return undefined;
    const use = { keys: "u", title: texts.use, run: () => void makeFlowOf(recipe) };
    const ends = [
      bindShortcuts(texts.title, [use]),
      offerCommands(() => [{ ...use, id: "recipes use", icon: "plus", group: texts.title }]),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [recipe, isEditor]);
  if (!isEditor) return <p className="faint recipe-use">{texts.notEditor}</p>;
  return (
    <Button
      className="recipe-use"
      kind="primary"
      icon="plus"
      aria-keyshortcuts="u"
      onClick={() => void makeFlowOf(recipe)}
    >
      {texts.use}
    </Button>
  );
}
