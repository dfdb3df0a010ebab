import { type Logger as BoltLogger, LogLevel } from '@slack/web-api';
import type { Logger } from '../../lib/log.ts';

/**
 * Bolt's and its clients' lines through our logger. Their own texts can hold bodies and answers, so
 * `debug` and `info` are dropped, and what remains is cut.
 */
export function boltLogger(log: Logger): BoltLogger {
  const say = (level: 'warn' | 'error', parts: unknown[]) =>
    log[level]({ slack: parts.map(String).join(' ').slice(0, 500) }, 'Slack SDK');
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (...parts) => say('warn', parts),
    error: (...parts) => say('error', parts),
    setLevel: () => undefined,
    getLevel: () => LogLevel.WARN,
    setName: () => undefined,
  };
}
