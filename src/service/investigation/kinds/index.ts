import { badDeploy, configChange } from './changes.ts';
import type { Kind } from './kind.ts';
import {
  badInstance,
  brokenEdge,
  cacheMisses,
  cacheOutage,
  certificateExpiry,
  externalDependency,
  outage,
  outboundFailure,
  slowQuery,
  tlsFailure,
  unexplained,
} from './outages.ts';
import {
  connectionPool,
  cpuStarvation,
  diskFull,
  memoryLeak,
  outOfMemory,
  queueBacklog,
  trafficSurge,
} from './resources.ts';

/** Every fault kind that the investigator recognizes. A new one takes a file and a line here. */
export const KINDS: readonly Kind[] = [
  badDeploy,
  badInstance,
  brokenEdge,
  cacheMisses,
  cacheOutage,
  certificateExpiry,
  configChange,
  connectionPool,
  cpuStarvation,
  diskFull,
  externalDependency,
  memoryLeak,
  outage,
  outboundFailure,
  outOfMemory,
  queueBacklog,
  slowQuery,
  tlsFailure,
  trafficSurge,
  unexplained,
];
