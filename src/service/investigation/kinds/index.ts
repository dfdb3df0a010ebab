import { badDeploy } from './bad-deploy.ts';
import { certificateExpiry } from './certificate-expiry.ts';
import { configChange } from './config-change.ts';
import { connectionPool } from './connection-pool.ts';
import { diskFull } from './disk-full.ts';
import { memoryLeak } from './memory-leak.ts';
import { queueBacklog } from './queue-backlog.ts';
import { slowQuery } from './slow-query.ts';
import type { Kind } from './types.ts';
import { unexplained } from './unexplained.ts';

/** Every kind of fault that the investigator can recognise. A new one is a file and a line. */
export const KINDS: readonly Kind[] = [
  badDeploy,
  certificateExpiry,
  configChange,
  connectionPool,
  diskFull,
  memoryLeak,
  queueBacklog,
  slowQuery,
  unexplained,
];
