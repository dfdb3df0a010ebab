import { existsSync } from 'node:fs';

/** Loads `.env` from the current folder into the process's environment, where variables that are set win; and returns that. */
export function loadEnvFile(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
