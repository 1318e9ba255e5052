/** The mappings that go along with a deployment, each with its difference and who else uses it. */
import { DiffView } from "../ui/diff-view.tsx";
import { Note } from "../ui/note.tsx";
import { words } from "../words.ts";
import type { Travelling } from "./travelling.ts";

const { deploy: texts } = words;

export function TravellingList({
  label,
  mappings,
}: {
  readonly label: string;
  readonly mappings: readonly Travelling[];
}) {
  if (mappings.length === 0) return null;
  return (
    <section className="travelling" aria-label={texts.mappings}>
      <h3>{texts.mappings}</h3>
      {mappings.map(({ kind, id, text, before, others }) => {
        const name = words.mappings.kinds[kind];
        return (
          <div key={`${kind} ${id}`}>
            {before === undefined ? (
              <p>{texts.mappingFresh(name, id, label)}</p>
            ) : (
              <DiffView label={texts.mappingDiff(name, id, label)} before={lines(before.text)} after={lines(text)} />
            )}
            {others.length > 0 && (
              <Note kind="warn">
                <p>{texts.mappingUsers(others.join(", "))}</p>
              </Note>
            )}
          </div>
        );
      })}
    </section>
  );
}

/** Longer documents are compared as they are. */
const mostFormatted = 512 * 1024;

/** A document that stands in one line shows no difference: its parts are put into lines of their own. */
export function lines(text: string): string {
  if (text.length > mostFormatted || text.trim().includes("\n")) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
