import { readFile } from 'node:fs/promises';
import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../shared/log.ts';
import type { Fetch } from '../tickets/tracker.ts';
import { type Owner, type OwnersFile, readOwners } from './file.ts';
import { createOnCall, remembered, type Shift } from './on-call.ts';
import { namedIn, ownerOf } from './owners.ts';
import { createPager, type Pager } from './pager.ts';

export interface Owners {
  of(asked: { service: string | null; tags: readonly string[] }): Owner | null;
  namedIn(text: string): readonly { service: string; owner: Owner }[];
  onCall(owner: Owner): Promise<Shift | null>;
  /** By the name that an entry of the file gives. */
  named(name: string): Owner | null;
  /** What wakes people; `null` where `ONCALL` names nothing. */
  pager: Pager | null;
  /** Keys and addresses of the file that nobody may read anywhere. */
  secrets: readonly string[];
}

const NOTHING: OwnersFile = { entries: [], problems: [] };

/** Reads `OWNERS` once. Without it, alerts' labels alone say who owns a service. */
export async function openOwners(
  { ownersFile, onCall }: Pick<Config, 'ownersFile' | 'onCall'>,
  {
    clock,
    log,
    fetch = (...request) => globalThis.fetch(...request),
  }: { clock: Clock; log: Logger; fetch?: Fetch },
): Promise<Owners> {
  const { entries, problems } = ownersFile === null ? NOTHING : await readFrom(ownersFile, log);
  for (const problem of problems)
    log.warn({ file: ownersFile, problem }, 'an entry of OWNERS is not understood');
  const shiftOf = onCall === null ? null : remembered(createOnCall(onCall, fetch, clock), { clock, log });
  return {
    of: (asked) => ownerOf(asked, entries),
    namedIn: (text) => namedIn(text, entries),
    named: (name) => entries.find((entry) => entry.name === name) ?? null,
    pager: onCall === null ? null : createPager(onCall, fetch, clock),
    secrets: entries.flatMap(({ page }) => page ?? []),
    onCall: async ({ schedule }) => (schedule === null || shiftOf === null ? null : shiftOf(schedule)),
  };
}

/** Alerts are filed without it, too: a file that is not there keeps nobody from starting. */
async function readFrom(path: string, log: Logger): Promise<OwnersFile> {
  try {
    return readOwners(await readFile(path, 'utf8'));
  } catch (error) {
    log.error({ err: error, file: path }, 'could not read the file that OWNERS names; cards name no owners');
    return NOTHING;
  }
}
