// What a release needs, decided from what is there: each run computes the rest anew, so that any run may fail.

/** What is to be released. */
export interface Wanted {
  /** Such as `v1.2.3`. */
  tag: string;
  /** The commit that was verified. */
  commit: string;
  /** From package.json: every bundle tells it. */
  version: string;
  /** What the changelog says of it. */
  notes: string;
}

/** A release, published or a draft, as far as it matters here. */
export interface Release {
  id: number;
  tag: string;
  name: string;
  notes: string;
  isDraft: boolean;
}

/** What is there on GitHub. */
export interface Found {
  /** The commit that each tag stands for, by the tag's name. */
  tags: Readonly<Record<string, string>>;
  releases: readonly Release[];
  /** The tag of the release that GitHub shows as the latest. */
  latest: string | null;
}

/** A request that changes something, with a path below the repository's. */
export interface Change {
  method: "POST" | "PATCH";
  path: string;
  body: Readonly<Record<string, string | boolean>>;
}

/** One step of a release; without a change, there is nothing left to do for it. */
export interface Step {
  /** What becomes true, or is true already. */
  text: string;
  change: Change | null;
}

/** Why nothing can be released. The message says what to do. */
export class ReleaseError extends Error {
  override readonly name = "ReleaseError";
}

/**
 * The steps of a release, in the order in which they are to be taken: the tag, the release, and at last the
 * major tag, which users run. A step that an earlier run has taken has no change.
 *
 * @throws ReleaseError before anything is changed
 */
export function planRelease(wanted: Wanted, found: Found): Step[] {
  const { tag, version } = wanted;
  if (parse(tag) === null) {
    throw new ReleaseError(`"${tag}" is not a version's tag: use vMAJOR.MINOR.PATCH.`);
  }
  if (tag !== `v${version}`) {
    throw new ReleaseError(
      `package.json has version ${version}, not ${tag.slice(1)}: set it, run npm run build, and merge both first.`,
    );
  }
  return [tagStep(wanted, found), releaseStep(wanted, found), majorStep(wanted, found)];
}

function tagStep({ tag, commit }: Wanted, { tags }: Found): Step {
  const there = tags[tag];
  if (there === undefined) {
    const body = { ref: `refs/tags/${tag}`, sha: commit };
    return { text: `tag ${tag} at ${commit}`, change: { method: "POST", path: "git/refs", body } };
  }
  if (there === commit) return { text: `tag ${tag} is at ${commit}`, change: null };
  throw new ReleaseError(
    `${tag} is at ${there}, and this run at ${commit}. A tag is never moved: to finish that release, run this workflow on the tag; otherwise, choose a new version.`,
  );
}

function releaseStep({ tag, notes }: Wanted, { releases, latest }: Found): Step {
  const published = publishedTags(releases);
  const isNewest = published.every((it) => !isNewer(it, tag));
  const body = { name: tag, body: notes, draft: false, make_latest: String(isNewest) };
  // A published release goes before a draft of it.
  const [there] = releases
    .filter((it) => it.tag === tag)
    .sort((a, b) => Number(a.isDraft) - Number(b.isDraft));
  const shown = isNewest ? `release ${tag}, as the latest` : `release ${tag}`;
  if (there === undefined) {
    const change: Change = { method: "POST", path: "releases", body: { tag_name: tag, ...body } };
    return { text: `publish ${shown}`, change };
  }
  const isSame = !there.isDraft && there.name === tag && sameText(there.notes, notes);
  if (isSame && (latest === tag) === isNewest) {
    return { text: `${shown}, is published`, change: null };
  }
  const change: Change = { method: "PATCH", path: `releases/${there.id}`, body };
  return { text: `update ${shown}`, change };
}

/** The major tag never goes back: it stays where a newer version of the same major has taken it. */
function majorStep({ tag, commit }: Wanted, { tags, releases }: Found): Step {
  const major = majorOf(tag);
  const newer = publishedTags(releases)
    .filter((it) => majorOf(it) === major && isNewer(it, tag))
    .sort((a, b) => (isNewer(a, b) ? -1 : 1));
  if (newer[0] !== undefined) return { text: `${major} stays at ${newer[0]}`, change: null };
  const there = tags[major];
  if (there === commit) return { text: `${major} is at ${tag}`, change: null };
  if (there === undefined) {
    const body = { ref: `refs/tags/${major}`, sha: commit };
    return { text: `tag ${major} at ${tag}`, change: { method: "POST", path: "git/refs", body } };
  }
  const body = { sha: commit, force: true };
  return {
    text: `move ${major} to ${tag}`,
    change: { method: "PATCH", path: `git/refs/tags/${major}`, body },
  };
}

/** GitHub hands notes back with other line ends, and none at the end. */
function sameText(one: string, other: string): boolean {
  const plain = (text: string) => text.replaceAll("\r\n", "\n").trim();
  return plain(one) === plain(other);
}

function publishedTags(releases: readonly Release[]): string[] {
  return releases.filter((it) => !it.isDraft && parse(it.tag) !== null).map((it) => it.tag);
}

function majorOf(tag: string): string {
  return tag.split(".")[0] ?? tag;
}

/** Whether one version's tag is of a newer version than another. */
export function isNewer(tag: string, than: string): boolean {
  const [a, b] = [parse(tag) ?? [], parse(than) ?? []];
  const at = a.findIndex((number, index) => number !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}

/** The numbers of a version's tag; null for any other text, among them versions before a release. */
function parse(tag: string): number[] | null {
  const isVersion = /^v(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/.test(tag);
  return isVersion ? tag.slice(1).split(".").map(Number) : null;
}
