// npm run cost: prints the example and the tables of docs/cost.md: what a month of upkeep costs, and the minutes that
// GitHub bills for a day of jobs, waiting against collecting.
import { costTable } from "./cost/minutes.ts";
import { monthTable, sizeTable, typicalMonth } from "./cost/month.ts";

for (const text of [typicalMonth(), monthTable(), sizeTable(), costTable()]) {
  console.log(`${text}\n`);
}
