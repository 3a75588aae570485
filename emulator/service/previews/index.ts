/** Previews: ask for one of a branch, see how its build goes, and look at it. */

import { randomUUID } from "node:crypto";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { AGENT, tokenOf } from "../../github/people.ts";
import { page } from "../../http/html.ts";
import { HttpError } from "../../http/http-error.ts";
import { lastTurn } from "../agent/job.ts";
import { CONTROL_PREFIX } from "../control.ts";
import { countPreview } from "../limits.ts";
import { type App, findProject, OBJECT, readBody, type Service } from "../service.ts";
import { type Build, buildRecord, commitOf } from "./build.ts";

const PAGES = `${CONTROL_PREFIX}previews`;

export function previews(app: App, service: Service): void {
  for (const [method, path] of [
    ["POST", "/v1/project/preview/:projectId"],
    ["GET", "/v1/project/update-status/:id"],
  ] as const) {
    app.on(method, path, (call) => {
      const given = method === "GET" ? {} : readBody(call, OBJECT);
      const { status, body } = answerPreviews(service, new URL(call.req.url), given.branch);
      return call.json(body, status);
    });
  }
  app.get(`${PAGES}/:projectId/:branch`, (call) => {
    const { projectId = "", branch = "" } = call.req.param();
    return call.html(page(`Preview of ${branch}`, pagesOf(service, projectId, branch)));
  });
}

/**
 * Answers a request for a preview, or for how a build goes.
 *
 * @param branch of a request for a preview; one that has a preview is built anew
 * @throws HttpError 400, 403, 404, 429
 */
export function answerPreviews(service: Service, { origin, pathname }: URL, branch: unknown) {
  const [, , , route, id = ""] = pathname.split("/").map(decodeURIComponent);
  if (route === "preview") return startPreview(service, origin, id, branch);
  const build = service.state.builds.find((one) => one.id === id);
  if (build === undefined) throw new HttpError(404, "Build not found");
  return { status: 200, body: buildRecord(build, service.now()) };
}

function startPreview(service: Service, origin: string, id: string, branch: unknown) {
  const { state, jobs, github, now } = service;
  const project = findProject(state, id);
  if (!state.plan.previews) throw new HttpError(403, "Previews are not part of your plan");
  if (typeof branch !== "string" || branch === "") throw new HttpError(400, "branch: Required");
  countPreview(state, now());
  jobs.finishDue();
  const commit = commitOf(github, project, branch);
  if (commit === undefined) throw new HttpError(400, `There is no branch '${branch}'`);
  const job = state.jobs.findLast((one) => one.projectId === id && one.branch === branch);
  const { build: quality, buildMs: takesMs } =
    job === undefined ? state.steering : lastTurn(job).steering;
  const build: Build = {
    ...{ id: randomUUID(), projectId: id, createdAt: now(), takesMs, quality, commit },
  };
  state.builds.push(build);
  const previewUrl = `${origin}${PAGES}/${id}/${encodeURIComponent(branch)}`;
  return { status: 202, body: { statusId: build.id, previewUrl } };
}

/** The pages that a branch changes, for a browser. @throws HttpError 404 */
function pagesOf({ state, github }: Service, projectId: string, branch: string): string {
  const project = findProject(state, projectId);
  const { added = [], modified = [] } = commitOf(github, project, branch)?.filesChanged ?? {};
  const texts = [...added, ...modified].map((path) => {
    const { body } = github.handle({
      ...{ method: "GET", path: `/repos/${project.repository}/contents/${path}?ref=${branch}` },
      headers: { authorization: `Bearer ${tokenOf(AGENT)}`, accept: RAW },
    });
    return `<article>${micromark(String(body), MARKDOWN)}</article>`;
  });
  return texts.join("<hr>");
}

const MARKDOWN = { extensions: [gfm()], htmlExtensions: [gfmHtml()] };
const RAW = "application/vnd.github.raw+json";
