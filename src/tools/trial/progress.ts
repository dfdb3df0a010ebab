import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { decodeStored } from '../../lib/decode-stored.ts';
import { makeFolder, OperatorError } from '../../lib/io.ts';
import { Row } from '../../service/trial/row.ts';

/** What an unfinished trial has investigated so far, in a file beside its page. */
export interface Progress {
  rows: readonly Row[];
  add(row: Row): Promise<void>;
  end(): Promise<void>;
}

/** Alerts and log lines are nobody else's business. */
const OWN = { mode: 0o600 };

/**
 * What an earlier run left behind, unless another version of the program wrote it.
 * @throws OperatorError if the page could not be written there
 */
export async function readProgress(out: string, program: string): Promise<Progress> {
  const file = `${out}.progress`;
  const first = JSON.stringify({ program });
  const [head, ...lines] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  // The last line may have been cut off.
  const rows = head === first ? lines.flatMap((line) => decodeStored(Row, line) ?? []) : [];
  try {
    makeFolder(dirname(out));
    await writeFile(file, [first, ...rows.map((row) => JSON.stringify(row)), ''].join('\n'), OWN);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${out} cannot be written: ${reason}. Choose another place with --out.`, {
      cause: error,
    });
  }
  return {
    rows,
    add: (row) => appendFile(file, `${JSON.stringify(row)}\n`),
    end: () => rm(file, { force: true }),
  };
}

/** Writes the page in place of an earlier one, and forgets the progress once everything is in it. */
export async function writePage(
  out: string,
  page: string,
  progress: Progress,
  isWhole: boolean,
): Promise<void> {
  const draft = `${out}.draft`;
  await writeFile(draft, page, OWN);
  await rename(draft, out);
  if (isWhole) await progress.end();
}
