/** https://docs.github.com/rest/releases: drafts are shown to those who may push, and to nobody else. */

import { type Call, created, found, invalid, missing, type Routes } from "../call.ts";
import { userRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";
import type { Release } from "../state.ts";

export const releaseRoutes: Routes = {
  "GET /releases": (call) =>
    call.page(shown(call).reverse(), (release) => releaseRecord(call.repository, release)),

  "POST /releases": (call) => {
    const { repository, site } = call;
    const tag_name = call.text("tag_name") ?? "";
    if (tag_name === "") throw missing("Release", "tag_name");
    if (repository.releases.some((release) => release.tag_name === tag_name)) {
      throw invalid("Release", "tag_name", "already_exists");
    }
    const release = update(call, {
      ...{ id: site.nextId(), tag_name, target_commitish: repository.defaultBranch, name: null },
      ...{ body: null, author: call.actor, draft: false, prerelease: false },
      ...{ created_at: iso(site.second), published_at: null },
    });
    repository.releases.push(release);
    return created(releaseRecord(repository, release));
  },

  // The newest by the date of its commit, as GitHub has it.
  "GET /releases/latest": (call) => {
    const published = call.repository.releases.filter((it) => !it.draft && !it.prerelease);
    const byDate = published.sort((one, other) => (one.created_at < other.created_at ? -1 : 1));
    return releaseRecord(call.repository, found(byDate.at(-1)));
  },

  "GET /releases/tags/{tag}": (call) => {
    const isIt = ({ tag_name, draft }: Release) => tag_name === call.param("tag") && !draft;
    return releaseRecord(call.repository, found(call.repository.releases.find(isIt)));
  },

  "GET /releases/{release_id}": (call) =>
    releaseRecord(call.repository, call.byId(shown(call), "release_id")),

  "PATCH /releases/{release_id}": (call) =>
    releaseRecord(call.repository, update(call, call.byId(shown(call), "release_id"))),
};

function shown(call: Call): Release[] {
  return call.repository.releases.filter(({ draft }) => !draft || call.may("write"));
}

/** Takes over what a request says. Publishing makes the tag, unless it is there. @throws HttpError 422 */
function update(call: Call, release: Release): Release {
  const { repository, site } = call;
  for (const field of ["tag_name", "target_commitish", "name", "body"] as const) {
    release[field] = call.text(field) ?? (release[field] as string);
  }
  release.draft = call.flag("draft") ?? release.draft;
  release.prerelease = call.flag("prerelease") ?? release.prerelease;
  if (release.draft || release.published_at !== null) return release;
  const ref = `tags/${release.tag_name}`;
  const commit = repository.resolve(ref) ?? repository.resolve(release.target_commitish);
  if (commit === undefined) throw invalid("Release", "target_commitish");
  if (!repository.refs.has(`refs/${ref}`)) repository.setRef(`refs/${ref}`, commit.sha);
  const times = { created_at: iso(commit.at), published_at: iso(site.second) };
  return Object.assign(release, times);
}

function releaseRecord({ site, api, page }: Repository, { author, ...release }: Release) {
  const { id, tag_name } = release;
  const url = `${api}/releases/${id}`;
  return {
    ...{ ...release, node_id: `RE_${id}`, url, html_url: `${page}/releases/tag/${tag_name}` },
    ...{ assets_url: `${url}/assets`, upload_url: `${url}/assets{?name,label}`, assets: [] },
    ...{ tarball_url: `${page}/tarball/${tag_name}`, zipball_url: `${page}/zipball/${tag_name}` },
    ...{ author: userRecord(site, author), immutable: false },
  };
}
