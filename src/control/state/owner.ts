/** Who the state store keeps something for. */

/** Whose state it is: a flow since it was last created. A flow that is made again under the same id sees nothing of the one before it. */
export interface Owner {
  readonly flowId: string;
  /** Greater for each flow that is made under the id; kept with the flow's head (stores/revision-files.ts). */
  readonly incarnation: number;
}
