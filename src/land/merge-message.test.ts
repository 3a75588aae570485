import { expect, test } from "vitest";
import { CHANGE, entryOf, judgedPull, landInputs, pullOf } from "../../test/support/land-facts.ts";
import { mergeMessage } from "./merge-message.ts";

const MARKED = { skipMarks: { inText: true, inCommits: false } };
const SQUASH = landInputs();

test("GitHub's own message will do without a mark, and where a rebase has none", () => {
  expect(mergeMessage(judgedPull(), SQUASH)).toBeNull();
  const rebase = landInputs({ "merge-method": "rebase" });
  expect(mergeMessage(judgedPull({ pull: pullOf(MARKED) }), rebase)).toBeNull();
});

test.each([
  ["Describe retries [skip ci]", "Describe retries (#7)"],
  ["[ci skip] Describe  [No CI]retries", "Describe retries (#7)"],
  ["[skip [skip ci]ci]", "Update the documentation (#7)"],
  ["[skip actions]", "Update the documentation (#7)"],
])("the title %j becomes %j", (title, expected) => {
  const pull = pullOf({ ...MARKED, title });
  expect(mergeMessage(judgedPull({ pull }), SQUASH)).toMatchObject({ title: expected });
});

test("it says what the docs pull request documents, and names nothing that few may see", () => {
  const hidden = { ...CHANGE, key: "13", repository: "acme/secret" };
  const judged = judgedPull({
    pull: pullOf(MARKED),
    entry: entryOf({ changes: [CHANGE, hidden] }),
  });
  const body = `Documents ${CHANGE.url}\nDocuments 1 change of other repositories`;
  expect(mergeMessage(judged, SQUASH)).toMatchObject({ body });
});
