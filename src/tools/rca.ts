import { type Environment, type Io, processIo } from '../lib/io.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { verdicts } from './recorded/verdicts.ts';

const USAGE = 'usage: npm run -s rca -- FOLDER   (a recorded system: it holds system.json and cases.json)';

/** `npm run -s rca -- FOLDER`: investigates recorded cases, and prints a line of JSON for each. @returns the exit code */
export async function rca(words: readonly string[], _env: Environment, io: Io): Promise<number> {
  const [folder] = words;
  if (folder === undefined || folder.startsWith('-') || words.length > 1) {
    io.err(USAGE);
    return 2;
  }
  try {
    for await (const verdict of verdicts(folder)) io.out(JSON.stringify(verdict));
    return 0;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    io.err(error.message);
    return 1;
  }
}

if (import.meta.main) process.exitCode = await rca(process.argv.slice(2), process.env, processIo);
