/** https://docs.github.com/rest/issues: issues, their labels and assignees. */

import { HttpError } from "../../http/http-error.ts";
import { type Call, created, issuesDisabled, missing, type Routes } from "../call.ts";
import { checkDepth } from "../limits.ts";
import { appRecord, associationOf, labelRecord, userOrNull, userRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso, isoOrNull } from "../site.ts";
import { type Issue, isPull } from "../state.ts";

const ISSUE = "/issues/{issue_number}";

/** Maximum number of issues that GitHub lists by pages. */
const MAX_DEPTH = 10_000;

export const issueRoutes: Routes = {
  "GET /issues": (call) => call.page(listed(call), (issue) => issueRecord(call.repository, issue)),

  "POST /issues": (call) => {
    const { repository } = call;
    if (!repository.hasIssues) throw issuesDisabled();
    const title = checkedTitle(call.text("title") ?? "");
    const body = call.text("body") ?? null;
    // Labels of somebody who may not label are left out, without an error.
    const labels = call.may("triage") ? givenLabels(call) : [];
    const assignees = call.may("write") ? assignable(repository, call.list("assignees")) : [];
    const author = call.actor;
    const issue = repository.openIssue({ title, body, labels, assignees, author });
    return created(issueRecord(repository, issue));
  },

  [`GET ${ISSUE}`]: (call) => issueRecord(call.repository, call.issue),

  [`PATCH ${ISSUE}`]: (call) => {
    const { issue, repository } = call;
    call.need("triage", issue.author);
    change(call, issue);
    return issueRecord(repository, issue);
  },

  [`POST ${ISSUE}/labels`]: (call) => relabel(call, [...call.issue.labels, ...givenLabels(call)]),
  [`DELETE ${ISSUE}/labels/{name}`]: (call) => {
    const rest = call.issue.labels.filter((label) => label !== call.param("name"));
    if (rest.length === call.issue.labels.length) throw new HttpError(404, "Label does not exist");
    return relabel(call, rest);
  },

  [`POST ${ISSUE}/assignees`]: (call) => {
    const { issue, repository } = call;
    const all = [...issue.assignees, ...call.list("assignees")];
    repository.change(issue, { assignees: assignable(repository, all) });
    return created(issueRecord(repository, issue));
  },
};

/** GitHub skips those who cannot be assigned, and on the plan *Free* all but the first. */
function assignable({ roles, switches }: Repository, logins: readonly string[]): string[] {
  const known = [...new Set(logins)].filter((login) => roles.has(login));
  return switches.isOnFreePlan ? known.slice(0, 1) : known;
}

function listed(call: Call): Issue[] {
  checkDepth(call.context.url, MAX_DEPTH);
  const { repository } = call;
  const state = call.query("state") ?? "open";
  const labels = (call.query("labels") ?? "").split(",").filter((label) => label !== "");
  const hasLabel = (issue: Issue, name: string) =>
    issue.labels.some((label) => label.toLowerCase() === name.toLowerCase());
  return [...repository.issues.values()]
    .filter(
      (issue) =>
        (repository.hasIssues || isPull(issue)) &&
        issue.movedTo === undefined &&
        (state === "all" || issue.state === state) &&
        labels.every((label) => hasLabel(issue, label)),
    )
    .sort((first, second) => second.createdAt - first.createdAt || second.number - first.number);
}

/** Names of the labels in the body, where a label is a name or a record. */
function givenLabels(call: Call): string[] {
  const labels = call.list<string | { name: string }>("labels");
  return labels.map((label) => (typeof label === "string" ? label : label.name));
}

function checkedTitle(title: string): string {
  if (title === "") throw missing("Issue", "title");
  return title;
}

export function change(call: Call, issue: Issue): void {
  const { repository, fields } = call;
  const [title, state] = [call.text("title"), call.text("state")];
  repository.change(issue, {
    ...(title === undefined ? {} : { title: checkedTitle(title) }),
    ...(fields.body === undefined ? {} : { body: call.text("body") ?? null, editor: call.actor }),
    ...(fields.labels === undefined ? {} : { labels: givenLabels(call) }),
    ...(fields.assignees === undefined ? {} : { assignees: call.list("assignees") }),
  });
  if (state === "open" || state === "closed") repository.setState(issue, state, call.actor);
}

function relabel({ repository, issue }: Call, names: readonly string[]) {
  const labels = [...new Set(names)];
  repository.change(issue, { labels });
  return labels.map((name) => labelRecord(repository, name));
}

/** An issue, or a pull request as an issue. */
function issueRecord(repository: Repository, issue: Issue) {
  const { site, api, page } = repository;
  const { id, number, author, closedBy } = issue;
  const url = `${api}/issues/${number}`;
  const html_url = `${page}/${isPull(issue) ? "pull" : "issues"}/${number}`;
  return {
    ...sharedRecord(repository, issue),
    node_id: `I_${id}`,
    url,
    repository_url: api,
    labels_url: `${url}/labels{/name}`,
    html_url,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    closed_by: userOrNull(site, closedBy),
    performed_via_github_app: appRecord(site, author),
    comments: repository.commentsOn(number).length,
    ...(isPull(issue) && {
      draft: issue.isDraft,
      pull_request: {
        url: `${api}/pulls/${number}`,
        html_url,
        merged_at: isoOrNull(issue.mergedAt),
        diff_url: `${html_url}.diff`,
        patch_url: `${html_url}.patch`,
      },
    }),
  };
}

export function sharedRecord(repository: Repository, issue: Issue) {
  const { site } = repository;
  const { id, number, title, body, author, labels, assignees, state, isLocked } = issue;
  return {
    id,
    number,
    title,
    body,
    state,
    user: userOrNull(site, author),
    locked: isLocked,
    labels: labels.map((name) => labelRecord(repository, name)),
    milestone: null,
    assignee: userOrNull(site, assignees[0]),
    assignees: assignees.map((login) => userRecord(site, login)),
    created_at: iso(issue.createdAt),
    updated_at: iso(issue.updatedAt),
    closed_at: isoOrNull(issue.closedAt),
    author_association: associationOf(repository, author),
  };
}
