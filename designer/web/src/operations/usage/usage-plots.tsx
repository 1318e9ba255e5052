/** CPU, memory, runs and traffic of flows over time: the largest ones together, or one. */
import { useState } from "react";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Loading } from "../../ui/loading.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { FlowChoice } from "../flow-choice.tsx";
import { LinePlot } from "../plot/line-plot.tsx";
import { largest, onlyOf, type Plotted } from "../plot/time-series.ts";
import { samplesOf } from "../samples.ts";

const { usage: texts, units } = words.operations;
/** How many lines of a plot the eye distinguishes. */
const most = 5;

export function UsagePlots({ target }: { readonly target: string }) {
  const samples = samplesOf(target);
  const { value, error } = useStore(samples);
  const [flow, setFlow] = useState("");
  if (value === undefined) {
    return error === undefined ? (
      <Loading />
    ) : (
      <ErrorNote title={texts.notRead} error={error} onRetry={() => void samples.refresh()} />
    );
  }
  const flows = [...value.memory.lines.keys()].sort();
  // The same flow has the same colour in all plots.
  const names = flow === "" ? largest([value.cpu, value.memory], most) : [flow];
  const shown = (plotted: Plotted): Plotted => onlyOf(plotted, names, flow === "" ? texts.others : undefined);
  return (
    <section>
      <h2>{texts.overTime}</h2>
      <div className="filters">
        <FlowChoice none={texts.largest(most)} flows={flows} value={flow} onChoose={setFlow} />
        <span className="faint">{texts.kept}</span>
      </div>
      {error !== undefined && <ErrorNote title={texts.notRead} error={error} onRetry={() => void samples.refresh()} />}
      <div className="plots">
        <LinePlot title={texts.plots.cpu} plotted={shown(value.cpu)} text={units.cores} />
        <LinePlot title={texts.plots.memory} plotted={shown(value.memory)} text={units.bytes} isBytes />
        <LinePlot title={texts.plots.runs} plotted={shown(value.runs)} text={units.rate} />
        <LinePlot title={texts.plots.traffic} plotted={shown(value.traffic)} text={units.bytesPerSecond} isBytes />
      </div>
    </section>
  );
}
