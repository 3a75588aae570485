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
const rules = updates.find((it) => it["package-ecosystem"] === "npm")?.ignore ?? [];
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
  read("package.json"),
) as Record<string, Record<string, string>>;

/** The rules that fit a package. */
function rulesFor(name: string): Rule[] {
  return rules.filter((rule) => {
    const pattern = rule["dependency-name"].replaceAll(".", "\\.").replaceAll("*", ".*");
    return new RegExp(`^${pattern}$`).test(name);
  });
}

test.each([...Object.keys({ ...dependencies, ...optionalDependencies }), "@types/node"])(
  "Dependabot offers every version of %s but the next major one",
  (name) => {
    const types = rulesFor(name).flatMap((rule) => rule["update-types"] ?? []);
    expect(types).toEqual(["version-update:semver-major"]);
  },
);

test("major versions of the tools are offered", () => {
  for (const name of ["@biomejs/biome", "vitest", "typescript", "esbuild"]) {
    expect(rulesFor(name)).toEqual([]);
  }
});

test("the `emulate` that is installed is the one that the emulator is made with", () => {
  const { repository } = JSON.parse(read("node_modules/emulate/package.json"));
  expect(repository.url).toContain("vercel-labs/emulate");
});

test("every rule is for a package that is used", () => {
  const used = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const fitted = new Set(used.flatMap(rulesFor));
  expect(rules.filter((rule) => !fitted.has(rule))).toEqual([]);
});
