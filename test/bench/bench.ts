import { type Environment, type Io, processIo } from '../../src/lib/io.ts';
import { flagsOrUsage } from '../../src/tools/doctor.ts';
import { benchAlerts } from './alerts.ts';
import { benchClusters } from './clusters.ts';
import { report } from './confusion.ts';
import { benchEventLoop, eventLoopTable } from './event-loop/index.ts';
import { benchFirstWords, firstWordsTable } from './first-words.ts';
import { benchGrowth, growthOfStoreTable } from './growth.ts';
import { benchInvestigator, HELD_OUT } from './investigator.ts';
import { acknowledgingTable, benchSteady } from './load/acknowledging.ts';
import { benchDay, dayTable } from './load/day.ts';
import { flushMs } from './load/disk.ts';
import { benchBurst, benchCards, benchIdle, promisesTable } from './load/promises.ts';
import { benchVerdicts, verdictsTable } from './load/verdict.ts';
import { benchWatched, watchedTable } from './load/watched.ts';
import { table } from './measure.ts';
import { benchModel } from './model.ts';
import { phrasesTable } from './phrases.ts';
import { benchRecorded } from './rca.ts';
import { benchSensitivity } from './sensitivity.ts';
import { benchService, growthTable } from './service.ts';
import { benchStore } from './store.ts';
import { benchSystems, systemsTable } from './systems/index.ts';

const USAGE = `usage: npm run bench [-- FLAGS]

Prints a table for each part, as soon as it is measured. No number makes it fail.

  --load           only the whole program under load; with --minute, deliveries come for a minute
  --growth         only how the database's costs grow up to a million issues
  --systems 200    only what an investigation of so many services costs
  --rca FOLDER     only how well recorded incidents are investigated
  --sensitivity FOLDER  only how far that hangs on the ranking's constants; with --constants A,B, on these
  --kubernetes FOLDER   only how well recorded clusters are judged
  --phrases        only where questions of others go, and each example by the others
  --model          only how well the model of MODEL_URL chooses lookups, beside the rules`;

const FLAGS = {
  load: { type: 'boolean' },
  minute: { type: 'boolean' },
  rca: { type: 'string' },
  sensitivity: { type: 'string' },
  constants: { type: 'string' },
  kubernetes: { type: 'string' },
  systems: { type: 'string' },
  growth: { type: 'boolean' },
  model: { type: 'boolean' },
  phrases: { type: 'boolean' },
} as const;

/** `npm run bench`. @returns the exit code */
export async function bench(words: readonly string[], env: Environment, io: Io): Promise<number> {
  const flags = flagsOrUsage(words, FLAGS, USAGE, io);
  if ('code' in flags) return flags.code;
  const { rca, sensitivity, constants, kubernetes, systems, growth, model, phrases, load, minute } =
    flags.values;
  if (kubernetes !== undefined) io.out(await benchClusters(kubernetes));
  else if (phrases) io.out(phrasesTable());
  else if (model) io.out(await benchModel(env));
  else if (rca !== undefined) io.out(await benchRecorded(rca));
  else if (sensitivity !== undefined)
    io.out(await benchSensitivity(sensitivity, constants?.split(',') ?? null));
  else if (systems !== undefined) {
    const services = Number(systems);
    io.out(systemsTable(services, await benchSystems(services)));
  } else if (growth) {
    io.out(growthOfStoreTable(await benchGrowth([1_000, 10_000, 100_000, 1_000_000])));
  } else {
    if (!load) await benchParts(io);
    await benchLoad(minute ? 60 : 10, io);
  }
  return 0;
}

async function benchParts(io: Io): Promise<void> {
  io.out(`${table([...(await benchAlerts()), ...(await benchStore())])}\n`);
  io.out(`${eventLoopTable(await benchEventLoop())}\n`);
  io.out(`${report(await benchInvestigator(HELD_OUT, { faulty: 240, healthy: 112 }))}\n`);
  io.out(`${firstWordsTable(await benchFirstWords())}\n`);
  const sizes = { few: 1_000, many: 100_000 };
  io.out(`${growthTable(await benchService(sizes), sizes)}\n`);
}

async function benchLoad(seconds: number, io: Io): Promise<void> {
  const steady = [await benchSteady('http', seconds), await benchSteady('socket', seconds)];
  io.out(`${acknowledgingTable(steady, await flushMs())}\n`);
  // More in one channel are a storm, and held.
  io.out(`${verdictsTable(await benchVerdicts(10))}\n`);
  io.out(`${promisesTable(await benchCards(10), await benchBurst(60, 3), await benchIdle(30))}\n`);
  io.out(`${watchedTable(await benchWatched(30))}\n`);
  io.out(dayTable(await benchDay(30)));
}

if (import.meta.main) process.exitCode = await bench(process.argv.slice(2), process.env, processIo);
