/**
 * The scripts for shells. Each asks `bulkhead completion words -- WORD...` what may stand at the end of the line, which prints a candidate
 * a line, with a tab and what it is; the line `:files` says that names of files fit, too.
 */

export const filesFit = ":files";

const bash = `# Completion of bulkhead for bash.
_bulkhead() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ "$line" == "${filesFit}" ]]; then
      compopt -o filenames
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <("\${COMP_WORDS[0]}" completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _bulkhead bulkhead
`;

const zsh = `#compdef bulkhead
_bulkhead() {
  local line files
  local -a described
  while IFS= read -r line; do
    if [[ "$line" == "${filesFit}" ]]; then
      files=yes
    else
      described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <("\${words[1]}" completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#described} )) && _describe bulkhead described
  [[ -n "$files" ]] && _files
}
# Read from a directory of fpath this file is the function; otherwise it is registered.
if [[ "$funcstack[1]" == "_bulkhead" ]]; then _bulkhead "$@"; else compdef _bulkhead bulkhead; fi
`;

const fish = `# Completion of bulkhead for fish.
function __bulkhead_words
  set -l words (commandline -opc)
  for line in ($words[1] completion words -- $words[2..-1] (commandline -ct) 2>/dev/null)
    if test "$line" = '${filesFit}'
      __fish_complete_path (commandline -ct)
    else
      printf '%s\\n' $line
    end
  end
end
complete -c bulkhead -f -a '(__bulkhead_words)'
`;

export const shells = {
  bash: {
    script: bash,
    install: "bulkhead completion bash > ~/.local/share/bash-completion/completions/bulkhead",
  },
  zsh: { script: zsh, install: 'bulkhead completion zsh > "${fpath[1]}/_bulkhead"' },
  fish: { script: fish, install: "bulkhead completion fish > ~/.config/fish/completions/bulkhead.fish" },
} as const;
