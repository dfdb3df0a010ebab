import type { Register } from '../../listening/deps.ts';
import { onCommand } from '../../listening/on-command.ts';
import { runInvestigate } from './investigate.ts';

/** `/investigate <what is wrong> [severity:high] [env:staging] [service:…]` files an issue at once; without words, a modal. */
export const investigate: Register = (app, deps) => onCommand(app, deps, 'investigate', runInvestigate);
