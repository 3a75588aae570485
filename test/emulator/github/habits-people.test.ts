import { describe, expect, test } from "vitest";
import { AGENT, WORKFLOW } from "../../../emulator/github/people.ts";
import { gitHub } from "./ask.ts";

describe("a role in a repository", () => {
  test("is nothing that bots have: they are not users", () => {
    const { refusal } = gitHub();
    for (const bot of [WORKFLOW, AGENT]) {
      const path = `/collaborators/${encodeURIComponent(bot)}/permission`;
      expect(refusal(`GET ${path}`)).toBe(`404 ${bot} is not a user`);
    }
  });

  test("can be a custom one, whose permission is that of the role it extends", () => {
    const { repository, get } = gitHub();
    repository.roles.set("reader", "maintain");
    repository.switches.customRoles.set("reader", "docs-lead");
    expect(get("GET /collaborators/reader/permission")).toMatchObject({
      permission: "write",
      role_name: "docs-lead",
    });
  });

  test("is read for everybody in a public repository, and triage counts as read, maintain as write", () => {
    const { get } = gitHub();
    const permission = (login: string) =>
      get<{ permission: string }>(`GET /collaborators/${login}/permission`).permission;
    expect(["outsider", "triager", "maintainer"].map(permission)).toEqual([
      "read",
      "read",
      "write",
    ]);
  });
});

describe("a locked conversation", () => {
  function locked() {
    const world = gitHub();
    const issue = world.repository.openIssue({ title: "x" });
    world.repository.change(issue, { isLocked: true });
    const comment = world.repository.comment(issue, "x", "writer");
    return { ...world, comment };
  }

  test("refuses the comments of the workflow's token too, not only of readers", () => {
    const { get, refusal } = locked();
    const body = { body: "x" };
    for (const as of [WORKFLOW, "reader"]) {
      expect(refusal("POST /issues/1/comments", { body, as })).toMatch(/^403 .*is locked/);
    }
    get("POST /issues/1/comments", { body, as: "writer" });
  });

  test("takes reactions only of accounts with write access", () => {
    const { get, refusal, comment } = locked();
    const body = { content: "eyes" };
    for (const path of ["/issues/1/reactions", `/issues/comments/${comment.id}/reactions`]) {
      expect(refusal(`POST ${path}`, { body, as: "reader" })).toMatch(/^403 .*is locked/);
      get(`POST ${path}`, { body, as: "writer" });
    }
  });
});

test("who cannot be assigned is left out, without an error", () => {
  const { repository, get } = gitHub();
  repository.openIssue({ title: "x" });
  const body = { assignees: ["writer", "outsider", "nobody"] };
  expect(get("POST /issues/1/assignees", { body })).toMatchObject({
    assignees: [{ login: "writer" }],
  });
});
