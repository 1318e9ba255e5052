/** Sentences that hide who does what: passives with a fixed term of ours, and people who have no name. */
import type { ProseRule } from "../rule.ts";

export const actorRules: readonly ProseRule[] = [
  {
    name: "answered",
    pattern:
      /\b(?:is|are|was|were|be|been|being)(?: (?:then|never|not|all|already|only))? answered\b|\banswer(?:s|ed)?(?: with)?(?: status)? `?[1-5]\d\d\b/g,
    advice: "a call returns a status, and the runtime responds: name who responds",
    bad: "Without it every call but the health report is answered 503.",
    good: "Without it, every management call except health returns 503.",
  },
  {
    name: "asked",
    pattern: /\b(?:is|are|was|were|be|been|being) asked\b/g,
    advice: "name who calls, requests or reads",
    bad: "Runtime could not be asked",
    good: "The runtime does not respond.",
  },
  {
    name: "told",
    pattern: /\b(?:is|are|was|were|be|been) told\b(?! apart)|\btells?\b(?! (?:you|the user|(?:\w+ ){1,2}apart)\b)/g,
    advice: "write reports, prints, shows, logs or names, with who does it",
    bad: "The log tells more under this id.",
    good: "The log has the details under this id.",
  },
  {
    name: "taken-for",
    pattern: /\btaken for\b/g,
    advice: "write is treated as, or counts as",
    bad: "True or false is expected: it is taken for false.",
    good: "Write true or false. The runtime treats any other value as false.",
  },
  {
    name: "made",
    pattern:
      /\b(?:is|are|was|were|be|been) (?:not )?made\b(?! (?:of|up|by|from|with|for|to)\b)|\bmakes? one(?=[.:,;]|$)|\bmade if\b/gi,
    advice: "write creates, with who creates it",
    bad: "The flow was not made.",
    good: "Could not create the flow.",
  },
  {
    name: "kept",
    pattern:
      /\b(?:is|are|was|were|be|been|not) kept\b(?! (?:open|apart|alive|busy|free|ready|short|small|from|up|back)\b)|^Kept\b/g,
    advice: "the runtime stores or retains it",
    bad: "A message whose run failed is kept.",
    good: "The runtime stores the message of a failed run.",
  },
  {
    name: "has-to",
    pattern: /(?<!\b(?:would|may|might|not|will|only|could|should) )\b(?:has|have) to\b/g,
    advice: "write an imperative, or must with its subject",
    bad: "`DATA_KEY` has to be set.",
    good: "Set `DATA_KEY`.",
  },
  {
    name: "nobody",
    pattern:
      /\b(?:nobody|somebody|anybody|everybody|whoever)\b|\bwho (?:asks|calls|burns|holds|writes|listens|has it)\b/gi,
    advice: "name the caller, operator, user or program that is meant",
    bad: "Somebody with the role editor can change it.",
    good: "Ask a user with the Editor role to change it.",
  },
  {
    name: "has-failure",
    pattern:
      /\b(?:has|have|gets?) the failure\b|\b(?:ticks?|clocks?|timers?|failed, which) (?:has|have) no (?:message|errors)\b|\b(?:has|have) the reasons?\b/g,
    advice: "a caller receives an error, a message carries a value, a page explains: use that verb",
    bad: "No: the caller has the failure.",
    good: "No: the caller receives the error.",
  },
  {
    name: "is-somebodys",
    pattern:
      /\b(?:is|are|was|were) (?:an? |the )?[A-Za-z][\w-]*(?:'s|s')(?: (?:task|own|matter|business|job))?(?=[.,;:]|$)/g,
    advice: "repeat the noun, or say who does it",
    bad: "That is a firewall's task.",
    good: "Use a firewall for that.",
  },
  {
    name: "mend",
    pattern: /\bmend(?:s|ed|ing)?\b/gi,
    advice: "write fix",
    bad: "Mend it, and deploy it again.",
    good: "Fix it and deploy again.",
  },
];
