import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createBot } from '../../src/bot/compose/index.ts';
import { readConfig } from '../../src/bot/config.ts';
import { createLogger } from '../../src/bot/shared/log.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { obeyOrders } from './faults/orders.ts';
import { clockFrom } from './paced-clock.ts';

/**
 * The whole program as a child process, on the clock of its surroundings where they have one of their own. It names each step that it
 * comes by, and ends itself with SIGKILL at the one that `KILL_AT` names: nothing gets to run after it, as in a crash.
 */
const { env } = process;
const result = readConfig(env);
if (!result.ok) throw new Error(result.problems.join('\n'));
const { slack, service } = result.config;
if (!slack || !service) throw new Error('the surroundings configure both');
const stopping = new AbortController();
/** Where it is frozen, once, as a container is that is paused. */
let freezeAt = env.FREEZE_AT;
if (env.MACHINE_AHEAD_MS !== undefined) {
  const rightTime = Date.now;
  Date.now = () => rightTime() + Number(env.MACHINE_AHEAD_MS);
}
let left = Number(env.KILL_TURN ?? 1);
const orders = obeyOrders();
const shared = clockFrom(Number(env.CLOCK_START ?? systemClock.now()), Number(env.CLOCK_TIMES ?? 1));

// Ends with its parent. Registered first: a parent that dies during the start would otherwise leave it running for ever.
process.on('disconnect', () => process.exit(1));
const bot = await createBot(
  { ...result.config, slack, service },
  {
    log: createLogger(result.config.logLevel),
    signal: stopping.signal,
    ...(env.MACHINE_AHEAD_MS === undefined
      ? { clock: { ...shared, now: () => shared.now() + orders.jumpedMs() } }
      : {}),
    onTerminal: (sentence) => {
      console.error(sentence);
      process.exit(1);
    },
    checkpoint: (name) => {
      if (name === env.KILL_AT) left -= 1;
      // Written at once: what is not yet with the system when the process dies would be lost.
      writeSync(1, `at ${name}\n`);
      if (name === env.KILL_AT && left === 0) process.kill(process.pid, 'SIGKILL');
      if (name === freezeAt) {
        freezeAt = undefined;
        process.kill(process.pid, 'SIGSTOP');
      }
    },
  },
);
process.on('unhandledRejection', (error) => console.error('unhandled promise rejection', error));
process.on('SIGTERM', () => {
  stopping.abort();
  void bot.stop().then(() => process.exit(0));
});
// A process that is killed writes nothing when it ends.
flushCompileCache();
console.log(`started ${bot.url}`);
