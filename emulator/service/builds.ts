/** Builds of the documentation, as a deployment or as a preview of a branch: start one, poll it, show its pages. */

import { randomUUID } from "node:crypto";
import * as z from "zod";
import { mergeBase } from "../github/git/graph.ts";
import { difference, filesIn } from "../github/git/trees.ts";
import type { App } from "../http/app.ts";
import { HttpError } from "../http/http-error.ts";
import { lastTurn } from "./agent/job.ts";
import { steer } from "./agent/steering.ts";
import { findProject } from "./project.ts";
import { countUse, readBody, type Service } from "./service.ts";
import type { Build } from "./state.ts";

export const PREVIEW_PAGES = "/previews/";

/** A file in the branch whose `emulate:` lines say how it is built. */
const STEERING_FILE = "emulate.txt";

/** The address of a private repository, with the token that the service reads it with. */
const CLONED = "https://x-access-token:ghs_emulated@github.example/acme/docs.git";

const REQUEST = z.object({ branch: z.string().min(1) });

export function builds(app: App, service: Service): void {
  app.post("/v1/project/preview/:projectId", (call) => {
    const { branch } = readBody(call, REQUEST);
    const { status, body } = answerBuilds(service, new URL(call.req.url), branch);
    return call.json(body, status);
  });
  app.post("/v1/project/update/:projectId", (call) => {
    const { status, body } = answerBuilds(service, new URL(call.req.url), "");
    return call.json(body, status);
  });
  app.get("/v1/project/update-status/:id", (call) =>
    call.json(answerBuilds(service, new URL(call.req.url), "").body),
  );
  app.get(`${PREVIEW_PAGES}:projectId/:branch`, (call) => {
    const { projectId = "", branch = "" } = call.req.param();
    const texts = changedPages(service, projectId, branch)?.map(({ text }) => text) ?? [];
    return call.text(texts.join("\n"));
  });
}

/** Answers a request to start a build, or to poll it. @throws HttpError 400, 403, 404, 429 */
export function answerBuilds(service: Service, { origin, pathname }: URL, branch: string) {
  const [, , , route, id = ""] = pathname.split("/").map(decodeURIComponent);
  if (route === "preview") return startPreview(service, origin, id, branch);
  if (route === "update") return startDeployment(service, id);
  const build = service.state.builds.find((candidate) => candidate.id === id);
  if (build === undefined) throw new HttpError(404, "Build not found");
  return { status: 200, body: buildRecord(build, service.now()) };
}

function startPreview(service: Service, origin: string, id: string, branch: string) {
  const { state, jobs, now } = service;
  findProject(state, id);
  if (!state.hasPreviews) throw new HttpError(403, "Previews are not part of your plan");
  countUse(state, "previews", "", now());
  jobs.finishDue();
  const paths = changedPages(service, id, branch)?.map(({ path }) => path);
  if (paths === undefined) throw new HttpError(400, `There is no branch '${branch}'`);
  const build = addBuild(service, { projectId: id, branch, paths });
  const previewUrl = `${origin}${PREVIEW_PAGES}${id}/${encodeURIComponent(branch)}`;
  const body = state.namesPreviews ? { statusId: build.id, previewUrl } : { statusId: build.id };
  return { status: 202, body };
}

function startDeployment(service: Service, id: string) {
  const { state, github, now } = service;
  const { repository, baseBranch } = findProject(state, id);
  countUse(state, "deployments", "", now());
  const home = github.find(repository);
  const files = filesIn(home.objects, home.resolve(baseBranch)?.tree ?? "");
  const paths = files.map(({ path }) => path).filter((path) => /\.mdx?$/.test(path));
  const build = addBuild(service, { projectId: id, branch: baseBranch, paths });
  return { status: 202, body: { statusId: build.id } };
}

/** Starts a build of the branch as it is now. */
function addBuild(service: Service, what: Pick<Build, "projectId" | "branch" | "paths">): Build {
  const { state, github, now } = service;
  const home = github.find(findProject(state, what.projectId).repository);
  const sha = home.resolve(what.branch)?.sha ?? "";
  const job = state.jobs.findLast(
    ({ projectId, branch }) => projectId === what.projectId && branch === what.branch,
  );
  const usual = job === undefined ? state.steering : lastTurn(job).steering;
  const { build: quality, buildMs: takesMs } = steer(
    String(home.read(sha, STEERING_FILE) ?? ""),
    usual,
  );
  const build: Build = { id: randomUUID(), createdAt: now(), takesMs, quality, sha, ...what };
  state.builds.push(build);
  return build;
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

/** A build as the service shows it. */
function buildRecord(build: Build, now: number) {
  const { id, projectId, branch, sha, createdAt, takesMs, paths } = build;
  const endsAt = createdAt + takesMs;
  return {
    _id: id,
    projectId,
    createdAt: new Date(createdAt).toISOString(),
    endedAt: now < endsAt ? null : new Date(endsAt).toISOString(),
    ...progressOf(build, now),
    subdomain: projectId,
    author: null,
    source: "api",
    commit: {
      sha,
      ref: branch,
      message: "",
      filesChanged: { added: [], modified: paths, removed: [] },
    },
  };
}

function progressOf({ createdAt, takesMs, quality, paths }: Build, now: number) {
  const begun = [`Cloned ${CLONED}`, ...paths.map((path) => `Parsing ${path}`)];
  if (now < createdAt + takesMs / 4) return { status: "queued", summary: "", logs: [] };
  if (now < createdAt + takesMs) return { status: "in_progress", summary: "", logs: begun };
  if (quality === "green") {
    const logs = [...begun, "Build succeeded"];
    return { status: "success", summary: "The documentation is up to date.", logs };
  }
  const error = `error: ${paths[0] ?? "docs.json"}:3: unexpected end of a component`;
  const logs = [...begun, error, "Build failed"];
  return { status: "failure", summary: "The documentation could not be built.", logs };
}
