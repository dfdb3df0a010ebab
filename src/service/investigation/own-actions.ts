import { type OwnAction, PLACEHOLDERS } from '../actions.ts';
import { undoOf } from '../telemetry/undo.ts';
import type { Case } from './case.ts';
import { isProven } from './kinds/changes.ts';

/** A line filled in for a cause. */
export interface OwnStep {
  title: string;
  /** The command or the address; with placeholders where a value is not known, or is none that may be filled in. */
  content: string;
  isLink: boolean;
  /** The placeholders that are left. */
  missing: readonly string[];
  /** What it is about came before, and is not proven to be the cause. */
  isSuspected: boolean;
}

type Values = Partial<Record<(typeof PLACEHOLDERS)[number], string | undefined>>;

const isPlaceholder = (name: string): name is keyof Values => PLACEHOLDERS.some((one) => one === name);

/** The team's own way for what a case found: the first line that fits. */
export function ownStepFor(
  { subject, hypotheses: [best] }: Case,
  actions: readonly OwnAction[],
): OwnStep | null {
  const change = best?.assessment.signs.change;
  const service = best?.candidate.node.name ?? subject.named;
  const own = actions.find(
    ({ services, kind }) =>
      service !== null && isNamed(service, services) && (kind === '*' || kind === best?.kind.name),
  );
  if (own === undefined || service === null) return null;
  const isSuspected = best !== undefined && change !== undefined && !isProven(best.candidate, change);
  const values = {
    service,
    version: change?.version ?? undefined,
    previous: (change && undoOf(change, best?.candidate.changes ?? []).before) ?? undefined,
    instance: best?.candidate.oddInstance?.pod ?? best?.candidate.oddInstance?.instance,
  };
  return { ...filled(own, values), isSuspected };
}

function isNamed(service: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/gu, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'iu').test(service);
}

/** No sign that a shell or an address reads, and no dash at the beginning: values come from alerts and telemetry. */
const SAFE = /^[A-Za-z0-9][A-Za-z0-9._:+-]{0,127}$/u;

function filled({ title, template }: OwnAction, values: Values): Omit<OwnStep, 'isSuspected'> {
  const isLink = /^https?:\/\/\S+$/u.test(template);
  const missing = new Set<string>();
  const content = template.replaceAll(/(?<!\$)\{([a-z]+)\}/gu, (written, name: string) => {
    if (!isPlaceholder(name)) return written;
    const value = values[name];
    if (value !== undefined && SAFE.test(value)) return isLink ? encodeURIComponent(value) : value;
    missing.add(written);
    return written;
  });
  return {
    title: title ?? (isLink ? 'Open your page for it' : 'Run your command'),
    content,
    isLink,
    missing: [...missing],
  };
}
