import { expect, test } from "vitest";
import { CHANGE, NOW } from "../../test/support/land-facts.ts";
import { parseLedger } from "../ledger/file.ts";
import { type LandLedgerFile, landFormat } from "./format.ts";

const FORMAT = landFormat("project");

/** As earlier versions of the action wrote it. */
const ENTRY: LandLedgerFile["open"][number] = {
  url: "https://github.com/acme/docs/pull/7",
  repositoryId: 5,
  jobId: "job_1",
  changes: [CHANGE],
  askedAt: "",
  codePull: "",
  openedAt: "2026-11-22T10:00:00Z",
  head: "head",
  foundAt: "2026-11-22T11:00:00Z",
  headAt: "2026-11-22T11:00:00Z",
  unreadFrom: "",
  agent: "agent@example.com",
  isEditedByOthers: false,
  isSetUp: true,
  asked: ["ada"],
  comment: { digest: "0123456789ab" },
  preview: null,
  followUps: [
    { at: "2026-11-22T11:30:00Z", about: "1 failed check", head: "older", isUncertain: true },
  ],
  sent: ["check 1"],
  isClosedToFollowUps: false,
  isClosedToComments: false,
  refused: null,
  isReminded: false,
  updated: [{ head: "older", headAt: "2026-11-22T11:00:00Z" }],
  queued: "",
  needs: "",
  intent: null,
};

const FILE: LandLedgerFile = {
  version: 1,
  action: "land",
  project: "project",
  writes: 4,
  historyFiles: ["history/2026-11.jsonl"],
  ledgers: { "refs/docs-agent/upkeep/a": "abc" },
  requests: { "refs/docs-agent/upkeep/a": { "2026-11-21": 3 } },
  commentsFrom: "2026-11-22T11:00:00Z",
  jobs: [{ id: "job_2", askedAt: "", at: "2026-11-22T11:00:00Z" }],
  open: [ENTRY],
  ended: [
    {
      url: "https://github.com/acme/docs/pull/6",
      state: "merged",
      openedAt: "2026-11-20T10:00:00Z",
      endedAt: "2026-11-21T10:00:00Z",
      isEditedByOthers: true,
      changes: 2,
      followUps: ["2026-11-20T11:30:00Z"],
    },
  ],
  unbuilt: [
    { url: "https://github.com/acme/docs/pull/6", intent: null },
    {
      url: "https://github.com/acme/docs/pull/5",
      intent: { run: "run", at: "2026-11-22T11:59:00Z" },
    },
  ],
};

function read(file: object) {
  const parsed = parseLedger(JSON.stringify(file), FORMAT, NOW);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed.ledger;
}

const BUILD = { head: "head", statusId: "s", url: "https://preview.example", log: "" };
const FOLLOW_UP = { about: "1 conflict", head: "head", news: ["conflict head"] };

test.each<[string, Partial<LandLedgerFile["open"][number]>]>([
  ["as it is", {}],
  ["asked for in a comment", { askedAt: "https://github.com/acme/api/issues/1#issuecomment-2" }],
  ["a draft", { codePull: "https://github.com/acme/api/pull/3" }],
  ["not read yet", { openedAt: "", head: "", agent: "" }],
  ["not readable", { unreadFrom: "2026-11-22T11:00:00Z", needs: "It cannot be read: 404." }],
  ["with a preview that is being built", { preview: { ...BUILD, state: "building" } }],
  ["with a preview", { preview: { ...BUILD, state: "built" } }],
  ["with a failed build", { preview: { ...BUILD, state: "failed" } }],
  [
    "with a refused preview",
    { preview: { head: "head", statusId: "", url: "", state: "refused", log: "No plan." } },
  ],
  [
    "that GitHub does not merge",
    {
      refused: {
        act: "merge",
        at: "2026-11-22T11:59:00Z",
        circumstances: "0123456789ab",
        reason: "No.",
      },
    },
  ],
  ["with an intent", { intent: { run: "run", at: "2026-11-22T11:59:00Z", followUp: null } }],
  [
    "with the intent of a follow-up",
    { intent: { run: "run", at: "2026-11-22T11:59:00Z", followUp: FOLLOW_UP } },
  ],
])("a docs pull request %s is read, and written as it was", (_, fields) => {
  const file = { ...FILE, open: [{ ...ENTRY, ...fields }] };
  expect(FORMAT.fileOf(read(file))).toEqual(file);
});

test("the fields of a docs pull request are written in the order of the file", () => {
  const { open } = FORMAT.fileOf(read(FILE)) as LandLedgerFile;
  expect(open.flatMap(Object.keys)).toEqual(Object.keys(ENTRY));
});

test("what an earlier version did not write is not known", () => {
  const { url, jobId, changes, askedAt, codePull, foundAt, headAt } = ENTRY;
  const [entry] = read({
    ...FILE,
    commentsFrom: "",
    open: [{ url, jobId, changes, askedAt, codePull, foundAt, headAt }],
  }).open;
  expect(entry).toMatchObject({
    lastRead: null,
    agent: null,
    needs: null,
    preview: null,
    asked: [],
  });
  expect(read({ ...FILE, commentsFrom: "" }).commentsFrom).toBeNull();
  const { unbuilt, ...earlier } = FILE;
  expect(read(earlier).unbuilt).toEqual([]);
});

test("the log of a build that an earlier version kept is dropped", () => {
  const preview = { ...BUILD, state: "failed", log: "A secret of the build" };
  const ledger = read({ ...FILE, open: [{ ...ENTRY, preview }] });
  expect(JSON.stringify(FORMAT.fileOf(ledger))).not.toContain("A secret");
});

test.each<[string, object]>([
  ["open.0.url", { open: [{ ...ENTRY, url: "acme/docs#7" }] }],
  ["open.0.askedAt", { open: [{ ...ENTRY, askedAt: "issue 1" }] }],
  ["jobs.0.askedAt", { jobs: [{ id: "job_2", askedAt: "issue 1", at: "2026-11-22T11:00:00Z" }] }],
  ["unbuilt.0.url", { unbuilt: [{ url: "", intent: null }] }],
])("a link that is no URL is a mistake at its place: %s", (place, fields) => {
  expect(FORMAT.parse({ ...FILE, ...fields }, NOW)).toEqual({ place });
});

test("the place of a mistake is named", () => {
  const open = [{ ...ENTRY, followUps: [{ at: 1 }] }];
  expect(FORMAT.parse({ ...FILE, open }, NOW)).toEqual({ place: "open.0.followUps.0.at" });
});
