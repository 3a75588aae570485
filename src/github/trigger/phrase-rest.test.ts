import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../../../test/support/arbitrary.ts";
import { findRequest } from "./phrase.ts";

const UNSEEN =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\uFFF9-\uFFFB]|\p{Default_Ignorable_Code_Point}/u;

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

test("of a request, exactly the words that a reader sees are passed on", async () => {
  await fc.assert(
    fc.asyncProperty(parts, async (all) => {
      const body = `/docs ask ${all.map(([gap, { written }]) => gap + written).join("")}`;
      const { text = "" } = (await findRequest(body, "/docs")).request ?? {};
      expect(text.split(/\s+/)).toEqual(["ask", ...all.map(([, { seen }]) => seen)]);
    }),
  );
});

/** What hides the text in it, and ends a request. */
const folded = hidden.chain((words) =>
  fc.constantFrom(
    `<details>\n<summary>Log</summary>\n\n${words}\n\n</details>`,
    `<details open>${words}</details>`,
    `<DETAILS>\n${words}`,
    `<div hidden>\n${words}\n</div>`,
    `<!-- ${words}`,
    `![${words}](a.png)`,
    `[a](b "${words}")`,
    `\`\`\`sh ${words}\n\`\`\``,
    `[//]: # (${words})`,
    `[^1]: ${words}`,
  ),
);

test("nothing that is folded up or hidden is passed on, nor anything after it", async () => {
  await fc.assert(
    fc.asyncProperty(parts, folded, parts, async (before, fold, after) => {
      const textOf = (of: typeof before) => of.map(([gap, sign]) => gap + sign.written).join("");
      const body = `/docs ask ${textOf(before)}\n\n${fold}\n\n${textOf(after)}`;
      const { text } = (await findRequest(body, "/docs")).request ?? {};
      const seen = ["ask", ...before.map(([, { seen }]) => seen)];
      // A definition may change what comes before it: with one, nothing is asked for.
      if (text !== undefined) expect(text.split(/\s+/)).toEqual(seen);
    }),
  );
});

test("no text makes a request with a character that is not seen, or with a hidden comment", async () => {
  const any = anyText(80);
  const sign = fc.oneof(any, invisible, fc.constantFrom("<!--", "-->", "<", "!", "--", "\u0000"));
  await fc.assert(
    fc.asyncProperty(fc.array(sign, { maxLength: 12 }), async (signs) => {
      const { request } = await findRequest(`/docs ask ${signs.join("")}`, "/docs");
      expect(request?.text ?? "").not.toMatch(UNSEEN);
      expect(request?.text ?? "").not.toContain("<!--");
    }),
  );
});
