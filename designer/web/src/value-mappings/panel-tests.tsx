/** The tests of the mapping: lookups with what they must give. They run at each check, and refuse a document that fails them. */
import { Button, IconButton } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import type { Scalar } from "./cell-text.ts";
import { type Fields, isFields, type MappingDocument, own } from "./document.ts";
import { ColumnChoice, ScalarInput, scalarOf } from "./option-inputs.tsx";
import { changed, entriesOf, setEntries } from "./options.ts";
import type { PanelProps } from "./panels.ts";

export function TestsPanel({ session, isEditable }: PanelProps) {
  const { draft, problems, checked } = useStore(session);
  const texts = words.valueMappings.test;
  if (draft.kind === "text") return <p className="mapping-panel faint">{words.valueMappings.onlyJson}</p>;
  const { document } = draft;
  const tests = entriesOf(document, "tests");
  if (tests === undefined) return <p className="mapping-panel faint">{texts.odd}</p>;
  const { columns } = document.sheet;
  const names = columns.filter(({ kind }) => kind === "values").map(({ name }) => name);
  const qualifiers = columns.filter(({ kind }) => kind === "qualifier").map(({ name }) => name);
  const set = (entries: readonly Fields[]): void =>
    session.edit(texts.did, (before: MappingDocument) => setEntries(before, "tests", entries), "tests");
  const change = (at: number, fields: Fields): void =>
    set(tests.map((test, index) => (index === at ? changed(test, fields) : test)));
  return (
    <fieldset className="mapping-panel" disabled={!isEditable}>
      <legend className="hidden">{words.valueMappings.panels.tests}</legend>
      <p className="faint">{tests.length === 0 ? texts.none : texts.text}</p>
      {tests.map((test, at) => {
        const failure = problems.find(
          ({ pointer }) => pointer === `/tests/${at}` || pointer.startsWith(`/tests/${at}/`),
        );
        const number = at + 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a test is its place in the list
          <section key={at} className="mapping-test" aria-label={texts.title(number)}>
            <div className="mapping-test-head">
              <strong>{texts.title(number)}</strong>
              {checked !== undefined && (
                <Chip tone={failure === undefined ? "good" : "bad"}>
                  {failure === undefined ? words.tests.pass : words.tests.fail}
                </Chip>
              )}
              <IconButton icon="trash" label={texts.remove(number)} onClick={() => set(tests.toSpliced(at, 1))} />
            </div>
            <div className="mapping-rule">
              <ColumnChoice
                label={texts.from(number)}
                names={names}
                value={own(test, "from")}
                onChange={(from) => change(at, { from })}
              />
              <ColumnChoice
                label={texts.to(number)}
                names={names}
                value={own(test, "to")}
                onChange={(to) => change(at, { to })}
              />
              <ValueInput
                label={texts.in(number)}
                value={scalarOf(own(test, "in"))}
                onChange={(value) => change(at, { in: value })}
              />
              <Expected number={number} test={test} onChange={(fields) => change(at, fields)} />
              {qualifiers.map((name) => (
                <div key={name} className="mapping-when">
                  <span aria-hidden>{name}</span>
                  <ScalarInput
                    aria-label={texts.when(name, number)}
                    value={scalarOf(own(whenOf(test), name))}
                    onChange={(value) => {
                      const when = changed(whenOf(test), { [name]: value });
                      change(at, { when: Object.keys(when).length === 0 ? undefined : when });
                    }}
                  />
                </div>
              ))}
            </div>
            {failure !== undefined && <p className="field-error">{failure.message}</p>}
          </section>
        );
      })}
      <Button icon="plus" onClick={() => set([...tests, { from: names[0], to: names[1], in: "", out: "" }])}>
        {texts.add}
      </Button>
    </fieldset>
  );
}

interface ExpectedProps {
  readonly number: number;
  readonly test: Fields;
  readonly onChange: (fields: Fields) => void;
}

function Expected({ number, test, onChange }: ExpectedProps) {
  const texts = words.valueMappings.test;
  const fails = own(test, "error") !== undefined;
  return (
    <>
      <select
        className="input"
        aria-label={texts.kind(number)}
        value={fails ? "error" : "out"}
        onChange={(event) =>
          onChange(
            event.target.value === "error" ? { out: undefined, error: "not_found" } : { error: undefined, out: "" },
          )
        }
      >
        <option value="out">{texts.gives}</option>
        <option value="error">{texts.fails}</option>
      </select>
      {!fails && (
        <ValueInput
          label={texts.out(number)}
          value={scalarOf(own(test, "out"))}
          onChange={(out) => onChange({ out })}
        />
      )}
    </>
  );
}

interface ValueInputProps {
  readonly label: string;
  readonly value: Scalar | undefined;
  readonly onChange: (value: Scalar) => void;
}

/** As ScalarInput, but empty is the empty text. */
function ValueInput({ label, value, onChange }: ValueInputProps) {
  return (
    <ScalarInput
      aria-label={label}
      value={value === "" ? undefined : value}
      onChange={(next) => onChange(next ?? "")}
    />
  );
}

function whenOf(test: Fields): Fields {
  const when = own(test, "when");
  return isFields(when) ? when : {};
}
