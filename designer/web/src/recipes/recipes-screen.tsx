/** The recipes: a list to choose from, and what was chosen beside it. */
import { useEffect, useState } from "react";
import { recipeGroups } from "../api/recipes.ts";
import { hashOf } from "../app/hash.ts";
import type { ScreenProps } from "../app/screens.ts";
import { bindShortcuts } from "../app/shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { countOf, matching } from "./matching.ts";
import { focusList, RecipeList } from "./recipe-list.tsx";
import { RecipeView } from "./recipe-view.tsx";
import "./recipes.css";

const { recipes: texts } = words;
const searchId = "recipe-search";

export function RecipesScreen({ address }: ScreenProps) {
  const { value: groups, error } = useStore(recipeGroups);
  const [text, setText] = useState("");
  useEffect(
    () =>
      bindShortcuts(texts.title, [
        { keys: "/", title: texts.search, run: () => document.getElementById(searchId)?.focus() },
        { keys: "↑ ↓", title: texts.walk },
      ]),
    [],
  );
  if (groups === undefined)
    return error === undefined ? (
      <Loading />
    ) : (
      <div className="screen">
        <ErrorNote title={texts.notRead} error={error} onRetry={() => void recipeGroups.refresh()} />
      </div>
    );
  const shown = matching(groups, text);
  const first = shown[0]?.recipes[0];
  const chosen = address.query["recipe"] ?? first?.id;
  const entry = groups.flatMap(({ recipes }) => recipes).find(({ id }) => id === chosen);
  return (
    <div className="recipes">
      <section className="recipe-side" aria-label={texts.title}>
        <header className="recipe-side-head">
          <h1>{texts.title}</h1>
          <p className="faint">{texts.text}</p>
          <search>
            <input
              id={searchId}
              type="search"
              className="input"
              aria-label={texts.search}
              placeholder={texts.searchHint}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === "ArrowDown") focusList();
                else if (event.key === "Enter" && first !== undefined) choose(first.id);
                else return;
                event.preventDefault();
              }}
            />
            <span className="faint" role="status">
              {texts.count(countOf(shown), countOf(groups))}
            </span>
          </search>
        </header>
        {shown.length === 0 ? (
          <EmptyState icon="search" title={texts.noMatch} text={texts.noMatchText}>
            <Button onClick={() => setText("")}>{texts.clear}</Button>
          </EmptyState>
        ) : (
          <RecipeList groups={shown} chosen={chosen} onChoose={choose} />
        )}
      </section>
      {chosen !== undefined && <RecipeView key={chosen} id={chosen} entry={entry} />}
    </div>
  );
}

/** The address names the recipe, without a step of the browser's history for each. */
function choose(id: string): void {
  location.replace(hashOf(["recipes"], { recipe: id }));
}
