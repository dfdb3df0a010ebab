import type { Subcommand } from './subcommand.ts';

/** One line a subcommand of `/gumshoe`, in the order of its help. */
export const subcommands: Record<string, Subcommand> = {};
