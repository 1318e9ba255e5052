/** Who could call a flow: what its policy would decide about a caller, and why. */
import { type FormEvent, useId, useState } from "react";
import { orThrow } from "../../../../../src/client/client.ts";
import { runtimeOf, type Schemas } from "../../api/runtime.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Note } from "../../ui/note.tsx";
import { words } from "../../words.ts";
import { type Question, questionOf } from "./question.ts";

const { access: texts } = words.operations;
const methods = ["POST", "GET", "PUT", "PATCH", "DELETE", "HEAD"];

interface CallerQuestionProps {
  readonly target: string;
  readonly flowId: string;
  readonly routes: readonly string[];
  readonly principals: readonly string[];
}

export function CallerQuestion({ target, flowId, routes, principals }: CallerQuestionProps) {
  const list = useId();
  const [question, setQuestion] = useState<Question>({
    ...{ as: "", roles: "", route: routes[0] ?? "", method: "POST", address: "" },
  });
  const [answer, setAnswer] = useState<Schemas["PolicyExplanation"]>();
  const set = (change: Partial<Question>): void => {
    setQuestion({ ...question, ...change });
    setAnswer(undefined);
  };
  const ask = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const params = { path: { flowId } };
    const body = questionOf(question);
    setAnswer(
      await attempt(texts.notAsked, () => orThrow(runtimeOf(target).POST("/_api/auth/{flowId}/can", { params, body }))),
    );
  };
  const text = (name: "as" | "roles" | "address", label: string, help: string) => (
    <Field label={label} help={help}>
      {(input) => (
        <input
          {...input}
          className="input"
          list={name === "as" ? list : undefined}
          value={question[name]}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <form className="question" aria-label={texts.who} onSubmit={(event) => void ask(event)}>
      <h3>{texts.who}</h3>
      <datalist id={list}>
        {principals.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div className="question-fields">
        {text("as", texts.as, texts.asHelp)}
        {text("roles", texts.roles, texts.rolesHelp)}
        <Choice label={words.runs.route} values={routes} value={question.route} onChoose={(route) => set({ route })} />
        <Choice label={texts.method} values={methods} value={question.method} onChoose={(method) => set({ method })} />
        {text("address", texts.address, texts.addressHelp)}
      </div>
      <div className="filters">
        <Button type="submit">{texts.ask}</Button>
      </div>
      <div role="status">{answer !== undefined && <Answer answer={answer} />}</div>
    </form>
  );
}

function Answer({
  answer: { allowed, reason, principal, roles, rule, mode },
}: {
  readonly answer: Schemas["PolicyExplanation"];
}) {
  return (
    <Note kind={allowed ? "done" : "error"} title={allowed ? texts.allowed : texts.denied}>
      <p>{reason}</p>
      <p className="faint">{texts.decidedBy(principal, roles, rule)}</p>
      {!allowed && mode === "report" && <p>{texts.onlyReports}</p>}
    </Note>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

function Choice({ label, values, value, onChoose }: ChoiceProps) {
  return (
    <Field label={label}>
      {(input) => (
        <select {...input} className="input" value={value} onChange={(event) => onChoose(event.target.value)}>
          {values.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      )}
    </Field>
  );
}
