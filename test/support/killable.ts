import { flushCompileCache } from 'node:module';
import { readConfig } from '../../src/bot/config/config.ts';
import { run } from '../../src/main.ts';

/**
 * The whole program as a child process that ends itself with SIGKILL at the step that `KILL_AT` names:
 * nothing gets to run after it, as in a crash.
 */
const result = readConfig(process.env);
if (!result.ok) throw new Error(result.problems.join('\n'));
const { slack, service } = result.config;
if (!slack || !service) throw new Error('the test configures both');
const code = await run(
  { ...result.config, slack, service },
  {
    onStarted: (bot) => {
      // A process that is killed writes nothing when it ends.
      flushCompileCache();
      console.log(`started ${bot.url}`);
    },
    checkpoint: (name) => {
      if (name === process.env.KILL_AT) process.kill(process.pid, 'SIGKILL');
    },
  },
);
process.exit(code);
