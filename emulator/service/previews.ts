/** Previews of branches: start one, poll its build, and show it. */

import { randomUUID } from "node:crypto";
import * as z from "zod";
import { mergeBase } from "../github/git/graph.ts";
import { difference } from "../github/git/trees.ts";
import type { App } from "../http/app.ts";
import { HttpError } from "../http/http-error.ts";
import { lastTurn } from "./agent/job.ts";
import { findProject } from "./project.ts";
import { countUse, readBody, type Service } from "./service.ts";
import type { Build } from "./state.ts";

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
    const texts = changedPages(service, projectId, branch)?.map(({ text }) => text) ?? [];
    return call.text(texts.join("\n"));
  });
}

/** Answers a request to start a preview, or to poll its build. @throws HttpError 400, 404, 429 */
export function answerPreviews(service: Service, { origin, pathname }: URL, branch: string) {
  const [, , , route, id = ""] = pathname.split("/").map(decodeURIComponent);
  if (route === "preview") return startPreview(service, origin, id, branch);
  const build = service.state.builds.find((candidate) => candidate.id === id);
  if (build === undefined) throw new HttpError(404, "Build not found");
  return { status: 200, body: buildRecord(build, service.now()) };
}

function startPreview(service: Service, origin: string, id: string, branch: string) {
  const { state, jobs, now } = service;
  findProject(state, id);
  countUse(state, "previews", "", now());
  jobs.finishDue();
  const paths = changedPages(service, id, branch)?.map(({ path }) => path);
  if (paths === undefined) throw new HttpError(400, `There is no branch '${branch}'`);
  const job = state.jobs.findLast(
    (candidate) => candidate.projectId === id && candidate.branch === branch,
  );
  const { build: quality, buildMs: takesMs } = job ? lastTurn(job).steering : state.steering;
  const build: Build = { id: randomUUID(), createdAt: now(), takesMs, quality, paths };
  state.builds.push(build);
  const previewUrl = `${origin}${PREVIEW_PAGES}${id}/${encodeURIComponent(branch)}`;
  return { status: 202, body: { statusId: build.id, previewUrl } };
}

/** The pages that a branch changes, in Markdown; undefined if there is no such branch. @throws HttpError 404 */
function changedPages({ state, github }: Service, projectId: string, branch: string) {
  const project = findProject(state, projectId);
  const repository = github.find(project.repository);
  const head = repository.resolve(branch);
  const base = mergeBase(repository.find, repository.tip(project.baseBranch), head?.sha ?? "");
  if (head === undefined || base === undefined) return undefined;
  return difference(repository.objects, base.tree, head.tree)
    .filter(({ after }) => after !== undefined)
    .map(({ path }) => ({ path, text: String(repository.read(head.sha, path)) }));
}

function buildRecord({ id: _id, createdAt, takesMs, quality, paths }: Build, now: number) {
  const begun = ["Fetched the branch", ...paths.map((path) => `Parsing ${path}`)];
  if (now < createdAt + takesMs / 4) return { _id, status: "queued", summary: "", logs: [] };
  if (now < createdAt + takesMs) return { _id, status: "in_progress", summary: "", logs: begun };
  if (quality === "green") {
    const logs = [...begun, "Build succeeded"];
    return { _id, status: "success", summary: "The preview is up to date.", logs };
  }
  const error = `error: ${paths[0] ?? "docs.json"}:3: unexpected end of a component`;
  const logs = [...begun, error, "Build failed"];
  return { _id, status: "failure", summary: "The preview could not be built.", logs };
}
