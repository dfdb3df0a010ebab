import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Io } from '../lib/io.ts';

type Flags = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Flags> = ReturnType<typeof parseArgs<{ options: T }>>['values'];

/**
 * Reads a command's flags. If one is wrong, or `--help` is among them, prints why and the usage, and answers the exit code:
 * 0 for `--help`, else 2.
 */
export function flagsOrUsage<const T extends Flags>(
  words: readonly string[],
  options: T,
  usage: string,
  io: Io,
): { values: Values<T> } | { code: number } {
  if (words.some((word) => word === '--help' || word === '-h')) {
    io.out(usage);
    return { code: 0 };
  }
  try {
    return { values: parseArgs({ args: [...words], options }).values };
  } catch (error) {
    io.err(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return { code: 2 };
  }
}
