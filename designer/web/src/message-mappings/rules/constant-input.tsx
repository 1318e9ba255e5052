/** A constant as a text, a number, true, false or null, in place of its literal. */
import { useState } from "react";
import { Field } from "../../ui/field.tsx";
import { words } from "../../words.ts";
import { useMapper } from "../mapper.ts";
import { constantExpression, kindOf } from "../model/expression-kinds.ts";

const types = ["text", "number", "boolean", "null"] as const;
type ConstantType = (typeof types)[number];

interface ConstantInputProps {
  readonly expression: string;
  readonly onExpression: (expression: string) => void;
}

export function ConstantInput({ expression, onExpression }: ConstantInputProps) {
  const { isEditable } = useMapper();
  const found = kindOf(expression);
  const value = found.kind === "constant" ? found.value : "";
  const type = typeOf(value);
  const text = found.kind === "constant" && type === "number" ? found.source : String(value ?? "");
  const [draft, setDraft] = useState<string>();
  const write = (nextType: ConstantType, next: string): void => {
    const isNumber = nextType !== "number" || /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(next.trim());
    setDraft(isNumber ? undefined : next);
    if (isNumber) onExpression(constantExpression(nextType, next));
  };
  return (
    <>
      <Field label={words.messageMappings.type}>
        {(input) => (
          <select
            {...input}
            className="input"
            value={type}
            disabled={!isEditable}
            onChange={(event) => {
              const next = event.target.value as ConstantType;
              write(next, next === "number" && Number.isNaN(Number(text || "x")) ? "0" : text);
            }}
          >
            {types.map((one) => (
              <option key={one} value={one}>
                {words.messageMappings.types[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {type !== "null" && (
        <Field
          label={words.messageMappings.constant}
          error={draft === undefined ? undefined : words.messageMappings.notNumber}
        >
          {(input) =>
            type === "boolean" ? (
              <select
                {...input}
                className="input"
                value={text}
                disabled={!isEditable}
                onChange={(event) => write(type, event.target.value)}
              >
                <option>true</option>
                <option>false</option>
              </select>
            ) : (
              <input
                {...input}
                className="input mono"
                value={draft ?? text}
                readOnly={!isEditable}
                onChange={(event) => write(type, event.target.value)}
              />
            )
          }
        </Field>
      )}
    </>
  );
}

function typeOf(value: string | number | boolean | null): ConstantType {
  if (value === null) return "null";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "number" ? "number" : "text";
}
