/** Who a visitor of the playground can be: accounts of the local world, and what they may do. */

export const PEOPLE: Record<string, string> = {
  writer: "write permission",
  maintainer: "maintain permission",
  reader: "read permission",
  outsider: "no permission",
};

export const DEFAULT_PERSON = "writer";

/** Who edits dashboards and merges. */
export const MAINTAINER = "maintainer";
