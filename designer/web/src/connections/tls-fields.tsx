/** The field `tls` of a connection: whether it is encrypted, and what certificates belong to it. */
import { DocsText } from "../ui/docs-text.tsx";
import { Field } from "../ui/field.tsx";
import { words } from "../words.ts";
import { type Document, partOf, withField, withPart } from "./document.ts";
import { SecretField } from "./secret-field.tsx";

const { tlsFields: texts } = words.connections;

interface TlsFieldsProps {
  readonly target: string;
  readonly draft: Document;
  /** Of the runtime. */
  readonly words: string;
  readonly onDraft: (draft: Document) => void;
}

export function TlsFields({ target, draft, words: docs, onDraft }: TlsFieldsProps) {
  const isOn = draft["tls"] !== undefined;
  const tls = partOf(draft, "tls");
  const write = (name: string, value: string | undefined): void => onDraft(withPart(draft, "tls", name, value, true));
  return (
    <div className="connection-part">
      <div className="field">
        <label className="check">
          <input
            type="checkbox"
            checked={isOn}
            onChange={(event) => onDraft(withField(draft, "tls", event.target.checked ? {} : undefined))}
          />
          {texts.on}
        </label>
        <span className="field-help">
          <DocsText text={docs} />
        </span>
      </div>
      {isOn && (
        <>
          <Field label={texts.ca} help={texts.caHelp}>
            {(input) => (
              <textarea
                {...input}
                className="input"
                spellCheck={false}
                rows={tls["ca"] === undefined ? 2 : 6}
                placeholder="-----BEGIN CERTIFICATE-----"
                value={String(tls["ca"] ?? "")}
                onChange={(event) => write("ca", event.target.value || undefined)}
              />
            )}
          </Field>
          <Field label={texts.serverName} help={texts.serverNameHelp}>
            {(input) => (
              <input
                {...input}
                className="input"
                spellCheck={false}
                value={String(tls["serverName"] ?? "")}
                onChange={(event) => write("serverName", event.target.value || undefined)}
              />
            )}
          </Field>
          {(["certRef", "keyRef"] as const).map((name) => (
            <Field key={name} label={texts[name]} help={texts[`${name}Help`]}>
              {(input) => (
                <SecretField
                  target={target}
                  input={input}
                  value={String(tls[name] ?? "")}
                  onValue={(value) => write(name, value)}
                />
              )}
            </Field>
          ))}
        </>
      )}
    </div>
  );
}
