/** The memory of an interpreter, which records that a script has requested more than there is. */
export class ScriptMemory extends WebAssembly.Memory {
  /**
   * Reset by the caller that begins a script; the interpreter itself reports a lack of memory in many ways, and in some
   * not at all.
   */
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
