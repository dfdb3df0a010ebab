import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createBot } from '../../../src/bot/compose/index.ts';
import { readConfig } from '../../../src/bot/config.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { clockFrom } from '../paced-clock.ts';

/**
 * The whole program as a child process. A failure that nobody handles ends it, as it ends the real one. Each message
 * of its parent is answered with the bytes that are in use after the garbage was taken away.
 */
const { env } = process;
const result = readConfig(env);
if (!result.ok) throw new Error(result.problems.join('\n'));
const { slack, service } = result.config;
if (!slack || !service) throw new Error('the surroundings configure both');
setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

// Ends with its parent. Registered first: a parent that dies during the start would otherwise leave it running for ever.
process.on('disconnect', () => process.exit(1));
const bot = await createBot(
  { ...result.config, slack, service },
  {
    log: createLogger(result.config.logLevel),
    signal: new AbortController().signal,
    clock: clockFrom(Number(env.CLOCK_START), Number(env.CLOCK_TIMES)),
    onTerminal: (sentence) => {
      console.error(sentence);
      process.exit(1);
    },
  },
);
process.on('message', () => {
  if (typeof collect === 'function') collect();
  process.send?.({ heap: process.memoryUsage().heapUsed });
});
process.on('SIGTERM', () => void bot.stop().then(() => process.exit(0)));
console.log(`started ${bot.url}`);
