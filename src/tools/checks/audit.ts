import { type CheckResult, failed, passed } from '../../bot/slack/checks/result.ts';
import { checkChain } from '../../bot/store/audit-chain.ts';
import type { Database } from '../../lib/environment.ts';
import { reasonOf } from '../../lib/postgres/errors.ts';
import { openAudit } from '../audit/entries.ts';

const name = 'audit';

/** Whether the entries of the audit are those that were written, by their chain of hashes. */
export async function checkAudit(database: Database): Promise<CheckResult> {
  try {
    const audit = await openAudit(database);
    try {
      const chain = checkChain();
      let count = 0;
      for await (const entry of audit.entries()) {
        chain.add(entry);
        count += 1;
      }
      const wrong = chain.end(await audit.head());
      if (wrong !== null) {
        return failed(
          name,
          `the audit is not as it was written: ${wrong}`,
          'somebody changed the database past Gumshoe: compare it with a backup or an earlier audit-export',
        );
      }
      const loose = await audit.loose();
      const more = loose === 0 ? '' : `; ${loose} from an earlier release are chained with the next one`;
      return passed(
        name,
        `${count} ${count === 1 ? 'entry' : 'entries'}, each chained to the one before${more}`,
      );
    } finally {
      await audit.close();
    }
  } catch (error) {
    return failed(
      name,
      `the audit cannot be read (${reasonOf(error)})`,
      'start Gumshoe once, which upgrades the database',
    );
  }
}
