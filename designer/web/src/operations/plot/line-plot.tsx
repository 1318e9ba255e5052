/** Lines over time, with a table of the same values behind: the drawing is for the eye, the table for everybody. */
import { type PointerEvent, useState } from "react";
import { words } from "../../words.ts";
import { box, highestOf, nearest, pathOf, scaleEnd, xOf } from "./geometry.ts";
import type { Plotted } from "./time-series.ts";
import "./plot.css";

interface LinePlotProps {
  readonly title: string;
  readonly plotted: Plotted;
  /** A value with its unit. */
  readonly text: (value: number) => string;
  /** What is shown in place of a name. */
  readonly nameOf?: ((name: string) => string) | undefined;
  readonly isBytes?: boolean | undefined;
}

/** Rows of the table. */
const mostRows = 60;

export function LinePlot({ title, plotted, text, nameOf = (name) => name, isBytes }: LinePlotProps) {
  const [pointed, setPointed] = useState<number>();
  const { times, lines } = plotted;
  const names = [...lines.keys()];
  const end = scaleEnd(highestOf(plotted), isBytes);
  const at = pointed === undefined ? times.length - 1 : Math.min(pointed, times.length - 1);
  const point = (event: PointerEvent<SVGSVGElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setPointed(nearest(times, Math.min(1, Math.max(0, (event.clientX - left) / width))));
  };
  const valueAt = (name: string): string => {
    const value = lines.get(name)?.[at] ?? Number.NaN;
    return Number.isNaN(value) ? words.operations.plot.unknown : text(value);
  };
  const summary = names.map((name) => `${nameOf(name)} ${valueAt(name)}`).join(", ");
  return (
    <figure className="plot">
      <figcaption>{title}</figcaption>
      {times.length < 2 ? (
        <p className="plot-wait">{words.operations.plot.wait}</p>
      ) : (
        <>
          <div className="plot-area">
            <span className="plot-end">{text(end)}</span>
            <svg
              role="img"
              aria-label={words.operations.plot.label(title, summary)}
              viewBox={`0 0 ${box.width} ${box.height}`}
              preserveAspectRatio="none"
              onPointerMove={point}
              onPointerLeave={() => setPointed(undefined)}
            >
              <path className="plot-grid" d={`M0 ${box.height / 2}H${box.width}`} />
              {names.map((name, index) => (
                <path key={name} className={`plot-line tone-${index}`} d={pathOf(lines.get(name) ?? [], times, end)} />
              ))}
              {pointed !== undefined && <path className="plot-pointed" d={`M${xOf(times, at)} 0V${box.height}`} />}
            </svg>
          </div>
          <div className="plot-times">
            <span>{words.operations.plot.time(times[0] ?? 0)}</span>
            <span>{words.operations.plot.time(times[at] ?? 0)}</span>
          </div>
        </>
      )}
      {times.length > 0 && names.length > 0 && (
        <ul className="plot-legend">
          {names.map((name, index) => (
            <li key={name}>
              <svg className="plot-key" viewBox="0 0 18 8" aria-hidden="true">
                <path className={`plot-line tone-${index}`} d="M0 4H18" />
              </svg>
              <span className="plot-name">{nameOf(name)}</span> <span className="plot-value">{valueAt(name)}</span>
            </li>
          ))}
        </ul>
      )}
      {times.length > 0 && <PlotTable {...{ title, plotted, text, nameOf }} />}
    </figure>
  );
}

function PlotTable({ title, plotted: { times, lines }, text, nameOf = (name) => name }: LinePlotProps) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen
    ? times
        .map((time, at) => ({ time, at }))
        .slice(-mostRows)
        .reverse()
    : [];
  return (
    <details className="plot-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {words.operations.plot.table}
        <span className="hidden">: {title}</span>
      </summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
        <section className="plot-scroll" tabIndex={0} aria-label={title}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.operations.plot.at}</th>
                {[...lines.keys()].map((name) => (
                  <th key={name} scope="col" className="numeric">
                    {nameOf(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map(({ time, at }) => (
                <tr key={time}>
                  <th scope="row">{words.operations.plot.time(time)}</th>
                  {[...lines].map(([name, line]) => {
                    const value = line[at] ?? Number.NaN;
                    return (
                      <td key={name} className="numeric">
                        {Number.isNaN(value) ? words.operations.plot.unknown : text(value)}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
