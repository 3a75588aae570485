import { expect, test } from "vitest";
import {
  ADA,
  AGENT,
  commitAnswer,
  type Person,
  readDocsPull,
  WEB,
} from "../../../test/support/docs-pull-answer.ts";

const BOT: Person = { email: "49+docs-bot[bot]@users.noreply.github.com", user: null };
const LINKED: Person = { email: "x@docs.example", user: { login: "docs-bot" } };
const UNKNOWN: Person = { email: "who@example.com", user: null };
const NOBODY: Person = { email: "", user: null };
/** The token's account, an app. */
const READER: Person = { email: "8+ci[bot]@users.noreply.github.com", user: null };
const PARENTS = ["judged", "main"];
const UPDATE = commitAnswer(READER, WEB, "update", PARENTS);
const JUDGED = commitAnswer(AGENT, AGENT, "judged");

test.each([
  ["the agent's alone", [commitAnswer(AGENT), commitAnswer(AGENT)], false],
  ["its app's address", [commitAnswer(AGENT), commitAnswer(BOT)], false],
  ["its app's account", [commitAnswer(AGENT), commitAnswer(LINKED)], false],
  ["the agent's, on GitHub's page", [commitAnswer(AGENT, WEB)], false],
  ["a person's", [commitAnswer(AGENT), commitAnswer(ADA)], true],
  ["a person's, on GitHub's page", [commitAnswer(AGENT), commitAnswer(ADA, WEB)], true],
  ["the agent's, amended by a person", [commitAnswer(AGENT, ADA)], true],
  ["an unknown address", [commitAnswer(AGENT), commitAnswer(UNKNOWN)], true],
  ["no address, like the first one", [commitAnswer(NOBODY), commitAnswer(NOBODY)], true],
  ["nobody's", [commitAnswer(null)], true],
  ["of somebody named web-flow", [commitAnswer(AGENT), commitAnswer(WEB)], true],
  ["the reader's update", [JUDGED, UPDATE], false],
  ["a person's update on GitHub's page", [JUDGED, commitAnswer(ADA, WEB, "update", PARENTS)], true],
  ["an update without GitHub", [JUDGED, commitAnswer(READER, READER, "update", PARENTS)], true],
  [
    "an update of another head",
    [commitAnswer(AGENT), commitAnswer(READER, WEB, "update", ["other", "main"])],
    true,
  ],
  [
    "a merge of what is not in the base",
    [JUDGED, commitAnswer(AGENT, AGENT, "main"), UPDATE],
    true,
  ],
  [
    "a merge of two branches",
    [JUDGED, commitAnswer(READER, WEB, "update", [...PARENTS, "more"])],
    true,
  ],
  ["no merge", [JUDGED, commitAnswer(READER, WEB, "update", ["judged"])], true],
])("commits: %s", async (_, nodes, isEditedByOthers) => {
  const read = await readDocsPull({ commits: { totalCount: nodes.length, nodes } });
  expect(read.isEditedByOthers).toBe(isEditedByOthers);
});

test("an update by a person's token is the person's commit", async () => {
  const nodes = [JUDGED, commitAnswer(ADA, WEB, "update", PARENTS)];
  const commits = { totalCount: 2, nodes };
  expect((await readDocsPull({ commits }, [], "ada")).isEditedByOthers).toBe(true);
});

const ENTERPRISE = { url: "https://github.acme.example/acme/docs/pull/7" };
const at = (email: string): Person => ({ email, user: null });

test.each([
  [
    "by the server's default address",
    commitAnswer(AGENT, at("noreply@github.acme.example")),
    false,
  ],
  ["by an address of its domain", commitAnswer(AGENT, at("no-reply@acme.example")), false],
  ["by github.com", commitAnswer(AGENT, WEB), false],
  [
    "by its app's address",
    commitAnswer(at("49+docs-bot@users.noreply.github.acme.example")),
    false,
  ],
  ["by an address of another server", commitAnswer(AGENT, at("noreply@other.example")), true],
  [
    "by such a name at another server",
    commitAnswer(at("docs-bot@users.noreply.other.example")),
    true,
  ],
  ["by the address of a top-level domain", commitAnswer(AGENT, at("noreply@example")), true],
  [
    "by an address that only ends like its own",
    commitAnswer(AGENT, at("noreply@me.example")),
    true,
  ],
])("on a server of its own, a commit %s", async (_, node, isEditedByOthers) => {
  const nodes = [commitAnswer(AGENT), node];
  const read = await readDocsPull({ ...ENTERPRISE, commits: { totalCount: nodes.length, nodes } });
  expect(read.isEditedByOthers).toBe(isEditedByOthers);
});

test("the commits of allowed committers count as the agent's", async () => {
  const nodes = [commitAnswer(AGENT), commitAnswer(ADA), commitAnswer(BOT)];
  const commits = { totalCount: 3, nodes };
  expect((await readDocsPull({ commits }, ["bo"])).isEditedByOthers).toBe(true);
  expect((await readDocsPull({ commits }, ["Ada"])).isEditedByOthers).toBe(false);
});

test("the heads from which the reader had the branch brought up to date are known", async () => {
  const commits = { totalCount: 3, nodes: [commitAnswer(AGENT), JUDGED, UPDATE] };
  const read = await readDocsPull({ commits, head: "update" });
  expect(read.headsBeforeUpdates).toEqual(["update", "judged"]);
  // The list of commits is behind.
  expect((await readDocsPull({ commits })).headsBeforeUpdates).toEqual(["head"]);
});

test("more commits than are read may be anybody's", async () => {
  const commits = {
    totalCount: 101,
    nodes: Array.from({ length: 100 }, () => commitAnswer(AGENT)),
  };
  expect((await readDocsPull({ commits })).isEditedByOthers).toBe(true);
});
