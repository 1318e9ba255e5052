/** Whether a key that was pressed is the one that a shortcut names. */

/** What of a KeyboardEvent counts. */
export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** `keys`: such as `Ctrl+Shift+Z`. Shift only counts where it is named or the key is a letter: `?` needs it anyway. */
export function matchesKeys(pressed: PressedKey, keys: string): boolean {
  const parts = keys.split("+");
  const key = parts.pop() ?? "";
  const wants = (name: string): boolean => parts.includes(name);
  if (wants("Ctrl") !== (pressed.ctrlKey || pressed.metaKey) || wants("Alt") !== pressed.altKey) return false;
  const isLetter = /^[a-z]$/i.test(key);
  if ((isLetter || wants("Shift")) && wants("Shift") !== pressed.shiftKey) return false;
  return pressed.key.toLowerCase() === key.toLowerCase();
}
