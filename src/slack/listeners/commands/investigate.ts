import type { Register } from '../deps.ts';
import { runInvestigate } from './investigate/run.ts';
import { onCommand } from './on-command.ts';

/** `/investigate <what is wrong> [severity:high] [env:staging] [service:…]` files an issue at once; without words, a modal. */
export const investigate: Register = (app, deps) => onCommand(app, deps, 'investigate', runInvestigate);
