/** What the emulated GitHub tells of issues, pull requests and comments, as far as the pages show it. */

export interface IssueRecord {
  number: number;
  title: string;
  body: string | null;
  state: string;
  user: { login: string };
  labels: { name: string }[];
  created_at: string;
  html_url: string;
  pull_request?: object;
}

export interface PullRecord extends IssueRecord {
  merged_at: string | null;
  head: { ref: string };
  base: { ref: string };
}

export interface CommentRecord {
  id: number;
  body: string;
  user: { login: string };
  created_at: string;
  updated_at: string;
}

export interface FileRecord {
  filename: string;
  status: string;
  patch?: string;
}

/** A description or a comment. */
export interface Post {
  /** `issue`, or the id of a comment. */
  id: string;
  author: string;
  /** Markdown. */
  body: string;
  createdAt: string;
  isEdited: boolean;
  /** How many reacted with each name, such as `eyes`. */
  reactions: Record<string, number>;
}

/** An issue or a pull request with all that was written there. */
export interface Thread {
  issue: IssueRecord;
  /** For a pull request. */
  pull: PullRecord | undefined;
  files: FileRecord[];
  posts: Post[];
}

/** Whether an account is an app's. */
export function isBot(login: string): boolean {
  return login.endsWith("[bot]");
}
