import { bashScript } from "../completion/bash.ts";
import { fishScript } from "../completion/fish.ts";
import { placesOf } from "../completion/places.ts";
import { zshScript } from "../completion/zsh.ts";
import { type AddCommand, addCommand } from "../tree.ts";

const shells = {
  bash: {
    script: bashScript,
    install: "bulkhead completion bash > ~/.local/share/bash-completion/completions/bulkhead",
  },
  zsh: { script: zshScript, install: 'bulkhead completion zsh > "${fpath[1]}/_bulkhead"' },
  fish: { script: fishScript, install: "bulkhead completion fish > ~/.config/fish/completions/bulkhead.fish" },
} as const;

export const addCompletion: AddCommand = (parent, { terminal }) => {
  const group = addCommand(parent, "completion", {
    summary: "prints a script that completes commands and options in a shell",
    examples: Object.values(shells).map(({ install }) => install),
  });
  for (const [shell, { script, install }] of Object.entries(shells)) {
    addCommand(group, shell, { summary: `the script for ${shell}`, examples: [install] }).action(() =>
      terminal.say(script(placesOf(parent)).trimEnd()),
    );
  }
};
