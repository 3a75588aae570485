import { expect, test } from "vitest";
import { blocksOf } from "./sources.ts";

const STEP = "- uses: OWNER/docs-agent-action@v1\n";

test("a block belongs to the heading above it, also when it is indented", () => {
  const page = `# Page\n\n## One\n\n1. First\n\n   \`\`\`yaml\n   ${STEP}   \`\`\`\n`;
  expect(blocksOf("a.md", page)).toEqual([
    { file: "a.md", heading: "One", contents: [{ uses: "OWNER/docs-agent-action@v1" }] },
  ]);
});

test("blocks that use no action of the project are left out", () => {
  const page =
    "## A\n\n```yaml\n    api-version: v1\n```\n\n```yaml\n- run: echo\n```\n\n```sh\nls\n```\n";
  expect(blocksOf("a.md", page)).toEqual([]);
});

test("a whole workflow counts if one of its jobs uses an action of the project", () => {
  const page = `## A\n\n\`\`\`yaml\non: push\njobs:\n  a:\n    steps:\n      ${STEP}\`\`\`\n`;
  expect(blocksOf("a.md", page)).toHaveLength(1);
});
