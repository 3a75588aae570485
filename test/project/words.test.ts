import { expect, test } from "vitest";
import { files, read } from "./files.ts";

/** Words as a reader counts them: separated by white space, with a letter or digit. Tables and code count, too. */
function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** The README and the pages in docs/. */
const DOCUMENTATION = ["README.md", ...files("docs/**/*.md")];
const MOST_WORDS = 30_000;
const MOST_PAGES = 20;

test(`the README and docs/ have at most ${MOST_WORDS} words in ${MOST_PAGES} pages`, () => {
  expect(DOCUMENTATION.length).toBeLessThanOrEqual(MOST_PAGES);
  const words = DOCUMENTATION.map((page) => wordsIn(read(page)));
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MOST_WORDS);
});

/** A page from its beginning to the first heading below its title, or below one of these. */
function section(file: string, title: string | null): string {
  const [beginning = "", ...sections] = read(file).split(/^## /m);
  if (title === null) return beginning;
  const found = sections.find((text) => text.startsWith(`${title}\n`));
  if (found === undefined) throw new Error(`${file} has no heading ${title}`);
  return found;
}

/** The beginning of the README, with the workflow. Everybody reads it. */
const QUICK_START = `${section("README.md", null)}${section("README.md", "Quick start")}`;

interface Way {
  most: number;
  /** What the reader opens after the quick start, in order: by the address that a text before it links to. */
  parts: { link: string; text: string }[];
}

const SEVERAL = "docs/several-repositories.md";
const SEPARATE = "examples/team-separate-docs.yml";

const WAYS: Record<string, Way> = {
  "code and documentation in one repository": { most: 500, parts: [] },
  "documentation in another repository": {
    most: 1000,
    parts: [
      { link: SEPARATE, text: read(SEPARATE) },
      {
        link: `${SEVERAL}#documentation-in-another-repository`,
        text: `${section(SEVERAL, null)}${section(SEVERAL, "Documentation in another repository")}`,
      },
      { link: "#register-an-app", text: section(SEVERAL, "Register an app") },
    ],
  },
  "a public project with forks": {
    most: 1000,
    parts: [
      {
        link: "docs/start.md#a-public-project",
        text: section("docs/start.md", "A public project"),
      },
      { link: "examples/gate-forks.yml", text: read("examples/gate-forks.yml") },
    ],
  },
  "a script that calls the API": {
    most: 800,
    parts: [{ link: "docs/migrating.md", text: section("docs/migrating.md", "From a script") }],
  },
};

test.each(Object.entries(WAYS))(
  "from the README to a running workflow, for %s: few words, each part linked by one before it",
  (_, { most, parts }) => {
    let text = QUICK_START;
    for (const part of parts) {
      expect(text).toMatch(new RegExp(`\\]\\((\\.\\./)?${part.link.replaceAll(".", "\\.")}\\)`));
      text += part.text;
    }
    expect(wordsIn(text)).toBeLessThanOrEqual(most);
  },
);

test("words are what is between white space, with a letter or digit", () => {
  expect(wordsIn("| `npm ci` && [a link](b.md) | – | 24 |\n")).toBe(5);
});
