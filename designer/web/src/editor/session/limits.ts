/** Measures of an editing session. */

/** How many edits can be taken back. */
export const maxUndoSteps = 1000;
/** Typing with a longer pause than this, in milliseconds, is two steps of the history. */
export const undoPauseMs = 800;
/** How long typing in the YAML pane must rest before the canvas follows, in milliseconds. */
export const parsePauseMs = 80;
/** How long the text must rest before the runtime checks it, in milliseconds. */
export const validatePauseMs = 500;
/** When a check that the runtime did not answer is tried again, in milliseconds. */
export const recheckPauseMs = 5000;
