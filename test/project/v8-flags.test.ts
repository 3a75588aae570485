import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { NO_WASM_OPTIMIZATION } from "../../src/entrypoints/run-entrypoint.ts";
import { read } from "./files.ts";

test.each(NO_WASM_OPTIMIZATION)("V8 still has %s, as a number that is lower by default", (flag) => {
  const [name = "", value] = flag.split("=");
  const options = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
  const [, fallback] = new RegExp(`type: int +default: ${name}=(\\d+)$`, "m").exec(options) ?? [];
  expect(fallback).toBeDefined();
  expect(Number(fallback)).toBeLessThan(Number(value));
});

test("docs/performance.md has a measurement of the flag", () => {
  const page = read("docs/performance.md");
  expect(page).toContain("src/entrypoints/run-entrypoint.ts");
  expect(page).toMatch(
    /\| with V8 free to optimize the parser \| \d+ ms \| [\d.]+ \| \d+ ms \| [\d.]+ \|/,
  );
});
