/** What is in the repository at the start; a seed of GitHub's own emulator cannot hold it. */

import { callGitHub } from "./client.ts";
import { OWNER, PERMISSIONS, tokenOf } from "./people.ts";

export interface RepositoryContents {
  /** `owner/name` */
  repository: string;
  /** Path and text of files on the default branch. */
  files: Record<string, string>;
  issues: { title: string; body: string; author?: string }[];
}

/** Gives people their permissions, writes the files, opens the issues. Does nothing a second time. */
export async function fillRepository(apiUrl: string, contents: RepositoryContents): Promise<void> {
  const repo = `${apiUrl}/repos/${contents.repository}`;
  const token = tokenOf(OWNER);
  for (const [login, permission] of Object.entries(PERMISSIONS)) {
    const url = `${repo}/collaborators/${encodeURIComponent(login)}`;
    await callGitHub(url, { method: "PUT", token, body: { permission } });
  }
  for (const [path, text] of Object.entries(contents.files)) {
    const body = { message: `Add ${path}`, content: Buffer.from(text).toString("base64") };
    // 409 and 422: the file is there already.
    await callGitHub(`${repo}/contents/${path}`, { method: "PUT", token, body, allow: [409, 422] });
  }
  const open = await callGitHub<{ title: string }[]>(`${repo}/issues?state=all&per_page=100`);
  for (const { title, body, author } of contents.issues) {
    if (open?.some((issue) => issue.title === title)) continue;
    const opener = tokenOf(author ?? "writer");
    await callGitHub(`${repo}/issues`, { method: "POST", token: opener, body: { title, body } });
  }
}
