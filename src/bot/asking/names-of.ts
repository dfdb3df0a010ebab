import { z } from 'zod';
import { InvestigationResults } from '../../contract/answers.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import { displayName } from '../../lib/display-name.ts';
import type { Organization } from '../../lib/issue-number.ts';
import type { Issue } from '../store/issues.ts';
import type { ConfidentialOptions, Readers } from './readers.ts';
import { Names } from './withholding/names.ts';

/** So many sets of names are kept: one for all public channels, and one for each private place where people ask. */
const MOST_KEPT = 20;
const AT_ONCE = 20;

const Request = z.looseObject({ title: z.string() });

type NamedIssue = Awaited<ReturnType<ConfidentialOptions['store']['issues']['named']>>[number];

/** What is read once of an issue that somebody may not see. */
interface Kept {
  requestTitle: string | null;
  rootCause: string | null;
  version: number;
}

/**
 * What the readers of a place may not see, by its names; the same object until anything of that changes. Of the issues of
 * another organisation the agent that answers knows nothing.
 */
export function createNamesOf({
  store,
  maySee,
}: Pick<ConfidentialOptions, 'store' | 'maySee'>): (
  readers: Readers,
  organization: Organization,
) => Promise<Names> {
  const made = new Map<string, Names>();
  const kept = new Map<string, Kept>();

  async function keptOf({ id, version }: NamedIssue): Promise<Kept> {
    const known = kept.get(id);
    if (known !== undefined && known.version === version && known.rootCause !== null) return known;
    const issue: Issue | null = known === undefined ? await store.issues.get(id) : null;
    const request = issue === null ? null : decodeStored(Request, issue.request);
    const latest = await store.results.latest(id);
    const results = latest === null ? null : decodeStored(InvestigationResults, latest.body);
    const read: Kept = {
      requestTitle: known?.requestTitle ?? request?.title ?? null,
      rootCause: results?.rootCause?.rootCauseSummary ?? null,
      version,
    };
    kept.set(id, read);
    return read;
  }

  async function make(organization: Organization, visible: ReadonlySet<string>): Promise<Names> {
    const issues = await store.issues.named(organization);
    const names = new Names(organization);
    const hidden = issues.filter(({ channel }) => !visible.has(channel));
    for (const [index, issue] of hidden.entries()) {
      const { requestTitle, rootCause } = await keptOf(issue);
      const titles = [issue.title, displayName(issue), ...(requestTitle === null ? [] : [requestTitle])];
      names.hide({ ...issue, titles, rootCause });
      if (index % AT_ONCE === AT_ONCE - 1) await otherWork();
    }
    for (const [index, issue] of issues.entries()) {
      if (visible.has(issue.channel)) {
        // One incident may be behind issues of both kinds: what a visible one found is no secret.
        const rootCause = names.hidesCauses ? (await keptOf(issue)).rootCause : null;
        names.show({ ...issue, titles: [issue.title, displayName(issue)], rootCause });
      }
      if (index % AT_ONCE === AT_ONCE - 1) await otherWork();
    }
    return names;
  }

  return async (readers, organization) => {
    const known = await store.channels.known();
    const places = await store.issues.places();
    const channels = new Set([...places, ...known.map(({ channel }) => channel)]);
    const visible = new Set<string>();
    for (const channel of channels) if (await maySee(readers, channel)) visible.add(channel);
    const state = [await store.issues.namedState(), await store.results.newestAt()];
    const key = JSON.stringify([organization, ...state, [...channels].sort(), [...visible].sort()]);
    const before = made.get(key);
    if (before !== undefined) return before;
    const names = await make(organization, visible);
    for (const channel of channels) names.channel(channel, !visible.has(channel));
    if (made.size >= MOST_KEPT) made.clear();
    made.set(key, names);
    return names;
  };
}

function otherWork(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
