/** A mapping that is open beside the drawing of its flow: what is not saved of either stays when one goes back. */
import { useMemo } from "react";
import type { MappingUse } from "../../../../shared/mapping-uses.ts";
import { hashOf } from "../../app/hash.ts";
import type { MappingFrame } from "../../mappings/mapping-place.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { words } from "../../words.ts";
import { besideAddress, noteLeft } from "./beside.ts";
import "./mappings.css";

const places = {
  value: onDemand(async () => (await import("../../value-mappings/mapping-place.tsx")).ValueMappingPlace),
  message: onDemand(async () => (await import("../../message-mappings/mapping-place.tsx")).MessageMappingPlace),
} as const;

interface MappingBesideProps {
  readonly use: MappingUse;
  readonly flowId: string;
  readonly tab: string | undefined;
}

export function MappingBeside({ use: { kind, id }, flowId, tab }: MappingBesideProps) {
  const Place = places[kind];
  const frame = useMemo(
    (): MappingFrame => ({
      panel: tab,
      onPanel: (shown) =>
        history.replaceState(history.state, "", hashOf(["flows", flowId], besideAddress({ kind, id }, shown))),
      onBack: () => {
        noteLeft({ kind, id });
        location.hash = hashOf(["flows", flowId], { panel: "mappings" });
      },
    }),
    [kind, id, flowId, tab],
  );
  return (
    <section className="mapping-beside" aria-label={words.mappings.beside(id)}>
      <Place id={id} frame={frame} />
    </section>
  );
}
