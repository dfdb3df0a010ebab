import { OperatorError } from '../lib/operator-error.ts';
import { verdicts } from './recorded/verdicts.ts';

const USAGE = 'usage: npm run -s rca -- FOLDER   (a recorded system: it holds system.json and cases.json)';

/** `npm run -s rca -- FOLDER`: investigates recorded cases, and prints a line of JSON for each. */
async function run(folders: readonly string[]): Promise<number> {
  const [folder] = folders;
  if (folder === undefined || folder.startsWith('-') || folders.length > 1) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  try {
    for await (const verdict of verdicts(folder)) process.stdout.write(`${JSON.stringify(verdict)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

process.exitCode = await run(process.argv.slice(2));
