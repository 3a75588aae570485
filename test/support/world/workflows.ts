/** The workflow of a repository that doctor looks at. */

import type { WorldOptions } from "./world.ts";

/** The file of the workflow that the emulated runner names. */
export const WORKFLOW_FILE = ".github/workflows/docs.yml";

/** Upkeep on a schedule, and doctor by hand. */
export const WORKFLOW_TEXT = `name: Docs
on:
  schedule:
    - cron: "17 * * * *"
  workflow_dispatch:
jobs:
  upkeep:
    runs-on: ubuntu-latest
    steps:
      - uses: OWNER/docs-agent-action/upkeep@v1
`;

/** A repository with that workflow. */
export const WITH_WORKFLOW: WorldOptions = { files: { [WORKFLOW_FILE]: WORKFLOW_TEXT } };
