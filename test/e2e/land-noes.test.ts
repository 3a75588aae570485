import { expect, test } from "vitest";
import { AGENT, CHECKS as APP, tokenOf } from "../../emulator/github/people.ts";
import { byName, someOf } from "../support/sample.ts";
import { documentChange, LAND, pageOf, seeHeads } from "../support/world/docs-pulls.ts";
import { HOUR, MINUTE, startWorld, type World } from "../support/world/world.ts";

/** What somebody does on GitHub. */
type Step = (world: World, number: number) => Promise<unknown> | unknown;

const APPROVED = { merge: "approved" };
const BY_CHECKS = { merge: "checks", "allowed-paths": "docs/**", "required-checks": "docs-check" };

const later =
  (time = MINUTE): Step =>
  (world) =>
    world.passTime(time);
const approve =
  (login = "maintainer"): Step =>
  ({ github }, number) =>
    github.review(number, "APPROVE", { login });
const green: Step = ({ github }, number) => github.report(number, { conclusion: "success" });

/** Begins a review with a comment, which nobody else sees yet. */
const beginReview: Step = async (world, number) => {
  const { api } = world.github;
  const comments = [{ path: await pageOf(world, number), line: 1, body: "Which retries?" }];
  const token = tokenOf("writer");
  await api(`/pulls/${number}/reviews`, { method: "POST", token, body: { comments } });
};
/** Submits it. */
const submitReview =
  (event: string): Step =>
  async ({ github }, number) => {
    const { id = 0 } = github.home.reviews.findLast(({ user }) => user === "writer") ?? {};
    const path = `/pulls/${number}/reviews/${id}/events`;
    const token = tokenOf("writer");
    await github.api(path, { method: "POST", token, body: { event } });
  };
/** Asks for another review. */
const askAgain: Step = ({ github }, number) =>
  github.api(`/pulls/${number}/requested_reviewers`, {
    method: "POST",
    body: { reviewers: ["maintainer"] },
  });
/** Aims it at other bases, the last of which it keeps. */
const retarget =
  (...bases: string[]): Step =>
  (world, number) => {
    const { home } = world.github;
    home.setRef("refs/heads/release", home.tip());
    for (const base of bases) home.retarget(world.pull(number), base);
  };
/** Resolves a conflict on GitHub's page, which GitHub commits. */
const resolveOnPage: Step = async (world, number) => {
  const { home } = world.github;
  const { head, base, branch } = world.pull(number);
  await world.github.conflict(number);
  const sha = home.commit([head, home.tip(base)], {
    message: `Merge branch '${base}' into ${branch}`,
    author: "writer",
    committer: "GitHub",
    files: { [await pageOf(world, number)]: "Resolved by hand." },
  });
  home.forcePush(sha, branch);
};
/** Has GitHub bring the branch up to date, as its button does. */
const updateOnPage: Step = async ({ github }, number) => {
  github.home.push({});
  const token = tokenOf("writer");
  await github.api(`/pulls/${number}/update-branch`, { method: "PUT", token, body: {} });
};
const needs =
  (approvals: number, ...bypass: string[]): Step =>
  ({ github }) => {
    github.home.mergeRule = { approvals, bypass };
  };

/** Pushes a file to its branch as the agent. */
const pushed =
  (files: Record<string, string | null>, modes: Record<string, string> = {}): Step =>
  ({ github }, number) =>
    github.pushTo(number, { author: AGENT, files, modes });
const removesImage: Step = async (world, number) => {
  world.github.home.push({ files: { "docs/retries.png": "an image" } });
  const { head, base, branch } = world.pull(number);
  world.github.home.rewrite(world.github.home.tip(base), head, branch);
  world.github.home.forcePush(world.github.home.tip(base), branch, [
    { author: AGENT, files: { "docs/retries.md": "More.", "docs/retries.png": null } },
  ]);
};
const rule =
  (mergeRule: World["github"]["home"]["mergeRule"]): Step =>
  ({ github }) => {
    github.home.mergeRule = mergeRule;
  };
const label: Step = ({ github }, number) => github.label(number, "Docs-Hold");
const unlabel: Step = (world, number) => {
  world.github.home.change(world.pull(number), { labels: [] });
};
const describe =
  (body: string): Step =>
  (world, number) => {
    world.github.home.switches.isSquashedWithDescription = true;
    world.github.home.change(world.pull(number), { body });
  };
/** Leaves a comment that a stranger's rule wants resolved. */
const asked: Step = async (world, number) => {
  const comments = [{ path: await pageOf(world, number), line: 1, body: "Which retries?" }];
  await world.github.review(number, "COMMENT", { login: "reader", comments });
};

interface No {
  name: string;
  inputs: Record<string, string>;
  /** In their order, after land has seen the head. */
  steps: Step[];
  /** Why it is not merged, in land's comment; null if it is. */
  words: string | null;
  token?: string;
}

const APP_TOKEN = tokenOf(APP);

const NOES: No[] = [
  {
    name: "a comment that is submitted after the approval keeps it from being merged, although it was written before",
    inputs: { ...APPROVED, reviews: "ignore" },
    steps: [beginReview, later(), approve(), later(), submitReview("COMMENT")],
    words: "the review comments after its approval are resolved",
  },
  {
    name: "a request for changes that is submitted after the approval keeps it from being merged",
    inputs: { ...APPROVED, reviews: "ignore" },
    steps: [beginReview, later(), approve(), later(), submitReview("REQUEST_CHANGES")],
    words: "no longer asks for changes",
  },
  {
    name: "a review that nobody else sees yet keeps nothing from being merged",
    inputs: APPROVED,
    steps: [beginReview, later(), approve()],
    words: null,
  },
  {
    name: "an approval ends when its author is asked for another review",
    inputs: APPROVED,
    steps: [approve(), later(), askAgain],
    words: "approves its last commit",
  },
  {
    name: "an approval counts again when its author gives another one",
    inputs: APPROVED,
    steps: [approve(), later(), askAgain, later(), approve()],
    words: null,
  },
  {
    name: "an approval ends when the base is changed",
    inputs: APPROVED,
    steps: [approve(), later(), retarget("release")],
    words: "approves it after that",
  },
  {
    name: "an approval ends when the base is changed there and back",
    inputs: APPROVED,
    steps: [approve(), later(), retarget("release", "main")],
    words: "approves it after that",
  },
  {
    name: "an approval counts that is given after the base was changed",
    inputs: APPROVED,
    steps: [retarget("release", "main"), later(), approve()],
    words: null,
  },
  {
    name: "checks never merge into another base than the one that it was found with",
    inputs: BY_CHECKS,
    steps: [green, retarget("release", "main"), later(), approve()],
    words: "so its checks do not say",
  },
  {
    name: "the delay begins anew when the base is changed",
    inputs: { ...APPROVED, "merge-delay-hours": "3" },
    steps: [later(2 * HOUR), retarget("release", "main"), later(2 * HOUR), approve()],
    words: "It is merged after",
  },
  {
    name: "a conflict that a person resolves on GitHub's page needs an approval",
    inputs: BY_CHECKS,
    steps: [resolveOnPage, green],
    words: "approves its last commit",
  },
  {
    name: "an update of the branch that a person clicks needs an approval",
    inputs: BY_CHECKS,
    steps: [updateOnPage, green],
    words: "approves its last commit",
  },
  {
    name: "a token that may bypass the rules does not merge with one of two approvals",
    inputs: APPROVED,
    steps: [needs(2, APP), approve()],
    words: "the reviews that the rules of its base want",
    token: APP_TOKEN,
  },
  {
    name: "a token that may bypass the rules merges with two of two approvals",
    inputs: APPROVED,
    steps: [needs(2, APP), approve(), approve("writer")],
    words: null,
    token: APP_TOKEN,
  },
  {
    name: "a token that may bypass the rules does not merge before a required check has begun",
    inputs: APPROVED,
    steps: [rule({ checks: ["docs-check"], bypass: [APP] }), approve()],
    words: "the check `docs-check`, which a rule of its base wants, has succeeded",
    token: APP_TOKEN,
  },
  {
    name: "a rule that wants a check is named",
    inputs: APPROVED,
    steps: [rule({ checks: ["docs-check"] }), approve()],
    words: "the check `docs-check`, which a rule of its base wants, has succeeded",
  },
  {
    name: "a rule that wants resolved threads is named",
    inputs: APPROVED,
    steps: [rule({ threads: true }), asked, later(), approve()],
    words: "once all its review threads are resolved",
  },
  {
    name: "a rule that wants signed commits is named",
    inputs: APPROVED,
    steps: [rule({ signatures: true }), approve()],
    words: "A rule of its base wants signed commits",
  },
  {
    name: "a rule that wants a deployment is named",
    inputs: APPROVED,
    steps: [rule({ deployments: true }), approve()],
    words: "A rule of its base wants a deployment",
  },
  ...["docs/CODEOWNERS", "docs/.gitattributes", "docs/.gitmodules"].map((path) => ({
    name: `a pattern with a wildcard does not allow ${path}`,
    inputs: BY_CHECKS,
    steps: [pushed({ [path]: "* @outsider" }), green],
    words: `It changes \`${path}\`, which only its full name`,
  })),
  ...[
    ["a symbolic link", "120000"],
    ["a submodule", "160000"],
  ].map(([what, mode = ""]) => ({
    name: `a pattern with a wildcard does not allow ${what}`,
    inputs: BY_CHECKS,
    steps: [pushed({ "docs/latest": "../../secrets" }, { "docs/latest": mode }), green],
    words: "It changes `docs/latest`, a symbolic link or a submodule",
  })),
  {
    name: "checks do not merge what deletes an image",
    inputs: BY_CHECKS,
    steps: [removesImage, green],
    words: "It deletes or renames `docs/retries.png`",
  },
  {
    name: "what deletes an image is merged once it is approved",
    inputs: BY_CHECKS,
    steps: [removesImage, green, approve()],
    words: null,
  },
  {
    name: "a label keeps it from being merged",
    inputs: APPROVED,
    steps: [approve(), label],
    words: "It is left alone as long as it has the label `Docs-Hold`",
  },
  {
    name: "without the label it goes on",
    inputs: APPROVED,
    steps: [approve(), label, unlabel],
    words: null,
  },
  {
    name: "a rebase whose commits skip workflows is left to a person",
    inputs: { ...APPROVED, "merge-method": "rebase" },
    steps: [
      ({ github }, number) =>
        github.pushTo(number, {
          author: AGENT,
          message: "Describe [skip ci]",
          files: ["docs/b.md"],
        }),
      approve(),
    ],
    words: "has a mark that skips workflows",
  },
];

test.each(byName(someOf(NOES)))("%s", async (_, { inputs, steps, words, token }) => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  const options = token === undefined ? { inputs } : { inputs, token };
  await seeHeads(world, options);
  for (const step of steps) await step(world, number);
  // A head that was pushed since has its five minutes.
  await world.run("land", options);
  await world.passTime(6 * MINUTE);
  await world.run("land", options);
  expect(world.pull(number).mergedAt !== null).toBe(words === null);
  if (words !== null) expect(world.comment(number)).toContain(words);
});

test.each(["squash", "merge"])(
  "land's own message of a %s has no mark that skips workflows",
  async (method) => {
    await using world = await startWorld(LAND);
    const number = await documentChange(world);
    await describe("All is said.\n\n[skip ci]")(world, number);
    world.github.home.change(world.pull(number), { title: "Describe retries [no ci]" });
    await approve()(world, number);
    const inputs = { ...APPROVED, "merge-method": method };
    expect((await world.run("land", { inputs })).outputs).toMatchObject({ mergedCount: "1" });
    const { message = "" } = world.github.home.find(world.pull(number).mergeSha) ?? {};
    expect(message).toMatch(/^Describe retries \(#\d+\)\n\nDocuments http/);
    expect(message).not.toMatch(/ci\]/);
  },
);

test("GitHub is asked up to three times whether it can be merged", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await approve()(world, number);
  const { site } = world.github.emulated;
  site.isMergeabilityLate = true;
  site.mergeabilityTries = 2;
  world.github.home.triedMerges.clear();
  const options = { inputs: APPROVED, fastClock: 10 };
  expect((await world.run("land", options)).outputs).toMatchObject({ mergedCount: "1" });
});
