import type { Register } from '../deps.ts';
import { runAsk } from './ask/run.ts';
import { onCommand } from './on-command.ts';

/** `/ask <question>` asks the agent; the answer starts a thread that goes on. */
export const ask: Register = (app, deps) => onCommand(app, deps, 'ask', runAsk);
