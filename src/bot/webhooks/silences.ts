import { createHash } from 'node:crypto';
import { z } from 'zod';
import { timeoutSignal } from '../../lib/abort.ts';
import type { Clock } from '../../lib/clock.ts';
import { issueNumber } from '../../lib/issue-number.ts';
import type { Logger } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import { alertmanagerWebhook } from '../alerts/formats/alertmanager/webhook.ts';
import type { Alertmanager } from '../config.ts';
import type { Issue } from '../store/issues.ts';
import type { Store } from '../store/open.ts';
import type { SilenceRow } from '../store/silences.ts';
import { alertmanagerHeaders } from './alertmanager-headers.ts';
import { canonical } from './pull.ts';
import { readReading } from './reading.ts';

const EVERY_MS = 5_000;
const PATIENCE_MS = 20_000;
/** Of one issue: more alerts than that are silenced by a person who knows what they share. */
const MOST_OF_AN_ISSUE = 20;
const WHO = 'gumshoe';

const Created = z.looseObject({ silenceID: z.string() });
const Silences = z.array(
  z.looseObject({
    id: z.string(),
    comment: z.string().catch(''),
    status: z.looseObject({ state: z.string() }),
  }),
);

type Labels = Readonly<Record<string, string>>;

/** A silence that should be there. */
interface Wanted {
  key: string;
  issue: Issue;
  labels: Labels;
  until: number;
}

export interface SilencesOptions {
  store: Store;
  alertmanager: Alertmanager;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
}

/**
 * Keeps the silences at the Alertmanager as the mutes in Slack are: one for each alert of a muted issue, until its mute ends. What is
 * wanted is stored before a call and compared again in each round, so a crash in between neither doubles a silence nor leaves one.
 */
export function createSilences(options: SilencesOptions): Worker {
  const { clock, log, metrics, alertmanager } = options;
  return createWorkerLoop({
    round: async (signal) => {
      await compareOnce(options, signal);
    },
    rest: (signal) => clock.sleep(EVERY_MS, signal),
    onError: (error) => {
      metrics.count('gumshoe_alertmanager_silences_total', { outcome: 'failed' });
      log.warn(
        { err: error, url: alertmanager.url },
        'could not change silences at the Alertmanager; trying again. Check that its token may write, or unset ALERTMANAGER_SILENCE',
      );
    },
  });
}

/** Makes what is missing, moves what ends at another time, and ends what is no longer wanted. @throws if a call fails */
export async function compareOnce(options: SilencesOptions, signal?: AbortSignal): Promise<void> {
  const { store, clock } = options;
  const stored = new Map((await store.silences.all()).map((row) => [row.key, row]));
  const wanted = await wantedNow(options);
  for (const one of wanted) {
    const row = stored.get(one.key) ?? null;
    stored.delete(one.key);
    if (row?.silenceId == null || row.until !== one.until) await make(one, row, options, signal);
  }
  for (const row of stored.values()) {
    if (row.until > clock.now()) await end(row, options, signal);
    else await store.silences.remove(row.key);
  }
}

async function wantedNow({ store, clock }: SilencesOptions): Promise<Wanted[]> {
  const muted = await store.silences.mutedBeyond(clock.now());
  if (muted.length === 0) return [];
  const byIdentity = new Map<string, Map<string, Labels>>();
  for (const { identity, reading } of await store.receivedAlerts.notOver(alertmanagerWebhook.name)) {
    const labels = readReading(reading)?.labels;
    if (identity === null || labels?.alertname === undefined) continue;
    const ofIdentity = byIdentity.get(identity) ?? new Map<string, Labels>();
    byIdentity.set(identity, ofIdentity.set(canonical(labels), labels));
  }
  return muted.flatMap((issue) =>
    [...(byIdentity.get(issue.identity ?? '') ?? [])].slice(0, MOST_OF_AN_ISSUE).map(([text, labels]) => ({
      key: `${issue.id}:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`,
      issue,
      labels,
      until: issue.mutedUntil ?? 0,
    })),
  );
}

async function make(
  { key, issue, labels, until }: Wanted,
  row: SilenceRow | null,
  options: SilencesOptions,
  signal?: AbortSignal,
): Promise<void> {
  const { store, clock, log, metrics } = options;
  await store.silences.put({ key, issueId: issue.id, silenceId: row?.silenceId ?? null, until });
  // An earlier life may have made it, and died before it could store the id.
  const id = row === null ? null : (row.silenceId ?? (await findMade(key, options, signal)));
  const number = issueNumber(issue);
  const answer = await request('POST', '/api/v2/silences', options, signal, {
    ...(id === null ? {} : { id }),
    matchers: Object.entries(labels).map(([name, value]) => ({ name, value, isRegex: false, isEqual: true })),
    startsAt: new Date(clock.now()).toISOString(),
    endsAt: new Date(until).toISOString(),
    createdBy: WHO,
    comment: `Muted in Slack${number === null ? '' : ` as issue #${number}`} (gumshoe:${key})`,
  });
  const { silenceID: silenceId } = Created.parse(answer);
  const at = clock.now();
  const what = `silenced it in Alertmanager until ${new Date(until).toISOString()} (${silenceId})`;
  await store.transaction(async (tx) => {
    await tx.silences.put({ key, issueId: issue.id, silenceId, until });
    await tx.audit.add({ at, who: WHO, what, issueId: issue.id });
  });
  metrics.count('gumshoe_alertmanager_silences_total', { outcome: 'made' });
  log.info({ issue: issue.id, silence: silenceId }, 'silenced a muted issue in the Alertmanager');
}

async function end(row: SilenceRow, options: SilencesOptions, signal?: AbortSignal): Promise<void> {
  const { store, clock, log, metrics } = options;
  const { key, issueId } = row;
  const id = row.silenceId ?? (await findMade(key, options, signal));
  if (id !== null) await request('DELETE', `/api/v2/silence/${encodeURIComponent(id)}`, options, signal);
  const at = clock.now();
  await store.transaction(async (tx) => {
    await tx.silences.remove(key);
    if (id === null) return;
    await tx.audit.add({ at, who: WHO, what: `ended its silence in Alertmanager (${id})`, issueId });
  });
  metrics.count('gumshoe_alertmanager_silences_total', { outcome: 'ended' });
  log.info({ issue: issueId, silence: id }, 'ended a silence in the Alertmanager');
}

/** The silence that bears this key and has not ended. */
async function findMade(key: string, options: SilencesOptions, signal?: AbortSignal): Promise<string | null> {
  const all = Silences.parse(await request('GET', '/api/v2/silences', options, signal));
  const made = all.find(
    ({ comment, status }) => status.state !== 'expired' && comment.includes(`(gumshoe:${key})`),
  );
  return made?.id ?? null;
}

async function request(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { alertmanager }: SilencesOptions,
  signal: AbortSignal | undefined,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${alertmanager.url}${path}`, {
    method,
    headers: { ...alertmanagerHeaders(alertmanager), 'content-type': 'application/json' },
    signal: timeoutSignal(PATIENCE_MS, signal),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // One that is no longer known has ended.
  if (method === 'DELETE' && response.status === 404) return null;
  if (!response.ok) throw new Error(`the Alertmanager answered ${method} ${path} with ${response.status}`);
  return method === 'DELETE' ? null : response.json();
}
