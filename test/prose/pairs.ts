/** Sentences of our pages as they were, and in plain English. */

type Pair = readonly [before: string, after: string];

/** The rules report the sentence before. */
export const reported: readonly Pair[] = [
  [
    "Without it every call but the health report is answered 503.",
    "Without it, every management call except health returns 503.",
  ],
  ["everything else that lasts; made if it is not there", "all other persistent data. Created if missing."],
  [
    "A port that is in use ends the start, with the command that shows who has it",
    "If the port is in use, the runtime exits and prints the command that shows the process using it.",
  ],
  [
    "Without the key of that time what was encrypted is not readable",
    "Content can only be read with the key it was encrypted with.",
  ],
  [
    "Endpoints of all other schemes reach nothing, public addresses included, but what an entry names with its port.",
    "All other schemes can only reach what an entry allows by host and port, even for public addresses.",
  ],
  [
    "`0.0.0.0/0,::/0` switches the check off, but for that.",
    "`0.0.0.0/0,::/0` allows everything except the runtime's own port.",
  ],
  ["Public addresses cannot be closed here: that is a firewall's task.", "To block public addresses, use a firewall."],
  [
    "A message whose run failed is kept when nobody else has it any more",
    "The runtime stores a failed message if no one else holds a copy.",
  ],
  ["no: the caller has the failure.", "no: the caller receives the error."],
  ["a tick has no message. It is counted", "a timer tick carries no message, so the runtime only counts it"],
  ["What counts is the message of the run.", "Only the run's own message is stored."],
  [
    "A part of a `split` ... that ends there is delivered to the channel and counted, and not kept: the other parts have run.",
    "If a part of a `split` ends in the dead letter channel, the channel receives it and the metric counts it. The part is not stored, because the other parts have already run.",
  ],
  [
    "**Kept before it is acknowledged.** A webhook whose message ends in a dead letter channel is answered when the message is durable",
    "**Stored before acknowledgement.** When a webhook's message ends in a dead letter channel, the runtime responds only after the message is safely on disk.",
  ],
  [
    "A flow that uses none of them has nothing to do with it; the store's thread and its files come with the first request that needs them",
    "Flows that use none of these never touch the store. The runtime starts the store's thread and creates its files when they are first needed.",
  ],
  ["A twin that comes meanwhile is a duplicate.", "If the same key arrives in the meantime, it counts as a duplicate."],
  [
    "the message comes again if its sender sends it again, and it has then been processed twice as far as its first run had come",
    "if the sender delivers the message again, the steps that the first run completed run twice",
  ],
  [
    "Only `false` is possible; a key that nobody has checked is no known one: write knownHosts.",
    "`true` is not supported, because it would trust an unchecked key. Add the server's key to `knownHosts`.",
  ],
  ["The name of such a file is not to be had as an id.", "A flow cannot use this file name as its id."],
  [
    "A copy of a directory in use (a backup) belongs to nobody: it starts without a wait.",
    "You can start the runtime on a copy of a data directory (a backup) at once; the original's lock does not apply to it.",
  ],
  ["Runtime could not be asked", "The runtime does not respond."],
  ["Steps do what they do", "Steps run for real: they call your systems."],
  ["goes on, and its trigger with it", "The flow keeps running, including its trigger."],
  [
    "Make one: it begins with a webhook, and you draw the rest.",
    "Create a flow. It starts with a webhook; you add the steps.",
  ],
  ["Somebody with the role editor can make one.", "Ask someone with the Editor role to create a flow."],
  ["Mend it, and deploy it again.", "Fix it and deploy again."],
  ["The flow was not made.", "Could not create the flow."],
  ["It stays as it is.", "You cannot change it later."],
];

/** No pattern tells these from good prose: a person has to see them. */
export const unseen: readonly Pair[] = [
  [
    "Surrounding white space is not part of it; below 32 characters there is a warning.",
    "Leading and trailing white space is ignored. Tokens shorter than 32 characters cause a warning.",
  ],
  [
    '`"keepFailed": false` among a flow\'s options switches it off, and so does `record: off`, with which a flow leaves no messages anywhere.',
    'To turn this off for a flow, set `"keepFailed": false`. `record: off` does so as well: the runtime then stores no message of that flow anywhere.',
  ],
  [
    "The runtime has it open exclusively, so no other program can read it meanwhile",
    "The runtime holds an exclusive lock, so other programs cannot read the file while it runs.",
  ],
  ["One a line: Name: value.", "One header per line, as `Name: value`."],
  ["No message waits", "No failed messages"],
];
