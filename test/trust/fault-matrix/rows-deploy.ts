import type { RunOptions } from "../../../emulator/runner/runner.ts";
import { json } from "../../support/answers.ts";
import {
  BUILD,
  build,
  CREATE_DEPLOYMENT,
  DEPLOYMENT_STATUS,
  PREVIEW,
  PREVIEW_URL,
  UPDATE,
} from "../../support/deploy-scenario.ts";
import { pullRequest, push } from "../../support/events.ts";
import type { CellSetup, Row } from "./row.ts";

const COMMENTS = "/repos/octo/docs/issues";

/** A run that makes no deployment on GitHub, one that does, and one that comments. */
const quiet: RunOptions = { ...push, action: "deploy", inputs: { environment: "none" } };
const shown: RunOptions = { ...push, action: "deploy" };
const commenting: RunOptions = {
  ...pullRequest(7),
  action: "deploy",
  inputs: { environment: "none", branch: "feature", comment: "true" },
};

/** A build that succeeds at the first poll, of a commit that GitHub knows. */
function arrange(setup: CellSetup): void {
  const { service, github } = setup;
  service.on(UPDATE, json(202, { statusId: "build_1" }));
  service.on(PREVIEW, json(202, { statusId: "build_1", previewUrl: PREVIEW_URL }));
  service.on(BUILD, json(200, build("success")));
  setup.options = { ...setup.options, sha: github.head };
}

/** The requests of deploy. */
export const ROWS_DEPLOY: readonly Row[] = [
  {
    name: "deploy: start",
    host: "service",
    purpose: "build-start",
    route: UPDATE,
    before: 0,
    arrange,
    run: quiet,
    genuine: () => json(202, { statusId: "build_1" }),
  },
  {
    name: "deploy: poll",
    host: "service",
    purpose: "build-poll",
    route: BUILD,
    before: 1,
    arrange,
    run: quiet,
    genuine: () => json(200, build("success")),
  },
  {
    name: "deploy: deployment",
    host: "github",
    purpose: "deployment",
    route: CREATE_DEPLOYMENT,
    before: 0,
    arrange,
    run: shown,
  },
  {
    name: "deploy: status of the deployment",
    host: "github",
    purpose: "deployment-status",
    route: DEPLOYMENT_STATUS,
    before: 1,
    arrange,
    run: shown,
  },
  {
    name: "deploy: comment",
    host: "github",
    purpose: "deploy-comment",
    route: `POST ${COMMENTS}/7/comments`,
    before: 1,
    arrange,
    run: commenting,
  },
];
