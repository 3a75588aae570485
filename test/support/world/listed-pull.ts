import { AGENT } from "../../../emulator/github/people.ts";
import type { Pull } from "../../../emulator/github/state.ts";
import type { World } from "./world.ts";

/** A pull request of the agent that the service's list of jobs names. */
export async function openDocsPull({ github, service }: World, home = github.home): Promise<Pull> {
  const prompt = "Describe the webhooks.";
  const body = JSON.stringify({ prompt });
  const headers = {
    authorization: `Bearer ${service.adminKey}`,
    "content-type": "application/json",
  };
  const url = `${service.url}/v2/agent/${service.projectId}/job`;
  await fetch(url, { method: "POST", headers, body });
  await service.untilJobsEnd();
  const pull = home.pulls.find(({ author }) => author === AGENT);
  if (pull === undefined) throw new Error("the agent opened no pull request");
  return pull;
}
