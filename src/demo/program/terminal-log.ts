import type { DestinationStream } from 'pino';
import { z } from 'zod';
import type { Environment, Io } from '../../lib/io.ts';
import { parseJson } from '../../lib/json.ts';

const Line = z.looseObject({
  level: z.number(),
  time: z.number(),
  msg: z.string().default(''),
  err: z.looseObject({ message: z.string() }).optional(),
});

const WORDS = [
  { from: 60, word: 'fatal: ' },
  { from: 50, word: 'error: ' },
  { from: 40, word: 'warning: ' },
  { from: 0, word: '' },
];

/**
 * The same process for somebody who watches a terminal: log lines as sentences, `12:04:31 warning: …`. With `LOG_LEVEL`
 * `debug` or `trace`, or into a pipe, they stay JSON, which has every field.
 */
export function onTerminal(io: Io, env: Environment, stdout: { isTTY?: boolean } = process.stdout): Io {
  const wantsFields = ['debug', 'trace'].includes(env.LOG_LEVEL ?? '');
  return stdout.isTTY === true && !wantsFields ? { ...io, log: sentences(io) } : io;
}

function sentences(io: Pick<Io, 'out'>): DestinationStream {
  return { write: (line) => io.out(sentenceOf(line.trimEnd())) };
}

function sentenceOf(line: string): string {
  const { data } = Line.safeParse(parseJson(line));
  if (data === undefined) return line;
  const { level, time, msg, err } = data;
  const word = WORDS.find(({ from }) => level >= from)?.word ?? '';
  const reason = err === undefined || msg.includes(err.message) ? '' : `: ${err.message}`;
  const clock = new Date(time).toTimeString().slice(0, 8);
  return `${clock} ${word}${msg}${reason}`;
}
