import { joinNames } from '../investigation/format.ts';
import { evidenceOutside } from '../investigation/words/evidence.ts';
import { budgetsInWords } from '../investigation/words/time-left.ts';
import type { Budget } from '../telemetry/budget.ts';
import type { Objective } from '../telemetry/model.ts';
import type { StatusPages, TelemetrySource } from '../telemetry/source.ts';
import type { Turn } from './understand.ts';

/** `is it us or them?` */
const OURS_OR_THEIRS = /\bours?\b.*\bor\b.*\btheirs?\b|\bus or (?:is it )?them\b|\bthem or (?:is it )?us\b/iu;
/** `is it us or stripe?`, where what is named is theirs: elsewhere it may be a region. */
const OR_US = /\bus or\b|\bor (?:is it )?(?:us|ours?)\b/iu;
const NAME = /[a-z0-9][a-z0-9.-]*[a-z0-9]/giu;
/** A page that shows no trouble shows nothing. */
const LAG = 'That is no evidence that all is well: such pages lag by 15 to 60 minutes.';
const CONFIGURE = '`STATUS_PAGES` (`host=address`) would have me read it';

/*
 * What is not measured but said elsewhere: of others by their status pages, of error budgets by the rules that record them.
 */

/** What is said of others beside an answer. */
export interface Outside {
  text: string;
  /** Whether it is asked if ours is to blame, or theirs. */
  isOpen: boolean;
  /** Trouble comes first; `all`: nothing else is to be said, since of theirs telemetry knows nothing. */
  place: 'all' | 'first' | 'last';
}

/**
 * What the status pages of others say of what a question is about; `null` where it is not about others.
 *
 * @param asked whether it asks how something is, and what it names that telemetry does not know
 */
export async function outsideInWords(
  { question, named: ours }: Turn,
  { asksHow, unknown }: { asksHow: boolean; unknown: string | null },
  { statusPages: pages }: TelemetrySource,
  budget: Budget,
): Promise<Outside | null> {
  const named = new Set((question.match(NAME) ?? []).flatMap((name) => pages?.hostOf(name) ?? []));
  const isOpen = OURS_OR_THEIRS.test(question) || (named.size > 0 && OR_US.test(question));
  if (pages !== undefined && named.size > 0) {
    const { told, silent } = await read([...named], pages, budget);
    const nothing = `The status page of ${joinNames(silent)} reports no trouble now. ${LAG}`;
    const texts = [...told, ...(silent.length > 0 && (asksHow || isOpen) ? [nothing] : [])];
    const place = asksHow && !isOpen && ours.length === 0 ? 'all' : told.length > 0 ? 'first' : 'last';
    return texts.length === 0 ? null : { text: texts.join('\n\n'), isOpen, place };
  }
  const beside = (text: string, place: Outside['place'] = 'last'): Outside => ({ text, isOpen, place });
  if (unknown !== null && (asksHow || isOpen))
    return beside(`If ${unknown} is not yours: no status page of it is configured. ${CONFIGURE}.`);
  if (!isOpen) return null;
  if (pages === undefined)
    return beside(`No status page of what your services call is configured. ${CONFIGURE}.`);
  const { told, silent } = await read(pages.hosts, pages, budget);
  const nothing = `None of the status pages that I can read now reports trouble: ${joinNames(silent)}. ${LAG}`;
  return told.length > 0 ? beside(told.join('\n\n'), 'first') : beside(nothing);
}

/** What each page reports, or why it could not be read; and those that report nothing. */
async function read(
  hosts: readonly string[],
  pages: StatusPages,
  budget: Budget,
): Promise<{ told: string[]; silent: string[] }> {
  const readings = await Promise.all(
    hosts.map(async (host) => ({ host, reading: await pages.read(host, budget) })),
  );
  const told = readings.flatMap(({ reading }) => {
    if (!reading.known) return [`I can’t tell what their status page says. ${reading.reason}`];
    return evidenceOutside(reading.value.incidents.length === 0 ? [] : [reading.value]).map(
      ({ title, description }) => `**${title}.** ${description}`,
    );
  });
  const silent = readings.flatMap(({ host, reading }) =>
    reading.known && reading.value.incidents.length === 0 ? [host] : [],
  );
  return { told, silent };
}

/** An answer with what is said of others. */
export function besides(text: string, outside: Outside | null): string {
  if (outside === null) return text;
  return (outside.place === 'first' ? [outside.text, text] : [text, outside.text]).join('\n\n');
}

/** What is left of it, or how fast it is spent; what the objective is, any metric tells. */
const BUDGET = /\b(?:error|slo) budgets?\b|\bburn(?:s|t|ed|ing)?\b.*\b(?:budget|slo)|\bburn rate/iu;
/** The samples of recording rules are as old as that. */
const PAST = 60 * 60_000;
const MOST_SERVICES = 10;

/** What is left of the error budgets that are asked about; `null` where no rules record any, or nobody asks. */
export async function objectivesInWords(
  { question, named }: Turn,
  services: readonly string[],
  { objectives }: TelemetrySource,
  { now, budget }: { now: number; budget: Budget },
): Promise<string | null> {
  if (objectives === undefined || !BUDGET.test(question)) return null;
  const asked = (named.length > 0 ? named : services).slice(0, MOST_SERVICES);
  const window = { from: now - PAST, to: now + 1 };
  const found: { service: string; all: Objective[] }[] = [];
  for (const service of asked) {
    const reading = await objectives(service, window, budget);
    if (reading.known && reading.value.length > 0) found.push({ service, all: reading.value });
  }
  if (found.length === 0) return null;
  return found
    .flatMap(({ service, all }) => [
      `**${service}**: ${budgetsInWords(all, now).join(' ')}`,
      `Query: ${joinNames(all.map(({ query }) => `\`${query}\``))}`,
    ])
    .join('\n\n');
}
