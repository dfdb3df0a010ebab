import { type ParseArgsConfig, parseArgs } from 'node:util';

type Flags = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Flags> = ReturnType<typeof parseArgs<{ options: T }>>['values'];

/**
 * Reads a command's flags. If one is wrong, or `--help` is among them, prints why and the usage, and ends the process: with 0
 * for `--help`, else with 2.
 */
export function flagsOrUsage<const T extends Flags>(options: T, usage: string): Values<T> {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}
