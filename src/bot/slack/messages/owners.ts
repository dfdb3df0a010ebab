import type { Owner } from '../../../lib/owners.ts';
import { displayName } from '../../../lib/text.ts';
import { alertOf } from '../../filing/occurrence.ts';
import { causePlaceOf } from '../../issues/cause.ts';
import { checklistOf, stepName } from '../../issues/checklist.ts';
import type { Owners } from '../../owners/index.ts';
import { renderAskOwner } from '../../render/issues/owners.ts';
import type { OwnerView, PageView } from '../../render/views.ts';
import { issueNumber } from '../../shared/issue-number.ts';
import { askOwnerKey } from '../../store/intents/keys.ts';
import type { Payload } from '../../store/intents/payloads.ts';
import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { MayRead } from '../access/may-read.ts';
import type { Content } from '../delivery/content.ts';
import type { ContentDeps } from './source.ts';

interface OwnerDeps {
  store: Store;
  mayRead: MayRead;
  owners?: Owners;
}

/** The owner of the issue's service, and of the place that its verdict names, once each. */
async function ownersOf(
  issue: Issue,
  { store, owners }: OwnerDeps,
): Promise<{ of: string | null; owner: Owner }[]> {
  if (owners === undefined) return [];
  const [message] = await store.alerts.ofIssue(issue.id, 1, issue.channel);
  const tags = message === undefined ? [] : alertOf(message).tags;
  const results = await store.results.newest(issue.id);
  const place = results && causePlaceOf(results);
  const own = owners.of({ service: issue.service, tags });
  const other = place === null || place === issue.service ? null : owners.of({ service: place, tags: [] });
  return [
    ...(own === null ? [] : [{ of: null, owner: own }]),
    ...(other === null || other.name === own?.name ? [] : [{ of: place, owner: other }]),
  ];
}

/** The owners as a card shows them. Slack itself shows a private channel's name to its members alone. */
export async function ownerViews(issue: Issue, deps: OwnerDeps): Promise<OwnerView[]> {
  const found = await ownersOf(issue, deps);
  return Promise.all(
    found.map(async ({ of, owner }) => ({
      of,
      name: owner.name,
      onCall: (await deps.owners?.onCall(owner)) ?? null,
      channel: owner.channel,
    })),
  );
}

/** Whom to ask: the owner of what the verdict names, or else of the issue's service, in a channel of their own. */
export async function ownerToAsk(
  issue: Issue,
  deps: OwnerDeps,
): Promise<(Owner & { channel: string }) | null> {
  for (const { owner } of (await ownersOf(issue, deps)).toReversed()) {
    const { channel } = owner;
    if (channel !== null && channel !== issue.channel) return { ...owner, channel };
  }
  return null;
}

/** Whether *Ask the owner* is offered: there is a verdict, and it may be read there and was not posted yet. */
export async function mayAskOwner(issue: Issue, deps: OwnerDeps): Promise<boolean> {
  if (issue.state !== 'created' || issue.endedVersion < 1) return false;
  const owner = await ownerToAsk(issue, deps);
  if (owner === null || !(await deps.mayRead({ channel: owner.channel }, issue))) return false;
  return (await deps.store.outbox.get(askOwnerKey(issue.id, owner.channel))) === null;
}

/** Whom a page wakes: the owner of what the verdict names, or else of the issue's service, where the tool knows how. */
export async function ownerToPage(issue: Issue, deps: OwnerDeps): Promise<Owner | null> {
  const pager = deps.owners?.pager ?? null;
  if (pager === null) return null;
  const owners = (await ownersOf(issue, deps)).map(({ owner }) => owner);
  return owners.toReversed().find((owner) => pager.can(owner)) ?? null;
}

/** Whom *Page* would wake; `null` where it is not offered: nobody can be, or somebody was. */
export async function pageOffer(issue: Issue, deps: OwnerDeps): Promise<PageView | null> {
  if (issue.state !== 'created' || issue.endedVersion < 1 || issue.status === 'resolved') return null;
  const owner = await ownerToPage(issue, deps);
  const before = owner === null ? null : await deps.store.flags.page(issue.id);
  if (owner === null || (before !== null && before.state !== 'failed')) return null;
  const onCall = (await deps.owners?.onCall(owner)) ?? null;
  return { owner: owner.name, tool: deps.owners?.pager?.name ?? '', onCall };
}

/** What the owner's channel is shown. Whether it may be is asked again when it is sent. */
export async function askOwner(
  row: OutboxRow,
  issue: Issue,
  { by = '', owner = '' }: Payload<'notice'>,
  { store, mayRead, permalink, simulated }: ContentDeps,
): Promise<Content> {
  const results = await store.results.newest(issue.id);
  const number = issueNumber(issue);
  if (results === null || number === null || !(await mayRead({ channel: row.channel }, issue)))
    return { kind: 'nothing' };
  const steps = checklistOf(results, await store.checklistSteps.ofIssue(issue.id)).flat();
  const left = steps.filter(({ done }) => done === null);
  const next = left.find(({ required }) => required) ?? left[0];
  const rendered = renderAskOwner({
    number,
    title: displayName(issue),
    owner,
    askedBy: by,
    results,
    next: next === undefined ? null : stepName(next.step),
    url: issue.threadTs === null ? null : permalink(issue.channel, issue.threadTs),
    simulated,
  });
  return { kind: 'messages', parts: [rendered], channel: row.channel, threadTs: null };
}
