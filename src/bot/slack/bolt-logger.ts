import { type Logger as BoltLogger, LogLevel } from '@slack/web-api';
import type { Logger } from '../shared/log.ts';

/** Slack warns of it with every call that shows a session as processing; `sessions.ts` says so once. */
export const NO_STOP_BUTTON = 'missing_agent_session_stopped_event_subscription';

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
    warn: (...parts) => (parts.includes(NO_STOP_BUTTON) ? undefined : say('warn', parts)),
    error: (...parts) => say('error', parts),
    setLevel: () => undefined,
    getLevel: () => LogLevel.WARN,
    setName: () => undefined,
  };
}
