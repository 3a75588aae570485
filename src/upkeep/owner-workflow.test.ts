import { expect, test } from "vitest";
import { EMPTY, revision, unread } from "../../test/support/ledger-examples.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { upkeepInputs } from "../../test/support/upkeep-examples.ts";
import type { OwnerWorkflow } from "../batches/model/ledger.ts";
import type { Fact } from "../runtime/fact.ts";
import { checkOwnerWorkflow, ownWorkflow, takeOwnerWorkflow } from "./owner-workflow.ts";

const CONTEXT = contextOf("schedule");
const OWN = ownWorkflow(upkeepInputs(), CONTEXT);
const OTHER_FILE = ".github/workflows/other.yml";
const OTHER: OwnerWorkflow = { workflow: OTHER_FILE, run: "900", filters: "other" };
const SAME_FILE: OwnerWorkflow = { ...OTHER, workflow: OWN.workflow };

const there = async (): Promise<Fact<string>> => ({ type: "known", value: "on: push" });
const gone = async (): Promise<Fact<string>> => ({ type: "absent" });
const unreadable = async (): Promise<Fact<string>> => unread("unanswered");

/** Checks the owner of a ledger. @returns the error's message, or null; and the files that were read */
async function check(
  owner: OwnerWorkflow | null,
  readFile: () => Promise<Fact<string>> = there,
  own = OWN,
) {
  const files: string[] = [];
  const read = (path: string) => {
    files.push(path);
    return readFile();
  };
  const error = await checkOwnerWorkflow(owner, own, read).then(
    () => null,
    (thrown: Error) => thrown,
  );
  return { error, files };
}

test.each<[string, OwnerWorkflow | null]>([
  ["nobody", null],
  ["its own file", OWN],
  ["another file with the same filters", { ...OTHER, filters: OWN.filters }],
  ["its own file before that was edited", SAME_FILE],
  ["a file that is not known", { ...OTHER, workflow: null }],
])("a run may write a ledger that is kept by %s, without a request", async (_, owner) => {
  expect(await check(owner)).toEqual({ error: null, files: [] });
});

test("a run may write a ledger that is kept by a file that was deleted", async () => {
  expect(await check(OTHER, gone)).toEqual({ error: null, files: [OTHER_FILE] });
});

test.each<[string, OwnerWorkflow, () => Promise<Fact<string>>, string]>([
  ["another file", OTHER, there, OTHER_FILE],
  ["another file that cannot be read", OTHER, unreadable, OTHER_FILE],
  [
    "another step of the same run",
    { ...SAME_FILE, run: OWN.run },
    there,
    `another step of ${OWN.workflow}`,
  ],
])("a run may not write a ledger that is kept by %s", async (_, owner, readFile, name) => {
  const { error } = await check(owner, readFile);
  expect(error).toMatchObject({ kind: "invalid-input" });
  expect(error?.message).toMatch(`name: this ledger is kept by ${name}, with other repositories`);
});

test("a run without an ID is not taken for a step of itself", async () => {
  const own = { ...OWN, run: null };
  expect(await check({ ...SAME_FILE, run: null }, there, own)).toEqual({ error: null, files: [] });
});

test("an unexpected error as the file is read is thrown", async () => {
  const mistake = new TypeError("x is not a function");
  expect((await check(OTHER, () => Promise.reject(mistake))).error).toBe(mistake);
});

test.each<[string, Record<string, string>, boolean]>([
  ["the repositories", { repositories: "acme/other" }, false],
  ["the time of the hand-over", { after: "release" }, false],
  ["the tags of releases", { after: "release", "release-tag": "v*" }, false],
  ["the paths", { paths: "src/**" }, false],
  ["the labels", { "ignore-labels": "internal" }, false],
  ["the authors", { "ignore-authors": "writer" }, false],
  ["the number of changes", { "max-changes": "1" }, true],
  ["the prompt", { prompt: "Document it." }, true],
])("workflows that differ in %s have the same filters: %3$s", (_, inputs, isSame) => {
  const { filters } = ownWorkflow(upkeepInputs(inputs), CONTEXT);
  expect(filters === OWN.filters).toBe(isSame);
});

test.each<[string, OwnerWorkflow | null, boolean]>([
  ["a ledger without an owner", null, true],
  ["a ledger of a deleted file", OTHER, true],
  ["after an edit of its own filters", SAME_FILE, true],
  ["after its file was renamed", { ...OWN, workflow: OTHER.workflow }, true],
  ["not only because of another run", { ...OWN, run: "900" }, false],
])("a workflow takes over %s", (_, ownerWorkflow, isTaken) => {
  const begun = revision({ ...EMPTY, ownerWorkflow });
  expect(takeOwnerWorkflow(begun, OWN).ledger.ownerWorkflow).toEqual(isTaken ? OWN : ownerWorkflow);
});
