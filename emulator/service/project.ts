/** A documentation project: what the agent works on. */
export interface Project {
  id: string;
  /** `owner/name` on the emulated GitHub. */
  repository: string;
  baseBranch: string;
}
