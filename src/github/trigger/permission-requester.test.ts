import { expect, test } from "vitest";
import { checkRequester } from "./permission.ts";

const PERSON = { login: "Writer", type: "User" };
const BOT = { login: "Renovate[bot]", type: "Bot" };
const APP = { slug: "Helper" };
const NOBODY = { allowedUsers: [], allowedBots: [] };

test("a person's permission decides", () => {
  expect(checkRequester({ user: PERSON }, PERSON, NOBODY)).toEqual({
    login: "Writer",
    isNamed: false,
  });
});

test("a person who is named needs none, in any case of letters", () => {
  const named = { allowedUsers: ["writer"], allowedBots: [] };
  expect(checkRequester({ user: PERSON }, PERSON, named)).toEqual({
    login: "Writer",
    isNamed: true,
  });
});

test("that a bot is named helps no person of the same name", () => {
  const named = { allowedUsers: [], allowedBots: ["writer"] };
  expect(checkRequester({ user: PERSON }, PERSON, named)).toMatchObject({ isNamed: false });
});

test.each([
  ["the author", { user: BOT }, BOT],
  ["the author, sent by a person", { user: BOT }, PERSON],
  ["the sender", { user: PERSON }, BOT],
])("a bot as %s is refused, and allowed once it is named", (_, post, sender) => {
  const asUser = { allowedUsers: ["renovate[bot]", "writer"], allowedBots: [] };
  for (const named of [NOBODY, asUser]) {
    expect(checkRequester(post, sender, named)).toMatchObject({
      reason: expect.stringContaining("`Renovate[bot]` is a bot"),
    });
  }
  const named = { allowedUsers: [], allowedBots: ["renovate[bot]"] };
  const isNamed = post.user === BOT;
  expect(checkRequester(post, sender, named)).toEqual({ isNamed, login: post.user.login });
});

test("of two bots, both must be named", () => {
  const other = { login: "other[bot]", type: "Bot" };
  const named = { allowedUsers: [], allowedBots: ["renovate[bot]"] };
  for (const [user, sender] of [
    [BOT, other],
    [other, BOT],
  ]) {
    expect(checkRequester({ user: user ?? null }, sender, named)).toHaveProperty("reason");
  }
});

test("an app that writes for a person is refused, whoever that is", () => {
  for (const allowedUsers of [[], ["writer"]]) {
    const post = { user: PERSON, performed_via_github_app: APP };
    expect(
      checkRequester(post, PERSON, { allowedUsers, allowedBots: ["other[bot]"] }),
    ).toMatchObject({
      reason: expect.stringContaining("Helper"),
    });
  }
});

test.each(["helper[bot]", "writer"])("with %s named, it is the person that counts", (bot) => {
  const post = { user: PERSON, performed_via_github_app: APP };
  const allowedBots = [bot];
  const judge = (allowedUsers: string[]) =>
    checkRequester(post, PERSON, { allowedUsers, allowedBots });
  expect(judge([])).toEqual({ login: "Writer", isNamed: false });
  expect(judge(["writer"])).toEqual({ login: "Writer", isNamed: true });
});

test("an app without a name is refused", () => {
  const post = { user: PERSON, performed_via_github_app: {} };
  const named = { allowedUsers: [], allowedBots: ["undefined[bot]"] };
  expect(checkRequester(post, PERSON, named)).toHaveProperty("reason");
});

test.each([
  [null],
  [undefined],
  [{ type: "User" }],
  [{ login: "", type: "User" }],
  [{ login: "a b" }],
  [{ login: "::error::x" }],
])("an event that does not say who asks (%j) is refused", (user) => {
  const named = { allowedUsers: [""], allowedBots: [""] };
  expect(checkRequester(user === undefined ? {} : { user }, PERSON, named)).toHaveProperty(
    "reason",
  );
});
