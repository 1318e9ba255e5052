/** The mapping as its JSON: what is written here is drawn, and what is mapped is written here. */
import { useEffect, useRef } from "react";
import { sentenceOf } from "../../api/sentence.ts";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { useMapper, useMapping } from "../mapper.ts";
import { followMapping, openJsonEditor } from "../text-editor.ts";

export function TextPanel() {
  const { session, trial, isEditable } = useMapper();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return undefined;
    const view = openJsonEditor(place.current, session, isEditable);
    const end = followMapping(view, session, trial);
    return () => {
      end();
      view.destroy();
    };
  }, [session, trial, isEditable]);
  return (
    <div className="json">
      <div ref={place} className="json-text" />
      <Problems />
    </div>
  );
}

/** What is wrong, in words, below the text. */
function Problems() {
  const { session, trial } = useMapper();
  const { errors } = useMapping(session, (state) => state.json);
  const { problems, error, isPending } = useStore(trial);
  const texts =
    errors.length > 0
      ? errors.map(({ message }) => message)
      : problems.map(({ pointer, message }) => (pointer === "" ? message : `${pointer}: ${message}`));
  if (errors.length === 0 && error !== undefined)
    return <p className="json-problems warning">{words.yaml.notChecked(sentenceOf(error))}</p>;
  if (texts.length === 0)
    return <p className="json-problems good">{isPending ? words.messageMappings.checking : words.yaml.noProblem}</p>;
  return (
    <ul className="json-problems" aria-live="polite" aria-label={words.messageMappings.problems}>
      {texts.slice(0, 50).map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
