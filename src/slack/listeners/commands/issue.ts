import type { Register } from '../deps.ts';
import { runIssue } from './issue/run.ts';
import { onCommand } from './on-command.ts';

/** `/issue …` lists and shows issues, and changes their status, for the person who asks. */
export const issue: Register = (app, deps) => onCommand(app, deps, 'issue', runIssue);
