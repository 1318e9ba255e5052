/** The choice of a flow of the runtime. */
import { words } from "../words.ts";

interface FlowChoiceProps {
  /** What stands for no choice. */
  readonly none: string;
  readonly flows: readonly string[];
  /** "": none. It may be one that the runtime does not have. */
  readonly value: string;
  readonly onChoose: (flow: string) => void;
}

export function FlowChoice({ none, flows, value, onChoose }: FlowChoiceProps) {
  const isListed = value === "" || flows.includes(value);
  return (
    <select
      className="input"
      aria-label={words.runs.flow}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{none}</option>
      {!isListed && <option>{value}</option>}
      {flows.map((id) => (
        <option key={id}>{id}</option>
      ))}
    </select>
  );
}
