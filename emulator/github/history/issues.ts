/** Issues that are switched off, and pull requests as the issues that they also are. */

import { type App, BODY, type Call } from "../../http/app.ts";
import { asIssue, pullPath } from "../issues.ts";
import type { GitHubProxy } from "../proxy.ts";
import type { Pull as WholePull } from "../pulls.ts";
import { asTold, type Pull } from "./pull-request.ts";
import type { Repository, RepositoryOf } from "./repository.ts";
import { asCaller, asSite, linked, paged, passing, Refused, refusal } from "./upstream.ts";

const REPO = "/repos/:owner/:repo";

export function issues(app: App, proxy: GitHubProxy, repositoryOf: RepositoryOf): void {
  app.patch(
    REPO,
    passing(async (call) => {
      const answer = await proxy.forward(call, { body: withoutIssues(call) });
      if (!answer.ok) return answer;
      const { has_issues } = bodyOf(call);
      if (typeof has_issues === "boolean") repositoryOf(call).hasIssues = has_issues;
      return call.json({ ...(await json(answer)), has_issues: repositoryOf(call).hasIssues });
    }),
  );

  app.get(
    REPO,
    passing(async (call) => {
      const answer = await proxy.forward(call);
      if (!answer.ok) return answer;
      return call.json({ ...(await json(answer)), has_issues: repositoryOf(call).hasIssues });
    }),
  );

  app.get(`${REPO}/issues`, (call) =>
    // GitHub goes on to list the pull requests, which this list leaves out in any case.
    repositoryOf(call).hasIssues ? proxy.forward(call) : call.json([]),
  );
  app.post(`${REPO}/issues`, (call) =>
    repositoryOf(call).hasIssues ? proxy.forward(call) : disabled(call),
  );

  const one = passing(async (call) => {
    const answer = await proxy.forward(call);
    if (answer.ok) return repositoryOf(call).hasIssues ? answer : disabled(call);
    return answer.status === 404 ? pullAsIssue(proxy, repositoryOf(call), call, answer) : answer;
  });
  app.get(`${REPO}/issues/:number{[0-9]+}`, one);
  app.patch(`${REPO}/issues/:number{[0-9]+}`, one);

  const guarded = (route: (call: Call) => Promise<Response>) =>
    passing(async (call) => {
      const isOn = repositoryOf(call).hasIssues || (await isPull(proxy, call));
      return isOn ? route(call) : disabled(call);
    });
  app.get(
    `${REPO}/issues/:number{[0-9]+}/comments`,
    guarded((call) => comments(proxy, call)),
  );
  app.post(
    `${REPO}/issues/:number{[0-9]+}/comments`,
    guarded((call) => proxy.forward(call)),
  );
}

/** GitHub's emulator pays no heed to `since` here. */
async function comments(proxy: GitHubProxy, call: Call): Promise<Response> {
  const since = Date.parse(call.req.query("since") ?? "");
  if (Number.isNaN(since)) {
    const answer = await proxy.forward(call);
    return answer.ok ? linked(call, answer, (await answer.json()) as object[]) : answer;
  }
  const found: { updated_at: string }[] = [];
  for (let page = 1; found.length === (page - 1) * 100; page += 1) {
    const path = `/issues/${call.req.param("number")}/comments?per_page=100&page=${page}`;
    found.push(...(await asCaller(proxy, call).get<typeof found>(path)));
  }
  return paged(
    call,
    found.filter(({ updated_at }) => Date.parse(updated_at) >= since),
  );
}

/** The issue that GitHub shows under a pull request's number; its own emulator answers 404. */
async function pullAsIssue(
  proxy: GitHubProxy,
  repository: Repository,
  call: Call,
  notFound: Response,
): Promise<Response> {
  if (!(await isPull(proxy, call))) return notFound;
  const answer = await proxy.forward(call, { path: pullPath(call.req.path) });
  if (!answer.ok) return answer;
  const pull = (await answer.json()) as Pull & WholePull;
  return call.json(asIssue(await asTold(repository, asSite(proxy, call), pull)));
}

async function isPull(proxy: GitHubProxy, call: Call): Promise<boolean> {
  try {
    await asCaller(proxy, call).get(`/pulls/${call.req.param("number")}`);
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

function disabled(call: Call): Response {
  return refusal(call, 410, "Issues are disabled for this repo");
}

/** GitHub's emulator would no longer take comments on pull requests either. */
function withoutIssues(call: Call): string {
  const { has_issues: _, ...rest } = bodyOf(call);
  return JSON.stringify(rest);
}

function bodyOf(call: Call): Record<string, unknown> {
  return JSON.parse(String(call.get(BODY) ?? "") || "{}") as Record<string, unknown>;
}

async function json(answer: Response): Promise<Record<string, unknown>> {
  return (await answer.json()) as Record<string, unknown>;
}
