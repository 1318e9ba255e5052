/** The flow that is deployed: one that is open in the editor, or the one on the disk. */
import type { MappingUse } from "../../../shared/mapping-uses.ts";
import type { Deployed, FlowEntry, FlowFile } from "../../../shared/wire.ts";
import type { Content, FlowProblem } from "./check.ts";

export interface DeploySource {
  readonly id: string;
  readonly name: string;
  /** As it is deployed, unsaved changes included. */
  content(): Content;
  isUnsaved(): boolean;
  /** The mappings that its steps name, as it is deployed. */
  mappings(): readonly MappingUse[];
  /** What was deployed from here to a runtime at last. */
  deployed(target: string): Deployed | undefined;
  /** Writes unsaved changes. @returns the flow on the disk, or why it was not written; undefined: the user has chosen so */
  save(): Promise<FlowFile | { readonly notSaved: string } | undefined>;
  /** The workspace has noted what became of the deployment. */
  noted(entry: FlowEntry): void;
  /** Shows where a problem is; absent: there is no editor. */
  readonly show?: ((problem: FlowProblem) => void) | undefined;
  /** Puts what the runtime has in place of what is edited; absent: there is no editor. */
  readonly take?: ((content: Content) => void) | undefined;
}

/** A flow of the list, as it was read from the disk. */
export function sourceOfFile(file: FlowFile): DeploySource {
  return {
    id: file.id,
    name: file.name,
    content: () => ({ yaml: file.yaml, options: file.options }),
    isUnsaved: () => false,
    mappings: () => file.mappings,
    deployed: (target) => file.deployed[target],
    save: async () => file,
    noted: () => {},
  };
}
