import { advice } from './advice.ts';
import { changes } from './changes.ts';
import { database } from './database.ts';
import { dependencies } from './dependencies.ts';
import { file } from './files.ts';
import { health } from './health.ts';
import { help } from './help.ts';
import { issues } from './issues.ts';
import { logs } from './logs.ts';
import { metric } from './metric.ts';
import { outlook } from './outlook.ts';
import { owners } from './owners.ts';
import { rules } from './rules.ts';
import { state } from './state.ts';
import type { Tool } from './tool.ts';
import { traces } from './traces.ts';

/** Of two that a question asks for as much, the earlier one answers first. */
export const TOOLS: readonly Tool[] = [
  state,
  logs,
  traces,
  metric,
  rules,
  outlook,
  changes,
  dependencies,
  database,
  advice,
  health,
  issues,
  owners,
  file,
  help,
];
