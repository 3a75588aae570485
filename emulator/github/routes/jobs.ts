/** https://docs.github.com/rest/actions/workflow-jobs: the logs of workflows' jobs. */

import { HttpError } from "../../http/http-error.ts";
import { Answer, found, type Routes } from "../call.ts";

/** GitHub sends whoever asks for a log to a host of its own, where no token is allowed. */
export const logRoutes: Routes = {
  "GET /_logs/{log_id}": (call) => {
    if (call.context.login !== undefined) throw new HttpError(400, "No token is allowed here");
    const id = Number(call.param("log_id"));
    const logs = call.context.repositories.flatMap(({ jobLogs }) => jobLogs.get(id) ?? []);
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return new Answer(200, Buffer.from(found(logs[0])), headers);
  },
};

export const jobRoutes: Routes = {
  "GET /actions/jobs/{job_id}/logs": (call) => {
    const id = Number(call.param("job_id"));
    found(call.repository.jobLogs.get(id));
    throw new HttpError(302, "Found", { location: `${logOrigin(call.site.webUrl)}/_logs/${id}` });
  },
};

/** Where the logs of a GitHub are. */
export function logOrigin(webUrl: string): string {
  const url = new URL(webUrl);
  url.hostname = url.hostname === "127.0.0.1" ? "localhost" : `logs.${url.hostname}`;
  return url.origin;
}
