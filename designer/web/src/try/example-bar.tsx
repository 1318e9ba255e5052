/** Saved examples: one is taken, saved under a name, or deleted. */
import { useEffect, useState } from "react";
import { attempt } from "../ui/attempt.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import type { Draft } from "./draft.ts";
import { draftOfExample, examplesOf, readExamples, removeExample, saveExample } from "./examples.ts";

interface ExampleBarProps {
  readonly flowId: string;
  readonly draft: Draft;
  readonly onTake: (draft: Draft) => void;
}

export function ExampleBar({ flowId, draft, onTake }: ExampleBarProps) {
  const examples = useStore(examplesOf(flowId)) ?? [];
  const [name, setName] = useState("");
  const isKnown = examples.some((one) => one.name === name);
  useEffect(() => void attempt(words.tryIt.examplesNotRead, () => readExamples(flowId)), [flowId]);
  const take = (chosen: string): void => {
    setName(chosen);
    const example = examples.find((one) => one.name === chosen);
    if (example !== undefined) onTake(draftOfExample(example));
  };
  return (
    <div className="watch-row">
      <select
        className="input"
        aria-label={words.tryIt.example}
        value={isKnown ? name : ""}
        onChange={(event) => take(event.target.value)}
      >
        <option value="">{examples.length === 0 ? words.tryIt.noExamples : words.tryIt.takeExample}</option>
        {examples.map((one) => (
          <option key={one.name}>{one.name}</option>
        ))}
      </select>
      <input
        className="input"
        aria-label={words.tryIt.exampleName}
        placeholder={words.tryIt.exampleName}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button
        icon="save"
        disabled={name.trim() === ""}
        onClick={() => void attempt(words.tryIt.exampleNotSaved, () => saveExample(flowId, name.trim(), draft))}
      >
        {words.tryIt.saveExample}
      </Button>
      {isKnown && (
        <IconButton
          icon="trash"
          label={words.tryIt.removeExample(name)}
          onClick={() => void attempt(words.tryIt.exampleNotSaved, () => removeExample(flowId, name))}
        />
      )}
    </div>
  );
}
