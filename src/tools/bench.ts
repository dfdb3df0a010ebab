import { benchAlerts } from './bench/alerts.ts';
import { report } from './bench/confusion.ts';
import { benchInvestigator, HELD_OUT } from './bench/investigator.ts';
import { table } from './bench/measure.ts';
import { benchService, growthTable } from './bench/service.ts';
import { benchStore } from './bench/store.ts';

/** `npm run bench`: prints, and never fails for a number. Each table is printed when it is known. */
console.log(`${table([...(await benchAlerts()), ...(await benchStore())])}\n`);
console.log(`${report(benchInvestigator(HELD_OUT, { faulty: 240, healthy: 112 }))}\n`);
const sizes = { few: 1_000, many: 100_000 };
console.log(growthTable(await benchService(sizes), sizes));
