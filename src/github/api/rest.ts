/** What requests to GitHub's REST API share, for callers that do not use the client's named methods yet. */

/** `owner/name` as parameters of GitHub's API. */
export function owned({ repository }: { repository: string }): { owner: string; repo: string } {
  const [owner = "", repo = ""] = repository.split("/");
  return { owner, repo };
}
