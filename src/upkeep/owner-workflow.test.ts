import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { EMPTY, revision, unread } from "../../test/support/ledger-examples.ts";
import { contextOf } from "../../test/support/run-context.ts";
import type { OwnerWorkflow } from "../batches/model/ledger.ts";
import type { Fact } from "../runtime/fact.ts";
import {
  decideOwner,
  FILTERS,
  givenFilters,
  type OwnJob,
  ownJob,
  takeOwner,
} from "./owner-workflow.ts";

const OWN = ownJob({ paths: "src/**" }, contextOf("schedule"));
const BRANCH = ownJob(OWN.filters, { ...contextOf("workflow_dispatch"), branch: "try" });
const OTHER_FILE = ".github/workflows/other.yml";
const TEXT = "on: schedule";

const there = async (): Promise<Fact<string>> => ({ type: "known", value: TEXT });
const edited = async (): Promise<Fact<string>> => ({ type: "known", value: "on: push" });
const gone = async (): Promise<Fact<string>> => ({ type: "absent" });
const unreadable = async (): Promise<Fact<string>> => unread("unanswered");

/** The owner after this job wrote first. */
const MINE = await decideOwner(null, OWN, false, there);
/** The same job with other filters. */
const OLD: OwnerWorkflow = { ...MINE, filters: { paths: "api/**" } };
const OTHER: OwnerWorkflow = { ...OLD, workflow: OTHER_FILE };

/** Decides. @returns the owner or the error, and the files that were read */
async function decide(
  owner: OwnerWorkflow | null,
  readFile: () => Promise<Fact<string>> = there,
  { own = OWN, isTaken = false }: { own?: OwnJob; isTaken?: boolean } = {},
) {
  const files: string[] = [];
  const read = (file: string) => {
    files.push(file);
    return readFile();
  };
  const result = await decideOwner(owner, own, isTaken, read).catch((error: unknown) => error);
  return { result, files };
}

test("nobody's ledger is taken, with the file and the job", async () => {
  expect(MINE).toEqual({
    workflow: OWN.workflow,
    job: "write-docs",
    commit: OWN.commit,
    digest: expect.stringMatching(/^[0-9a-f]{12}$/),
    filters: { paths: "src/**" },
  });
});

test.each<[string, OwnerWorkflow]>([
  ["the same job", MINE],
  ["another job of the file", { ...MINE, job: "other" }],
  ["another file", { ...MINE, workflow: OTHER_FILE }],
  ["a file that is not known", { ...MINE, workflow: null }],
])("with the same filters, %s stays the owner, without a request", async (_, owner) => {
  expect(await decide(owner)).toEqual({ result: owner, files: [] });
});

test("an edit of the file that leaves the filters alone is noted once", async () => {
  const before = { ...MINE, commit: "before" };
  const { result, files } = await decide(before, edited);
  expect(result).toEqual({ ...MINE, digest: expect.not.stringMatching(MINE.digest ?? "") });
  expect(files).toEqual([OWN.workflow]);
  expect((await decide(before, unreadable)).result).toEqual(before);
});

test.each<[string, OwnerWorkflow, () => Promise<Fact<string>>, Parameters<typeof decide>[2]]>([
  ["its file was edited", OLD, edited, {}],
  ["the file of the other job is gone", OTHER, gone, {}],
  ["a person says so", OTHER, there, { isTaken: true }],
  ["a person says so on a branch", OLD, there, { own: BRANCH, isTaken: true }],
])("other filters count if %s", async (_, owner, readFile, options) => {
  const { result } = await decide(owner, readFile, options);
  expect(result).toMatchObject({ workflow: OWN.workflow, filters: OWN.filters });
});

test.each<[string, OwnerWorkflow, () => Promise<Fact<string>>, Parameters<typeof decide>[2]]>([
  ["a leg of the same matrix", OLD, there, {}],
  ["another job of the same file, which was edited", { ...OLD, job: "other" }, edited, {}],
  ["another file", OTHER, there, {}],
  ["a run on a branch", OLD, edited, { own: BRANCH }],
  ["a run on a branch, of a file that is gone", OTHER, gone, { own: BRANCH }],
  ["a file that is not known", { ...OTHER, workflow: null }, there, {}],
  ["a file that cannot be read", OLD, unreadable, {}],
])("other filters are refused for %s, and it is told of `name`", async (_, ...parts) => {
  const { result } = await decide(...parts);
  expect(result).toMatchObject({ kind: "invalid-input" });
  expect(String(result)).toMatch(
    /name: this ledger is kept by .* values of paths\..*`decisions: keep`/,
  );
});

test("nothing is refused by a file that cannot be read in passing", async () => {
  expect((await decide(OTHER, unreadable)).result).toMatchObject({ kind: "github-unavailable" });
});

test("filters are as the workflow gives them, without those at their defaults", () => {
  const read = (values: Record<string, string>) =>
    givenFilters((name) => values[name] ?? FILTERS[name] ?? "");
  expect(read({})).toEqual({});
  expect(read({ "ignore-labels": " skip-docs \n" })).toEqual({});
  expect(read({ "ignore-labels": "", paths: "a/**\n\n!b\n" })).toEqual({
    "ignore-labels": "",
    paths: "a/**\n!b",
  });
});

test("the defaults are those of upkeep/action.yml", () => {
  const file = path.join(import.meta.dirname, "../../upkeep/action.yml");
  const { inputs } = parse(readFileSync(file, "utf8"));
  const presets = Object.keys(FILTERS).map((name) => [
    name,
    String(inputs[name].default ?? "").trim(),
  ]);
  expect(FILTERS).toEqual(Object.fromEntries(presets));
});

test("an owner that stays is no news", () => {
  const begun = revision({ ...EMPTY, ownerWorkflow: MINE });
  expect(takeOwner(begun, { ...MINE })).toBe(begun);
  expect(takeOwner(begun, OLD).ledger.ownerWorkflow).toEqual(OLD);
});
