/** Requests by phrase. */

import { byPhrase, comment } from "../phrase-events.ts";
import type { Run, World, WorldRun } from "./world.ts";

/** Posts a comment with a request by phrase on a pull request, and runs the root action on it. */
export async function askByPhrase(
  world: World,
  number: number,
  body: string,
  { inputs, ...over }: WorldRun = {},
): Promise<Run> {
  const { github } = world;
  const { id } = await github.api<{ id: number }>(`/issues/${number}/comments`, {
    method: "POST",
    token: github.tokenOf("writer"),
    body: { body },
  });
  const event = comment(body, {
    number,
    id,
    by: { login: "writer", type: "User" },
    onPullRequest: true,
    subject: await github.api<Record<string, unknown>>(`/pulls/${number}`),
    serverUrl: github.url,
    repository: github.repository,
  });
  return await world.run("root", { ...byPhrase(event, inputs), ...over });
}

/** A run of the root action by phrase on issue #7, which does not wait for the job. */
export function leaveJob({ inputs, ...over }: WorldRun = {}): WorldRun {
  return {
    ...byPhrase(comment("/docs Describe the events."), { wait: "false", ...inputs }),
    ...over,
  };
}
