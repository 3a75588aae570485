/**
 * The local world for `npm run emulate start`: the documentation service on port 4000 and GitHub on 4001, with
 * inspectors at `/_emulate`. EMULATE_PORT sets another first port. `npm start` shows the action at work in the
 * same world.
 */

import { defineConfig } from "emulate";
import { GitHub } from "./emulator/github/github.ts";
import { gitHubSite } from "./emulator/github/index.ts";
import { tokenOf, WORKFLOW } from "./emulator/github/people.ts";
import { seedGitHub } from "./emulator/github/seed.ts";
import { FIRST_ISSUE } from "./emulator/local-world/index.ts";
import { docsService } from "./emulator/service/index.ts";
import {
  ADMIN_KEY,
  ASSISTANT_KEY,
  DOMAIN,
  PROJECT_ID,
  serviceState,
} from "./emulator/service/state.ts";

// In a workflow, this is the repository that the workflow runs in.
const REPOSITORY = process.env.GITHUB_REPOSITORY || "acme/docs";
const SERVICE_PORT = Number(process.env.EMULATE_PORT || 4000);
const GITHUB_PORT = SERVICE_PORT + 1;
const GITHUB_URL = `http://localhost:${GITHUB_PORT}`;

console.log(`
  base-url        http://localhost:${SERVICE_PORT}
  api-key         ${ADMIN_KEY}  (assistant: ${ASSISTANT_KEY})
  project-id      ${PROJECT_ID}  (assistant: domain ${DOMAIN})
  github-api-url  ${GITHUB_URL}, repository ${REPOSITORY}
  github-token    ${tokenOf(WORKFLOW)}`);

const github = new GitHub();
github.site.apiUrl = GITHUB_URL;
github.site.webUrl = GITHUB_URL;
const repository = github.create(REPOSITORY);
repository.openIssue(FIRST_ISSUE);
// A bad day of GitHub is a line here, and one of the service a line in its seed below.
seedGitHub(github, repository, {});

/** @public */
export default defineConfig({
  services: {
    "docs-service": {
      emulator: docsService(github),
      port: SERVICE_PORT,
      inspector: true,
      seed: serviceState({ projects: [{ id: PROJECT_ID, repository: REPOSITORY }] }),
    },
    "github-site": { emulator: gitHubSite(github), port: GITHUB_PORT, inspector: true },
  },
});
