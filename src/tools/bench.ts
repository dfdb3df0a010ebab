import { benchAlerts } from './bench/alerts.ts';
import { report } from './bench/confusion.ts';
import { benchEventLoop, eventLoopTable } from './bench/event-loop/index.ts';
import { benchFirstWords, firstWordsTable } from './bench/first-words.ts';
import { benchGrowth, growthOfStoreTable } from './bench/growth.ts';
import { benchInvestigator, HELD_OUT } from './bench/investigator.ts';
import { acknowledgingTable, benchFlatOut, benchSteady } from './bench/load/acknowledging.ts';
import { benchDay, dayTable } from './bench/load/day.ts';
import { flushMs } from './bench/load/disk.ts';
import { benchReplicas, replicasTable } from './bench/load/replicas.ts';
import { benchWatched, watchedTable } from './bench/load/watched.ts';
import { table } from './bench/measure.ts';
import { benchRecorded } from './bench/rca.ts';
import { benchService, growthTable } from './bench/service.ts';
import { benchStore } from './bench/store.ts';
import { benchSystems, systemsTable } from './bench/systems/index.ts';
import { flagsOrUsage } from './flags.ts';

const USAGE = `usage: npm run bench [-- FLAGS]

Prints a table for each part, as soon as it is measured. No number makes it fail.

  --load           only the whole program under load; with --minute, deliveries come for a minute
  --replicas       only what several replicas on PostgreSQL acknowledge
  --growth         only how the database's costs grow up to a million issues
  --systems 200    only what an investigation of so many services costs
  --rca FOLDER     only how well recorded incidents are investigated`;

const values = flagsOrUsage(
  {
    load: { type: 'boolean' },
    minute: { type: 'boolean' },
    rca: { type: 'string' },
    systems: { type: 'string' },
    growth: { type: 'boolean' },
    replicas: { type: 'boolean' },
  },
  USAGE,
);
if (values.rca !== undefined) console.log(await benchRecorded(values.rca));
else if (values.systems !== undefined) {
  const services = Number(values.systems);
  console.log(systemsTable(services, await benchSystems(services)));
} else if (values.growth) {
  console.log(growthOfStoreTable(await benchGrowth([1_000, 10_000, 100_000, 1_000_000])));
} else if (values.replicas) {
  console.log(replicasTable(await benchReplicas(10)));
} else {
  if (!values.load) await benchParts();
  await benchLoad(values.minute ? 60 : 10);
}

async function benchParts(): Promise<void> {
  console.log(`${table([...(await benchAlerts()), ...(await benchStore())])}\n`);
  console.log(`${eventLoopTable(await benchEventLoop())}\n`);
  console.log(`${report(await benchInvestigator(HELD_OUT, { faulty: 240, healthy: 112 }))}\n`);
  console.log(`${firstWordsTable(await benchFirstWords())}\n`);
  const sizes = { few: 1_000, many: 100_000 };
  console.log(`${growthTable(await benchService(sizes), sizes)}\n`);
}

async function benchLoad(seconds: number): Promise<void> {
  const steady = [await benchSteady('http', seconds), await benchSteady('socket', seconds)];
  const flats = [await benchFlatOut('of a workspace', 10), await benchFlatOut('alerts alone', 10)];
  console.log(`${acknowledgingTable(steady, flats, await flushMs())}\n`);
  console.log(`${watchedTable(await benchWatched(30))}\n`);
  console.log(dayTable(await benchDay(30)));
}
