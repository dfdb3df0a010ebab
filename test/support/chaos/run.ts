import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runFaults } from '../faults/run.ts';
import { runFuzz } from '../fuzz/run.ts';
import { createDatabase } from '../postgres/databases.ts';
import { startPostgres } from '../postgres/server.ts';
import { runProperties } from './properties.ts';
import { playReplicas } from './replicas.ts';
import { playRound, type RoundOptions } from './round.ts';

const USAGE = `usage: npm run chaos -- [--kills 100] [--replicas 3] [--faults 2] [--fuzz 20000] [--properties 1] [--seed N] [--verbose]

  --kills N       kills the program so many times at work, and compares what came of it with what should have
  --replicas N    so many processes on one PostgreSQL database, of which one after the other is killed
  --faults N      drives the program N times through faults of every kind of Slack, the service and the network
  --fuzz N        sends the program so many payloads
  --properties N  runs the property tests of npm test, which have a fixed seed there, with so many other seeds
  --seed N        of the first; without it, kills, faults and payloads begin with 1, and properties with a random one
  --verbose       says what each kill hit

Without --kills, --faults, --fuzz and --properties: 100 kills, 2 rounds of faults, 20,000 payloads, and the properties
with one seed.`;
/** Seeds of fast-check are 32 bits with a sign. */
const MAX_SEED = 2 ** 31 - 1;
/** So many kills share one workspace: few enough to find the one that did it. */
const PER_ROUND = 25;

const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    replicas: { type: 'string' },
    faults: { type: 'string' },
    fuzz: { type: 'string' },
    properties: { type: 'string' },
    seed: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
// All of them, where none is asked for.
const isPlain = [values.kills, values.replicas, values.faults, values.fuzz, values.properties].every(
  (value) => value === undefined,
);
const replicas = Number(values.replicas ?? 1);
const kills = Number(values.kills ?? (isPlain || replicas > 1 ? 100 : 0));
const faultRounds = Number(values.faults ?? (isPlain ? 2 : 0));
const payloads = Number(values.fuzz ?? (isPlain ? 20_000 : 0));
const seeds = Number(values.properties ?? (isPlain ? 1 : 0));
const seed = Number(values.seed ?? 1);
const firstSeed = values.seed === undefined ? randomInt(MAX_SEED) : seed;
if (
  ![kills, faultRounds, payloads, seeds].every((n) => Number.isSafeInteger(n) && n >= 0) ||
  !(Number.isSafeInteger(replicas) && replicas >= 1) ||
  !Number.isSafeInteger(seed)
) {
  console.error(USAGE);
  process.exit(2);
}
const stopping = new AbortController();
process.on('SIGINT', () => stopping.abort()).on('SIGTERM', () => stopping.abort());

const postgres = replicas > 1 ? await startPostgres() : null;
let done = 0;
let wrong = 0;
for (let round = 0; done < kills && !stopping.signal.aborted; round += 1) {
  const roundSeed = seed + round;
  const inRound = Math.min(PER_ROUND, kills - done);
  const options: RoundOptions = {
    seed: roundSeed,
    kills: inRound,
    // One round in four meets the real Slack, which gives an event up after three more tries.
    patient: roundSeed % 4 !== 0,
    signal: stopping.signal,
    ...(values.verbose ? { onKill: ({ how, lastSteps }) => console.log(how, lastSteps.join(', ')) } : {}),
  };
  const { ledger, differences } =
    postgres === null
      ? await playRound(options)
      : await playReplicas({
          ...options,
          replicas,
          databaseUrl: (await createDatabase(postgres.socket)).url,
        });
  if (stopping.signal.aborted) break;
  done += ledger.kills.length;
  wrong += differences.length;
  const { problems, asked, wanted, ticked } = ledger;
  console.log(
    `${done}/${kills} kills · seed ${roundSeed}: ${problems.length} alerts, ${asked.length} questions, ` +
      `${wanted.length} requests, ${ticked.length} ticks · ${differences.length} differences`,
  );
  for (const difference of differences) console.log(`  ${difference}`);
  if (differences.length > 0) {
    const many = replicas > 1 ? ` --replicas ${replicas}` : '';
    console.log(`  again: npm run chaos -- --kills ${inRound}${many} --seed ${roundSeed} --verbose`);
    for (const { at, what } of ledger.story) console.log(`  ${at} ${what}`);
  }
}
if (kills > 0) {
  console.log(
    stopping.signal.aborted
      ? `stopped after ${done} kills; ${wrong} differences until then`
      : `${done} kills from seed ${seed}: ${wrong} differences`,
  );
}
await postgres?.server.stop();
const withstandsFaults =
  faultRounds === 0 ||
  stopping.signal.aborted ||
  (await runFaults({ count: faultRounds, seed, signal: stopping.signal }));
const isFuzzed =
  payloads === 0 ||
  stopping.signal.aborted ||
  (await runFuzz({ count: payloads, seed, signal: stopping.signal }));
const holds =
  seeds === 0 ||
  stopping.signal.aborted ||
  (await runProperties({ count: seeds, seed: firstSeed, signal: stopping.signal }));
process.exit(wrong > 0 || !withstandsFaults || !isFuzzed || !holds ? 1 : 0);
