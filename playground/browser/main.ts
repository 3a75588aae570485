/** What a page of the playground does in the browser. */

import { drawDiagrams } from "./diagrams.ts";
import { takeOverForms } from "./forms.ts";
import { follow } from "./live.ts";

document
  .querySelector("nav [aria-current]")
  ?.scrollIntoView({ block: "nearest", inline: "center" });
takeOverForms();
void drawDiagrams();
const { page = "" } = document.body.dataset;
if (page !== "") follow(page);
