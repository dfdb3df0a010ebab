import { benchAlerts } from './bench/alerts.ts';
import { table } from './bench/measure.ts';
import { benchStore } from './bench/store.ts';

/** `npm run bench`: prints, and never fails for a number. */
console.log(table([...(await benchAlerts()), ...(await benchStore())]));
