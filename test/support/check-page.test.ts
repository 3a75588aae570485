import { expect, test } from "vitest";
import { checkPage, type PageRules } from "./check-page.ts";
import { ALL_HOSTILE, CANARY, HOSTILE } from "./hostile-texts.ts";

const REPORT: PageRules = { outside: "code", markers: 0 };
const ANSWER: PageRules = { outside: "inert", markers: 0 };
const MARKER = `<!-- docs-agent:e30.${"A".repeat(43)} -->`;

test.each(ALL_HOSTILE)("a report in which %j stands as it is, is found out", (text) => {
  expect(checkPage(`Status: ${text}`, REPORT)).not.toEqual([]);
});

test.each([
  ...HOSTILE["a mention or a reference"].filter((it) => !/^@[\u200B\u00AD]|\*\*/.test(it)),
  ...HOSTILE.HTML.filter((it) => /^<(?!!\[)/.test(it)),
  `![${CANARY}](https://${CANARY}.example/p.png)`,
  `[${CANARY}](javascript:alert(1))`,
  `[${CANARY}](data:text/html,x)`,
  `[${CANARY}]: javascript:x\n\n[${CANARY}]`,
  `https://${CANARY}.example`,
  `${CANARY}@${CANARY}.example`,
  `# ${CANARY}`,
  `[^1]\n\n[^1]: ${CANARY}`,
  `&#64;octocat`,
  `fixes &#35;1`,
  `a\u202Eb`,
  `<!-- docs-agent:e30.x -->`,
])("an answer in which %j stands as it is, is found out", (text) => {
  expect(checkPage(text, ANSWER)).not.toEqual([]);
});

test.each([
  `Status \`${CANARY} @octocat #1\``,
  `\`\`\`text\n${CANARY} <b> ![x](y)\n\`\`\``,
  `**[Pull request #42](https://${CANARY}.example/pull/42)**`,
  "| Job | Status |\n|---|---|\n| `x` | active |",
])("a report such as %j is as it should be", (markdown) => {
  expect(checkPage(markdown, REPORT)).toEqual([]);
  expect(checkPage(`${markdown}\n\n${MARKER}`, { ...REPORT, markers: 1 })).toEqual([]);
});

test("a marker has to be there, alone, and at the end", () => {
  const rules = { ...REPORT, markers: 1 } as const;
  expect(checkPage("text", rules)).not.toEqual([]);
  expect(checkPage(`${MARKER}\n\ntext`, rules)).not.toEqual([]);
  expect(checkPage(`${MARKER}\n\n${MARKER}`, rules)).not.toEqual([]);
  expect(checkPage(`text ${MARKER}`, rules)).not.toEqual([]);
  expect(checkPage(`text\n\n${MARKER}`, REPORT)).not.toEqual([]);
});
