/** Previews: ask for one of a branch, see how its build goes, and look at it. */

import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { App } from "../../http/app.ts";
import { HttpError } from "../../http/http-error.ts";
import { lastTurn } from "../agent/job.ts";
import { gitHubApi } from "../agent/pull-request.ts";
import { countUse, findProject, readBody, type Service } from "../service.ts";
import { type Build, buildRecord, pathsOf } from "./build.ts";

export const PREVIEW_PAGES = "/previews/";

const REQUEST = z.object({ branch: z.string().min(1) });

export function previews(app: App, service: Service): void {
  app.post("/v1/project/preview/:projectId", (call) => {
    const { branch } = readBody(call, REQUEST);
    const { status, body } = answerPreviews(service, new URL(call.req.url), branch);
    return call.json(body, status);
  });
  app.get("/v1/project/update-status/:id", (call) =>
    call.json(answerPreviews(service, new URL(call.req.url), "").body),
  );
  app.get(`${PREVIEW_PAGES}:projectId/:branch`, (call) => {
    const { projectId = "", branch = "" } = call.req.param();
    return call.text(pagesOf(service, projectId, branch));
  });
}

/**
 * Answers a request for a preview, or for how a build goes.
 *
 * @param branch of a request for a preview; one that has a preview is built anew
 * @throws HttpError 400, 404, 429
 */
export function answerPreviews(service: Service, { origin, pathname }: URL, branch: string) {
  const [, , , route, id = ""] = pathname.split("/").map(decodeURIComponent);
  if (route === "preview") return startPreview(service, origin, id, branch);
  const build = service.state.builds.find((one) => one.id === id);
  if (build === undefined) throw new HttpError(404, "Build not found");
  return { status: 200, body: buildRecord(build, service.now()) };
}

function startPreview(service: Service, origin: string, id: string, branch: string) {
  const { state, jobs, github, now } = service;
  const project = findProject(state, id);
  countUse(state, "previews", "", now());
  jobs.finishDue();
  const paths = pathsOf(github, project, branch);
  if (paths === undefined) throw new HttpError(400, `There is no branch '${branch}'`);
  const job = state.jobs.findLast((one) => one.projectId === id && one.branch === branch);
  const { build: quality, buildMs: takesMs } = job ? lastTurn(job).steering : state.steering;
  const build: Build = { id: randomUUID(), createdAt: now(), takesMs, quality, paths };
  state.builds.push(build);
  const previewUrl = `${origin}${PREVIEW_PAGES}${id}/${encodeURIComponent(branch)}`;
  return { status: 202, body: { statusId: build.id, previewUrl } };
}

/** The pages that a branch changes, in Markdown. @throws HttpError 404 */
function pagesOf({ state, github }: Service, projectId: string, branch: string): string {
  const project = findProject(state, projectId);
  const api = gitHubApi(github, project.repository);
  const texts = (pathsOf(github, project, branch) ?? []).map((path) => {
    const file = api("GET", `/contents/${path}?ref=${encodeURIComponent(branch)}`);
    return Buffer.from(String(file?.content), "base64").toString("utf8");
  });
  return texts.join("\n");
}
