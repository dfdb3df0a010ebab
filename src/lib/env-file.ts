import { existsSync } from 'node:fs';

/** Adds what a file `.env` in the current folder says to the environment; what is set already stays. */
export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
