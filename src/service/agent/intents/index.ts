import type { Intent } from '../types.ts';
import { advice } from './advice.ts';
import { changes } from './changes.ts';
import { dependencies } from './dependencies.ts';
import { evidence } from './evidence.ts';
import { file } from './file.ts';
import { health } from './health.ts';
import { issue } from './issue.ts';
import { logs } from './logs.ts';
import { metric } from './metric.ts';
import { namedMetric } from './named-metric.ts';
import { onset } from './onset.ts';
import { openIssues } from './open-issues.ts';
import { recovery } from './recovery.ts';

/** Everything the agent can be asked; the first match answers. A new intent takes a file and a line here. */
export const INTENTS: readonly Intent[] = [
  openIssues,
  file,
  evidence,
  logs,
  namedMetric,
  recovery,
  advice,
  onset,
  changes,
  dependencies,
  issue,
  health,
  metric,
];
