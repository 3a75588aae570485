/** Every route, and the one for a request. */

import { found, type Route, type Routes } from "./call.ts";
import { checkRoutes } from "./routes/checks.ts";
import { commentRoutes } from "./routes/comments.ts";
import { commitRoutes } from "./routes/commits.ts";
import { deploymentRoutes } from "./routes/deployments.ts";
import { gitRoutes } from "./routes/git.ts";
import { graphqlRoutes } from "./routes/graphql.ts";
import { issueRoutes } from "./routes/issues.ts";
import { jobRoutes, logRoutes } from "./routes/jobs.ts";
import { pullRoutes } from "./routes/pulls.ts";
import { repositoryRoutes } from "./routes/repositories.ts";
import { reviewRoutes } from "./routes/reviews.ts";
import { userRoutes } from "./routes/users.ts";
import { workflowRoutes } from "./routes/workflows.ts";

const BELOW: Routes = {
  ...commentRoutes,
  ...issueRoutes,
  ...pullRoutes,
  ...reviewRoutes,
  ...checkRoutes,
  ...jobRoutes,
  ...workflowRoutes,
  ...commitRoutes,
  ...deploymentRoutes,
  ...gitRoutes,
  ...repositoryRoutes,
};

/** By their full names, as in GitHub's reference. */
export const ROUTES: Routes = {
  ...graphqlRoutes,
  ...logRoutes,
  ...userRoutes,
  ...Object.fromEntries(
    Object.entries(BELOW).map(([name, route]) => [
      name.replace(" ", " /repos/{owner}/{repo}"),
      route,
    ]),
  ),
};

const TABLE = Map.groupBy(Object.entries(ROUTES).map(compile), ({ name }) => name.split(" ")[0]);

/** The first route that matches. @param path with any repository's name @throws HttpError 404 */
export function findRoute(method: string, path: string) {
  return found(TABLE.get(method)?.find(({ pattern }) => pattern.test(path)));
}

function compile([name, route]: [string, Route]) {
  const [, path = ""] = name.split(" ");
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param ?? "");
  const source = path
    // The path of a file may be empty.
    .replace("/{path}", "(?:/(.*))?")
    .replaceAll(/\{(ref|branch|basehead|tag)\}/g, "(.+)")
    .replaceAll(/\{\w+_(number|id)\}/g, "(\\d+)")
    .replaceAll(/\{\w+\}/g, "([^/]+)");
  const pattern = new RegExp(`^${source}$`);
  const paramsOf = (requested: string): Record<string, string> => {
    const values = pattern.exec(requested)?.slice(1) ?? [];
    return Object.fromEntries(
      names.map((param, at) => [param, decodeURIComponent(values[at] ?? "")]),
    );
  };
  return { name, route, pattern, paramsOf };
}
