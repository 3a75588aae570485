/** Octokit, for callers that do not use the client's named methods yet. */

import { Octokit } from "@octokit/core";
import * as z from "zod/mini";
import type { Outgoing } from "../../net/http.ts";
import { withoutTrailingSlash } from "../../text/link.ts";
import { readAnswer, UnusableAnswer } from "./answer.ts";
import type { GitHubOptions, Requests } from "./requests.ts";

export function createOctokit(requests: Requests, { token, apiUrl }: GitHubOptions): Octokit {
  const fetch = async (address: string, init: Pick<Outgoing, "method" | "headers" | "body">) => {
    const { method, headers, body } = init;
    const isEdit = method === "PATCH" && /\/issues\/comments\/\d+$/.test(address);
    const answer = await requests.exchange(
      { method, url: new URL(address), headers, body },
      isEdit,
    );
    if (answer.status >= 300 && answer.status < 400) {
      throw new UnusableAnswer(`GitHub returned ${answer.status}, a redirect`);
    }
    return {
      status: answer.status,
      url: address,
      headers: new Map(Object.entries(answer.headers)),
      text: async () => answer.text,
      // Octokit asks for this where the content type is neither JSON nor text.
      arrayBuffer: async () => Buffer.from(answer.text),
    };
  };
  // Otherwise, Octokit writes about deprecated routes to the console.
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const github = new Octokit({
    // An empty one is none.
    auth: token,
    baseUrl: withoutTrailingSlash(apiUrl),
    log,
    userAgent: "docs-agent-action",
    request: { fetch, log },
  });
  // Octokit reads the fields of GraphQL's answers before anybody can check them.
  github.hook.after("request", ({ data, url }) => {
    if (url.endsWith("/graphql")) readAnswer(graphqlAnswer, data);
  });
  return github;
}

const graphqlAnswer = z.object({ errors: z.nullish(z.array(z.object({}))) });
