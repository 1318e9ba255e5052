/** The memory of an interpreter. It records that a script has requested more than the maximum. */
export class ScriptMemory extends WebAssembly.Memory {
  /**
   * The caller resets this before each script. The interpreter itself reports a lack of memory in many ways, or not at
   * all.
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
