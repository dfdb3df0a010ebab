import type { Exported } from '../model.ts';
import type { Departing } from './departing.ts';
import { rounded } from './words.ts';

/*
 * A resource that is nearly used up, by the words of its metric alone: what is left of it fell, or its share rose. The other
 * words say which resource it is.
 */

/** What is left of something. */
const FREE = /^(?:free|freeable|avail(?:able)?|remaining|unused|idle)$/u;
const SHARE = /^(\w*?)(?:utili[sz]ation|usage|used)$/u;
/** How something is counted, and what of several samples it is. */
const NOT_A_NAME =
  /^(?:bytes|seconds|percent|ratio|total|current|count|average|mean|minimum|maximum|min|max|sum)$/u;
/** A quarter of what was left. */
const LEFT = 1 / 4;
const NEARLY = 0.85;

/** `the storage space is running out`, `the CPU is at 91.7 %`; `null` if the words say none of it. */
export function resourceOf(
  { of, before, now }: Pick<Departing, 'of' | 'before' | 'now'>,
  all: readonly Exported[],
): string | null {
  const words = of.name
    .replaceAll(/([a-z])([A-Z])/gu, '$1_$2')
    .toLowerCase()
    .split('_')
    .slice(sharedWords(of, all));
  const noun = (some: readonly string[]) => some.map((word) => (word === 'cpu' ? 'CPU' : word)).join(' ');
  const rest = words.filter((word) => !FREE.test(word) && !NOT_A_NAME.test(word));
  const part = Object.entries(of.labels).find(([, value]) => FREE.test(value));
  if (part !== undefined && rest.length > 0) {
    const share = shareUsed(of, part[0], all);
    return share === null || share < NEARLY ? null : `the ${noun(rest)} is at ${rounded(100 * share)} %`;
  }
  if (of.type === 'counter') return null;
  if (words.some((word) => FREE.test(word)))
    return rest.length > 0 && now <= LEFT * before ? `the ${noun(rest)} is running out` : null;
  const shared = words.findIndex((word) => SHARE.test(word));
  const of100 = of.points.values.some((value) => value > 1.5) ? 100 : 1;
  if (shared < 0 || now < NEARLY * of100 || now > of100 || now < before) return null;
  const what = [...words.slice(0, shared), SHARE.exec(words[shared] ?? '')?.[1] ?? ''].filter(Boolean);
  return what.length === 0 ? null : `the ${noun(what)} is at ${rounded((100 * now) / of100)} %`;
}

/** With how many words all names of its target begin: `aws_rds_`. */
function sharedWords(of: Exported, all: readonly Exported[]): number {
  const names = [...new Set(all.flatMap(({ name, service }) => (service === of.service ? [name] : [])))].map(
    (name) => name.split('_'),
  );
  const [first = []] = names;
  const differs = first.findIndex((word, i) => names.some((name) => name[i] !== word));
  return names.length < 2 || differs < 0 ? 0 : differs;
}

/** Of the parts of a whole, of which a label says that one is free, the share of the others. */
function shareUsed(of: Exported, label: string, all: readonly Exported[]): number | null {
  let [free, whole] = [0, 0];
  for (const one of all) {
    if (one.name !== of.name || one.labels.instance !== of.labels.instance) continue;
    const value = one.points.values.at(-1) ?? 0;
    whole += value;
    if (FREE.test(one.labels[label] ?? '')) free += value;
  }
  return whole > 0 ? 1 - free / whole : null;
}
