import { existsSync } from 'node:fs';

/** Loads `.env` from the current folder into the environment; variables that are set already win. */
export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
