import { expect, test } from "vitest";
import { checkPage, type PageRules } from "./check-page.ts";
import { ALL_HOSTILE, CANARY, HOSTILE } from "./hostile-texts.ts";

const REPORT: PageRules = { outside: "code", markers: 0 };
const ANSWER: PageRules = { outside: "inert", markers: 0 };
const MARKER = `<!-- docs-agent:e30.${"A".repeat(43)} -->`;

test.each(ALL_HOSTILE)("a report that contains %j unescaped is a problem", (text) => {
  expect(checkPage(`Status: ${text}`, REPORT)).not.toEqual([]);
});

test.each([
  ...HOSTILE["a mention or a reference"].filter((text) => !/^@[\u200B\u00AD]|\*\*/.test(text)),
  ...HOSTILE.HTML.filter((text) => /^<(?!!\[)/.test(text)),
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
])("an answer that contains %j unescaped is a problem", (text) => {
  expect(checkPage(text, ANSWER)).not.toEqual([]);
});

test.each([
  `Status \`${CANARY} @octocat #1\``,
  `\`\`\`text\n${CANARY} <b> ![x](y)\n\`\`\``,
  `**[Pull request #42](https://${CANARY}.example/pull/42)**`,
  "| Job | Status |\n|---|---|\n| `x` | active |",
])("the report %j has no problem", (markdown) => {
  expect(checkPage(markdown, REPORT)).toEqual([]);
  expect(checkPage(`${markdown}\n\n${MARKER}`, { ...REPORT, markers: 1 })).toEqual([]);
});

test("the last line of a page may be folded, as the action does it, and is checked all the same", () => {
  const folded = (line: string) =>
    `text\n\n<details><summary>Details</summary>\n\n${line}\n\n</details>`;
  for (const rules of [REPORT, ANSWER]) {
    expect(checkPage(folded("Job `x`"), rules)).toEqual([]);
    expect(checkPage(`${folded("Job `x`")}\n\n${MARKER}`, { ...rules, markers: 1 })).toEqual([]);
    for (const line of ["@octocat", "<b>x</b>", "<details>", "![x](https://x.example)"]) {
      expect(checkPage(folded(line), rules)).not.toEqual([]);
    }
    for (const page of [
      `${folded("Job `x`")}\n\ntext`,
      folded("a\n\nb"),
      `${folded("a")}\n\n${folded("b")}`,
      folded("a").replace("Details", "More"),
      folded("a").replace("<details>", "<details open>"),
    ]) {
      expect(checkPage(page, rules), page).not.toEqual([]);
    }
  }
});

test("a page needs exactly one marker, at its end, and a page without markers may have none", () => {
  const rules = { ...REPORT, markers: 1 } as const;
  expect(checkPage("text", rules)).not.toEqual([]);
  expect(checkPage(`${MARKER}\n\ntext`, rules)).not.toEqual([]);
  expect(checkPage(`${MARKER}\n\n${MARKER}`, rules)).not.toEqual([]);
  expect(checkPage(`text ${MARKER}`, rules)).not.toEqual([]);
  expect(checkPage(`text\n\n${MARKER}`, REPORT)).not.toEqual([]);
});
