/** Where the files of the package are: its package.json, its examples. */

/** Beside the bundle's folder, or above the sources. */
export const packageRoot = new URL(import.meta.url.endsWith(".js") ? "../" : "../../", import.meta.url);
