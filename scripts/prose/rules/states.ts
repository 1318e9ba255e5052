/** Verbs of motion and position for ordinary states: exists, lies, appears, runs, remains and applies are plainer. */
import type { ProseRule } from "../rule.ts";

export const stateRules: readonly ProseRule[] = [
  {
    name: "is-there",
    pattern: /\b(?:is|are|was|were|be|been) (?:not )?there\b|\b(?:is|are|was|were) (?:not )?here\b/g,
    advice: "write exists, is missing, is supported, or runs",
    bad: "A queue that is there with other settings is reported.",
    good: "If the queue exists with other settings, the runtime reports them.",
  },
  {
    name: "is-had",
    pattern: /\b(?:is|are|was|were|be|been) had\b/g,
    advice: "say who can use or read it",
    bad: "The name of such a file is not to be had as an id.",
    good: "A flow cannot use this file name as its id.",
  },
  {
    name: "is-to-be",
    pattern: /\b(?:is|are|was|were) (?:not )?to be\b/g,
    advice: "write an imperative, or who must do it",
    bad: "The limit is to be raised then.",
    good: "Raise the limit in this case.",
  },
  {
    name: "stands",
    pattern: /\b(?:stands?|stood|standing)\b(?! (?:by|for)\b)/g,
    advice: "write lies, appears, is allowed, or is",
    bad: "Filters stand in the address.",
    good: "The address contains the filters.",
  },
  {
    name: "goes",
    pattern:
      /\b(?:goes?|going|went|gone) (?:on|by|before|behind|along|ahead|again|over|away|beside|around)\b|\b(?:oldest|neighbours|others|first) go first\b|\b(?:let|lets|letting) (?:\w+ )?go\b/g,
    advice: "write continues, keeps running, precedes, uses, or is removed",
    bad: "What ran before goes on.",
    good: "The previous revision keeps running.",
  },
  {
    name: "comes",
    pattern:
      /\b(?:comes?|came|coming) (?:again|along|beside|back|of it|to it)\b|\b(?:has|have) come\b|\b(?:that|what|which|who|they|it|files|records|messages) (?:comes?|came)\b(?! (?:from|with)\b)/g,
    advice: "write arrives, is delivered again, returns, or follows",
    bad: "A twin that comes meanwhile is a duplicate.",
    good: "If the same key arrives in the meantime, it counts as a duplicate.",
  },
  {
    name: "as-it-is",
    pattern: /(?<!\b(?:soon|long|far|much|many|often|well) |, )\bas (?:it|they) (?:is|are|was|were)\b/g,
    advice: "write unchanged, exactly as sent, or that it does not change",
    bad: "The body stays as it is.",
    good: "The body does not change.",
  },
  {
    name: "is-no",
    pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer|more|less|later|earlier|better|worse|faster|slower)\w+/gi,
    advice: "write is not a",
    bad: "A file that is no flow is skipped.",
    good: "The runtime skips files that are not flows.",
  },
  {
    name: "of-its-own",
    pattern: /\ban? [\w-]+ of (?:its|their|his|your|my) own\b/g,
    advice: "write its own, their own or your own before the noun, or a separate",
    bad: "Each step runs in a thread of its own.",
    good: "Each step runs in its own thread.",
  },
];
