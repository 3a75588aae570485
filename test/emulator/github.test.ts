import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";

let world: LocalWorld;

beforeAll(async () => {
  world = await startLocalWorld({
    files: { "docs/keys.md": "# Keys\n" },
    issues: [
      { title: "First", body: "One\n<!-- hidden -->" },
      { title: "Second", body: "Two", author: "reader" },
    ],
  });
});

afterAll(() => world.close());

describe("the repository", () => {
  test("holds its files and issues", async () => {
    const { github } = world;
    expect(await github.api("/contents/docs/keys.md")).toMatchObject({ path: "docs/keys.md" });
    expect(await github.api("/issues/1")).toMatchObject({
      title: "First",
      user: { login: "writer" },
    });
    expect(await github.api("/issues/2")).toMatchObject({ user: { login: "reader" } });
  });

  test.each([
    ["octocat", "admin", "admin"],
    ["maintainer", "write", "maintain"],
    ["writer", "write", "write"],
    ["triager", "read", "triage"],
    ["reader", "read", "read"],
    ["outsider", "read", "read"],
  ])("%s has the permission %s, in the role %s", async (login, permission, role_name) => {
    expect(await world.github.api(`/collaborators/${login}/permission`)).toMatchObject({
      permission,
      role_name,
      user: { login },
    });
  });

  test("has no permission for whom nobody knows", async () => {
    await expect(world.github.api("/collaborators/nobody/permission")).rejects.toThrow("404");
  });

  test("takes no token but those of its people", async () => {
    const call = { method: "POST", body: { title: "x" } };
    await expect(world.github.api("/issues", { ...call, token: "ghs_wrong" })).rejects.toThrow(
      "401",
    );
  });

  test("takes no body of more than 65,536 characters, nor a comment", async () => {
    const send = (path: string, length: number) =>
      world.github.api(path, { method: "POST", body: { title: "Long", body: "é".repeat(length) } });
    await expect(send("/issues", 65_537)).rejects.toThrow("422");
    await expect(send("/issues/1/comments", 65_537)).rejects.toThrow("422");
    expect(await send("/issues/2/comments", 65_536)).toMatchObject({ user: { login: "octocat" } });
  });

  test("writes down what it was asked, without tokens", async () => {
    await world.github.api("/issues/1", { token: world.github.token });
    const requests = await world.github.requests();
    expect(requests.at(-1)).toMatchObject({ method: "GET", path: "/repos/acme/docs/issues/1" });
    expect(JSON.stringify(requests)).not.toContain(world.github.token);
  });
});

describe("comments", () => {
  test("are created and edited by the workflow's account", async () => {
    const { api, token } = world.github;
    const made = await api<{ id: number; html_url: string }>("/issues/1/comments", {
      method: "POST",
      token,
      body: { body: "Started <!-- mark -->" },
    });
    expect(made.html_url).toContain(`/acme/docs/issues/1#issuecomment-${made.id}`);
    await api(`/issues/comments/${made.id}`, { method: "PATCH", token, body: { body: "Done" } });
    expect(await api("/issues/1/comments")).toMatchObject([
      { body: "Done", user: { login: "github-actions[bot]" } },
    ]);
  });
});

test("writes are counted, reads are not", async () => {
  const before = await world.github.writes();
  await world.github.api("/issues/1");
  expect(await world.github.writes()).toBe(before);
  await world.github.api("/issues/1", { method: "PATCH", body: { title: "First" } });
  expect(await world.github.writes()).toBe(before + 1);
});

describe("reactions", () => {
  test("can be given once to issues and comments, and are listed", async () => {
    const { api, token } = world.github;
    const comment = await api<{ id: number }>("/issues/2/comments", {
      method: "POST",
      body: { body: "Hello" },
    });
    for (const subject of ["/issues/2", `/issues/comments/${comment.id}`]) {
      const react = () =>
        api<{ id: number }>(`${subject}/reactions`, {
          method: "POST",
          token,
          body: { content: "eyes" },
        });
      expect((await react()).id).toBe((await react()).id);
      expect(await api(`${subject}/reactions`)).toMatchObject([
        { content: "eyes", user: { login: "github-actions[bot]", type: "Bot" } },
      ]);
    }
    expect(await world.github.reactions()).toHaveLength(2);
  });

  test.each([
    ["to nothing", "/issues/99/reactions", "eyes", "404"],
    ["of a kind that is not known", "/issues/1/reactions", "shrug", "422"],
  ])("%s are refused", async (_, path, content, status) => {
    const call = { method: "POST", body: { content } };
    await expect(world.github.api(path, call)).rejects.toThrow(status);
  });

  test("are put on a review by GraphQL, once each", async () => {
    const react = async (query: string) => {
      const variables = { id: "PRR_1", content: "EYES" };
      const response = await fetch(`${world.github.url}/graphql`, {
        method: "POST",
        headers: { authorization: `Bearer ${world.github.token}` },
        body: JSON.stringify({ query, variables }),
      });
      return response.json();
    };
    const before = (await world.github.reactions()).length;
    for (const _ of [1, 2]) {
      const answer = await react("mutation { addReaction(input: {}) { clientMutationId } }");
      expect(answer).toEqual({ data: { addReaction: { clientMutationId: null } } });
    }
    expect(await react("query { viewer { login } }")).toHaveProperty("errors");
    const added = (await world.github.reactions()).slice(before);
    expect(added).toMatchObject([{ subject: "PRR_1", content: "eyes" }]);
  });
});

describe("a pull request", () => {
  interface Numbered {
    number: number;
    html_url: string;
  }

  const openPull = async () => {
    const { api } = world.github;
    const base = await api<{ object: { sha: string } }>("/git/ref/heads/main");
    const branch = `change-${Date.now()}`;
    await api("/git/refs", {
      method: "POST",
      body: { ref: `refs/heads/${branch}`, sha: base.object.sha },
    });
    const content = Buffer.from("# Scopes\n").toString("base64");
    await api(`/contents/docs/${branch}.md`, {
      method: "PUT",
      body: { message: "Add a page", content, branch },
    });
    return api<Numbered>("/pulls", {
      method: "POST",
      body: { title: "Add a page", head: branch, base: "main", body: "As asked." },
    });
  };

  test("is an issue too", async () => {
    const { number, html_url } = await openPull();
    const issue = await world.github.api<object>(`/issues/${number}`);
    expect(issue).toMatchObject({
      number,
      title: "Add a page",
      body: "As asked.",
      state: "open",
      html_url,
      url: `${world.github.url}/repos/acme/docs/issues/${number}`,
      pull_request: { html_url, merged_at: null },
    });
    expect(issue).not.toHaveProperty("head");
    expect(await world.github.api("/issues/1")).not.toHaveProperty("pull_request");
  });

  test("takes the changes, comments, labels and reactions of an issue", async () => {
    const { api, token } = world.github;
    const { number } = await openPull();
    const issue = `/issues/${number}`;
    expect(await api(issue, { method: "PATCH", body: { state: "closed" } })).toMatchObject({
      number,
      state: "closed",
      pull_request: {},
    });
    expect(await api(`/pulls/${number}`)).toMatchObject({ state: "closed", merged: false });
    await api(`${issue}/comments`, { method: "POST", token, body: { body: "Started" } });
    expect(await api(`${issue}/comments`)).toMatchObject([{ body: "Started" }]);
    await api(`${issue}/reactions`, { method: "POST", token, body: { content: "eyes" } });
    expect(await api(`${issue}/reactions`)).toMatchObject([{ content: "eyes" }]);
  });

  test("has its own page, also under its number as an issue", async () => {
    const { number, html_url } = await openPull();
    const response = await fetch(`${world.github.url}/acme/docs/issues/${number}`);
    expect(response.url).toBe(html_url);
    expect(await response.text()).toContain("# Scopes");
    const tracker = await (await fetch(`${world.github.url}/`)).text();
    expect(tracker).toContain(`/acme/docs/pull/${number}`);
  });
});

describe("pages", () => {
  const page = async (path: string) => {
    const response = await fetch(`${world.github.url}${path}`);
    return { status: response.status, html: await response.text() };
  };

  test("show the tracker, and an issue without what is hidden in it", async () => {
    expect((await page("/")).html).toContain("#1 First");
    const { html } = await page("/acme/docs/issues/1");
    expect(html).toContain("One");
    expect(html).not.toContain("hidden");
  });

  test("show where the link to a workflow run leads", async () => {
    expect((await page("/acme/docs/actions/runs/1001/attempts/2")).html).toContain("Run 1001");
  });

  test("are missing for what is not there", async () => {
    expect((await page("/acme/docs/pull/99")).status).toBe(404);
    expect((await page("/acme/docs/issues/99")).status).toBe(404);
  });
});
