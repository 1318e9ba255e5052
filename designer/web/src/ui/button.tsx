/** A button, and a link that looks like one. */
import type { ComponentProps } from "react";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icons.ts";

interface ButtonProps extends ComponentProps<"button"> {
  readonly kind?: "primary" | "danger" | "quiet" | undefined;
  readonly icon?: IconName | undefined;
}

export function Button({ kind, icon, children, className = "", type = "button", ...rest }: ButtonProps) {
  const names = ["button", kind ?? "", className].filter((name) => name !== "").join(" ");
  return (
    <button type={type} className={names} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  readonly icon: IconName;
  /** What the button does: its name for screen readers and its tooltip. */
  readonly label: string;
}

export function IconButton({ icon, label, className = "", ...rest }: IconButtonProps) {
  return (
    <button type="button" className={`button quiet bare ${className}`} aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
