import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { RepositoryHistory } from "../../emulator/local-world/repository-history.ts";

let world: LocalWorld;
let history: RepositoryHistory;
const LIST = "/issues/comments";

interface Comment {
  id: number;
  issue_url: string;
  body: string;
  updated_at: string;
}

beforeAll(async () => {
  const issue = (title: string) => ({ title, body: "" });
  world = await startLocalWorld({ issues: [issue("One"), issue("Two")] });
  history = new RepositoryHistory(world.github);
});

afterAll(() => world.close());

function api<Answer>(path: string, method = "GET", body?: unknown): Promise<Answer> {
  return world.github.api<Answer>(path, { method, body });
}

const bodies = (comments: readonly Comment[]) => comments.map(({ body }) => body);

test("the comments of all issues come in one list, by their time, from a time on, in pages", async () => {
  const write = async (issue: number, body: string) => {
    await history.advance(5_000);
    return await api<Comment>(`/issues/${issue}/comments`, "POST", { body });
  };
  const first = await write(1, "first");
  await write(2, "second");
  await write(1, "third");
  expect(bodies(await api<Comment[]>(LIST))).toEqual(["first", "second", "third"]);

  await history.advance(5_000);
  await api(`/issues/comments/${first.id}`, "PATCH", { body: "first, edited" });
  const byUpdate = await api<Comment[]>(`${LIST}?sort=updated&direction=desc`);
  expect(bodies(byUpdate)).toEqual(["first, edited", "third", "second"]);
  expect(byUpdate.map(({ issue_url }) => issue_url.split("/").at(-1))).toEqual(["1", "1", "2"]);

  const page = (number: number) =>
    api<Comment[]>(`${LIST}?sort=updated&direction=desc&per_page=2&page=${number}`);
  expect(bodies(await page(1))).toEqual(["first, edited", "third"]);
  expect(bodies(await page(2))).toEqual(["second"]);
  expect(await page(3)).toEqual([]);

  const [last] = byUpdate.map(({ updated_at }) => Math.floor(Date.parse(updated_at) / 1000) * 1000);
  const since = async (at = 0) =>
    bodies(await api<Comment[]>(`${LIST}?since=${new Date(at).toISOString()}`));
  expect(await since(last)).toEqual(["first, edited"]);
  expect(await since((last ?? 0) + 1000)).toEqual([]);
});
