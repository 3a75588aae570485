import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostileText } from "../../../test/support/arbitrary.ts";
import { change } from "../../../test/support/ledger-examples.ts";
import { runs } from "../../../test/support/sample.ts";
import { type ChangeDetails, detailsOfKnown } from "./change-details.ts";
import { PromptRoom, promptFor } from "./change-prompt.ts";
import type { ChangedFile } from "./history-records.ts";

function file(path: string, patch = ""): ChangedFile {
  return { path, previousPath: path, isRemoved: false, patch, additions: 2, deletions: 1 };
}

function details(number: number, over: Partial<ChangeDetails> = {}): ChangeDetails {
  return { ...detailsOfKnown(change(number)), labels: [], ...over };
}

async function promptOf(changes: readonly ChangeDetails[], includeDiff = false): Promise<string> {
  return await promptFor("Document it.", changes, includeDiff);
}

/** The sections of a prompt, each with its heading. */
function sectionsIn(prompt: string): string[] {
  const [context = ""] = prompt.split("\n\nLeft out for length: ");
  return context.split(/^(?=## Change )/m).slice(1);
}

const folders = ["src/api", "src/api/v2", "docs", ""];
const manyFiles = Array.from({ length: 40 }, (_, nth) =>
  file([folders[nth % 4], `a-rather-long-name-of-a-file-${nth}.ts`].filter(Boolean).join("/")),
);

test("of many changes with many files, each has its whole description, and files are summed up by folder", async () => {
  const body = "What it does, and why. ".repeat(20).trim();
  const changes = Array.from({ length: 20 }, (_, nth) =>
    details(nth + 1, { body, files: manyFiles }),
  );
  const sections = sectionsIn(await promptOf(changes));
  expect(sections).toHaveLength(20);
  for (const section of sections) {
    expect(section).toContain(`> Description:\n> ${body}`);
    expect(section).toContain("> src/api/: 10 files (+20 -10)");
    expect(section).toContain("> ./: 10 files (+20 -10)");
  }
});

test("where there is room, each file is named, up to 100", async () => {
  const files = Array.from({ length: 101 }, (_, nth) => file(`src/${nth % 2}/${nth}.ts`));
  expect(await promptOf([details(1, { files: files.slice(0, 100) })])).toContain(
    "> src/1/99.ts (+2 -1)",
  );
  expect(await promptOf([details(1, { files: [...files, file("a.md")] })])).toContain(
    "> Files:\n> src/0/: 51 files (+102 -51)\n> src/1/: 50 files (+100 -50)\n> a.md (+2 -1)",
  );
  const incomplete = await promptOf([details(1, { files, isComplete: false })]);
  expect(incomplete).toContain("> … and more files");
});

test("what is cut is named: first the diffs, then the files are summed up, and last the description", async () => {
  const patch = `+${"x".repeat(40_000)}`;
  const diff = await promptOf([details(1, { body: "Why.", files: [file("a.ts", patch)] })], true);
  expect(diff).toContain("> Description:\n> Why.\n>\n> Files:\n> a.ts (+2 -1)\n>\n> Diff of a.ts:");
  expect(diff).toMatch(/Left out for length: \d+ bytes of the diffs of change 1\.$/);
  const long = await promptOf([details(1, { body: "y".repeat(40_000), files: manyFiles })]);
  expect(long).toContain("> Files: 40 files (+80 -40)");
  expect(long).toMatch(/Left out for length: \d+ bytes of the description of change 1\.$/);
});

test("what looks like a comment in a title, a file's name, a diff or code hides nothing", async () => {
  const files = [file("<!--.ts", "+<!-- a\n+b"), file("src/c.ts", "+<!-- d -->")];
  const body = "It removes `<!--`.\n\n<!-- a template -->\n\nAnd more.";
  const title = "Drop <!-- from pages";
  const all = [details(1, { change: { ...change(1), title }, body, files })];
  const prompt = await promptOf(all, true);
  expect(prompt).toContain(`> ${title}\n`);
  expect(prompt).toContain("> Description:\n> It removes `<!--`.\n>\n>\n>\n> And more.\n");
  expect(prompt).toContain("> Files:\n> <!--.ts (+2 -1)\n> src/c.ts (+2 -1)\n");
  expect(prompt).toContain("> Diff of <!--.ts:\n> +<!-- a\n> +b\n>\n> Diff of src/c.ts:");
  expect(prompt).toContain("> +<!-- d -->");
});

test("a file whose name opens a comment hides no other", async () => {
  const files = [file("<!--.ts"), file("src/b.ts")];
  expect(await promptOf([details(1, { files })])).toContain("> src/b.ts (+2 -1)");
});

describe("for changes of any size", () => {
  const size = fc.oneof(fc.nat(2_000), fc.nat(70_000));
  const text = fc.oneof(
    hostileText(),
    size.map((length) => "Why it is so.\n".repeat(length / 14)),
    size.map((length) => "ü".repeat(length / 2)),
  );
  const name = fc.oneof(hostileText(), fc.constantFrom("src/a.ts", "docs/api/b.md", "README.md"));
  const files = fc
    .array(fc.tuple(name, text), { maxLength: 20 })
    .map((list) =>
      list.flatMap(([path, patch], nth) => [file(path, patch), file(`${path}/${nth}.ts`)]),
    );
  const changes = fc.array(
    fc.record({
      title: fc.string({ maxLength: 120 }),
      labels: fc.array(fc.string({ maxLength: 50 }), { maxLength: 5 }),
      body: text,
      files: fc.option(files),
    }),
    { minLength: 1, maxLength: 30 },
  );

  test("the context has at most 32 KiB, and each change at least 1 KiB or all of it", async () => {
    await fc.assert(
      fc.asyncProperty(changes, fc.boolean(), async (records, includeDiff) => {
        const all = records.map(({ title, ...over }, nth) =>
          details(nth + 1, { change: { ...change(nth + 1), title }, ...over }),
        );
        const room = new PromptRoom(includeDiff);
        const fitting: ChangeDetails[] = [];
        for (const each of all) if (await room.take(each)) fitting.push(each);
        const prompt = await promptOf(fitting, includeDiff);
        expect(Buffer.byteLength(prompt) - "Document it.\n\n".length).toBeLessThanOrEqual(32_768);
        const [, note = ""] = prompt.split("\n\nLeft out for length: ");
        const sections = sectionsIn(prompt);
        expect(sections).toHaveLength(fitting.length);
        for (const [nth, section] of sections.entries()) {
          const alone =
            sectionsIn(await promptOf([fitting[nth] ?? details(0)], includeDiff))[0] ?? "";
          const textOf = (whole: string) => whole.slice(whole.indexOf("\n\n") + 2).trimEnd();
          const size = Buffer.byteLength(textOf(section));
          const isCut = new RegExp(`of change ${nth + 1}\\b`).test(note);
          const isSummedUp = /^> (?:Files: \d+ files|.*\/: \d+ files) \(/m.test(section);
          if (textOf(alone) !== textOf(section)) expect(isCut || isSummedUp).toBe(true);
          // White space at the end is cut, too.
          if (isCut) expect(size).toBeGreaterThan(900);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
