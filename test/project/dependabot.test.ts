import { expect, test } from "vitest";
import { parse } from "yaml";
import { read } from "./files.ts";

interface Rule {
  "dependency-name": string;
  versions?: string[];
  "update-types"?: string[];
}

interface Update {
  "package-ecosystem": string;
  ignore?: Rule[];
}

const { updates } = parse(read(".github/dependabot.yml")) as { updates: Update[] };
const rules = updates.find((it) => it["package-ecosystem"] === "npm")?.ignore ?? [];
const {
  dependencies,
  devDependencies,
  optionalDependencies,
}: Record<string, Record<string, string>> = JSON.parse(read("package.json"));

const numbers = (version: string) => version.split(".").map(Number);
const MAJOR = 0;
const MINOR = 1;
const PATCH = 2;

/** A version with one of its numbers raised, and those after it set to 0. */
function next(version: string, part: number): string {
  return numbers(version)
    .map((number, at) => (at < part ? number : at === part ? number + 1 : 0))
    .join(".");
}

/** Whether Dependabot leaves an update alone, as its documentation describes `ignore`. */
function isIgnored(name: string, from: string, to: string): boolean {
  const part = numbers(to).findIndex((number, at) => number !== numbers(from)[at]);
  const type = `version-update:semver-${["major", "minor", "patch"][part]}`;
  return rules
    .filter((rule) => {
      const pattern = rule["dependency-name"].replaceAll(".", "\\.").replaceAll("*", ".*");
      return new RegExp(`^${pattern}$`).test(name);
    })
    .some(({ versions, "update-types": types }) => {
      const isVersion = versions?.some((range) => isInRange(to, range)) ?? false;
      return isVersion || (types?.includes(type) ?? false);
    });
}

/** @throws for a range of another form than `>=1.2.3` */
function isInRange(version: string, range: string): boolean {
  const [, least] = /^>=(\d+\.\d+\.\d+)$/.exec(range) ?? [];
  if (least === undefined) throw new Error(`This test cannot read the range ${range}.`);
  const [a, b] = [numbers(version), numbers(least)];
  const at = a.findIndex((number, index) => number !== b[index]);
  return at < 0 || (a[at] ?? 0) > (b[at] ?? 0);
}

test.each(Object.entries(dependencies ?? {}))(
  "Dependabot offers no major version of %s, which is bundled, but all others",
  (name, version) => {
    expect(isIgnored(name, version, next(version, MAJOR))).toBe(true);
    expect(isIgnored(name, version, next(version, MINOR))).toBe(false);
    expect(isIgnored(name, version, next(version, PATCH))).toBe(false);
  },
);

test.each([...Object.entries(optionalDependencies ?? {}), ["@types/node", "24.0.0"] as const])(
  "nor one of %s, which belongs to the runtime of action.yml",
  (name, version) => {
    expect(isIgnored(name, version, next(version, MAJOR))).toBe(true);
    expect(isIgnored(name, version, next(version, MINOR))).toBe(false);
  },
);

test("Dependabot keeps off the other project's `emulate`, and offers the versions of this one", () => {
  const used = devDependencies?.emulate ?? "";
  expect(isIgnored("emulate", used, "1.0.2")).toBe(true);
  expect(isIgnored("emulate", used, next(used, MINOR))).toBe(false);
  expect(isIgnored("emulate", used, next(used, PATCH))).toBe(false);
});

test("the `emulate` that is installed is the one that the emulator is made with", () => {
  const { repository } = JSON.parse(read("node_modules/emulate/package.json"));
  expect(repository.url).toContain("vercel-labs/emulate");
});

test("major versions of the tools are offered", () => {
  for (const name of ["@biomejs/biome", "vitest", "typescript", "esbuild"]) {
    const version = devDependencies?.[name] ?? "";
    expect(isIgnored(name, version, next(version, MAJOR))).toBe(false);
  }
});

test("every rule is for a package that is used", () => {
  const used = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  for (const { "dependency-name": name } of rules) {
    expect(used.some((it) => it === name || (name === "node-*" && it.startsWith("node-")))).toBe(
      true,
    );
  }
});
