import type { HygieneAlert, HygieneIssue } from '../store/hygiene.ts';
import type { Aggregates } from '../store/open.ts';

const DAYS = 14;
const DAY_MS = 24 * 60 * 60_000;

/** How the alerts of a channel behaved in the two weeks before. */
export async function hygieneOf(channel: string, until: number, { hygiene }: Pick<Aggregates, 'hygiene'>) {
  const { alerts, issues } = await hygiene.of(channel, until - DAYS * DAY_MS);
  return { rules: rulesOf(issues, alerts), days: DAYS };
}

/** How the alerts of each rule of a channel behaved; those that fired most often first. */
export function rulesOf(issues: readonly HygieneIssue[], alerts: readonly HygieneAlert[]) {
  const ofIssue = Map.groupBy(alerts, ({ issueId }) => issueId);
  const byRule = Map.groupBy(issues, ruleOf);
  return [...byRule]
    .map(([rule, own]) => {
      const lasting = own.map((issue) => spansOf(ofIssue.get(issue.id) ?? []));
      const count = (is: (issue: HygieneIssue) => boolean) => own.filter(is).length;
      return {
        rule,
        firings: own.reduce(
          (sum, { id }) => sum + (ofIssue.get(id) ?? []).filter((a) => a.isFiring).length,
          0,
        ),
        issues: own.length,
        alone: own.filter((issue, i) => !issue.isTouched && (lasting[i]?.length ?? 0) > 0).length,
        typicalMs: middleOf(lasting.flat()),
        muted: count(({ status, hidden }) => status === 'muted' || hidden > 0),
        votedDown: count(({ isVotedDown }) => isVotedDown),
        merged: count(({ joinedInto, symptomOf }) => joinedInto !== null || symptomOf !== null),
        untouched: count(({ isTouched }) => !isTouched),
      };
    })
    .filter(({ firings }) => firings > 0)
    .sort((a, b) => b.firings - a.firings || (a.rule < b.rule ? -1 : 1));
}

/** Labels in brackets, among them the service: `HighErrorRate (prod checkout critical)`. */
const UNCLOSED = / \([^()]*$/u;
/** And a preposition before the service: `High error rate of`. */
const AROUND = /^[\s·:—–()-]+|(?:\s(?:of|on|in|for|at|from|to))?[\s·:—–()-]*$/giu;

/**
 * A rule's own name, of words written together, before what it says: `SlowRequests` of `SlowRequests: p95 of checkout is 2 s`. Else
 * what the title says before it names the service, or else after it: `HighErrorRate` of `HighErrorRate checkout (prod)`.
 */
function ruleOf({ title, service }: HygieneIssue): string {
  const [name = ''] = title.split(': ');
  const isCamelCase = !name.includes(' ') && name.slice(1) !== name.slice(1).toLowerCase();
  if (name !== title && name !== service && isCamelCase) return name;
  const [before = '', ...after] = service ? title.split(service) : [title];
  const [rule = title] = [before, after.join(service ?? '')]
    .map((part) => part.replace(UNCLOSED, '').replaceAll(AROUND, ''))
    .filter((part) => part !== '');
  return rule;
}

/** How long each firing lasted: from the first after a recovery to the next recovery, in milliseconds. */
function spansOf(alerts: readonly HygieneAlert[]): number[] {
  const spans: number[] = [];
  let from: number | null = null;
  for (const { isFiring, at } of alerts) {
    if (isFiring) from ??= at;
    else if (from !== null) {
      spans.push(at - from);
      from = null;
    }
  }
  return spans;
}

function middleOf(all: readonly number[]): number | null {
  return [...all].sort((a, b) => a - b)[Math.floor((all.length - 1) / 2)] ?? null;
}
