import { type CheckResult, failed, passed } from '../../bot/slack/checks/result.ts';
import { checkDatabaseInside } from '../../service/databases/databases.ts';
import { Refused } from '../../service/databases/session.ts';
import type { DatabaseSettings } from '../../service/databases/settings.ts';

/** Each of `DATABASES`: what it is, which right its account lacks, and whether it may write. */
export function checkInside(databases: readonly DatabaseSettings[]): Promise<CheckResult[]> {
  return Promise.all(databases.map(checkOne));
}

async function checkOne(settings: DatabaseSettings): Promise<CheckResult> {
  const name = `database ${settings.name}`;
  try {
    const { version, missing, writes } = await checkDatabaseInside(settings);
    const notes = missing.map(({ what, grant }) => `${what}: ${grant}`);
    if (writes !== null)
      return {
        ...failed(
          name,
          `${version} answers, but its account may write: ${writes}`,
          'give it an account that may only read',
        ),
        notes,
      };
    const detail = `${version} answers${missing.length === 0 ? ', and all of it can be read' : '; what is missing:'}`;
    return { ...passed(name, detail), notes };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const fixes: Partial<Record<Refused['why'], string>> = {
      full: 'keep a connection for it, or make the pools of others smaller',
      slow: 'look at its load',
      unreachable: 'check that it runs and takes connections from here, and its address in DATABASES',
    };
    return failed(name, error.message.replace(/\.$/u, ''), fixes[error.why] ?? 'mend it and run this again');
  }
}
