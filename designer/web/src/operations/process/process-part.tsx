/** The runtime's process: memory, main loop, CPU, threads and files over time. */
import { ErrorNote } from "../../ui/error-note.tsx";
import { Loading } from "../../ui/loading.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { LinePlot } from "../plot/line-plot.tsx";
import { onlyOf, type Plotted } from "../plot/time-series.ts";
import { samplesOf } from "../samples.ts";
import type { PartProps } from "../tabs.ts";
import type { Figure } from "./figures.ts";

const { process: texts, units } = words.operations;

const plots: readonly {
  readonly title: string;
  readonly figures: readonly Figure[];
  readonly text: (value: number) => string;
}[] = [
  { title: texts.plots.memory, figures: ["resident", "heapTotal", "heapUsed", "external"], text: units.bytes },
  { title: texts.plots.lag, figures: ["lag"], text: units.duration },
  { title: texts.plots.cpu, figures: ["cpu"], text: units.cores },
  { title: texts.plots.threads, figures: ["threads", "busy", "standby", "stuck", "waiting"], text: units.count },
  { title: texts.plots.files, figures: ["files"], text: units.count },
];

export function ProcessPart({ target }: PartProps) {
  const samples = samplesOf(target);
  const { value, error } = useStore(samples);
  return (
    <>
      {error !== undefined && <ErrorNote title={texts.notRead} error={error} onRetry={() => void samples.refresh()} />}
      {value === undefined ? (
        error === undefined && <Loading />
      ) : (
        <>
          <p className="faint">{texts.text(now(value.process, "residentMost"))}</p>
          <div className="plots">
            {plots.map(({ title, figures, text }) => (
              <LinePlot
                key={title}
                title={title}
                plotted={onlyOf(value.process, figures)}
                text={text}
                isBytes={text === units.bytes}
                nameOf={(name) => texts.figures[name as Figure]}
              />
            ))}
          </div>
        </>
      )}
    </>
  );
}

function now({ lines }: Plotted, figure: Figure): string | undefined {
  const value = lines.get(figure)?.at(-1);
  return value === undefined || Number.isNaN(value) ? undefined : units.bytes(value);
}
