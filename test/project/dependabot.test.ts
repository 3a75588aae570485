import { expect, test } from "vitest";
import { parse } from "yaml";
import { read } from "./files.ts";

interface Rule {
  "dependency-name": string;
  "update-types"?: string[];
}

interface Update {
  "package-ecosystem": string;
  ignore?: Rule[];
}

const { updates } = parse(read(".github/dependabot.yml")) as { updates: Update[] };
const rules = updates.find((update) => update["package-ecosystem"] === "npm")?.ignore ?? [];
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read("package.json"));

/** The rules that match a package. */
function rulesFor(name: string): Rule[] {
  return rules.filter((rule) => {
    const pattern = rule["dependency-name"].replaceAll(".", "\\.").replaceAll("*", ".*");
    return new RegExp(`^${pattern}$`).test(name);
  });
}

test.each([...Object.keys({ ...dependencies, ...optionalDependencies }), "@types/node"])(
  "Dependabot proposes every version of %s except for the next major one",
  (name) => {
    const types = rulesFor(name).flatMap((rule) => rule["update-types"] ?? []);
    expect(types).toEqual(["version-update:semver-major"]);
  },
);

test("Dependabot proposes major versions of the tools", () => {
  for (const name of ["@biomejs/biome", "vitest", "typescript", "esbuild"]) {
    expect(rulesFor(name)).toEqual([]);
  }
});

test("the installed package `emulate` is the one that the emulator is built on", () => {
  const { repository } = JSON.parse(read("node_modules/emulate/package.json"));
  expect(repository.url).toContain("vercel-labs/emulate");
});

test("every rule of Dependabot matches a package that is used", () => {
  const used = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const matching = new Set(used.flatMap(rulesFor));
  expect(rules.filter((rule) => !matching.has(rule))).toEqual([]);
});
