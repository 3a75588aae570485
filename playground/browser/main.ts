/** The script of every page of the playground. */

import { drawDiagrams } from "./diagrams.ts";
import { takeOverForms } from "./forms.ts";
import { follow } from "./live.ts";

document.body.classList.add("scripted");
takeOverForms();
void drawDiagrams();
const { page = "" } = document.body.dataset;
if (page !== "") follow(page);
