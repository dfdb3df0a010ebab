import { parseArgs } from 'node:util';
import { runFuzz } from '../fuzz/run.ts';
import { playRound } from './round.ts';

/** So many kills share one workspace: few enough to find the one that did it. */
const PER_ROUND = 25;

const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    fuzz: { type: 'string' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
});
// Both, where neither is asked for.
const isPlain = values.kills === undefined && values.fuzz === undefined;
const kills = Number(values.kills ?? (isPlain ? 100 : 0));
const payloads = Number(values.fuzz ?? (isPlain ? 20_000 : 0));
const seed = Number(values.seed);
if (![kills, payloads].every((n) => Number.isSafeInteger(n) && n >= 0) || !Number.isSafeInteger(seed)) {
  console.error('usage: npm run chaos -- [--kills 100] [--fuzz 20000] [--seed 1] [--verbose]');
  process.exit(2);
}
const stopping = new AbortController();
process.on('SIGINT', () => stopping.abort()).on('SIGTERM', () => stopping.abort());

let done = 0;
let wrong = 0;
for (let round = 0; done < kills && !stopping.signal.aborted; round += 1) {
  const roundSeed = seed + round;
  const inRound = Math.min(PER_ROUND, kills - done);
  const { ledger, differences } = await playRound({
    seed: roundSeed,
    kills: inRound,
    // One round in four meets the real Slack, which gives an event up after three more tries.
    patient: roundSeed % 4 !== 0,
    signal: stopping.signal,
    ...(values.verbose ? { onKill: ({ how, lastSteps }) => console.log(how, lastSteps.join(', ')) } : {}),
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
    console.log(`  again: npm run chaos -- --kills ${inRound} --seed ${roundSeed} --verbose`);
    for (const { at, what } of ledger.story) console.log(`  ${at} ${what}`);
  }
}
console.log(
  stopping.signal.aborted
    ? `stopped after ${done} kills; ${wrong} differences until then`
    : `${done} kills from seed ${seed}: ${wrong} differences`,
);
const isFuzzed =
  payloads === 0 ||
  stopping.signal.aborted ||
  (await runFuzz({ count: payloads, seed, signal: stopping.signal }));
process.exit(wrong > 0 || !isFuzzed ? 1 : 0);
