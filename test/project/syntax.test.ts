import { describe, expect, test } from "vitest";
import { isMap, isSeq, parseDocument } from "yaml";
import { PROJECT, yamlBlocks } from "../../scripts/copied/workflows.ts";
import { EXAMPLES, METADATA, PAGES, read, TEMPLATES, WORKFLOWS } from "./files.ts";
import { findings } from "./language-service.ts";

const HEAD = "on: push\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n";

describe("GitHub's language service", () => {
  test.each(METADATA)("finds nothing wrong with %s", async (file) => {
    expect(await findings(file, read(file))).toEqual([]);
  });

  test.each([...WORKFLOWS, ...EXAMPLES, ...TEMPLATES])(
    "finds nothing wrong with %s",
    async (file) => {
      expect(await findings(`.github/workflows/${file}`, read(file))).toEqual([]);
    },
  );

  test("finds an invalid action.yml", async () => {
    const text = "name: x\ndescription: x\nruns:\n  using: node99\n  main: x.js\n";
    expect(await findings("action.yml", text)).toEqual(["4: Unexpected value 'node99'"]);
  });

  test.each([
    ["an unknown input", `${PROJECT}@v1\n        with:\n          promt: Write.`, /promt/],
    ["an unknown action", `${PROJECT}/nothing@v1`, /Unable to resolve/],
  ])("finds %s", async (_, uses, message) => {
    const text = `${HEAD}      - uses: ${uses}\n`;
    expect((await findings(".github/workflows/x.yml", text)).join("\n")).toMatch(message);
  });

  const blocks = PAGES.flatMap((page) =>
    yamlBlocks(read(page)).map((text, index) => ({ page, number: index + 1, text })),
  );
  test.each(blocks)("finds nothing wrong with block $number of $page", async ({ text }) => {
    const whole = asWorkflow(text);
    if (whole === undefined) return;
    expect(await findings(".github/workflows/x.yml", whole, { warnings: false })).toEqual([]);
  });
});

/** A block as a complete workflow, if it is a workflow or its steps or jobs. */
function asWorkflow(text: string): string | undefined {
  const { contents, errors } = parseDocument(text);
  expect(errors).toEqual([]);
  if (isSeq(contents)) return HEAD + text.replaceAll(/^(?=.)/gm, "      ");
  if (isMap(contents) && contents.has("jobs")) {
    return contents.has("on") ? text : `on: push\n${text}`;
  }
  // A part of a step, which is checked in another block.
  return undefined;
}
