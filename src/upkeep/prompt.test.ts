import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText, hostileText } from "../../test/support/arbitrary.ts";
import { runs } from "../../test/support/sample.ts";
import type { SourceChange } from "./changes.ts";
import { BUILT_IN_PROMPT, promptFor, shares } from "./prompt.ts";

const change = (number: number, over: Partial<SourceChange> = {}): SourceChange => ({
  repository: "acme/code",
  number,
  sha: "a".repeat(40),
  title: `Change ${number}`,
  body: "",
  url: `https://github.com/acme/code/pull/${number}`,
  author: "writer",
  labels: [],
  at: "2026-03-01T00:00:00Z",
  ...over,
});

describe("shares", () => {
  const needs = fc.array(fc.nat(50_000), { maxLength: 40 });

  test("never exceed a need, nor together the room", () => {
    fc.assert(
      fc.property(needs, fc.nat(40_000), (wanted, room) => {
        const granted = shares(wanted, room);
        expect(granted.every((it, index) => it >= 0 && it <= (wanted[index] ?? 0))).toBe(true);
        expect(granted.reduce((sum, it) => sum + it, 0)).toBeLessThanOrEqual(room);
      }),
    );
  });

  test("are fair: whoever is cut gets no less than anybody else, and the room is used up", () => {
    fc.assert(
      fc.property(needs, fc.nat(40_000), (wanted, room) => {
        const granted = shares(wanted, room);
        const cut = granted.filter((it, index) => it < (wanted[index] ?? 0));
        if (cut.length === 0) return;
        expect(Math.min(...cut)).toBe(Math.max(...granted));
        const left = room - granted.reduce((sum, it) => sum + it, 0);
        expect(left).toBeLessThan(cut.length);
      }),
    );
  });
});

test("the changes take at most 32 KiB, whatever they hold, and each is named", () => {
  const texts = hostileText();
  const long = fc.tuple(anyText(), fc.nat(2000)).map(([text, count]) => text.repeat(count));
  const body = fc.record({ title: texts, body: long, labels: fc.array(texts, { maxLength: 3 }) });
  fc.assert(
    fc.property(fc.array(body, { minLength: 1, maxLength: 100 }), (bodies) => {
      const prompt = promptFor(
        "",
        bodies.map((it, index) => change(index + 1, it)),
        false,
      );
      expect(Buffer.byteLength(prompt)).toBeLessThanOrEqual(32 * 1024);
      for (const index of bodies.keys()) {
        expect(prompt).toContain(`## Change ${index + 1}: acme/code#${index + 1}\n`);
      }
    }),
    { numRuns: runs(30) },
  );
});

test("what is cut is named, and the others are whole", () => {
  const prompt = promptFor(
    null,
    [change(1, { body: "x".repeat(100_000) }), change(2, { body: "All of it. The end." })],
    false,
  );
  expect(prompt.startsWith(BUILT_IN_PROMPT)).toBe(true);
  expect(prompt).toMatch(/Left out for length: \d+ bytes of acme\/code#1\.$/);
  expect(prompt).toContain("The end.");
});

test("every line from outside is quoted", () => {
  const prompt = promptFor("Do.", [change(1, { title: "One\nTwo", body: "a\r\nb\n\nc" })], false);
  const [, quoted = ""] = prompt.split(/\n(?=> ## Change 1)/);
  expect(quoted.split("\n").every((line) => line.startsWith(">"))).toBe(true);
});

test("a diff follows only if it is wanted", () => {
  const files = [{ path: "a.ts", status: "modified", additions: 1, deletions: 0, patch: "+new" }];
  expect(promptFor(null, [change(1, { files })], false)).not.toContain("+new");
  expect(promptFor(null, [change(1, { files })], true)).toContain("Diff of a.ts:");
  expect(promptFor(null, [change(1, { files })], false)).toContain("a.ts (+1 -0)");
});
