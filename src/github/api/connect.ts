import type { Http } from "../../net/http.ts";
import { type Dependencies, once } from "../../runtime/dependencies.ts";
import type { GitHub } from "./client.ts";
import { BriefPatience, type LimitWaiter } from "./patience.ts";

/** How long requests to GitHub may take after a signal, in milliseconds. */
const GITHUB_GRACE = 2_200;

/** The client of GitHub's API, loaded when it is first needed. */
export type Connect = () => Promise<GitHub>;

/** What the client needs. Its HTTP may be one that counts. */
export interface ClientDependencies extends Omit<Dependencies, "http"> {
  http: Pick<Http, "checkProxy" | "exchange">;
}

/**
 * The run's client. It still works shortly after a cancellation, so that the run can report it.
 *
 * @param patience waits for rate limits to end; null if they are errors at once. Default: about a minute in all
 * @throws ProxySettingsError
 */
export function connector(
  { githubToken: token, githubApiUrl: apiUrl }: { githubToken: string; githubApiUrl: URL },
  dependencies: ClientDependencies,
  patience: LimitWaiter | null = new BriefPatience(dependencies),
): Connect {
  const { http, secrets, clock, cancellation } = dependencies;
  http.checkProxy(apiUrl);
  const signal = cancellation.after(GITHUB_GRACE);
  return once(async () => {
    const { createGitHub } = await import("./client.ts");
    return createGitHub({ http, secrets, clock, token, apiUrl, signal, patience });
  });
}

/** A client that counts the requests made with it. `count`: how many there were. */
export function countingRequests(connect: Connect): { connect: Connect; count: () => number } {
  let traffic: GitHub["traffic"] | null = null;
  const counted = once(async () => {
    const github = await connect();
    ({ traffic } = github);
    return github;
  });
  return { connect: counted, count: () => traffic?.count ?? 0 };
}
