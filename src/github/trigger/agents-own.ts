/** What is the docs agent's own: nothing starts a run, or is documented, because of it. */

import { type RunContext, textIn } from "./run-context.ts";

/** The service's app, which opens the agent's pull requests. */
const AGENT = "mintlify[bot]";

/** Whether an account is the agent's app. */
function isAgent(login: unknown): boolean {
  return textIn(login).toLowerCase() === AGENT;
}

/**
 * Whether a pull request is the agent's: by its author, by its address, or because an app opened it, not in a fork,
 * from a branch of the agent. Ledgers or markers tell of the agent's links and branches.
 *
 * @param into the branches that are read, which are none of the agent's
 */
export function isAgents(
  {
    url,
    isFork,
    author,
    branch,
  }: {
    readonly url: string;
    readonly isFork: boolean;
    readonly author: { readonly login: string; readonly isBot: boolean };
    readonly branch: string;
  },
  { links, branches }: { readonly links: readonly string[]; readonly branches: readonly string[] },
  into: readonly string[],
): boolean {
  if (isAgent(author.login)) return true;
  if (links.some((link) => link.toLowerCase() === url.toLowerCase())) return true;
  const isIn = (names: readonly string[]) =>
    names.some((name) => name.toLowerCase() === branch.toLowerCase());
  return !isFork && author.isBot && !isIn(into) && isIn(branches);
}

/** Whether the agent's account caused the event, or it is about the agent's pull request. A person's request is not. */
export function isAgentsEvent({
  eventName,
  payload,
}: Pick<RunContext, "eventName" | "payload">): boolean {
  const { pull_request: pull, workflow_run: run, sender, commits } = payload;
  switch (eventName) {
    case "pull_request":
    case "pull_request_target":
      return isAgent(pull?.user?.login);
    case "push":
      return isAgent(sender?.login) || areAgents(commits);
    case "workflow_run":
      return [run?.actor, run?.triggering_actor].some((account) => isAgent(account?.login));
    default:
      return false;
  }
}

/** Whether a push brings nothing but commits of the agent, and a merge of its pull request. */
function areAgents(commits: RunContext["payload"]["commits"]): boolean {
  if (!Array.isArray(commits)) return false;
  const others = commits.filter((commit) => !isAgent(commit?.author?.username));
  const isMerge = /^Merge pull request #\d+ from /.test(textIn(others[0]?.message));
  return (
    others.length < commits.length && (others.length === 0 || (others.length === 1 && isMerge))
  );
}
