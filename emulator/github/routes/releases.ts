/** https://docs.github.com/rest/releases: drafts are shown to those who may push, and to nobody else. */

import { type Call, created, found, invalid, type Routes } from "../call.ts";
import { apiPath, nodeId, userRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso, isoOrNull } from "../site.ts";
import type { Release } from "../state.ts";

const RELEASES = "/repos/{owner}/{repo}/releases";
const RELEASE = `${RELEASES}/{release_id}`;

export const releaseRoutes: Routes = {
  [`GET ${RELEASES}`]: (call) =>
    call.page(
      call.repository.releases.filter((release) => isShown(call, release)).toReversed(),
      (release) => releaseRecord(call.repository, release),
    ),

  [`POST ${RELEASES}`]: (call) => {
    const { repository, site } = call;
    const given = call.given<GivenRelease>();
    const tag = given.tag_name ?? "";
    if (tag === "") throw invalid("Release", "tag_name", "missing_field");
    if (repository.releases.some((release) => release.tag === tag)) {
      throw invalid("Release", "tag_name", "already_exists");
    }
    const release: Release = {
      ...{ id: site.nextId(), tag, target: repository.defaultBranch, name: null, body: null },
      ...{ author: call.actor, isDraft: true, isPrerelease: false },
      ...{ createdAt: site.second, publishedAt: null },
    };
    update(repository, release, { draft: false, ...given });
    repository.releases.push(release);
    return created(releaseRecord(repository, release));
  },

  // The newest by the date of its commit, as GitHub has it.
  [`GET ${RELEASES}/latest`]: (call) => {
    const published = call.repository.releases.filter((it) => !it.isDraft && !it.isPrerelease);
    const [latest] = published.toSorted((one, other) => other.createdAt - one.createdAt);
    return releaseRecord(call.repository, found(latest));
  },

  [`GET ${RELEASES}/tags/{tag}`]: (call) => {
    const { releases } = call.repository;
    const release = releases.find(({ tag, isDraft }) => tag === call.param("tag") && !isDraft);
    return releaseRecord(call.repository, found(release));
  },

  [`GET ${RELEASE}`]: (call) => releaseRecord(call.repository, releaseOf(call)),

  [`PATCH ${RELEASE}`]: (call) => {
    const release = releaseOf(call);
    update(call.repository, release, call.given<GivenRelease>());
    return releaseRecord(call.repository, release);
  },
};

interface GivenRelease {
  tag_name: string;
  target_commitish: string;
  name: string;
  body: string;
  draft: boolean;
  prerelease: boolean;
}

function isShown({ repository, login }: Call, { isDraft }: Release): boolean {
  return !isDraft || repository.may(login, "write");
}

function releaseOf(call: Call): Release {
  const id = call.number("release_id");
  return found(call.repository.releases.find((it) => it.id === id && isShown(call, it)));
}

/** Takes over what a request says. Publishing makes the tag, unless it is there. @throws HttpError 422 */
function update(repository: Repository, release: Release, given: Partial<GivenRelease>): void {
  const isDraft = given.draft ?? release.isDraft;
  Object.assign(release, {
    ...{ tag: given.tag_name ?? release.tag, target: given.target_commitish ?? release.target },
    ...{ name: given.name ?? release.name, body: given.body ?? release.body, isDraft },
    isPrerelease: given.prerelease ?? release.isPrerelease,
  });
  if (isDraft || release.publishedAt !== null) return;
  const ref = `refs/tags/${release.tag}`;
  const commit = repository.resolve(`tags/${release.tag}`) ?? repository.resolve(release.target);
  if (commit === undefined) throw invalid("Release", "target_commitish");
  if (!repository.refs.has(ref)) repository.setRef(ref, commit.sha);
  Object.assign(release, { createdAt: commit.at, publishedAt: repository.site.second });
}

function releaseRecord(repository: Repository, release: Release) {
  const { site, fullName } = repository;
  const { id, tag, target, name, body, author, isDraft, isPrerelease } = release;
  const url = `${apiPath(repository)}/releases/${id}`;
  const page = `${site.webUrl}/${fullName}`;
  return {
    ...{ id, node_id: nodeId("RE", id), url, html_url: `${page}/releases/tag/${tag}` },
    ...{ assets_url: `${url}/assets`, upload_url: `${url}/assets{?name,label}`, assets: [] },
    ...{ tarball_url: `${page}/tarball/${tag}`, zipball_url: `${page}/zipball/${tag}` },
    ...{ tag_name: tag, target_commitish: target, name, body, author: userRecord(site, author) },
    ...{ draft: isDraft, prerelease: isPrerelease, immutable: false },
    ...{ created_at: iso(release.createdAt), published_at: isoOrNull(release.publishedAt) },
  };
}
