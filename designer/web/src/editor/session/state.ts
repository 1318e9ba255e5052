/** What is known of an open flow at a moment. */
import type { FlowFile, Options } from "../../../../shared/wire.ts";
import type { FlowText, FlowTree } from "../../model/index.ts";
import type { ItemIndex } from "./items.ts";

/** A problem that the runtime has found. */
export interface EditorDiagnostic {
  readonly severity: "error" | "warning";
  readonly message: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** Offsets in the text. */
  readonly from: number;
  readonly to: number;
  /** The item that it belongs to. */
  readonly key: string | undefined;
}

export interface SessionState {
  readonly text: string;
  /** The last parsed text; `text` may be a moment ahead. */
  readonly flow: FlowText;
  /** The last text without errors, as a tree. */
  readonly tree: FlowTree;
  /** The same for drawing: what an edit leaves as it is stays the same object. Its ranges may be old ones. */
  readonly view: FlowTree;
  /** The items of the tree by their keys. */
  readonly index: ItemIndex;
  /** The text is not YAML: the tree is that of an earlier text. */
  readonly broken: boolean;
  /** Keys of the selected items; the last one is the one that the form shows. */
  readonly selection: readonly string[];
  /** What the flow's companion file has: category, params, limits, policy and the rest. */
  readonly options: Options;
  /** The flow as the workspace has it. */
  readonly file: FlowFile;
  /** Text or options differ from the file's. */
  readonly dirty: boolean;
  readonly diagnostics: readonly EditorDiagnostic[];
  /** Whether the runtime has checked the text and the options as they are now. */
  readonly check: "waiting" | "done" | { readonly notChecked: string };
  /** The diagnostics of each item. */
  readonly problems: ReadonlyMap<string, readonly EditorDiagnostic[]>;
  /** What undo takes back, in words; undefined: nothing. */
  readonly undoLabel: string | undefined;
  readonly redoLabel: string | undefined;
}

export interface Edit {
  /** What is done, in words; the undo button shows it. */
  readonly label: string;
  /** Edits with the same word that follow each other closely are taken back together. */
  readonly join?: string | undefined;
  /** What is selected afterwards. */
  readonly select?: ((index: ItemIndex) => readonly string[]) | undefined;
}
