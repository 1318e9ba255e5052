/** The settings of a flow: what stands in its companion file, and travels with a deployment. */
import { describedAs, restOf } from "../../../../shared/description.ts";
import { mayDo } from "../../api/session.ts";
import { DocsText } from "../../ui/docs-text.tsx";
import { Field } from "../../ui/field.tsx";
import { words } from "../../words.ts";
import { useSession } from "../canvas/context.ts";
import { TextArea, TextInput } from "../form/text-input.tsx";
import { textOf } from "../form/values.ts";
import type { PanelProps } from "../panels.ts";
import { LimitsField } from "./limits-field.tsx";
import { ParamsField } from "./params-field.tsx";
import { setFlowOption } from "./set-flow-option.ts";
import { YamlField } from "./yaml-field.tsx";
import "../form/form.css";

const { flowOptions: texts } = words;

interface Choice {
  readonly name: "isolation" | "record" | "keepFailed" | "logHandled";
  readonly values: readonly (string | boolean)[];
}

const choices: readonly Choice[] = [
  { name: "record", values: ["off", "errors", "all"] },
  { name: "keepFailed", values: [false, true, "all"] },
  { name: "logHandled", values: [true, false] },
  { name: "isolation", values: ["thread", "process"] },
];

export function OptionsPanel({ session }: PanelProps) {
  const options = useSession(session, (state) => state.options);
  const isReadOnly = !mayDo("editor");
  const set = (name: string, value: unknown): void => setFlowOption(session, name, value);
  const { description } = options;
  const [name, about] = [textOf(description).split("\n", 1)[0] ?? "", restOf(description)];
  const line = (label: "name" | "category", value: string, onText: (text: string) => void) => (
    <Field label={texts[label]} help={texts[`${label}Help`]}>
      {(input) => <TextInput {...input} readOnly={isReadOnly} value={value} onText={onText} />}
    </Field>
  );
  return (
    <div className="form">
      <p className="form-docs">{texts.text}</p>
      {line("name", name, (text) => set("description", describedAs(text, about)))}
      <Field label={texts.about} help={texts.aboutHelp}>
        {(input) => (
          <TextArea
            {...input}
            className="input prose"
            readOnly={isReadOnly}
            value={about}
            onText={(text) => set("description", describedAs(name, text))}
          />
        )}
      </Field>
      {line("category", textOf(options["category"]), (text) => set("category", text === "" ? undefined : text))}
      <ParamsField value={options["params"]} isReadOnly={isReadOnly} onValue={(value) => set("params", value)} />
      {choices.map(({ name, values }) => (
        <Field key={name} label={texts[name]} help={<DocsText text={texts[`${name}Help`]} />}>
          {(input) => (
            <select
              className="input"
              {...input}
              disabled={isReadOnly}
              value={textOf(options[name])}
              onChange={(event) =>
                set(
                  name,
                  values.find((one) => String(one) === event.target.value),
                )
              }
            >
              <option value="">{texts.notDefault}</option>
              {values.map((one) => (
                <option key={String(one)} value={String(one)}>
                  {String(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
      ))}
      <Field label={texts.threads} help={texts.threadsHelp}>
        {(input) => (
          <input
            {...input}
            className="input"
            type="number"
            min="1"
            readOnly={isReadOnly}
            value={textOf(options["threads"])}
            onChange={({ target }) => set("threads", target.value === "" ? undefined : Number(target.value))}
          />
        )}
      </Field>
      <LimitsField value={options["limits"]} isReadOnly={isReadOnly} onValue={(value) => set("limits", value)} />
      {(["policy", "tests"] as const).map((name) => (
        <YamlField
          key={name}
          label={texts[name]}
          help={texts[`${name}Help`]}
          value={options[name]}
          isReadOnly={isReadOnly}
          onValue={(value) => set(name, value)}
        />
      ))}
    </div>
  );
}
