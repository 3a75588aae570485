import { callGitHub, type GitHubCall } from "../github/client.ts";
import { OWNER, tokenOf, WORKFLOW } from "../github/people.ts";
import type { Reaction } from "../github/proxy.ts";
import type { RecordedRequest } from "../http/recorded-requests.ts";
import { readJson } from "./read-json.ts";

/** The emulated GitHub. */
export interface LocalGitHub {
  /** Address of both the API and the pages. */
  url: string;
  inspectorUrl: string;
  /** `owner/name` */
  repository: string;
  /** The workflow's own token. */
  token: string;
  /** The token of an account: `octocat`, `maintainer`, `writer`, `triager`, `reader`, `outsider`. */
  tokenOf(login: string): string;
  /** Calls `/repos/OWNER/NAME` + path, by default with the owner's token. */
  api<Answer>(path: string, call?: GitHubCall): Promise<Answer>;
  requests(): Promise<RecordedRequest[]>;
  reactions(): Promise<Reaction[]>;
  /** How many requests have been answered that may have changed something. */
  writes(): Promise<number>;
}

/** The GitHub that listens at an address. */
export function localGitHub(url: string, repository: string): LocalGitHub {
  return {
    url,
    inspectorUrl: `${url}/_emulate`,
    repository,
    token: tokenOf(WORKFLOW),
    tokenOf,
    api: async <Answer>(path: string, call: GitHubCall = {}) =>
      (await callGitHub<Answer>(`${url}/repos/${repository}${path}`, {
        token: tokenOf(OWNER),
        ...call,
      })) as Answer,
    requests: () => readJson(`${url}/_emulator/requests`),
    reactions: () => readJson(`${url}/_emulator/reactions`),
    writes: () => readJson(`${url}/_emulator/writes`),
  };
}
