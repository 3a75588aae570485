import { expect, test } from "vitest";
import { AGENT, CHECKS } from "../../emulator/github/people.ts";
import { byName, someOf } from "../support/sample.ts";
import { documentChange, LAND, pageOf, seeHeads } from "../support/world/docs-pulls.ts";
import { HOUR, startWorld, type World } from "../support/world/world.ts";

type Say = (world: World, number: number) => Promise<unknown> | unknown;

const MERGING = { merge: "checks", "allowed-paths": "docs/**", "required-checks": "docs-check" };

const comment =
  (login: string, body: string): Say =>
  async (world, number) => {
    const path = await pageOf(world, number);
    await world.github.review(number, "COMMENT", { login, comments: [{ path, line: 1, body }] });
  };
const objection =
  (login: string, body = "Say it shorter."): Say =>
  ({ github }, number) =>
    github.review(number, "REQUEST_CHANGES", { login, body });
const approval: Say = ({ github }, number) => github.review(number, "APPROVE");
const all =
  (...said: Say[]): Say =>
  async (world, number) => {
    for (const say of said) await say(world, number);
  };
/** What an account says in so many reviews. */
const flood =
  (state: string, count: number, login = "outsider"): Say =>
  (world, number) => {
    const { home, emulated } = world.github;
    const { site } = emulated;
    const { head: commit_id } = world.pull(number);
    const at = new Date(site.second).toISOString();
    for (let nth = 0; nth < count; nth++) {
      const id = site.nextId();
      home.add("reviews", {
        id,
        pull: number,
        user: login,
        body: "",
        state,
        commit_id,
        submitted_at: at,
      });
      if (state !== "COMMENTED") continue;
      home.add("reviewComments", {
        id: site.nextId(),
        pull: number,
        user: login,
        body: "Buy this.",
        path: "docs/a.md",
        line: 1,
        side: "RIGHT",
        diff_hunk: "",
        commit_id,
        isResolved: false,
        pull_request_review_id: id,
        created_at: at,
        updated_at: at,
      });
    }
  };

/** So many replies of an account in the first thread. */
const replies =
  (count: number, login: string, body: string): Say =>
  (world, number) => {
    const { home, emulated } = world.github;
    const first = home.reviewComments.find(({ pull }) => pull === number);
    if (first === undefined) throw new Error("there is no thread");
    for (let nth = 0; nth < count; nth++) {
      const id = emulated.site.nextId();
      home.add("reviewComments", { ...first, id, user: login, body, in_reply_to_id: first.id });
    }
  };

interface Case {
  name: string;
  say: Say;
  inputs?: Record<string, string>;
  /** A text in the follow-up; null if none is sent. */
  sent: string | null;
  isMerged: boolean;
}

const CASES: Case[] = [
  {
    name: "a request for changes is not hidden by 110 reviews of a stranger",
    say: all(objection("writer"), flood("APPROVED", 110)),
    sent: "Say it shorter.",
    isMerged: false,
  },
  {
    name: "a comment is not hidden by 230 comments of a stranger, and theirs are not sent",
    say: all(flood("COMMENTED", 115), comment("writer", "Which retries?"), flood("COMMENTED", 115)),
    sent: "1 review comment.",
    isMerged: false,
  },
  {
    name: "a comment is not hidden by 250 replies before it",
    say: all(
      comment("writer", "/aside Is this right?"),
      replies(250, "writer", "/aside Let me think."),
      replies(1, "writer", "Which retries?"),
    ),
    sent: "Which retries?",
    isMerged: false,
  },
  {
    name: "a request for changes is not over when another approves",
    say: all(objection("writer"), approval),
    sent: "Say it shorter.",
    isMerged: false,
  },
  {
    name: "a request for changes is over when its author approves",
    say: all(objection("maintainer"), approval),
    sent: null,
    isMerged: true,
  },
  {
    name: "a comment that begins with /aside is between people",
    say: comment("writer", "/aside Shall we keep this page?"),
    sent: null,
    isMerged: true,
  },
  {
    name: "a bot's request for changes does not count",
    say: objection(CHECKS),
    sent: null,
    isMerged: true,
  },
  {
    name: "a bot's request for changes counts if allowed-bots names it",
    say: objection(CHECKS),
    inputs: { "allowed-bots": CHECKS },
    sent: "Say it shorter.",
    isMerged: false,
  },
  {
    name: "a comment from before an approval is its author's to keep in mind",
    say: all(comment("writer", "Which retries?"), approval),
    sent: null,
    isMerged: true,
  },
];

test.each(byName(someOf(CASES)))("%s", async (_, { say, inputs = {}, sent, isMerged }) => {
  await using world = await startWorld({ ...LAND, steering: { checks: "green" } });
  const number = await documentChange(world);
  await seeHeads(world);
  await say(world, number);
  const before = (await world.prompts()).length;
  const { outputs } = await world.run("land", { inputs: { ...MERGING, ...inputs } });
  expect(outputs).toMatchObject({
    followUpCount: sent === null ? "0" : "1",
    mergedCount: isMerged ? "1" : "0",
  });
  const [prompt = null] = (await world.prompts()).slice(before);
  if (sent === null) expect(prompt).toBeNull();
  else expect(prompt).toContain(sent);
  expect(prompt ?? "").not.toContain("Buy this.");
});

test("a thread is not over if the agent resolved it, but if a person did", async () => {
  await using world = await startWorld({ ...LAND, steering: { checks: "green" } });
  const number = await documentChange(world);
  await comment("writer", "Which retries?")(world, number);
  expect((await world.run("land", { inputs: MERGING })).outputs.followUpCount).toBe("1");
  await world.passTime(HOUR);
  await world.github.resolve(number, AGENT);
  expect((await world.run("land", { inputs: MERGING })).outputs.mergedCount).toBe("0");
  expect(world.comment(number)).toContain("review comments are resolved by somebody");
  await world.github.resolve(number, "maintainer");
  await world.passTime(HOUR);
  expect((await world.run("land", { inputs: MERGING })).outputs.mergedCount).toBe("1");
});
