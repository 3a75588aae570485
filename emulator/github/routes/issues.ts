/** https://docs.github.com/rest/issues: issues, their labels and assignees. */

import { HttpError } from "../../http/http-error.ts";
import { type Call, created, invalid, issuesDisabled, type Routes } from "../call.ts";
import { MAX_TITLE } from "../limits.ts";
import {
  apiPath,
  appRecord,
  associationOf,
  labelRecord,
  nodeId,
  reactionRollup,
  userOrNull,
  userRecord,
} from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso, isoOrNull } from "../site.ts";
import { type Issue, isPull } from "../state.ts";

const ISSUE = "/repos/{owner}/{repo}/issues/{issue_number}";

export const issueRoutes: Routes = {
  "GET /repos/{owner}/{repo}/issues": (call) =>
    call.page(listed(call), (issue) => issueRecord(call.repository, issue)),

  "POST /repos/{owner}/{repo}/issues": (call) => {
    const { repository } = call;
    if (!repository.hasIssues) throw issuesDisabled();
    const { title, body = null, labels = [], assignees = [] } = call.given<GivenIssue>();
    checkTitle(title ?? "");
    // Who may not label sees their labels left out, without a word.
    const own = repository.may(call.login, "triage") ? namesOf(labels) : [];
    const author = call.actor;
    const issue = { title: title ?? "", body, labels: own, assignees, author };
    return created(issueRecord(repository, repository.openIssue(issue)));
  },

  [`GET ${ISSUE}`]: (call) => issueRecord(call.repository, call.issue),

  [`PATCH ${ISSUE}`]: (call) => {
    const { issue, repository } = call;
    call.need("triage", issue.author);
    change(call, issue, call.given<GivenIssue>());
    return issueRecord(repository, issue);
  },

  [`GET ${ISSUE}/labels`]: (call) => call.page(call.issue.labels, labelOf(call)),
  [`POST ${ISSUE}/labels`]: (call) => {
    const { labels = [] } = call.given<GivenIssue>();
    return relabel(call, [...call.issue.labels, ...namesOf(labels)]);
  },
  [`PUT ${ISSUE}/labels`]: (call) => relabel(call, namesOf(call.given<GivenIssue>().labels ?? [])),
  [`DELETE ${ISSUE}/labels/{name}`]: (call) => {
    const name = call.param("name");
    if (!call.issue.labels.includes(name)) throw new HttpError(404, "Label does not exist");
    return relabel(
      call,
      call.issue.labels.filter((label) => label !== name),
    );
  },

  [`POST ${ISSUE}/assignees`]: (call) => {
    const { issue, repository } = call;
    const { assignees = [] } = call.given<GivenIssue>();
    // GitHub passes over whoever cannot be assigned.
    const known = assignees.filter((login) => repository.roles.has(login));
    repository.change(issue, { assignees: [...new Set([...issue.assignees, ...known])] });
    return created(issueRecord(repository, issue));
  },
};

/** A label is given by its name, or as a record. */
type GivenLabel = string | { name: string };

interface GivenIssue {
  title: string;
  body: string | null;
  labels: GivenLabel[];
  assignees: string[];
  state: "open" | "closed";
}

function listed(call: Call): Issue[] {
  const { repository } = call;
  const state = call.query("state") ?? "open";
  const labels = (call.query("labels") ?? "").split(",").filter((label) => label !== "");
  const creator = call.query("creator");
  const since = Date.parse(call.query("since") ?? "");
  const field = call.query("sort") === "updated" ? "updatedAt" : "createdAt";
  const down = call.query("direction") === "asc" ? -1 : 1;
  return [...repository.issues.values()]
    .filter(
      (issue) =>
        (repository.hasIssues || isPull(issue)) &&
        issue.movedTo === undefined &&
        (state === "all" || issue.state === state) &&
        labels.every((label) => hasLabel(issue, label)) &&
        (creator ?? issue.author) === issue.author &&
        !(issue.updatedAt < since),
    )
    .sort((one, other) => down * (other[field] - one[field] || other.number - one.number));
}

function hasLabel({ labels }: Issue, name: string): boolean {
  return labels.some((label) => label.toLowerCase() === name.toLowerCase());
}

function namesOf(labels: readonly GivenLabel[]): string[] {
  return labels.map((label) => (typeof label === "string" ? label : label.name));
}

/** @throws HttpError 422 */
export function checkTitle(title: string): void {
  if (title === "") throw invalid("Issue", "title", "missing_field");
  if (title.length <= MAX_TITLE) return;
  throw invalid(
    "Issue",
    "title",
    "custom",
    `title is too long (maximum is ${MAX_TITLE} characters)`,
  );
}

/** Changes what an issue and a pull request share. */
export function change(call: Call, issue: Issue, given: Partial<GivenIssue>): void {
  const { repository } = call;
  const { title, body, labels, assignees, state } = given;
  if (title !== undefined) checkTitle(title);
  if (state !== undefined && state !== "open" && state !== "closed") {
    throw invalid("Issue", "state");
  }
  repository.change(issue, {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
    ...(labels === undefined ? {} : { labels: namesOf(labels) }),
    ...(assignees === undefined ? {} : { assignees }),
  });
  if (state !== undefined) repository.setState(issue, state, call.actor);
}

function relabel(call: Call, names: readonly string[]) {
  const labels = [...new Set(names)];
  call.repository.change(call.issue, { labels });
  return labels.map(labelOf(call));
}

function labelOf({ repository }: Call) {
  return (name: string) => labelRecord(repository, name);
}

/** An issue, or a pull request as the issue that it also is. */
export function issueRecord(repository: Repository, issue: Issue) {
  const { site, fullName } = repository;
  const { number, author, assignees } = issue;
  const kind = isPull(issue) ? "pull" : "issues";
  const url = `${apiPath(repository)}/issues/${number}`;
  const html_url = `${site.webUrl}/${fullName}/${kind}/${number}`;
  return {
    ...sharedRecord(repository, issue),
    ...{ url, repository_url: apiPath(repository), labels_url: `${url}/labels{/name}` },
    ...{ comments_url: `${url}/comments`, events_url: `${url}/events`, html_url },
    ...{ node_id: nodeId("I", issue.id), state_reason: issue.stateReason },
    ...{
      assignee: userOrNull(site, assignees[0] ?? null),
      closed_by: userOrNull(site, issue.closedBy),
    },
    ...{ comments: repository.commentsOn(number).length, timeline_url: `${url}/timeline` },
    ...{
      reactions: reactionRollup(repository, `issues/${number}`),
      performed_via_github_app: appRecord(site, author),
    },
    ...(isPull(issue) ? { draft: issue.isDraft, pull_request: pullLinks(repository, issue) } : {}),
  };
}

/** What issues and pull requests have alike. */
export function sharedRecord(repository: Repository, issue: Issue) {
  const { site } = repository;
  const { id, number, title, body, author, labels, assignees, state, isLocked } = issue;
  return {
    ...{ id, number, title, body, state, user: userRecord(site, author), locked: isLocked },
    ...{ labels: labels.map((name) => labelRecord(repository, name)), milestone: null },
    ...{ assignees: assignees.map((login) => userRecord(site, login)), active_lock_reason: null },
    ...{ created_at: iso(issue.createdAt), updated_at: iso(issue.updatedAt) },
    ...{
      closed_at: isoOrNull(issue.closedAt),
      author_association: associationOf(repository, author),
    },
  };
}

function pullLinks(repository: Repository, issue: Issue) {
  const page = `${repository.site.webUrl}/${repository.fullName}/pull/${issue.number}`;
  return {
    ...{ url: `${apiPath(repository)}/pulls/${issue.number}`, html_url: page },
    ...{ diff_url: `${page}.diff`, patch_url: `${page}.patch` },
    merged_at: isPull(issue) ? isoOrNull(issue.mergedAt) : null,
  };
}
