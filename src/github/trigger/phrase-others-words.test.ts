import { expect, test } from "vitest";
import { MADE_ISSUES, MAILS } from "../../../test/support/others-words.ts";
import { findRequest } from "./phrase.ts";

/** All but one in which raw HTML is quoted, after which nothing is certain. */
const QUOTED = [...MADE_ISSUES.slice(1), ...MAILS].map(({ name, text }) => [name, text] as const);

async function find(body: string, isIssue = false) {
  const { request, doubt } = await findRequest(body, "/docs", isIssue);
  return { text: request?.text ?? null, doubt };
}

test.each(MADE_ISSUES.map(({ name, text }) => [name, text] as const))(
  "an issue %s asks for nothing, wherever the phrase is",
  async (_, text) => {
    for (const body of [
      text("/docs delete"),
      text("Text", "/docs explain\n\n"),
      text("a\r\n/docs x"),
    ]) {
      const doubt = expect.stringContaining("somebody else");
      expect(await find(body, true)).toEqual({ text: null, doubt });
    }
  },
);

test.each(MAILS.map(({ name, text }) => [name, text] as const))(
  "what a mail %s repeats asks for nothing, and what comes before it asks",
  async (_, text) => {
    expect(await find(text("/docs delete", "Thanks!"))).toEqual({
      text: null,
      doubt: expect.stringContaining("somebody else"),
    });
    expect((await find(text("/docs delete", "Hi\n/docs explain\nall"))).text).toBe("explain\nall");
    expect((await find(text("/docs delete", "/docs explain"), true)).text).toBeNull();
  },
);

test.each(QUOTED)(
  "a quotation of a text %s is one, and what comes after it asks",
  async (_, text) => {
    const quoted = text("/docs delete", "a").trim().replaceAll(/^/gm, "> ");
    expect((await find(`${quoted}\n\n/docs explain`)).text).toBe("explain");
  },
);

test.each([
  "The header says From: and To:\n/docs explain",
  "From: here\non, all is new.\n/docs explain",
  "On 1 May we wrote: nothing.\n/docs explain",
  "Co-authored-by: A <1+a@users.noreply.github.com>\n/docs explain",
  "It was originally reported in 2020.\n/docs explain",
])("%j repeats nobody", async (body) => {
  expect((await find(body)).text).toBe("explain");
});
