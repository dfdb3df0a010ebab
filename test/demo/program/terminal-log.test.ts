import { EventEmitter } from 'node:events';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { onTerminal } from '../../../src/demo/program/terminal-log.ts';

function shown(env: Record<string, string>, isTTY: boolean): string[] | null {
  const lines: string[] = [];
  const out = (line: string) => void lines.push(line);
  const io = onTerminal({ out, err: out, drained: async () => undefined, process: new EventEmitter() }, env, {
    isTTY,
  });
  if (io.log === undefined) return null;
  const log = pino({ level: 'info', base: null, timestamp: () => ',"time":1795107871000' }, io.log);
  log.warn({ err: new Error('connect ECONNREFUSED 10.0.0.7:9090') }, 'could not read Prometheus');
  log.info({ url: 'http://localhost:3000' }, 'Gumshoe is running');
  return lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /u, 'TIME '));
}

describe('the log in a terminal', () => {
  it('is sentences, with the reason of a failure', () => {
    expect(shown({}, true)).toStrictEqual([
      'TIME warning: could not read Prometheus: connect ECONNREFUSED 10.0.0.7:9090',
      'TIME Gumshoe is running',
    ]);
  });

  it('stays JSON in a pipe, and for LOG_LEVEL=debug', () => {
    expect([shown({}, false), shown({ LOG_LEVEL: 'debug' }, true)]).toStrictEqual([null, null]);
  });
});
