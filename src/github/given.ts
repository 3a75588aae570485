/** What GitHub gave to this run, besides the inputs. */
export interface Given {
  eventName: string;
  payload: Payload;
  /** `owner/name`; empty outside of a repository. */
  repository: string;
  runId: string;
  /** From 1; more when the run was attempted again. */
  attempt: number;
  /** Which of the workflow run's steps this is, the same in every attempt. */
  step: string;
  /** Address of the workflow run's page; empty when it is not known. */
  runUrl: string;
  /** Folder that files are read from. */
  workspace: string;
  /** Address of GitHub's API, for when the input is empty. */
  apiUrl: string;
}

/** The parts of event payloads that the action reads; an event may lack any of them. */
export interface Payload {
  action?: string;
  issue?: { number?: number; pull_request?: unknown };
  pull_request?: { number?: number };
  comment?: { id?: number };
}

/** The issue or pull request that triggered the run, if one did. */
export function triggeringIssue({ payload }: Given): number | null {
  return payload.issue?.number ?? payload.pull_request?.number ?? null;
}

/** What a reaction is put on: the API path of the comment, issue or pull request that triggered the run. */
export function reactable({ eventName, payload }: Given): string | null {
  if (payload.comment?.id !== undefined) {
    if (eventName === "issue_comment") return `issues/comments/${payload.comment.id}`;
    if (eventName === "pull_request_review_comment") return `pulls/comments/${payload.comment.id}`;
    return null;
  }
  const number = payload.issue?.number ?? payload.pull_request?.number;
  const isSubject = ["issues", "pull_request", "pull_request_target"].includes(eventName);
  return isSubject && number !== undefined ? `issues/${number}` : null;
}
