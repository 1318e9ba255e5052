/** Pronouns and participles where a noun belongs, and negatives that the reader has to undo. */
import type { ProseRule } from "../rule.ts";

/** Participles without the ending -ed that our pages use. */
const irregular =
  "kept|held|sent|made|read|met|left|put|set|shown|known|given|taken|written|done|drawn|found|lost|built|run|thrown|chosen|meant|begun|had|seen|said|drained";
const participle = `(?:\\w+ed|${irregular})`;
const whatIs = new RegExp(
  `\\bwhat (?:is|are|was|were) (?:(?:not|no longer|only|already|still|being|also|missing) )?(?:${participle}|missing|under way|around|in|on|above|left|longer|more|null|different|unclear)\\b(?!.*\\?$)`,
  "gi",
);

export const riddleRules: readonly ProseRule[] = [
  {
    name: "what-is",
    pattern: whatIs,
    advice: "write the noun that is meant",
    bad: "Without the key of that day what was encrypted is not readable.",
    good: "Content can only be read with the key it was encrypted with.",
  },
  {
    name: "what-of",
    pattern: /\bwhat of\b/gi,
    advice: "write the noun that is meant",
    bad: "The page says what of them survives.",
    good: "The page lists the files that survive.",
  },
  {
    name: "what-it-does",
    pattern: /^What (?!is\b|are\b|was\b|were\b|if\b|you\b|to\b|of\b)(?:[\w`]+ ){1,6}?(?:is|are)\b(?!.*\?$)/g,
    advice: "begin with the subject: a noun, then its verb",
    bad: "What counts is the message of the run.",
    good: "Only the run's own message counts.",
  },
  {
    name: "those-that",
    pattern: /\b(?:those|ones?) (?:that|which|who)\b/gi,
    advice: "repeat the noun",
    bad: "Those that you deploy lie there too.",
    good: "The folder also holds the flows that you deploy.",
  },
  {
    name: "those-of",
    pattern: /(?<=.)\b(?:those|the ones?) (?:of|in|with|for)\b|\b(?:is|are|was|were) (?:not )?that of\b/g,
    advice: "repeat the noun",
    bad: "The names are those of the runtime.",
    good: "The names come from the runtime.",
  },
  {
    name: "the-one-kept",
    pattern: new RegExp(`\\bthe ones? (?:un|re)?${participle}\\b`, "gi"),
    advice: "repeat the noun",
    bad: "The ones unused for longest are closed.",
    good: "The runtime closes the connections that have been idle longest.",
  },
  {
    name: "fragment-of",
    pattern:
      /^(?:Of|Those of|That of|Those|What of)\b(?!(?: \w+){0,3} \d)(?! course\b)(?! (?:two|three|four|files|flows|values|limits|changes|rules|steps)\b)/g,
    advice: "begin with the subject, and name what belongs to it",
    bad: "Of the connection.",
    good: "The name of the connection.",
  },
  {
    name: "none-but",
    pattern: /\b(?:none|nothing|nobody|no one|no \w+) but\b/g,
    advice: "write only",
    bad: "The client needs nothing but `fetch`.",
    good: "The client only needs `fetch`.",
  },
  {
    name: "but-for",
    pattern:
      /\bbut (?:for|what|that (?:which|of))\b|\b(?:all|every|everything|anything)(?: [\w']+){0,3} but (?:`|the\b|an?\b|one\b|those\b)/gi,
    advice: "write except, or only",
    bad: "`0.0.0.0/0,::/0` switches the check off, but for that.",
    good: "`0.0.0.0/0,::/0` allows everything except the runtime's own port.",
  },
  {
    name: "no-other",
    pattern:
      /\bno others? than\b|\b(?:and|of|by|has|knows) no other\b(?! (?:flow|run|program|process|user|group)\b)|\bno other ones?\b/g,
    advice: "write only",
    bad: "The thread has loaded the HTTP client and no other.",
    good: "The thread has loaded only the HTTP client.",
  },
  {
    name: "unless-not",
    pattern: /\bunless\b[^,;:.]*\b(?:not|no|nothing|nobody|none|without)\b/gi,
    advice: "write if, and say it in the positive",
    bad: "It is closed unless there is no rule.",
    good: "Without a rule, it is open.",
  },
  {
    name: "not-but",
    pattern: /\bnot (?:a|an|the|by|in|of|from|as|only what) [^,;.:]{1,30},? but (?:a|an|the|by|in|of|from|as)\b/g,
    advice: "write what it is, and leave out what it is not",
    bad: "The id is not the name of the file but the name of the route.",
    good: "The id is the name of the route.",
  },
  {
    name: "double-negative",
    pattern:
      /\b(?:none|nothing|nobody|never|no \w+)\b(?: \w+){0,6} (?:by|for|that|to|lets|without) (?:nobody|nothing|none|never)\b/g,
    advice: "say it in the positive",
    bad: "86 guards were taken away, none of them missed by nobody.",
    good: "The tests noticed each of the 86 guards that were removed.",
  },
  {
    name: "with-what",
    pattern: /\b(?:with|by|on|beside|in) what\b(?! (?:means|order|extent|time|kind|way|an?|the|it|they)\b)/g,
    advice: "name the thing, or begin a new sentence",
    bad: "Other functions are refused, with what to write.",
    good: "The check rejects other functions. Its message names an alternative.",
  },
  {
    name: "nothing-to-do",
    pattern:
      /\b(?:has|have|had) nothing to do with\b|\bdo(?:es)? what (?:it|they) do(?:es)?\b|\bbelongs? to (?:nobody|none)\b/g,
    advice: "say what happens",
    bad: "Steps do what they do.",
    good: "Steps run for real: they call your systems.",
  },
];
