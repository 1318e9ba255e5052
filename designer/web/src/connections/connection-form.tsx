/** The document of a connection as a form: its fields come from the kinds that the runtime has. */
import type { ReactNode } from "react";
import { DocsText } from "../ui/docs-text.tsx";
import { Field } from "../ui/field.tsx";
import { words } from "../words.ts";
import type { ConnectionKind, Kinds } from "./connections-api.ts";
import {
  type Document,
  hasHost,
  linesOf,
  listOf,
  numberOf,
  withField,
  withHost,
  withKind,
  withPart,
} from "./document.ts";
import { FlowsField } from "./flows-field.tsx";
import { OptionFields } from "./option-fields.tsx";
import { SecretField } from "./secret-field.tsx";
import { TlsFields } from "./tls-fields.tsx";

const { connections: texts } = words;

interface FormProps {
  readonly target: string;
  readonly name: string;
  readonly draft: Document;
  readonly kinds: Kinds;
  /** undefined: the runtime does not know the kind. */
  readonly kind: ConnectionKind | undefined;
  /** Fields that the document needs. */
  readonly missing: readonly string[];
  readonly isEditable: boolean;
  readonly onDraft: (draft: Document) => void;
}

export function ConnectionForm(props: FormProps) {
  const { target, name, draft, kinds, kind, isEditable, onDraft } = props;
  return (
    <fieldset className="connection-form" disabled={!isEditable}>
      <legend className="hidden">{texts.document}</legend>
      <Labelled {...props} field="kind" help={kind?.docs}>
        {(input) => (
          <select
            {...input}
            className="input"
            value={kind?.name ?? ""}
            onChange={(event) => {
              const other = kinds.kinds.find(({ name }) => name === event.target.value);
              if (other !== undefined) onDraft(withKind(draft, other));
            }}
          >
            {kind === undefined && <option value="">{String(draft["kind"] ?? "")}</option>}
            {kinds.kinds.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {kind !== undefined && kind.port !== null && <ServerFields {...props} />}
      {kind?.fields.includes("database") === true && <TextField {...props} field="database" />}
      {kind?.fields.includes("username") === true && <TextField {...props} field="username" />}
      {["passwordRef", "privateKeyRef", "passphraseRef"]
        .filter((field) => kind?.fields.includes(field) === true)
        .map((field) => (
          <Labelled {...props} key={field} field={field}>
            {(input) => (
              <SecretField
                target={target}
                input={input}
                value={String(draft[field] ?? "")}
                onValue={(value) => onDraft(withField(draft, field, value))}
              />
            )}
          </Labelled>
        ))}
      {kind?.fields.includes("tls") === true && (
        <TlsFields target={target} draft={draft} words={kinds.words.get("tls") ?? ""} onDraft={onDraft} />
      )}
      {kind !== undefined && kind.options.length > 0 && (
        <OptionFields
          options={kind.options}
          draft={draft}
          onOption={(name, value) => onDraft(withPart(draft, "options", name, value))}
        />
      )}
      <Labelled {...props} field="maxConnections">
        {(input) => (
          <input
            {...input}
            className="input"
            inputMode="numeric"
            placeholder={words.form.default(String(kind?.maxConnections ?? ""))}
            value={String(draft["maxConnections"] ?? "")}
            onChange={(event) => onDraft(withField(draft, "maxConnections", numberOf(event.target.value)))}
          />
        )}
      </Labelled>
      <FlowsField {...{ name, draft, onDraft }} words={kinds.words.get("flows") ?? ""} />
      <div className="field">
        <label className="check">
          <input
            type="checkbox"
            checked={draft["default"] === true}
            onChange={(event) => onDraft(withField(draft, "default", event.target.checked || undefined))}
          />
          {texts.isDefault(kind?.title ?? "")}
        </label>
        <span className="field-help">
          <DocsText text={kinds.words.get("default") ?? ""} />
        </span>
      </div>
    </fieldset>
  );
}

interface LabelledProps extends FormProps {
  readonly field: string;
  readonly help?: string | undefined;
  readonly children: (input: Parameters<Parameters<typeof Field>[0]["children"]>[0]) => ReactNode;
}

/** A field with the runtime's words. */
function Labelled({ field, help, kinds, kind, missing, children }: LabelledProps) {
  const docs = help ?? kinds.words.get(field) ?? "";
  return (
    <Field
      label={texts.fields[field] ?? field}
      help={docs === "" ? undefined : <DocsText text={docs} />}
      required={kind?.required.includes(field) === true || field === "kind"}
      error={missing.includes(field) ? words.form.missing : undefined}
    >
      {children}
    </Field>
  );
}

function TextField(props: FormProps & { readonly field: string }) {
  const { field, draft, onDraft } = props;
  return (
    <Labelled {...props}>
      {(input) => (
        <input
          {...input}
          className="input"
          spellCheck={false}
          autoComplete="off"
          value={String(draft[field] ?? "")}
          onChange={(event) => onDraft(withField(draft, field, event.target.value || undefined))}
        />
      )}
    </Labelled>
  );
}

/** Either a list of servers, or one host with its port. */
function ServerFields(props: FormProps) {
  const { draft, kind, onDraft } = props;
  const isHost = hasHost(draft);
  return (
    <>
      <Field label={texts.address}>
        {(input) => (
          <select
            {...input}
            className="input"
            value={isHost ? "host" : "servers"}
            onChange={(event) => onDraft(withHost(draft, event.target.value === "host"))}
          >
            <option value="servers">{texts.asServers}</option>
            <option value="host">{texts.asHost}</option>
          </select>
        )}
      </Field>
      {isHost ? (
        <>
          <TextField {...props} field="host" />
          <Labelled {...props} field="port">
            {(input) => (
              <input
                {...input}
                className="input"
                inputMode="numeric"
                placeholder={words.form.default(String(kind?.port ?? ""))}
                value={String(draft["port"] ?? "")}
                onChange={(event) => onDraft(withField(draft, "port", numberOf(event.target.value)))}
              />
            )}
          </Labelled>
        </>
      ) : (
        <LinesField {...props} field="servers" placeholder={`db.example.org:${kind?.port ?? ""}`} />
      )}
      <LinesField {...props} field="alsoServers" />
    </>
  );
}

function LinesField(props: FormProps & { readonly field: string; readonly placeholder?: string }) {
  const { field, draft, onDraft, placeholder = words.form.onePerLine } = props;
  const lines = listOf(draft[field]);
  return (
    <Labelled {...props}>
      {(input) => (
        <textarea
          {...input}
          className="input"
          spellCheck={false}
          rows={Math.min(8, lines.length + 1)}
          placeholder={placeholder}
          value={lines.join("\n")}
          onChange={(event) => onDraft(withField(draft, field, linesOf(event.target.value)))}
        />
      )}
    </Labelled>
  );
}
