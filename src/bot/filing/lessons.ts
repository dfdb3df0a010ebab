import { identityOf } from '../alerts/identity.ts';
import type { Alert, Basis } from '../alerts/types.ts';
import { fingerprintOfBasis, kindOf } from '../alerts/values.ts';
import type { Lesson } from '../store/identity-overrides.ts';
import type { Aggregates } from '../store/open.ts';
import { alertOf } from './channel-message.ts';

/** Keys of words of a text, of which no single one can be taught. */
const WORDED = new Set(['title', 'text', 'author']);
/** A basis that was cut has more values than it shows. */
const MOST_VALUES = 100;

type Overrides = Pick<Aggregates, 'identityOverrides'>;

/** The fingerprint of an alert after what people taught about its source; `null` if they taught nothing about it. */
export async function taughtFingerprint(tx: Overrides, { basis }: Alert): Promise<string | null> {
  if (basis === undefined) return null;
  const lessons = await tx.identityOverrides.lessons(basis.source);
  return lessons.size === 0 ? null : fingerprintWith(lessons, basis);
}

function fingerprintWith(lessons: ReadonlyMap<string, Lesson>, basis: Basis): string | null {
  if (basis.by.length >= MOST_VALUES) return null;
  const by = basis.by.filter(({ key }) => lessons.get(key) !== 'varies');
  const more = basis.left.filter(({ key }) => lessons.get(key) === 'tells');
  const isAsBefore = by.length === basis.by.length && more.length === 0;
  // What nothing identifies any more is told apart as before; a stated identity needs no value.
  if (isAsBefore || (by.length + more.length === 0 && basis.isStated !== true)) return null;
  return fingerprintOfBasis({
    of: basis.of,
    by: [...by, ...more.map(({ key, text }) => ({ key, text: text.toLowerCase() }))],
  });
}

/** A person says of two alerts of one source that they are the same problem, or two. */
export interface Teaching {
  one: Alert;
  other: Alert;
  same: boolean;
  by: string;
  at: number;
  issueId: string;
  /** Where both were posted, and by whom. */
  channel: string;
  sender: string | null;
}

/**
 * Remembers for a source which of its values do not tell problems apart, or do, from two of its alerts. What was taught the
 * other way before is taken back. Open issues keep their alerts.
 */
export async function teach(tx: Aggregates, teaching: Teaching): Promise<void> {
  const { one, other, same, by, at, issueId, channel, sender } = teaching;
  const [basis, theirs] = [one.basis, other.basis];
  if (basis === undefined || basis.source !== theirs?.source || sender === null) return;
  const before = await tx.identityOverrides.lessons(basis.source);
  const keys = same ? differing(basis.by, theirs.by) : separating(basis, theirs, before);
  if (keys.length === 0) return;
  // Where words of the titles differ too, it is these two only that are one.
  if (same && sameWords(basis, theirs) === false) return;
  const lesson = same ? 'varies' : 'tells';
  const opposite = same ? 'tells' : 'varies';
  for (const key of keys) {
    await tx.identityOverrides.teach(basis.source, key, before.get(key) === opposite ? null : lesson);
  }
  await keepOpenIssues(tx, channel, sender);
  const what = `taught that ${keys.map((key) => `“${key}”`).join(', ')} ${same ? 'does not tell' : 'tells'} alerts of this sender apart`;
  await tx.audit.add({ at, who: by, what, issueId });
}

function differing(one: Basis['by'], other: Basis['by']): string[] {
  const texts = (values: Basis['by'], key: string) =>
    JSON.stringify(values.flatMap((value) => (value.key === key ? value.text : [])).sort());
  const keys = new Set([...one, ...other].map(({ key }) => key));
  return [...keys].filter((key) => !WORDED.has(key) && texts(one, key) !== texts(other, key));
}

/** What was left out and differs; of that, what is a name, else what is an id. What was taught to vary comes first. */
function separating(one: Basis, other: Basis, before: ReadonlyMap<string, Lesson>): string[] {
  const taught = differing(one.by, other.by).filter((key) => before.get(key) === 'varies');
  if (taught.length > 0) return taught;
  const differs = new Set(differing(one.left, other.left));
  const of = (...kinds: string[]) => [
    ...new Set(
      one.left.flatMap(({ key, text }) => (differs.has(key) && kinds.includes(kindOf(text)) ? key : [])),
    ),
  ];
  const names = of('name', 'sentence');
  return names.length > 0 ? names : of('id', 'url');
}

function sameWords(one: Basis, other: Basis): boolean {
  const words = ({ by }: Basis) =>
    JSON.stringify(
      by
        .filter(({ key }) => key === 'title')
        .map(({ text }) => text)
        .sort(),
    );
  return words(one) === words(other);
}

/** Alerts of a sender's open issues have another identity after a lesson; they go on counting toward their issues. */
async function keepOpenIssues(tx: Aggregates, channel: string, sender: string): Promise<void> {
  const kept = new Set<string>();
  for (const row of await tx.alerts.firingOf(channel, sender, LAST)) {
    const alert = alertOf(row);
    const fingerprint = (await taughtFingerprint(tx, alert)) ?? alert.fingerprint;
    if (row.identity === null || fingerprint === null) continue;
    const environment = row.identity.slice(row.identity.indexOf('@') + 1).split('#', 1)[0] ?? '';
    const now = identityOf(fingerprint, environment);
    if (kept.has(now) || now === row.identity) continue;
    kept.add(now);
    await tx.identityOverrides.join(now, row.identity);
  }
}

/** After every timestamp. */
const LAST = '9999999999.999999';
