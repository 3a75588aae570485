/** Prints where the Chromium of this machine is, for `.ci/run`; exits with 1 when there is none. */

import { findBrowser } from "./picture/browser.ts";

const browser = findBrowser();
if (browser === undefined) process.exitCode = 1;
else console.log(browser);
