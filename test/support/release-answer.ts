import { pageOf } from "../../emulator/github/limits.ts";
import type { Change } from "../../scripts/release/plan.ts";
import { type ReleaseGitHub, recordOf } from "../../scripts/release/release-github.ts";
import { json } from "./answers.ts";
import type { Answer } from "./faulty-server.ts";

/** Serves tags and releases as GitHub does; annotated tags are objects of their own. */
export function releaseAnswer(github: ReleaseGitHub, { annotated = [] as string[] } = {}): Answer {
  return (exchange) => {
    const { method, path, body } = exchange.request;
    const url = new URL(path, "http://localhost");
    const below = url.pathname.replace(/^\/repos\/[^/]+\/[^/]+\//, "");
    const page = <T>(records: T[]) => json(200, pageOf(records, url).items)(exchange);
    if (method !== "GET") {
      try {
        const change = { method, path: below, body: JSON.parse(body.toString()) } as Change;
        return json(200, github.apply(change))(exchange);
      } catch (error) {
        return json(422, { message: (error as Error).message })(exchange);
      }
    }
    if (below === "git/matching-refs/tags/v") {
      const refs = Object.entries(github.tags).map(([tag, commit]) => ({
        ref: `refs/tags/${tag}`,
        object: annotated.includes(tag)
          ? { type: "tag", sha: `tag-${commit}` }
          : { type: "commit", sha: commit },
      }));
      return page(refs);
    }
    if (below.startsWith("git/tags/tag-")) {
      const object = { type: "commit", sha: below.replace("git/tags/tag-", "") };
      return json(200, { object })(exchange);
    }
    if (below === "releases") return page(github.releases.map(recordOf));
    const latest = github.releases.find((it) => it.tag === github.latest);
    if (below === "releases/latest" && latest !== undefined) {
      return json(200, recordOf(latest))(exchange);
    }
    return json(404, { message: "Not Found" })(exchange);
  };
}
