import type { Clock } from '../../lib/clock.ts';
import { type Entry, isNamed, matches, type Owner, openEntries } from '../../lib/owners.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../shared/log.ts';
import type { Fetch } from '../tickets/tracker.ts';
import { createOnCall, remembered, type Shift } from './on-call.ts';
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

/** Reads `OWNERS` once. Without it, alerts' labels alone say who owns a service. */
export async function openOwners(
  { ownersFile, onCall }: Pick<Config, 'ownersFile' | 'onCall'>,
  {
    clock,
    log,
    fetch = (...request) => globalThis.fetch(...request),
  }: { clock: Clock; log: Logger; fetch?: Fetch },
): Promise<Owners> {
  const entries = await openEntries(ownersFile, log);
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

/** Labels that name a team, as Kubernetes writes them and as Prometheus does. */
const TEAM_LABELS = ['team', 'owner', 'app.kubernetes.io/part-of', 'app_kubernetes_io_part_of'];

/** The owner of a service: by the file, or else the team that the alert's labels name. */
export function ownerOf(
  { service, tags }: { service: string | null; tags: readonly string[] },
  entries: readonly Entry[],
): Owner | null {
  const entry = service === null ? undefined : entries.find(({ services }) => matches(services, service));
  if (entry !== undefined) return entry;
  const name = teamIn(tags);
  if (name === null) return null;
  const known = entries.find((other) => other.name.toLowerCase() === name.toLowerCase());
  return known ?? { name, channel: null, schedule: null, page: null };
}

function teamIn(tags: readonly string[]): string | null {
  for (const label of TEAM_LABELS) {
    const tag = tags.find((one) => one.toLowerCase().startsWith(`${label}:`));
    const name = tag?.slice(label.length + 1).trim() ?? '';
    if (name !== '') return name;
  }
  return null;
}

/** The services that a text names and an entry is about. */
export function namedIn(
  text: string,
  entries: readonly Entry[],
): readonly { service: string; owner: Owner }[] {
  return [...new Set(text.match(/[a-z0-9](?:[\w.-]*\w)?/giu))].flatMap((service) => {
    const owner = entries.find(({ services }) => isNamed(services, service));
    return owner === undefined ? [] : [{ service, owner }];
  });
}
