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

/** Sends a request to a path below the repository's; undefined: GitHub does not know it. @throws when refused */
export type Send = <Answer>(
  method: string,
  path: string,
  body?: Record<string, unknown>,
) => Promise<Answer | undefined>;

/** A release, published or a draft, as far as it matters here. */
interface Release {
  id: number;
  tag_name: string;
  name: string | null;
  body: string | null;
  draft: boolean;
}

/** One step of a release; without a request, there is nothing left to do for it. */
interface Step {
  /** What becomes true, or is true already. */
  text: string;
  request?: [method: "POST" | "PATCH", path: string, body: Record<string, unknown>];
}

const PAGE = 100;

/**
 * Does what is left to do for a release, and stops at the first failure: the tag, the release, and at last the
 * major tag, which users run.
 *
 * @param say gets one line for each step
 * @throws before anything is changed, when nothing can be released; later, when GitHub refuses something
 */
export async function release(
  wanted: Wanted,
  send: Send,
  { isDryRun, say }: { isDryRun: boolean; say: (line: string) => void },
): Promise<void> {
  const { tag, version } = wanted;
  if (numbersOf(tag) === null) {
    throw new Error(`"${tag}" is not a version's tag: use vMAJOR.MINOR.PATCH.`);
  }
  if (tag !== `v${version}`) {
    throw new Error(
      `package.json has version ${version}, not ${tag.slice(1)}: set it, run npm run build, and merge both first.`,
    );
  }
  const releases = await allReleases(send);
  const steps = [
    tagStep(wanted, await commitOf(tag, send)),
    releaseStep(wanted, releases),
    majorStep(wanted, await commitOf(majorOf(tag), send), releases),
  ];
  for (const { text, request } of steps) {
    if (request === undefined) {
      say(`Nothing to do: ${text}.`);
    } else if (isDryRun) {
      say(`Would do: ${text} (${request[0]} ${request[1]}).`);
    } else {
      // It is not sent again: whoever runs the release again finds out whether it was received.
      await send(...request);
      say(`Done: ${text}.`);
    }
  }
}

async function allReleases(send: Send): Promise<Release[]> {
  const releases: Release[] = [];
  for (let page = 1; releases.length === (page - 1) * PAGE; page++) {
    const query = `releases?per_page=${PAGE}&page=${page}`;
    releases.push(...((await send<Release[]>("GET", query)) ?? []));
  }
  return releases;
}

/** The commit that a tag stands for; undefined: there is no such tag. */
async function commitOf(tag: string, send: Send): Promise<string | undefined> {
  type Tagged = { object: { type: string; sha: string } };
  let found = await send<Tagged>("GET", `git/ref/tags/${tag}`);
  // An annotated tag is an object of its own, which names the commit.
  while (found?.object.type === "tag") found = await send("GET", `git/tags/${found.object.sha}`);
  return found?.object.sha;
}

function tagStep({ tag, commit }: Wanted, there: string | undefined): Step {
  if (there === commit) return { text: `tag ${tag} is at ${commit}` };
  if (there === undefined) {
    const body = { ref: `refs/tags/${tag}`, sha: commit };
    return { text: `tag ${tag} at ${commit}`, request: ["POST", "git/refs", body] };
  }
  throw new Error(
    `${tag} is at ${there}, and this run at ${commit}. A tag is never moved: to finish that release, run this workflow on the tag; otherwise, choose a new version.`,
  );
}

function releaseStep({ tag, notes }: Wanted, releases: readonly Release[]): Step {
  const isNewest = publishedTags(releases).every((it) => !isNewer(it, tag));
  const body = { name: tag, body: notes, draft: false, make_latest: String(isNewest) };
  const shown = isNewest ? `release ${tag}, as the latest` : `release ${tag}`;
  // A published release goes before a draft of it.
  const [there] = releases
    .filter((it) => it.tag_name === tag)
    .sort((a, b) => Number(a.draft) - Number(b.draft));
  if (there === undefined) {
    return { text: `publish ${shown}`, request: ["POST", "releases", { tag_name: tag, ...body }] };
  }
  // GitHub hands notes back with other line ends, and none at the end.
  const isSame = there.body?.replaceAll("\r\n", "\n").trim() === notes.trim();
  if (isSame && !there.draft) return { text: `${shown}, is published` };
  return { text: `update ${shown}`, request: ["PATCH", `releases/${there.id}`, body] };
}

/** The major tag never goes back: it stays where a newer version of the same major has taken it. */
function majorStep(
  { tag, commit }: Wanted,
  there: string | undefined,
  releases: readonly Release[],
): Step {
  const major = majorOf(tag);
  const [newer] = publishedTags(releases)
    .filter((it) => majorOf(it) === major && isNewer(it, tag))
    .sort((a, b) => (isNewer(a, b) ? -1 : 1));
  if (newer !== undefined) return { text: `${major} stays at ${newer}` };
  if (there === commit) return { text: `${major} is at ${tag}` };
  if (there === undefined) {
    const body = { ref: `refs/tags/${major}`, sha: commit };
    return { text: `tag ${major} at ${tag}`, request: ["POST", "git/refs", body] };
  }
  const body = { sha: commit, force: true };
  return { text: `move ${major} to ${tag}`, request: ["PATCH", `git/refs/tags/${major}`, body] };
}

function publishedTags(releases: readonly Release[]): string[] {
  const tags = releases.filter(({ draft }) => !draft).map(({ tag_name }) => tag_name);
  return tags.filter((tag) => numbersOf(tag) !== null);
}

function majorOf(tag: string): string {
  return tag.split(".")[0] ?? tag;
}

/** Whether one version's tag is of a newer version than another. */
export function isNewer(tag: string, than: string): boolean {
  const [a, b] = [numbersOf(tag) ?? [], numbersOf(than) ?? []];
  const at = a.findIndex((number, index) => number !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}

/** The numbers of a version's tag; null for any other text, among them versions before a release. */
function numbersOf(tag: string): number[] | null {
  const isVersion = /^v(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/.test(tag);
  return isVersion ? tag.slice(1).split(".").map(Number) : null;
}
