/** Lookups while one types: in what is edited, and in what is installed. */
import { useEffect, useState } from "react";
import { stringify } from "../../../../src/client/json.ts";
import { valueMappings } from "../api/cache.ts";
import { sentenceOf } from "../api/sentence.ts";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { parseScalar } from "./cell-text.ts";
import { type Found, type Lookup, lookUpDraft, lookUpInstalled } from "./check.ts";
import { type MissingMode, missingModes } from "./options.ts";
import type { PanelProps } from "./panels.ts";
import { type MappingSession, textOf } from "./session.ts";
import type { Sheet } from "./sheet.ts";

const emptySheet: Sheet = { columns: [], rows: [] };

export function LookupPanel({ session, isEditable }: PanelProps) {
  const { draft } = useStore(session);
  const { columns } = draft.kind === "table" ? draft.document.sheet : emptySheet;
  const [value, setValue] = useState("");
  const [ends, setEnds] = useState<{ readonly from?: string; readonly to?: string }>({});
  const [onMissing, setOnMissing] = useState<MissingMode | "">("");
  const [qualifiers, setQualifiers] = useState<Readonly<Record<string, string>>>({});
  const names = columns.filter(({ kind }) => kind === "values").map(({ name }) => name);
  const from = names.find((name) => name === ends.from) ?? names[0];
  const to = names.find((name) => name === ends.to && name !== from) ?? names.find((name) => name !== from);
  const asked = columns.filter(({ kind }) => kind === "qualifier").map(({ name }) => name);
  const given = asked.flatMap((name) => {
    const text = qualifiers[name] ?? "";
    return text === "" ? [] : [[name, parseScalar(text)] as const];
  });
  const lookup: Lookup = {
    value: parseScalar(value),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(given.length > 0 && { qualifiers: Object.fromEntries(given) }),
    ...(onMissing !== "" && { onMissing }),
  };
  const results = useResults(session, value === "" ? undefined : lookup);
  if (!isEditable) return <p className="mapping-panel faint">{words.valueMappings.lookupNotAllowed}</p>;
  return (
    <div className="mapping-panel">
      <div className="mapping-pair">
        <Field label={words.valueMappings.from}>
          {(input) => (
            <select
              {...input}
              className="input"
              value={from}
              onChange={(event) => setEnds({ from: event.target.value, ...(from !== undefined && { to: from }) })}
            >
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label={words.valueMappings.to}>
          {(input) => (
            <select
              {...input}
              className="input"
              value={to}
              onChange={(event) => setEnds({ ...(from !== undefined && { from }), to: event.target.value })}
            >
              {names
                .filter((name) => name !== from)
                .map((name) => (
                  <option key={name}>{name}</option>
                ))}
            </select>
          )}
        </Field>
      </div>
      <Field label={words.valueMappings.value} help={words.valueMappings.valueHelp}>
        {(input) => (
          <input
            {...input}
            className="input"
            spellCheck={false}
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
      {asked.map((name) => (
        <Field key={name} label={words.valueMappings.qualifier(name)}>
          {(input) => (
            <input
              {...input}
              className="input"
              spellCheck={false}
              value={qualifiers[name] ?? ""}
              onChange={(event) => setQualifiers({ ...qualifiers, [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <Field label={words.valueMappings.onMissing}>
        {(input) => (
          <select
            {...input}
            className="input"
            value={onMissing}
            onChange={(event) => setOnMissing(event.target.value as MissingMode | "")}
          >
            <option value="">{words.valueMappings.asDocument}</option>
            {missingModes.map((mode) => (
              <option key={mode} value={mode}>
                {words.valueMappings.missingModes[mode]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className="mapping-results" role="status">
        {value === "" && <p className="faint">{words.valueMappings.lookupText}</p>}
        <Result title={words.valueMappings.inDraft} result={results.draft} />
        <Result title={words.valueMappings.inInstalled} result={results.installed} />
      </div>
    </div>
  );
}

type Outcome =
  | { readonly kind: "found"; readonly found: Found }
  | { readonly kind: "refused"; readonly error: unknown }
  /** Problems leave no table to look it up in. */
  | { readonly kind: "none" };

interface Results {
  readonly draft: Outcome | undefined;
  readonly installed: Outcome | undefined;
}

const noResults: Results = { draft: undefined, installed: undefined };
const pauseMs = 250;

/** Asks again a moment behind the last change of the lookup or the draft. */
function useResults(session: MappingSession, lookup: Lookup | undefined): Results {
  const { draft, dirty, base } = useStore(session);
  const isKept = base.home === "workspace";
  const list = useStore(valueMappings(session.target)).value;
  const summary = list?.find(({ id }) => id === session.id);
  const isInstalled = summary !== undefined;
  // What the workspace has may differ from what the runtime has, too.
  const differs = dirty || (isKept && summary?.hash !== base.etag?.replaceAll('"', ""));
  const [results, setResults] = useState<Results>(noResults);
  const asked = lookup === undefined ? undefined : stringify(lookup);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lookup is compared by what is sent
  useEffect(() => {
    if (lookup === undefined) {
      setResults(noResults);
      return undefined;
    }
    const abort = new AbortController();
    const { signal } = abort;
    const { target, id } = session;
    const ask = async (): Promise<void> => {
      const [inDraft, inInstalled] = await Promise.all([
        differs ? outcome(lookUpDraft(target, id, { text: textOf(draft), lookup, signal })) : undefined,
        isInstalled ? outcome(lookUpInstalled(target, id, lookup, signal)) : undefined,
      ]);
      if (!signal.aborted) setResults({ draft: inDraft, installed: inInstalled });
    };
    const timer = setTimeout(() => void ask(), pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [session, asked, draft, differs, isInstalled, summary?.hash]);
  return results;
}

async function outcome(asking: Promise<Found | undefined>): Promise<Outcome> {
  try {
    const found = await asking;
    return found === undefined ? { kind: "none" } : { kind: "found", found };
  } catch (error) {
    return { kind: "refused", error };
  }
}

function Result({ title, result }: { readonly title: string; readonly result: Outcome | undefined }) {
  if (result === undefined) return null;
  if (result.kind !== "found")
    return (
      <Note kind={result.kind === "none" ? "warn" : "error"} title={title}>
        <p>{result.kind === "none" ? words.valueMappings.noLookup : sentenceOf(result.error)}</p>
      </Note>
    );
  const { value, found, error } = result.found;
  return (
    <Note kind={error !== undefined ? "error" : found ? "done" : "warn"} title={title}>
      {error === undefined ? (
        <p>
          <code className="mapping-value">{stringify(value)}</code>
          {!found && ` ${words.valueMappings.substitute}`}
        </p>
      ) : (
        <p>{error}</p>
      )}
    </Note>
  );
}
