/** The software bill of materials, in CycloneDX 1.6: which libraries are in the package, for scanners of vulnerabilities. */
import type { Library } from "./libraries.ts";

interface Product {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

export function sbomOf(product: Product, libraries: readonly Library[]): object {
  const own = purlOf(product);
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", "bom-ref": own, ...componentOf(product) } },
    components: libraries.map((library) => ({
      type: "library",
      "bom-ref": purlOf(library),
      ...componentOf(library),
      ...(library.sha512 !== undefined && { hashes: [{ alg: "SHA-512", content: library.sha512 }] }),
    })),
    dependencies: [{ ref: own, dependsOn: libraries.map(purlOf) }],
  };
}

function componentOf({ name, version, license }: Product): object {
  const [, group, base] = /^(@[^/]+)\/(.*)$/.exec(name) ?? [];
  return {
    ...(group === undefined ? { name } : { group, name: base }),
    version,
    purl: purlOf({ name, version }),
    licenses: /^[\w.+-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }],
  };
}

/** Package URL: the type, and a scope whose @ is encoded. */
function purlOf({ name, version }: Pick<Product, "name" | "version">): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
