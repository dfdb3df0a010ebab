import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import { formats } from '../../alerts/formats/index.ts';
import type { Alert } from '../../alerts/types.ts';
import type { ChannelSettings } from '../../store/channel-settings.ts';
import type { Channel } from '../../store/channels.ts';
import { patternOffIntent } from '../../store/intents/channel-intents.ts';
import type { Aggregates, Store } from '../../store/open.ts';
import type { Matched, Matcher } from './matcher.ts';
import { boundedSubjects, isCompiled, isTooLarge, MAX_PATTERNS } from './patterns.ts';

/** `sender` is the tool's display name; `null` for a person. */
interface Message {
  alert: Alert;
  sender: string | null;
}
type Lists = Pick<ChannelSettings, 'include' | 'exclude'>;

/** What a channel's patterns say about a message, and which patterns they were. */
export interface PatternVerdict {
  /** The rule that excludes the alert, as a sentence; `null` if none does. */
  against: string | null;
  /** Identifies the patterns, to check whether the channel still has them. */
  rules: string;
}

export interface RuleOptions {
  store: Store;
  clock: Clock;
  matcher: Matcher;
}

/** Identifies a channel's current patterns. */
export function rulesOf({ settings, patternsOff }: Pick<Channel, 'settings' | 'patternsOff'>): string {
  return JSON.stringify([settings.include, settings.exclude, patternsOff]);
}

/**
 * Matches the channel's patterns against each message's text, sender and tool. A pattern that takes too long is
 * switched off first, and the channel is told; one that is off is ignored. Runs before the decision and outside its
 * transaction, because it may take a while.
 */
export async function patternVerdicts(
  channel: string,
  messages: readonly Message[],
  options: RuleOptions,
): Promise<PatternVerdict[]> {
  while (true) {
    const known = await options.store.channels.get(channel);
    const rules = rulesOf(known);
    const lists = without(known.settings, known.patternsOff);
    const patterns = [...new Set([...lists.exclude, ...lists.include])];
    if (patterns.length === 0) return messages.map(() => ({ against: null, rules }));
    const overlarge = await tooMuch(lists);
    if (overlarge.length > 0) {
      await switchOff(channel, overlarge, 'too_large', options);
      continue;
    }
    const texts = messages.map((message) => boundedSubjects(subjects(message)));
    const found = await options.matcher.match(patterns, texts);
    const late = patterns.filter((_, n) => found[n] === 'too_slow');
    if (late.length > 0) {
      await switchOff(channel, late, 'too_slow', options);
      continue;
    }
    const matched = new Map(patterns.map((pattern, n) => [pattern, found[n] ?? []]));
    return messages.map((_, n) => ({ against: against(lists, matched, n), rules }));
  }
}

function without({ include, exclude }: Lists, off: readonly string[]): Lists {
  const isOn = (pattern: string) => !off.includes(pattern);
  return { include: include.filter(isOn), exclude: exclude.filter(isOn) };
}

/** Patterns set before there were limits. Compiling takes time: other work runs before each. */
async function tooMuch({ include, exclude }: Lists): Promise<string[]> {
  const beyond = [include, exclude].flatMap((list) => list.slice(MAX_PATTERNS));
  const large: string[] = [];
  for (const pattern of [include, exclude].flatMap((list) => list.slice(0, MAX_PATTERNS))) {
    if (!isCompiled(pattern)) await turn();
    if (isTooLarge(pattern)) large.push(pattern);
  }
  return [...large, ...beyond];
}

function against({ include, exclude }: Lists, matched: Map<string, Matched>, message: number): string | null {
  const matches = (pattern: string) => matched.get(pattern)?.[message] === true;
  const excluded = exclude.find(matches);
  if (excluded !== undefined) return `the channel excludes alerts matching “${excluded}”`;
  if (include.length === 0 || include.some(matches)) return null;
  return 'the channel files only alerts matching one of its patterns, and none does';
}

/** Once, however many messages wait for it. */
async function switchOff(
  channel: string,
  patterns: readonly string[],
  why: 'too_large' | 'too_slow',
  { store, clock }: Pick<RuleOptions, 'store' | 'clock'>,
): Promise<void> {
  const now = clock.now();
  await store.transaction(async (tx: Aggregates) => {
    const { settings, patternsOff } = await tx.channels.get(channel);
    for (const pattern of new Set(patterns)) {
      const isIncluded = settings.include.includes(pattern);
      if (patternsOff.includes(pattern) || !(isIncluded || settings.exclude.includes(pattern))) continue;
      await tx.channels.switchOff(channel, pattern);
      const digest = createHash('sha256').update(pattern).digest('hex').slice(0, 16);
      const off = { pattern, why, list: isIncluded ? 'include' : 'exclude' } as const;
      await tx.outbox.want(patternOffIntent(channel, digest, off, now));
    }
  });
}

/** The texts of a message that patterns are matched against. */
export function subjects({ alert, sender }: Message): string[] {
  const tool = formats.find(({ name }) => name === alert.format)?.tool ?? null;
  const { title, description, service, host, region, errorType, errorMessage, environment } = alert;
  const words = [
    title,
    sender,
    tool,
    service,
    host,
    region,
    environment,
    errorType,
    errorMessage,
    alert.format,
    ...alert.tags,
    description,
  ];
  return words.filter((text) => text !== null);
}
