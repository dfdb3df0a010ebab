import type { Register } from '../../listening/deps.ts';
import { onCommand } from '../../listening/on-command.ts';
import { runIssue } from './issue-command/run.ts';

/** `/issue …` lists and shows issues, and changes their status, for the person who asks. */
export const issue: Register = (app, deps) => onCommand(app, deps, 'issue', runIssue);
