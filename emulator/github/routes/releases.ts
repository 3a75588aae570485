/** https://docs.github.com/rest/releases: drafts are shown to those who may push, and to nobody else. */

import { created, invalid, missing, type Routes } from "../call.ts";
import { userRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";
import type { Release } from "../state.ts";

export const releaseRoutes: Routes = {
  "GET /releases": (call) => {
    const shown = call.repository.releases.filter(({ draft }) => !draft || call.may("write"));
    return call.page(shown.reverse(), (release) => releaseRecord(call.repository, release));
  },

  "POST /releases": (call) => {
    const { repository, site } = call;
    const tag_name = call.text("tag_name") ?? "";
    if (tag_name === "") throw missing("Release", "tag_name");
    if (repository.releases.some((release) => release.tag_name === tag_name)) {
      throw invalid("Release", "tag_name", "already_exists");
    }
    const target_commitish = call.text("target_commitish") ?? repository.defaultBranch;
    const draft = call.flag("draft") ?? false;
    const commit = repository.resolve(`tags/${tag_name}`) ?? repository.resolve(target_commitish);
    if (commit === undefined) throw invalid("Release", "target_commitish");
    const ref = `refs/tags/${tag_name}`;
    if (!draft && !repository.refs.has(ref)) repository.setRef(ref, commit.sha);
    const release: Release = {
      ...{ id: site.nextId(), tag_name, target_commitish, author: call.actor, draft },
      ...{ name: call.text("name") ?? null, body: call.text("body") ?? null },
      ...{ prerelease: call.flag("prerelease") ?? false, created_at: iso(commit.at) },
      published_at: draft ? null : iso(site.second),
    };
    repository.releases.push(release);
    return created(releaseRecord(repository, release));
  },
};

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
