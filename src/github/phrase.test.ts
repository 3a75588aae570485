import fc from "fast-check";
import { expect, test } from "vitest";
import { rendered } from "../../emulator/github/rendered-markdown.ts";
import { findRequest } from "./phrase.ts";
import { renderInvitation, renderUsage } from "./report.ts";

function textOf(body: string, phrase = "/docs"): string | null {
  return findRequest(body, phrase)?.text ?? null;
}

test.each<[string, string, string]>([
  ["alone", "/docs", ""],
  ["with a request", "/docs explain retries", "explain retries"],
  ["in capitals", "/DOCS explain", "explain"],
  ["in mixed case", "/dOcS explain", "explain"],
  ["with a tab after it", "/docs\texplain", "explain"],
  ["with a no-break space after it", "/docs\u00A0explain", "explain"],
  ["after three spaces", "   /docs explain", "explain"],
  ["after an empty line", "\n\n/docs explain", "explain"],
  ["after other text", "Thanks!\n/docs explain\nplease", "explain\nplease"],
  ["with the request on the next line", "/docs\n\nexplain\nall", "explain\nall"],
  ["with lines that end in CR LF", "Hi\r\n/docs explain\r\nall\r\n", "explain\nall"],
  ["with lines that end in CR", "Hi\r/docs explain\rall", "explain\nall"],
  ["before a code block", "/docs show\n```\ncode\n```", "show\n```\ncode\n```"],
  ["before a quote", "/docs answer\n> this", "answer\n> this"],
  ["twice: the first counts", "/docs one\n/docs two", "one\n/docs two"],
  ["after a quote", "> /docs no\n\n/docs yes", "yes"],
  ["after a closed fence", "```\n/docs no\n```\n/docs yes", "yes"],
  ["after a hidden comment", "<!--\n/docs no\n-->\n/docs yes", "yes"],
  ["after a hidden comment of one line", "<!-- no -->\n/docs yes", "yes"],
  ["after a fence within a list", "- Try:\n  ```\n  npm i\n  ```\n\n/docs yes", "yes"],
  ["after a fence that opens with a list item", "1. ```\n   npm i\n   ```\n\n/docs yes", "yes"],
  ["after code in a line", "`` ``` ``\n/docs yes", "yes"],
])("the phrase %s", (_, body, text) => {
  expect(textOf(body)).toBe(text);
});

test.each<[string, string]>([
  ["nowhere", "explain retries"],
  ["in the middle of a line", "please /docs explain"],
  ["with more letters", "/docsify explain"],
  ["with a sign after it", "/docs: explain"],
  ["with a full stop after it", "/docs."],
  ["in a path", "/docs/index.md is wrong"],
  ["within a word", "x/docs explain"],
  ["quoted", "> /docs explain"],
  ["quoted without a space", ">/docs explain"],
  ["quoted twice", "> > /docs explain"],
  ["as a list item", "- /docs explain"],
  ["as code in a line", "`/docs explain`"],
  ["in indented code", "    /docs explain"],
  ["after a tab", "\t/docs explain"],
  ["in a fence", "```\n/docs explain\n```"],
  ["in a fence with a language", "```sh\n/docs explain\n```"],
  ["in a fence of tildes", "~~~\n/docs explain\n~~~"],
  ["in an indented fence", "   ```\n/docs explain\n   ```"],
  ["in a fence that is not closed", "```\n/docs explain"],
  ["in a fence that a shorter one does not close", "````\n```\n/docs explain\n```\n````"],
  ["in a fence that other signs do not close", "```\n~~~\n/docs explain\n```"],
  ["in a fence that a line with text does not close", "```\n``` x\n/docs explain\n```"],
  ["in a fence of tildes with backticks after them", "~~~ `x`\n/docs explain\n~~~"],
  ["in a second fence", "```\nx\n```\n\n```\n/docs explain\n```"],
  ["in a hidden comment", "<!--\n/docs explain\n-->"],
  ["in a hidden comment of one line", "<!-- /docs explain -->"],
  ["in a hidden comment that is not closed", "<!-- x\n/docs explain"],
  ["in a hidden comment after a closed one", "<!-- a --> <!-- b\n/docs explain\n-->"],
  ["in a hidden comment that begins where another ends", "<!-- a\n--> <!-- b\n/docs explain\n-->"],
  ["in a fence within a list", "- Try:\n  ```\n  /docs explain\n  ```"],
  ["in a fence that opens with a list item", "- ```\n  /docs explain\n  ```"],
  ["after zero-width space", "\u200B/docs explain"],
  ["empty", ""],
])("the phrase %s does not count", (_, body) => {
  expect(findRequest(body, "/docs")).toBeNull();
});

// Taken for the beginning of a hidden comment, though a page shows it: the request is not seen.
test("the phrase after the beginning of a comment in code", () => {
  expect(textOf("It begins with `<!--`.\n\n/docs explain that")).toBe("explain that");
});

test.each<[string, string, boolean, string]>([
  ["/docs --new", "/docs", true, ""],
  ["/docs --new explain", "/docs", true, "explain"],
  ["/docs   --NEW\texplain", "/docs", true, "explain"],
  ["/docs\n--new explain", "/docs", true, "explain"],
  ["/docs explain --new", "/docs", false, "explain --new"],
  ["/docs --newer explain", "/docs", false, "--newer explain"],
  ["/docs --new--new", "/docs", false, "--new--new"],
])("%j asks for a fresh job or not", (body, phrase, isNew, text) => {
  expect(findRequest(body, phrase)).toEqual({ isNew, text });
});

/** Phrases that are full of what a regular expression, a template or Markdown would take for its own. */
const PHRASES = [
  "/docs",
  "@docs-bot",
  "docs?",
  "a.c",
  "[x]",
  "(",
  "$&",
  "\\d+",
  "^",
  "*",
  "ŻÓŁĆ",
  "two words",
];

test.each(PHRASES)("the phrase %j is taken as it is written", (phrase) => {
  expect(textOf(`${phrase} explain`, phrase)).toBe("explain");
  expect(textOf(`${phrase.toLowerCase()} explain`, phrase.toUpperCase())).toBe("explain");
  for (const other of ["abc explain", "doc explain", "x explain", "7 explain", " explain"]) {
    expect(textOf(other, phrase)).toBeNull();
  }
});

/** The characters of a text, each in a case of its own. */
function anyCase(text: string): fc.Arbitrary<string> {
  return fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((flags) =>
      [...text].map((it, index) => (flags[index] ? it.toUpperCase() : it.toLowerCase())).join(""),
    );
}

const END = fc.constantFrom("\n", "\r\n", "\r");
/** Lines that do not ask, and open nothing. */
const harmless = fc.constantFrom(
  "Thanks!",
  "",
  "see /docs above",
  "# /docs",
  "- [ ] /docs",
  "`/docs x`",
);
const trap = fc.constantFrom(
  "/docs TRAP",
  "  /docs TRAP",
  "/DOCS",
  "/docs --new TRAP",
  "text",
  "",
  "> x",
);

const quoted = fc
  .array(trap, { minLength: 1, maxLength: 3 })
  .map((lines) => lines.map((it) => `> ${it}`));
const indented = trap.map((it) => ["", `    ${it}`, ""]);
const hidden = fc.array(trap, { maxLength: 3 }).map((lines) => ["<!-- note", ...lines, "-->"]);
const fenced = fc
  .record({
    sign: fc.constantFrom("`", "~"),
    length: fc.integer({ min: 3, max: 6 }),
    longer: fc.integer({ min: 0, max: 2 }),
    info: fc.constantFrom("", "sh", " text"),
    indent: fc.constantFrom("", " ", "   "),
    inside: fc.array(trap, { maxLength: 3 }),
    nested: fc.boolean(),
    isClosed: fc.boolean(),
  })
  .map(({ sign, length, longer, info, indent, inside, nested, isClosed }) => {
    const other = sign === "`" ? "~" : "`";
    const inner = nested
      ? [other.repeat(length + 1), sign.repeat(length - 1), `${sign.repeat(length)} x`]
      : [];
    const lines = [`${indent}${sign.repeat(length)}${info}`, ...inner, ...inside];
    return { lines: [...lines, `${indent}${sign.repeat(length + longer)}`], isClosed };
  });
const closedFence = fenced.map(({ lines }) => lines);

const blocks = fc
  .array(
    fc.oneof(
      harmless.map((it) => [it]),
      quoted,
      indented,
      hidden,
      closedFence,
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.flat());

test("whatever stands before it: the first line that begins with the phrase asks, with all that follows", () => {
  fc.assert(
    fc.property(
      blocks,
      fc.nat({ max: 3 }),
      anyCase("/docs"),
      fc.constantFrom(" ", "\t", "  ", "\u00A0"),
      fc.constantFrom("explain", "a `b` c", "ąę"),
      fc.array(fc.oneof(trap, harmless), { maxLength: 3 }),
      END,
      (before, indent, phrase, space, words, after, end) => {
        const body = [...before, `${" ".repeat(indent)}${phrase}${space}${words}`, ...after].join(
          end,
        );
        expect(findRequest(body, "/docs")).toEqual({
          isNew: false,
          text: [words, ...after].join("\n").trim(),
        });
      },
    ),
    { numRuns: 500 },
  );
});

test("whatever is quoted, fenced, indented or hidden: without a line of its own nothing asks", () => {
  fc.assert(
    fc.property(blocks, END, (lines, end) => {
      expect(findRequest(lines.join(end), "/docs")).toBeNull();
    }),
    { numRuns: 500 },
  );
});

test("after a fence that is not closed nothing asks", () => {
  fc.assert(
    fc.property(blocks, fenced, blocks, END, (before, { lines }, after, end) => {
      const sign = lines[0]?.trim().charAt(0) === "`" ? "~~~" : "```";
      const never = after.filter((line) => !/^ {0,3}(`{3,}|~{3,})\s*$/.test(line));
      const body = [...before, ...lines.slice(0, -1), ...never, "/docs TRAP", sign].join(end);
      expect(findRequest(body, "/docs")).toBeNull();
    }),
    { numRuns: 500 },
  );
});

const LINES = [
  "```",
  "~~~",
  "````",
  "<!--",
  "-->",
  "<!-- x -->",
  "  ```",
  "> q",
  "",
  "    x",
  "text",
  "# h",
];

test("nothing asks that a page would not show as text of its own", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...LINES), fc.constant("ASK")), { maxLength: 7 }),
      (lines) => {
        const body = lines
          .map((line, index) => (line === "ASK" ? `/docs ask${index}!` : line))
          .join("\n");
        const found = /^ask\d+!/.exec(textOf(body) ?? "")?.[0];
        if (found === undefined) return;
        // A line that goes on lazily in a quote or list above it still begins with the phrase.
        const html = rendered(body.replaceAll(/^(?=\/docs)/gm, "\n"));
        const shown = html
          .replaceAll(/<!--[\s\S]*?(-->|$)/g, "")
          .replaceAll(/<(pre|blockquote)>[\s\S]*?<\/\1>/g, "");
        expect(shown).toContain(`/docs ${found}`);
      },
    ),
    { numRuns: 500 },
  );
});

test("the action's own comments ask for nothing, wherever their marker stands", () => {
  const marker = "<!-- docs-agent:eyJ2IjoxfQ.c2ln -->";
  for (const body of [
    `/docs explain\n\n${marker}`,
    `${marker}\n/docs explain`,
    `/docs ${marker}`,
  ]) {
    expect(findRequest(body, "/docs")).toBeNull();
  }
});

test.each(["/docs", "@docs-bot", "docs:"])(
  "neither the usage nor the invitation asks by its own words, with the phrase %j",
  (phrase) => {
    const bodies = [
      renderUsage(phrase),
      renderInvitation(phrase, 7),
      renderInvitation(phrase, null),
    ];
    for (const body of bodies) expect(findRequest(body, phrase)).toBeNull();
  },
);
