/** Icons of our own drawing: strokes in the colour of the text around them. */
import "./icon.css";
import { type IconName, icons } from "./icons.ts";

interface IconProps {
  readonly name: IconName;
  /** What the icon says to a screen reader; absent: the text beside it says it already. */
  readonly label?: string | undefined;
}

export function Icon({ name, label }: IconProps) {
  if (label === undefined) {
    return (
      <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
        <path d={icons[name]} />
      </svg>
    );
  }
  return (
    <svg className="icon" viewBox="0 0 16 16" role="img" aria-label={label}>
      <path d={icons[name]} />
    </svg>
  );
}
