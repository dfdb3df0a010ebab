import { setImmediate as turn } from 'node:timers/promises';
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createBot } from '../../../src/bot/compose/index.ts';
import { readConfig } from '../../../src/bot/config.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { type Clock, systemClock } from '../../../src/lib/clock.ts';

/** The whole program as a child process, on a clock that runs faster. It says what it holds when it is asked. */
const { env } = process;
const times = Number(env.CLOCK_TIMES);
const start = Number(env.CLOCK_START);
let from = start;
let since = start;
let pace = times;
const clock: Clock = {
  now: () => Math.round(from + (systemClock.now() - since) * pace),
  sleep: (ms, signal) => systemClock.sleep(ms / pace, signal),
};
const result = readConfig(env);
if (!result.ok) throw new Error(result.problems.join('\n'));
const { slack, service } = result.config;
if (!slack || !service) throw new Error('the bench configures both');

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
// Ends with its parent. Registered first: a parent that dies during the start would otherwise leave it running for ever.
process.on('disconnect', () => process.exit(1));
const bot = await createBot(
  { ...result.config, slack, service },
  {
    log: createLogger('error'),
    signal: new AbortController().signal,
    clock,
    onTerminal: (sentence) => {
      throw new Error(sentence);
    },
  },
);
console.log(JSON.stringify({ url: bot.url }));
process.on('SIGTERM', () => void bot.stop().then(() => process.exit(0)));
process.on('message', async (message) => {
  if (message === 'rest') {
    // What waits for the machine's clock needs no busy timers beside it.
    from = clock.now();
    since = systemClock.now();
    pace = 1;
    return;
  }
  for (let n = 0; n < 5; n += 1) {
    await turn();
    collect();
  }
  const resources = process.getActiveResourcesInfo();
  const count = (kind: RegExp) => resources.filter((name) => kind.test(name)).length;
  process.send?.({
    heap: process.memoryUsage().heapUsed,
    maps: queryObjects(Map, { format: 'count' }),
    signals: queryObjects(AbortSignal, { format: 'count' }),
    timers: count(/^(?:Timeout|Immediate)$/u),
    handles: count(/(?:Wrap|Socket|Server|Pipe)/u),
  });
});
