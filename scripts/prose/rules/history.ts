/** Words that say how it was: pages describe the runtime that the reader has, and commits say what changed. */
import type { ProseRule } from "../rule.ts";

/** Decisions are about a moment: they may say what was tried before. */
const decisions = /^docs\/decisions\//;

export const historyRules: readonly ProseRule[] = [
  {
    name: "history",
    pattern:
      /\b(?:formerly|previously|originally|recently|nowadays|last (?:week|month|year)|until now|up to now|in the past|used to(?= (?:be|have|do|go|run|take|fail|return)\b)|before there (?:was|were))\b|(?:^|[;,] )now (?:the|it|they|there|only)\b/gi,
    advice: "describe the present: the commit says what it was like before",
    bad: "It took the process along; now the thread is lost.",
    good: "Only the thread is lost.",
    except: decisions,
  },
  {
    name: "any-more",
    pattern: /\bany ?more\b/gi,
    advice: "write no longer, or say what is true instead",
    bad: "The session does not exist any more.",
    good: "The session has ended.",
  },
  {
    name: "that-time",
    pattern: /\bof that (?:time|moment|day)\b|\bof (?:then|before)\b(?! )/g,
    advice: "name the time",
    bad: "Start it with the key of that time.",
    good: "Start it with the key that encrypted the data.",
  },
];
