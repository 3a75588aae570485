import { expect, test } from "vitest";
import { MADE_ISSUES, MAILS } from "../../../test/support/others-words.ts";
import { contextOf } from "../../../test/support/run-context.ts";
import { findMiss, findRequest } from "./phrase.ts";
import { readTrigger } from "./trigger.ts";

const IN_A_LINE = "it is not at the start of a line";
const NO_SPACE = "a space must follow it";
const BELOW = "it is part of the text above it, which ends at an empty line";

test.each([
  ["in a quoted line", "> /docs explain", IN_A_LINE],
  ["in a quoted line of a list", "- > /DOCS explain", IN_A_LINE],
  ["after a mention", "@octo-bot /docs explain", IN_A_LINE],
  ["after two mentions", "Hi!\n@a, @b[bot]: /docs explain", IN_A_LINE],
  ["after a bullet", "- /docs explain", IN_A_LINE],
  ["after a number", "1. /docs explain", IN_A_LINE],
  ["after a task's box", "- [ ] /docs explain", IN_A_LINE],
  ["in a heading", "## /docs explain", IN_A_LINE],
  ["in bold", "**/docs explain**", IN_A_LINE],
  ["right below a quotation", "> Is it there?\n/docs explain", BELOW],
  ["below a quotation and a line", "> Is it there?\nNo.\n/docs explain", BELOW],
  ["before a colon", "Thanks!\n\n/Docs: explain", NO_SPACE],
  ["before a comma", " /docs, please explain", NO_SPACE],
  ["before a colon and the end", "/docs:", NO_SPACE],
  ["after a tag that may hide it", "<div>\n\n/docs explain\n\n</div>", BELOW],
])("a phrase %s is one that somebody meant", async (_, body, why) => {
  expect(await findMiss(body, "/docs")).toBe(why);
  expect((await findRequest(body, "/docs")).request).toBeNull();
});

test.each([
  ["no phrase", "Any news?"],
  ["the middle of a sentence", "please /docs explain\n> please /docs explain"],
  ["the end of a sentence", "Thanks!\nNow /DOCS"],
  ["what follows code", "`npm i` /docs explain"],
  ["a link", "[/docs explain](https://a.example)\n\n- see [the /docs](a)"],
  ["a longer word", "see /docsify, and a/docs b"],
  ["an address", "https://a.example/docs explain"],
  ["a path", "./docs explain\n/docs/a.md explain"],
  ["a path and what is in it", "These move:\n- /docs: the pages\n\n`/docs`: the pages\n/docs:80 x"],
  ["inline code", "Run `/docs explain` or ``please /docs explain``"],
  ["a code block", "```\nplease /docs explain\n```"],
  ["indented code", "It says:\n\n    please /docs explain"],
  ["a quoted sentence", "> please /docs explain"],
  ["a quotation in a list", "- > please /docs explain"],
  ["a hidden comment", "<!-- please /docs explain -->\n\na <!-- please /docs explain --> b"],
  ["an attribute", '<img alt="please /docs explain">'],
  ["a cell of a table", "| a | b |\n|-|-|\n| please /docs explain | c |"],
  ["a comment of the action's own", "please /docs explain\n\n<!-- docs-agent:x.y -->"],
])("%s is no phrase that somebody meant", async (_, body) => {
  expect(await findMiss(body, "/docs")).toBeNull();
});

test.each(MAILS)("a phrase that somebody else wrote in a mail $name is none", async ({ text }) => {
  expect(await findMiss(text("please /docs explain"), "/docs")).toBeNull();
});

test.each(MADE_ISSUES)("a new issue that GitHub made $name has none", async ({ text }) => {
  expect(await findMiss(text("please /docs explain"), "/docs", true)).toBeNull();
});

test("every sign of a phrase counts literally", async () => {
  expect(await findMiss("- @docs-bot+ explain", "@docs-bot+")).toBe(IN_A_LINE);
  expect(await findMiss("- @docs-boto explain", "@docs-bot+")).toBeNull();
  expect(await findMiss("- $ask. it", "$ask.")).toBe(IN_A_LINE);
  expect(await findMiss("- (?: explain", "(?:")).toBe(IN_A_LINE);
});

test("a phrase that another account sent in the author's name is no miss", async () => {
  const comment = { body: "- /docs explain", user: { login: "writer", type: "User" } };
  const typeFor = async (login: string) => {
    const payload = { action: "created", comment, sender: { login, type: "User" } };
    const context = contextOf("issue_comment", payload);
    return (await readTrigger(context, "/docs")).type;
  };
  expect(await typeFor("writer")).toBe("missed");
  expect(await typeFor("maintainer")).toBe("no-request");
});
