/** Lets the user choose YAML files of this computer. @returns none when the choice is cancelled */
export function chooseFiles(): Promise<readonly File[]> {
  const { promise, resolve } = Promise.withResolvers<readonly File[]>();
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = ".yaml,.yml,application/yaml";
  input.addEventListener("change", () => resolve([...(input.files ?? [])]));
  input.addEventListener("cancel", () => resolve([]));
  input.click();
  return promise;
}
