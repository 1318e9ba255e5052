/** A flow that burns a core: loops in each other whose steps never wait, begun by a timer, with its limits raised so that none stops it. */

/** What its flow is allowed; the runtime's ceilings have to allow it, too (`burningEnv`). */
export const burningLimits = {
  timerWallMs: 3_600_000,
  runCpuMs: 3_600_000,
  stuckLoopMs: 600_000,
  loopIterations: 1_000_000,
  stepsPerRun: 1_000_000_000_000,
} as const;

export const burningEnv = { LIMIT_STEPS_PER_RUN_CEILING: String(burningLimits.stepsPerRun) } as const;

/** A run begins 10 ms after the last one has ended, if it ever does. */
export function burningFlow(id: string): string {
  return `
- route:
    id: ${id}
    from:
      uri: timer:${id}?period=10&delay=0
      steps:
        - loop:
            constant: "${burningLimits.loopIterations}"
            steps:
              - loop:
                  constant: "${burningLimits.loopIterations}"
                  steps:
                    - setBody: { simple: "\${exchangeProperty.CamelLoopIndex}" }
`;
}
