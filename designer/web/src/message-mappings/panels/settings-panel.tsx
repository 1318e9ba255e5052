/** What the document says of the mapping as a whole. */
import type { ReactNode } from "react";
import { messageMappings } from "../../api/cache.ts";
import { groupOf } from "../../mappings/group.ts";
import type { Path } from "../../model/types.ts";
import { Field } from "../../ui/field.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { useMapper, useMapping } from "../mapper.ts";
import { removeValue, setValue } from "../model/json-edit.ts";
import { UserLinks } from "../user-links.tsx";
import { JsonField } from "./json-field.tsx";

const titles = words.messageMappings.settings;

export function SettingsPanel() {
  const { session } = useMapper();
  const document = useMapping(session, (state) => state.document);
  const users = useStore(messageMappings(session.target)).value?.find(({ id }) => id === session.id)?.usedBy;
  const unknown = Object.keys(document).filter((name) => !known.has(name));
  const group = groupOf(session);
  return (
    <div className="side">
      <p className="faint">{titles.text}</p>
      <p>
        <strong>{titles.usedBy}</strong>{" "}
        {users === undefined || users.length === 0 ? titles.notUsed : <UserLinks users={users} />}
      </p>
      <TextSetting label={words.messageMappings.name} path={["name"]} />
      <TextSetting label={titles.description} path={["description"]} />
      {group !== "" && (
        <Setting label={`${titles.group}: ${group}`} path={["shared"]}>
          {({ value, set, isReadOnly }) => (
            <label className="check">
              <input
                type="checkbox"
                checked={value === true}
                disabled={isReadOnly}
                onChange={(event) => set(event.target.checked ? true : undefined)}
              />
              <span>{titles.shared}</span>
            </label>
          )}
        </Setting>
      )}
      <ChoiceSetting label={titles.onMissing} path={["onMissing"]} usual="omit" options={titles.onMissings} />
      <ChoiceSetting label={titles.onError} path={["onError"]} usual="fail" options={titles.onErrors} />
      <ChoiceSetting label={titles.sourceFormat} path={["source", "format"]} usual="json" options={formats} />
      <ChoiceSetting label={titles.targetFormat} path={["target", "format"]} usual="json" options={formats} />
      <JsonField label={titles.targetSchema} help={titles.targetSchemaHelp} path={["target", "schema"]} />
      <ChoiceSetting label={titles.validate} path={["target", "validate"]} usual="fail" options={titles.validates} />
      <JsonField label={titles.targetSample} help={titles.targetSampleHelp} path={["target", "sample"]} />
      <JsonField label={titles.sourceSchema} help={titles.sourceSchemaHelp} path={["source", "schema"]} />
      <fieldset className="side-group">
        <legend>{titles.limits}</legend>
        {(["timeoutMs", "maxDepth", "maxSequence"] as const).map((name) => (
          <NumberSetting key={name} label={titles[name]} path={["limits", name]} />
        ))}
      </fieldset>
      <JsonField label={titles.uses} help={titles.usesHelp} path={["uses"]} />
      {unknown.length > 0 && (
        <p className="rule-unknown">
          {titles.unknown}: {unknown.join(", ")}.
        </p>
      )}
    </div>
  );
}

const formats = { json: "JSON", xml: "XML" };

const known = new Set([
  ...["rules", "expression", "mappings", "fields", "version", "id", "name", "description", "shared", "language"],
  ...["source", "target", "onMissing", "onError", "limits", "uses", "tests", "labels"],
]);

interface SettingInput {
  readonly value: unknown;
  /** undefined removes it. */
  readonly set: (value: unknown) => void;
  readonly isReadOnly: boolean;
}

interface SettingProps {
  readonly label: string;
  readonly path: Path;
  readonly children: (setting: SettingInput) => ReactNode;
}

function Setting({ label, path, children }: SettingProps) {
  const { session, isEditable } = useMapper();
  const document = useMapping(session, (state) => state.document);
  const value = path.reduce<unknown>(
    (at, name) => (typeof at === "object" && at !== null ? (at as Readonly<Record<string, unknown>>)[name] : undefined),
    document,
  );
  const set = (next: unknown): void => {
    session.edit((json) => (next === undefined ? removeValue(json, path) : setValue(json, path, next)), {
      label: words.messageMappings.did.change(label),
      join: `setting ${path.join(".")}`,
    });
  };
  return children({ value, set, isReadOnly: !isEditable });
}

function TextSetting({ label, path }: Omit<SettingProps, "children">) {
  return (
    <Setting label={label} path={path}>
      {({ value, set, isReadOnly }) => (
        <Field label={label}>
          {(input) => (
            <input
              {...input}
              className="input"
              value={typeof value === "string" ? value : ""}
              readOnly={isReadOnly}
              onChange={(event) => set(event.target.value === "" ? undefined : event.target.value)}
            />
          )}
        </Field>
      )}
    </Setting>
  );
}

interface ChoiceSettingProps extends Omit<SettingProps, "children"> {
  readonly usual: string;
  readonly options: Readonly<Record<string, string>>;
}

function ChoiceSetting({ label, path, usual, options }: ChoiceSettingProps) {
  return (
    <Setting label={label} path={path}>
      {({ value, set, isReadOnly }) => {
        const text = typeof value === "string" ? value : "";
        return (
          <Field label={label}>
            {(input) => (
              <select
                {...input}
                className="input"
                value={text}
                disabled={isReadOnly}
                onChange={(event) => set(event.target.value === "" ? undefined : event.target.value)}
              >
                <option value="">{titles.usual(options[usual] ?? usual)}</option>
                {text !== "" && !Object.hasOwn(options, text) && <option value={text}>{text}</option>}
                {Object.entries(options).map(([id, name]) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        );
      }}
    </Setting>
  );
}

function NumberSetting({ label, path }: Omit<SettingProps, "children">) {
  return (
    <Setting label={label} path={path}>
      {({ value, set, isReadOnly }) => {
        const isWrong = value !== undefined && !(typeof value === "number" && Number.isSafeInteger(value) && value > 0);
        return (
          <Field label={label} error={isWrong ? titles.number : undefined}>
            {(input) => (
              <input
                {...input}
                type="number"
                min={1}
                className="input"
                value={typeof value === "number" ? value : ""}
                readOnly={isReadOnly}
                onChange={(event) => set(event.target.value === "" ? undefined : Number(event.target.value))}
              />
            )}
          </Field>
        );
      }}
    </Setting>
  );
}
