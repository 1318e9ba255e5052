/** The recipes in their groups. One of them is in the tab order, arrow keys walk. */
import { type KeyboardEvent, type MouseEvent, useEffect } from "react";
import type { RecipeEntry, RecipeGroup } from "../../../shared/recipes.ts";
import { hashOf } from "../app/hash.ts";
import { words } from "../words.ts";

interface RecipeListProps {
  readonly groups: readonly RecipeGroup[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}

const listId = "recipe-list";

export function focusList(): void {
  document.querySelector<HTMLElement>(`#${listId} a[tabindex="0"]`)?.focus();
}

export function RecipeList({ groups, chosen, onChoose }: RecipeListProps) {
  // An address leads to a recipe that may be far down.
  useEffect(() => {
    document.querySelector(`#${listId} [aria-current]`)?.scrollIntoView({ block: "nearest" });
  }, []);
  const ids = groups.flatMap(({ recipes }) => recipes.map(({ id }) => id));
  const stop = chosen !== undefined && ids.includes(chosen) ? chosen : ids[0];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are for the links in it
    <div id={listId} className="recipe-list" onKeyDown={walk}>
      {groups.map(({ title, recipes }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <ul>
            {recipes.map((recipe) => (
              <li key={recipe.id}>
                <RecipeLink
                  recipe={recipe}
                  isChosen={recipe.id === chosen}
                  isStop={recipe.id === stop}
                  onChoose={onChoose}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface RecipeLinkProps {
  readonly recipe: RecipeEntry;
  readonly isChosen: boolean;
  readonly isStop: boolean;
  readonly onChoose: (id: string) => void;
}

function RecipeLink({ recipe: { id, title, purpose, components }, isChosen, isStop, onChoose }: RecipeLinkProps) {
  const onClick = (event: MouseEvent): void => {
    // With a key the browser opens another tab.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onChoose(id);
  };
  return (
    <a
      className="recipe-link"
      href={hashOf(["recipes"], { recipe: id })}
      aria-current={isChosen ? "true" : undefined}
      tabIndex={isStop ? 0 : -1}
      onClick={onClick}
    >
      <span className="recipe-title">{title}</span>
      <span className="recipe-purpose">{purpose}</span>
      <span className="recipe-components">
        <span className="hidden">{words.recipes.uses}: </span>
        {components.join(" · ")}
      </span>
    </a>
  );
}

/** Arrow up and down, Home and End. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>("a")];
  const at = links.indexOf(event.target as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
  const link = next === undefined ? undefined : links[next];
  if (link === undefined) return;
  event.preventDefault();
  link.focus();
}
