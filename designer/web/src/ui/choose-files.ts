/** Lets the user choose files of this computer. @returns none when the choice is cancelled */
export function chooseFiles(accept: string, multiple = false): Promise<readonly File[]> {
  const { promise, resolve } = Promise.withResolvers<readonly File[]>();
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = multiple;
  input.accept = accept;
  input.addEventListener("change", () => resolve([...(input.files ?? [])]));
  input.addEventListener("cancel", () => resolve([]));
  input.click();
  return promise;
}
