import { readFile } from 'node:fs/promises';
import type { Config } from '../../bot/config.ts';
import { createOnCall } from '../../bot/owners/on-call.ts';
import { createPager } from '../../bot/owners/pager.ts';
import { type CheckResult, failed, passed } from '../../bot/slack/checks.ts';
import { TrackerError } from '../../bot/tickets/tracker.ts';
import { systemClock } from '../../lib/clock.ts';
import { type Owner, readOwners } from '../../lib/owners.ts';

/** Whether each line of `OWNERS` is understood, and each schedule in it can be read. */
export async function checkOwners({
  ownersFile,
  onCall,
}: Pick<Config, 'ownersFile' | 'onCall'>): Promise<CheckResult[]> {
  if (ownersFile === null) {
    return onCall === null
      ? []
      : [failed('on call', 'no schedule is named', 'name schedules in a file, and set OWNERS to it')];
  }
  const name = `owners (${ownersFile})`;
  const text = await readFile(ownersFile, 'utf8').catch(() => null);
  if (text === null) return [failed(name, 'the file cannot be read', 'correct OWNERS, or its permissions')];
  const { entries, problems } = readOwners(text);
  const file =
    problems.length > 0
      ? { ...failed(name, `${problems.length} entries are not understood`, 'correct them'), notes: problems }
      : entries.length === 0
        ? failed(name, 'nobody owns anything', 'add a line for each service, or check OWNERS')
        : passed(name, `${entries.length} entries`);
  return [
    file,
    ...(await checkSchedules(
      entries.map(({ schedule }) => schedule),
      onCall,
    )),
    ...checkPages(entries, onCall),
  ];
}

/** Whether the integrations that `page:` names can be those of the tool; none is sent anything. */
function checkPages(entries: readonly Owner[], settings: Config['onCall']): CheckResult[] {
  const paged = entries.filter(({ page }) => page !== null);
  if (paged.length === 0) return [];
  if (settings === null)
    return [failed('pages', 'OWNERS says how people are paged, and nothing pages them', 'set ONCALL')];
  const { can, name } = createPager(settings, (...request) => globalThis.fetch(...request), systemClock);
  const wrong = paged.filter((owner) => !can(owner)).map((owner) => owner.name);
  return [
    wrong.length === 0
      ? passed(`pages in ${name}`, `${paged.length} owners can be paged`)
      : failed(
          `pages in ${name}`,
          `what OWNERS names after page: is no address, for ${wrong.join(', ')}`,
          'write the address of a formatted webhook of Grafana OnCall, or the key of an Events API v2 integration of PagerDuty',
        ),
  ];
}

async function checkSchedules(
  named: readonly (string | null)[],
  settings: Config['onCall'],
): Promise<CheckResult[]> {
  const schedules = [...new Set(named.filter((schedule) => schedule !== null))];
  if (settings === null) {
    return schedules.length === 0
      ? []
      : [failed('on call', 'OWNERS names schedules, and nothing reads them', 'set ONCALL and ONCALL_TOKEN')];
  }
  const onCall = createOnCall(settings, (...request) => globalThis.fetch(...request), systemClock);
  const name = `on call in ${onCall.name}`;
  if (schedules.length === 0)
    return [failed(name, 'no schedule is named', 'add oncall:… to lines of OWNERS')];
  return Promise.all(
    schedules.map(async (schedule) => {
      try {
        const { names } = await onCall.now(schedule);
        return passed(`${name}, ${schedule}`, names.length === 0 ? 'nobody' : names.join(', '));
      } catch (error) {
        if (!(error instanceof TrackerError)) throw error;
        return failed(`${name}, ${schedule}`, error.what, error.fix ?? 'check the network and HTTPS_PROXY');
      }
    }),
  );
}
