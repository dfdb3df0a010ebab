import { dirname } from 'node:path';
import type { Config } from '../../bot/config.ts';

/** Where the local workspace and the embedded service keep their files: beside the bot's, if that has one. */
export function dataFolder({ database }: Pick<Config, 'database'>): string {
  return database.kind === 'sqlite' ? dirname(database.file) : './data';
}
