/** A word with a colour, such as a state: the word says it, the colour helps to find it. */
import "./chip.css";

interface ChipProps {
  readonly tone: "plain" | "good" | "warn" | "bad" | "accent";
  readonly children: string;
  /** More about it, as a tooltip. */
  readonly title?: string | undefined;
}

export function Chip({ tone, children, title }: ChipProps) {
  return (
    <span className={`chip ${tone}`} title={title}>
      {children}
    </span>
  );
}
