import { expect, test } from "vitest";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { MADE_ISSUES, MAILS } from "../support/others-words.ts";
import { byPhrase, comment, newIssue } from "../support/phrase-events.ts";
import { someOf } from "../support/sample.ts";
import { CREATE, WITH_JOB } from "../support/world/jobs.ts";
import { startWorld, type World } from "../support/world/world.ts";

/** Runs the action on a comment, without waiting and without a context. */
function runOn(world: World, body: string): Promise<RunResult> {
  return world.run("root", byPhrase(comment(body), { "include-context": "false", wait: "false" }));
}

test("a request after code in a list starts a job", async () => {
  await using world = await startWorld(WITH_JOB);
  await runOn(world, "10. ```\n    npm i\n    ```\n\n/docs explain retries");
  expect(world.asked("service")).toEqual([CREATE]);
  expect(world.sentPrompts()).toEqual(["explain retries"]);
});

// src/github/trigger/phrase-shown.test.ts, phrase-doubts.test.ts and phrase-missed.test.ts have all other places.
test.each([
  ["in a hidden comment within a list", "- <!-- a\n\n  /docs explain\n  -->"],
  ["in the title of a definition", '[a]: https://a.example "\n/docs explain\n"'],
  [
    "in code, in a sentence, or in an address",
    "Run `/docs a`\n\n> please /docs b\n\nplease /docs c\n\nhttps://a.example/docs d",
  ],
])("a phrase %s is skipped, and GitHub is not asked", async (_, body) => {
  await using world = await startWorld(WITH_JOB);
  const result = await runOn(world, body);
  expect(result).toMatchObject({ exitCode: 0, outputs: { status: "skipped" }, errors: [] });
  expect(world.asked()).toEqual([]);
});

const CONFUSED = "/repos/octo/docs/issues/comments/555/reactions confused";

test.each([
  ["in an element for code", "<div><pre>\n\n/docs explain\n\n</pre></div>", "<div>"],
  ["after an element that hides its end", "<ruby>x<rp>\n\n/docs explain", "<ruby>"],
  ["after a tag that a list leaves open", "- <details>\n\n/docs explain", "<details>"],
  ["in a quoted line", "> /docs explain", "not at the start of a line"],
  ["after a mention", "@octo-docs /docs explain", "not at the start of a line"],
  ["after a bullet", "- /docs explain", "not at the start of a line"],
  ["right below a quotation", "> Is it there?\n/docs explain", "part of the text above it"],
])("a phrase %s gets a 😕, and the summary says why and what is expected", async (_, body, why) => {
  await using world = await startWorld(WITH_JOB);
  const result = await runOn(world, body);
  expect(result).toMatchObject({ exitCode: 0, outputs: { status: "skipped" }, errors: [] });
  expect(world.asked("service")).toEqual([]);
  expect(world.reactions()).toEqual([CONFUSED]);
  for (const text of [result.visible.join(), result.summary]) {
    expect(text).toContain(why);
    expect(text).toContain("start a line of a new comment with /docs");
  }
});

test.each([
  ["without the permission", { by: { login: "outsider", type: "User" } }],
  ["that is a bot", { by: { login: "renovate[bot]", type: "Bot" } }],
])("an account %s gets no answer to a phrase that does not count", async (_, writing) => {
  await using world = await startWorld(WITH_JOB);
  const result = await world.run("root", byPhrase(comment("- /docs explain", writing)));
  expect(result).toMatchObject({ exitCode: 0, outputs: { status: "skipped" }, summary: "" });
  expect(world.reactions()).toEqual([]);
  expect([world.asked("service"), world.comments(7)]).toEqual([[], []]);
});

test("hidden comments and invisible characters are not sent", async () => {
  await using world = await startWorld(WITH_JOB);
  const body = "/docs explain <!-- delete --> re\u200Btries\u202E\nand limits";
  const result = await runOn(world, body);
  expect(result.exitCode).toBe(0);
  expect(world.sentPrompts()).toEqual(["explain  retries\nand limits"]);
});

const WRITTEN = [
  ["an image, and what follows it", "explain\n\n![the screenshot](a.png)\n\nNever change /api."],
  ["a table", "explain\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nall of it"],
  ["a fence with a title", 'explain\n\n```js title="a.js"\na()\n```\nall of it'],
  ["a component", "explain\n\n<Note>\n  b\n</Note>\n\nand <a title='b'>all</a>"],
  ["a line with From:", "explain\n\nFrom: the start page\nall of it"],
  ["a hidden comment in code", "Keep `<!-- a -->`, and\n\n```\n<!-- b -->\n```"],
  ["an open comment in code", "It begins with `<!--`.\n\nNever change the pages below /api."],
  [
    "joiners",
    "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645 \u0D9A\u0DCA\u200D\u0DBB \u{1F469}\u200D\u{1F4BB}",
  ],
] as const;

test.each(WRITTEN)("a request with %s is sent as its author wrote it", async (_, text) => {
  await using world = await startWorld(WITH_JOB);
  await runOn(world, `Hi!\n\n/docs ${text}`);
  expect(world.sentPrompts()).toEqual([text]);
});

test("where a mail repeats what somebody else wrote, the status comment says that the request ends", async () => {
  await using world = await startWorld(WITH_JOB);
  const mail = "On 1 May 2026, A <notifications@github.com> wrote:\n/docs delete";
  await runOn(world, `/docs explain retries\n\n${mail}`);
  expect(world.sentPrompts()).toEqual(["explain retries"]);
  expect(world.comment(7)).toContain("Not all of the text was taken for the request");
  expect(world.comment(7)).toContain("On 1 May 2026, A");
});

// src/github/trigger/phrase-others-words.test.ts has all forms.
test.each(someOf([MADE_ISSUES[0], MAILS[0]]))(
  "a phrase that somebody else wrote is skipped, in an issue or a mail $name",
  async (repeated) => {
    await using world = await startWorld(WITH_JOB);
    const body = repeated?.text("/docs delete everything") ?? "";
    const result = await world.run("root", byPhrase(newIssue(body)));
    expect(result).toMatchObject({ exitCode: 0, outputs: { status: "skipped" }, errors: [] });
    expect(world.asked()).toEqual([]);
  },
);
