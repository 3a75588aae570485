import { expect, test } from "vitest";
import { clientOf } from "../../test/support/github-client.ts";
import { CHANGE, entryOf, pullOf } from "../../test/support/land-facts.ts";
import { type LevelOf, visibilities } from "../github/changes/seen-repositories.ts";
import { visibilityOf } from "./visibility.ts";

const URL = "https://github.com/acme/docs/pull/7";
const DOCS = pullOf({ repository: "acme/docs", repositoryId: 1 });

type Level = Awaited<ReturnType<LevelOf>>;

const HOME = { name: "acme/api", id: 2 };

/** What may be named of a change in `acme/api`, whose ID is 2, with the workflow in `acme/api`, too. */
function visibilityIn(all: Record<string, Level>, over = {}, docs = DOCS) {
  const change = { ...CHANGE, key: "2#12", repository: "acme/api", ...over };
  const entry = entryOf({ url: URL, changes: [change] });
  return visibilityOf(entry, docs, HOME, async ({ name }) => all[name] ?? null);
}

test.each<[string, Record<string, Level>, boolean, boolean]>([
  ["both public", { "acme/docs": "PUBLIC", "acme/api": "PUBLIC" }, true, true],
  ["private code", { "acme/docs": "PUBLIC", "acme/api": "PRIVATE" }, false, true],
  ["private docs", { "acme/docs": "PRIVATE", "acme/api": "PUBLIC" }, true, false],
  ["both private", { "acme/docs": "PRIVATE", "acme/api": "PRIVATE" }, false, false],
  ["both internal", { "acme/docs": "INTERNAL", "acme/api": "INTERNAL" }, true, true],
  ["internal code, private docs", { "acme/docs": "PRIVATE", "acme/api": "INTERNAL" }, false, false],
  ["internal code, public docs", { "acme/docs": "PUBLIC", "acme/api": "INTERNAL" }, false, true],
  ["neither readable", {}, false, false],
])("%s: what may be named", async (_, all, changeOnPull, docsInLog) => {
  const { onPull, inLog } = await visibilityIn(all);
  expect(onPull).toContain("acme/docs");
  expect(onPull.includes("acme/api")).toBe(changeOnPull);
  expect(inLog).toContain("acme/api");
  expect(inLog.includes("acme/docs")).toBe(docsInLog);
});

test("a repository is the same one under a former name, and another one under the same name is not", async () => {
  const former = await visibilityIn({}, { repository: "acme/old-docs", key: "1#12" });
  expect(former.onPull).toContain("acme/old-docs");
  const formerHome = await visibilityIn({}, { repository: "acme/old-api" });
  expect(formerHome.inLog).toContain("acme/old-api");
  const other = await visibilityIn({}, { repository: "acme/docs", key: "3#12" });
  expect(other.onPull.filter((name) => name === "acme/docs")).toHaveLength(1);
});

test("a renamed docs repository may be named by its former name, too", async () => {
  const docs = pullOf({ repository: "acme/handbook", repositoryId: 1 });
  const { inLog } = await visibilityIn({ "acme/handbook": "PUBLIC" }, {}, docs);
  expect(inLog).toEqual(expect.arrayContaining(["acme/handbook", "acme/docs"]));
});

test("each visibility is read once, and that of another repository of the same name counts for nothing", async () => {
  let asked = 0;
  const repository = { databaseId: 2, visibility: "PUBLIC" };
  const github = clientOf(({ body }) => {
    asked += 1;
    const [, name = ""] = /(\w*repository):/.exec(body) ?? [];
    return [200, { data: { [name]: repository } }];
  });
  const levelOf = visibilities(() => github);
  expect(await levelOf({ name: "acme/api", id: 2 })).toBe("PUBLIC");
  expect(await levelOf({ name: "Acme/API", id: 2 })).toBe("PUBLIC");
  expect(asked).toBe(1);
  expect(await levelOf({ name: "acme/api", id: 3 })).toBeNull();
});
