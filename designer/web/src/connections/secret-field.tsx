/** The name of a secret of connections, chosen among those that the runtime has. Values are never typed, shown or sent here. */
import { useId } from "react";
import { mayDo } from "../api/session.ts";
import { Note } from "../ui/note.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { secretsOf } from "./connections-api.ts";

const { connections: texts } = words;

interface SecretFieldProps {
  readonly target: string;
  readonly input: object;
  readonly value: string;
  readonly onValue: (value: string | undefined) => void;
}

/** The names are for operators: others see the one that is written. */
export function SecretField(props: SecretFieldProps) {
  return mayDo("operator") ? <ChosenSecret {...props} /> : <SecretInput {...props} />;
}

function ChosenSecret(props: SecretFieldProps) {
  const { value: names } = useStore(secretsOf(props.target));
  const list = useId();
  const isMissing = props.value !== "" && names !== undefined && !names.includes(props.value);
  return (
    <>
      <SecretInput {...props} list={list} />
      <datalist id={list}>
        {(names ?? []).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {isMissing && (
        <Note kind="warn">
          <p>{texts.noSecret(props.value)}</p>
        </Note>
      )}
    </>
  );
}

function SecretInput({ input, value, onValue, list }: SecretFieldProps & { readonly list?: string }) {
  return (
    <input
      {...input}
      {...(list !== undefined && { list })}
      className="input"
      spellCheck={false}
      autoComplete="off"
      placeholder={texts.secretName}
      value={value}
      onChange={(event) => onValue(event.target.value.trim() || undefined)}
    />
  );
}
