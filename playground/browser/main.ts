/** The script of every page of the playground. */

import { takeOverCopying } from "./copy.ts";
import { drawDiagrams } from "./diagrams.ts";
import { takeOverForms } from "./forms.ts";
import { follow } from "./live.ts";

document.body.classList.add("scripted");
takeOverForms();
takeOverCopying();
void drawDiagrams();
const { page = "" } = document.body.dataset;
if (page !== "") follow(page);
