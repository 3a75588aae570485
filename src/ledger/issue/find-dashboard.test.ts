import type { Octokit } from "@octokit/core";
import { describe, expect, test } from "vitest";
import { type Change, EMPTY_CHECKPOINT } from "../model/record.ts";
import { closeIssue, type DashboardOptions, findDashboard } from "./find-dashboard.ts";
import { findUnlabelled } from "./find-unlabelled.ts";
import { BODY } from "./ledger-issue.ts";
import { ledgerMarkers, ledgerTag } from "./ledger-markers.ts";

const repository = "acme/code";
const markers = ledgerMarkers<Change>("upkeep", ["key"], "docs");
const tag = ledgerTag("upkeep", "docs");
const record = EMPTY_CHECKPOINT;

const OPTIONS: DashboardOptions<Change> = {
  ...{ repository, markers, tag, number: null, title: "Docs upkeep", label: "docs-upkeep" },
  ...{ text: "text", draft: "draft" },
};

interface Issue {
  body: string;
  title?: string;
  /** Whether its label was taken off. */
  isBare?: boolean;
  comments?: string[];
  state?: string;
  pull_request?: object;
}

/** A GitHub with these issues, numbered as given; what it was asked is kept. */
function gitHub(issues: Record<number, Issue>) {
  const asked: string[] = [];
  const data = Object.entries(issues).map(([number, issue]) => ({
    ...{ number: Number(number), html_url: `https://github.com/acme/code/issues/${number}` },
    ...{ state: "open", title: "Docs upkeep", ...issue },
  }));
  const request = async (
    route: string,
    { issue_number: number, ...rest }: { issue_number?: number; labels?: string; page?: number },
  ) => {
    asked.push(`${route.split("/").at(-1)} ${number ?? ""} ${JSON.stringify(rest)}`);
    if (route.endsWith("/issues")) {
      const page = rest.page ?? 1;
      const found = data.filter(({ isBare }) => rest.labels === undefined || isBare !== true);
      return { data: found.slice((page - 1) * 100, page * 100) };
    }
    const issue = data.find((it) => it.number === number);
    if (issue === undefined) throw Object.assign(new Error("Not Found"), { status: 404 });
    if (!route.endsWith("/comments")) return { data: issue };
    const comments = (issue.comments ?? []).map((body) => ({ body }));
    const page = rest.page ?? 1;
    return { data: comments.slice((page - 1) * 100, page * 100) };
  };
  return { github: { request } as unknown as Octokit, asked };
}

const place = (issue: number) => ({ repository, issue });
const own = (number: number) => `text\n\n${markers.write(place(number), { record }, BODY)}`;
const draft = () => `${tag}\n\n${markers.writeDraft(place(0), { record }, "draft")}`;
const others = ledgerMarkers<Change>("upkeep", ["other key"], "docs");
const foreign = (number: number) => `${tag}\n\n${others.write(place(number), { record }, BODY)}`;

function find(issues: Record<number, Issue>, number: number | null = null) {
  return findDashboard(gitHub(issues).github, { ...OPTIONS, number });
}

describe("by its label", () => {
  test("is none if no issue has it", async () => {
    expect(await find({})).toBeNull();
  });

  test("is the one that verifies, and what a person labelled is passed over", async () => {
    const found = await find({ 3: { body: "A question" }, 5: { body: own(5) } });
    expect(found).toMatchObject({ issue: { number: 5 }, isBlank: false, others: [] });
  });

  test("is the lowest number of several, and those still open are to be closed", async () => {
    const found = await find({
      ...{ 9: { body: own(9) }, 5: { body: own(5) }, 7: { body: draft() } },
      8: { body: own(8), state: "closed" },
    });
    expect(found).toMatchObject({ issue: { number: 5 }, others: [7, 9] });
  });

  test("has yet to be written if its run did not come to that", async () => {
    expect(await find({ 5: { body: draft() } })).toMatchObject({ isBlank: true });
  });

  test.each(["", "Somebody wrote this."])(
    "is known by its comments if the body is %j",
    async (body) => {
      const comment = markers.writeDraft(place(5), { record }, "draft");
      const found = await find({ 5: { body, comments: ["A remark", comment] } });
      expect(found).toMatchObject({ issue: { number: 5 }, isBlank: false });
    },
  );

  test("is known by a later page of comments, where a key before the last one signed the first", async () => {
    const old = others.writeDraft(place(5), { record }, "draft");
    const comments = [
      ...Array.from({ length: 150 }, () => old),
      markers.writeDraft(place(5), { record }, "draft"),
    ];
    expect(await find({ 5: { body: "", comments } })).toMatchObject({ issue: { number: 5 } });
    await expect(find({ 5: { body: "", comments: comments.slice(0, 150) } })).rejects.toMatchObject(
      {
        kind: "invalid-input",
      },
    );
  });

  test("stops the run if it was signed with another key", async () => {
    await expect(find({ 5: { body: foreign(5) } })).rejects.toMatchObject({
      ...{ kind: "invalid-input", advice: expect.stringContaining("previous-api-key") },
    });
  });

  test("does not count as a copy of another issue's body", async () => {
    await expect(find({ 6: { body: own(5) } })).rejects.toMatchObject({ kind: "invalid-input" });
  });

  test("of another project is passed over, without a request for its comments", async () => {
    const { github, asked } = gitHub({ 5: { body: `${ledgerTag("upkeep", "other")}\n\ntext` } });
    expect(await findDashboard(github, OPTIONS)).toBeNull();
    expect(asked).toHaveLength(1);
  });
});

describe("without its label", () => {
  const bare = (number: number, over: Partial<Issue> = {}) => ({
    [number]: { body: `${tag}\n\n${own(number)}`, isBare: true, ...over },
  });

  test.each([
    ["by its tag, whatever its title", bare(5, { title: "Renamed" })],
    ["by its tag, though it is closed", bare(5, { state: "closed" })],
    [
      "by its title and comments, if its body was emptied",
      bare(5, { body: "", comments: [markers.writeDraft(place(5), { record }, "draft")] }),
    ],
  ])("is found %s", async (_, issues) => {
    const { github } = gitHub(issues);
    expect(await findDashboard(github, OPTIONS)).toBeNull();
    const found = await findUnlabelled(github, OPTIONS);
    expect(found).toMatchObject({ issue: { number: 5 }, isBlank: false, others: [] });
  });

  test("is found among hundreds of issues, and not looked for in thousands", async () => {
    const many = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [at + 1, { body: "", title: "A bug" }]),
      );
    const { github, asked } = gitHub({ ...many(350), ...bare(400) });
    expect(await findUnlabelled(github, OPTIONS)).toMatchObject({ issue: { number: 400 } });
    expect(asked).toHaveLength(4);
    const crowded = gitHub(many(3_000));
    expect(await findUnlabelled(crowded.github, OPTIONS)).toBeNull();
    expect(crowded.asked).toHaveLength(10);
  });

  test("is no issue that only has its title, nor another project's", async () => {
    const other = `${ledgerTag("upkeep", "other")}\n\ntext`;
    const quoting = { body: "How does it work?", comments: [foreign(6)] };
    const { github } = gitHub({ 4: { body: "text" }, 5: { body: other }, 6: quoting });
    expect(await findUnlabelled(github, OPTIONS)).toBeNull();
  });

  test("stops the run if it was signed with another key", async () => {
    const { github } = gitHub(bare(5, { body: foreign(5) }));
    await expect(findUnlabelled(github, OPTIONS)).rejects.toMatchObject({ kind: "invalid-input" });
  });
});

describe("by its number", () => {
  test("has yet to be written if nothing on it is a ledger's", async () => {
    expect(await find({ 5: { body: "text" } }, 5)).toMatchObject({ isBlank: true, others: [] });
  });

  test.each([
    ["a pull request", { body: "text", pull_request: {} }, "it is a pull request"],
    ["another key's", { body: foreign(5) }, "written with another key"],
  ])("is not %s", async (_, issue, words) => {
    await expect(find({ 5: issue }, 5)).rejects.toMatchObject({
      ...{ kind: "invalid-input", message: expect.stringContaining(words) },
    });
  });

  test("is an error if there is no such issue", async () => {
    await expect(find({}, 5)).rejects.toMatchObject({
      ...{ kind: "invalid-input", message: expect.stringContaining("issues: write") },
    });
  });
});

test("what lost against a lower number is closed, and found no more", async () => {
  const { github, asked } = gitHub({ 7: { body: own(7) } });
  await closeIssue(github, repository, 7, 5);
  expect(asked[0]).toContain('"state":"closed"');
  expect(asked[0]).toContain('"labels":[]');
  expect(asked[0]).toContain('"title":"Not in use: see #5"');
  expect(asked[0]).toContain("#5 is the one in use");
});
