/** Accounts of the local world that a visitor of the playground can act as, and their permissions. */

export const PEOPLE: Record<string, string> = {
  writer: "write permission",
  maintainer: "maintain permission",
  reader: "read permission",
  // The repository is public.
  outsider: "may read, like everyone",
};

export const DEFAULT_PERSON = "writer";

/** Who edits dashboards and merges. */
export const MAINTAINER = "maintainer";
