import type { Octokit } from "@octokit/core";
import type { Change } from "../model/record.ts";
import { guarded } from "./dashboard-errors.ts";
import {
  chooseFrom,
  type DashboardOptions,
  type FoundDashboard,
  kindOf,
  kindOfLabelled,
  TAG,
} from "./find-dashboard.ts";
import { type IssueRecord, recordOf } from "./ledger-issue.ts";

/** Pages of issues that are looked through for a dashboard without its label. */
const MAX_PAGES = 10;

/**
 * Finds a dashboard that somebody took the label off, among the issues changed last (taking a label off is
 * a change); null if there is none. Without this, the run would open another and do everything twice.
 *
 * @throws ActionError `invalid-input`, `github-unavailable`
 */
export async function findUnlabelled<C extends Change>(
  github: Octokit,
  options: DashboardOptions<C>,
): Promise<FoundDashboard | null> {
  const { repository, tag, title } = options;
  const [owner = "", repo = ""] = repository.split("/");
  const issues: IssueRecord[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data } = await guarded("issues: write", () =>
      github.request("GET /repos/{owner}/{repo}/issues", {
        ...{ owner, repo, state: "all" as const, per_page: 100, page },
        ...{ sort: "updated" as const, direction: "desc" as const },
      }),
    );
    issues.push(...data.map(recordOf).filter(({ isPull }) => !isPull));
    if (data.length < 100) break;
  }
  const candidates = issues.filter((it) => it.body.includes(tag) || it.title === title);
  return await chooseFrom(candidates, async (issue) => {
    if (issue.body.includes(tag)) return await kindOfLabelled(github, issue, options);
    // Of that title anybody may have opened one: with its body emptied, the comments tell.
    return TAG.test(issue.body) ? "blank" : await kindOf(github, issue, options);
  });
}
