/** A labelled field of a form: what it is for, and what is wrong with it, belong to it for screen readers, too. */
import { type ReactNode, useId } from "react";
import { words } from "../words.ts";
import "./field.css";

/** What the input of a field gets. */
interface FieldInput {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean | undefined;
}

interface FieldProps {
  readonly label: string;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  readonly required?: boolean | undefined;
  readonly children: (input: FieldInput) => ReactNode;
}

export function Field({ label, help, error, required = false, children }: FieldProps) {
  const id = useId();
  const described = [help !== undefined && `${id}-help`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {required && <span className="field-required"> {words.ui.required}</span>}
      </label>
      {children({
        id,
        "aria-describedby": described === "" ? undefined : described,
        "aria-invalid": error === undefined ? undefined : true,
      })}
      {error !== undefined && (
        <span id={`${id}-error`} className="field-error">
          {error}
        </span>
      )}
      {help !== undefined && (
        <span id={`${id}-help`} className="field-help">
          {help}
        </span>
      )}
    </div>
  );
}
