/** The runs that one run has caused: taps, messages for a queue, complete groups, calls of `direct:` in other flows. */
export class ChildRuns {
  /** The flow and the route of the run that has caused them. */
  readonly flowId: string;
  readonly routeId: string;
  started = 0;
  /** Those that ended other than completed, or could not begin. */
  failed = 0;
  running = 0;

  constructor(flowId: string, routeId: string) {
    this.flowId = flowId;
    this.routeId = routeId;
  }

  began(): void {
    this.started += 1;
    this.running += 1;
  }

  ended(): void {
    this.running -= 1;
  }
}
