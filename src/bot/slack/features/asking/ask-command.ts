import type { Register } from '../../listening/deps.ts';
import { onCommand } from '../../listening/on-command.ts';
import { runAsk } from './ask.ts';

/** `/ask <question>` asks the agent; the answer starts a thread that goes on. */
export const ask: Register = (app, deps) => onCommand(app, deps, 'ask', runAsk);
