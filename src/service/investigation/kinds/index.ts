import { badDeploy } from './bad-deploy.ts';
import { badInstance } from './bad-instance.ts';
import { brokenEdge } from './broken-edge.ts';
import { cacheOutage } from './cache-outage.ts';
import { certificateExpiry } from './certificate-expiry.ts';
import { configChange } from './config-change.ts';
import { connectionPool } from './connection-pool.ts';
import { cpuStarvation } from './cpu-starvation.ts';
import { diskFull } from './disk-full.ts';
import { externalDependency } from './external-dependency.ts';
import { memoryLeak } from './memory-leak.ts';
import { outage } from './outage.ts';
import { queueBacklog } from './queue-backlog.ts';
import { slowQuery } from './slow-query.ts';
import { trafficSurge } from './traffic-surge.ts';
import type { Kind } from './types.ts';
import { unexplained } from './unexplained.ts';

/** Every fault kind that the investigator recognises. A new one takes a file and a line here. */
export const KINDS: readonly Kind[] = [
  badDeploy,
  badInstance,
  brokenEdge,
  cacheOutage,
  certificateExpiry,
  configChange,
  connectionPool,
  cpuStarvation,
  diskFull,
  externalDependency,
  memoryLeak,
  outage,
  queueBacklog,
  slowQuery,
  trafficSurge,
  unexplained,
];
