import type { SystemName } from './settings.ts';
import type { System } from './system.ts';

/** Each kind of database or broker; a new one is a file and a line. Its driver is loaded only where one is configured. */
export const SYSTEMS: Readonly<Record<SystemName, () => Promise<System>>> = {
  postgres: async () => (await import('./postgres.ts')).postgres,
  mysql: async () => (await import('./mysql.ts')).mysql,
  redis: async () => (await import('./redis.ts')).redis,
  rabbitmq: async () => (await import('./rabbitmq.ts')).rabbitmq,
};
