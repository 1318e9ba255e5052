/** A recipe as it is drawn and written; nothing of it can be changed. */
import { useEffect, useMemo, useRef, useState } from "react";
import type { Recipe, RecipeFile } from "../../../shared/recipes.ts";
import { Canvas } from "../editor/canvas/canvas.tsx";
import { EditorSession } from "../editor/session/session.ts";
import { openTextEditor } from "../editor/yaml/text-editor.ts";
import { Tabs } from "../ui/tabs.tsx";
import { words } from "../words.ts";

const { recipes: texts } = words;

type View = "drawing" | "yaml" | "others";

export function RecipePreview({ recipe }: { readonly recipe: Recipe }) {
  const [view, setView] = useState<View>("drawing");
  const session = useMemo(() => sessionOf(recipe), [recipe]);
  const tabs: readonly { readonly id: View; readonly label: string; readonly count?: number }[] = [
    { id: "drawing", label: texts.drawing },
    { id: "yaml", label: texts.yaml },
    { id: "others", label: texts.others, count: recipe.others.length },
  ];
  return (
    <Tabs label={texts.views} tabs={tabs} selected={view} onSelect={(id) => setView(id as View)}>
      {view === "drawing" && <Canvas session={session} pickStep={nothing} openForm={nothing} isEditable={false} />}
      {view === "yaml" && <RecipeYaml session={session} />}
      {view === "others" && <RecipeFiles files={recipe.others} />}
    </Tabs>
  );
}

/** The drawing is that of the editor, with a flow that no workspace has: no flow has such an id. */
function sessionOf({ id, title, mappings, yaml }: Recipe): EditorSession {
  return new EditorSession({
    ...{ id: `recipe:${id}`, name: title, category: null, draft: false, mappings, yaml, options: {} },
    ...{ hash: "", optionsHash: "", modified: "", etag: "", deployed: {}, failed: {} },
  });
}

function nothing(): void {}

function RecipeYaml({ session }: { readonly session: EditorSession }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return undefined;
    const view = openTextEditor(place.current, session, false);
    return () => view.destroy();
  }, [session]);
  return <div ref={place} className="recipe-yaml" />;
}

function RecipeFiles({ files }: { readonly files: readonly RecipeFile[] }) {
  return (
    <div className="recipe-files">
      {files.map(({ path, text }) => (
        <section key={path} aria-label={path}>
          <h3>{path}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard */}
          <pre tabIndex={0}>{text}</pre>
        </section>
      ))}
    </div>
  );
}
