import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../../../test/support/arbitrary.ts";
import { runs } from "../../../test/support/sample.ts";
import { visible } from "../../text/markdown.ts";
import { findRequest } from "./phrase.ts";

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const hidden = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8})?$/).map((words) => `hidden ${words}`);
const invisible = fc.constantFrom("\u200B", "\u202E", "\u2066", "\u00AD", "\u{E0041}", "\u2060");

/** What may be between two words of a request, and hides nothing but what is in it. */
const between = fc.oneof(
  fc.constantFrom(" ", "\n", "\n\n", "\r\n"),
  hidden.map((words) => ` <!-- ${words} --> `),
  hidden.map((words) => `\n\n<!--\n${words}\n\n${words}\n-->\n\n`),
);

/** A word in which a reader does not see all characters. */
const dotted = fc
  .tuple(word, fc.array(invisible, { minLength: 1 }), fc.nat())
  .map(([text, signs, at]) => {
    const middle = at % (text.length + 1);
    return { seen: text, written: text.slice(0, middle) + signs.join("") + text.slice(middle) };
  });

const written = fc.oneof(
  word.map((seen) => ({ seen, written: seen })),
  dotted,
);
const parts = fc.array(fc.tuple(between, written), { minLength: 1, maxLength: 8 });

test("of a request, every word is passed on but those of hidden comments, without invisible characters", async () => {
  await fc.assert(
    fc.asyncProperty(parts, async (all) => {
      const body = `/docs ask ${all.map(([gap, { written }]) => gap + written).join("")}`;
      const { text = "" } = (await findRequest(body, "/docs")).request ?? {};
      expect(text.split(/\s+/)).toEqual(["ask", ...all.map(([, { seen }]) => seen)]);
    }),
  );
});

/** What a page shows in another way than as text, or what may look like a hidden comment. */
const block = fc.constantFrom(
  (words: string) => `<details>\n<summary>Log</summary>\n\n${words}\n\n</details>`,
  (words: string) => `<div>\n${words}\n</div>`,
  (words: string) => `<Card title="a">${words}</Card>`,
  (words: string) => `![${words}](a.png)`,
  (words: string) => `[a](b "${words}")`,
  (words: string) => `\`\`\`sh title="${words}"\n<!-- ${words}\n\`\`\``,
  (words: string) => `\`<!-- ${words} -->\` and \`<!--\``,
  (words: string) => `    <!-- ${words} -->`,
  (words: string) => `| a | b |\n|---|---|\n| ${words} | <!-- ${words} |`,
  (words: string) => `[^1]: ${words}`,
  (words: string) => `From: ${words}`,
);

test("nothing of a request is left out, whatever it is", async () => {
  await fc.assert(
    fc.asyncProperty(parts, block, parts, async (before, make, after) => {
      const textOf = (of: typeof before) => of.map(([gap, sign]) => gap + sign.written).join("");
      const seenIn = (of: typeof before) => of.map(([, { seen }]) => seen);
      const body = `/docs ask ${textOf(before)}\n\n${make("some words")}\n\n${textOf(after)}`;
      const { request, doubt } = await findRequest(body, "/docs");
      const seen = ["ask", ...seenIn(before), ...make("some words").split(/\s+/), ...seenIn(after)];
      expect(request?.text.split(/\s+/)).toEqual(seen.filter((word) => word !== ""));
      expect(doubt).toBeNull();
    }),
  );
});

/** Any pieces of Markdown. */
const piece = fc.constantFrom(
  ..."`|```|~~~|<!--|-->|<!|--|<div>|</div>|<details>|> |- |1. |    |\n|\n\n|*|[|](|)|![|]: |From: |To: |<a|>|word".split(
    "|",
  ),
  "|",
);

test("of any request, each character is passed on or in a hidden comment, or the hint says where it ends", async () => {
  const any = fc.array(fc.oneof(piece, word), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(any, async (pieces) => {
      const written = pieces.join("");
      const { request, doubt } = await findRequest(`/docs ask ${written}`, "/docs");
      const sent = request?.text ?? "";
      const commentless = written.replaceAll(/<!--[\s\S]*?-->/g, "");
      const words = (text: string): string[] => text.match(/[a-z]+/g) ?? [];
      const isWhole = words(commentless).every((word) => words(sent).includes(word));
      expect(isWhole || doubt !== null).toBe(true);
      // Nothing else is there, and in its order.
      let at = 0;
      const whole = `ask ${written}`.trim();
      for (const sign of sent) at = whole.indexOf(sign, at) + 1 || Number.NaN;
      expect(at).not.toBeNaN();
    }),
    { numRuns: runs(500) },
  );
});

test("no text makes a request with a character that is not seen", async () => {
  const any = anyText(80);
  const sign = fc.oneof(any, invisible, fc.constantFrom("<!--", "-->", "<", "!", "--", "\u0000"));
  await fc.assert(
    fc.asyncProperty(fc.array(sign, { maxLength: 12 }), async (signs) => {
      const { request } = await findRequest(`/docs ask ${signs.join("")}`, "/docs");
      const { text = "" } = request ?? {};
      // What writing needs is visible.
      expect(visible(text)).toBe(text);
    }),
  );
});
