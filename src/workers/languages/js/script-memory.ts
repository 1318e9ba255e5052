/** The memory of one interpreter, which notes when a script has asked for more than there is. */
export class ScriptMemory extends WebAssembly.Memory {
  /** Set by whoever begins a script; the interpreter itself reports a lack of memory in many ways, and in some not at all. */
  isExhausted = false;

  override grow(pages: number): number {
    try {
      return super.grow(pages);
    } catch (error) {
      this.isExhausted = true;
      throw error;
    }
  }
}
