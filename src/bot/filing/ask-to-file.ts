import type { IssueCreate } from '../../contract/schema.ts';
import { cutAtWord, oneLine } from '../../lib/text.ts';
import { canonicalEnvironment } from './identity.ts';
import { withReference } from './reference.ts';

const MAX_TITLE = 500;
const SEVERITIES = ['low', 'medium', 'high'] as const;
type Severity = (typeof SEVERITIES)[number];

/** What a person wrote after `/investigate`. */
export interface InvestigateWords {
  text: string;
  severity: Severity | null;
  environment: string | null;
  service: string | null;
  /** The value of an invalid `severity:`; `null` if it is valid or missing. */
  unknownSeverity: string | null;
}

const VALUE = /"[^"]*"|[“”„«][^“”"«»]*[“”"»]|\S+/u.source;
/**
 * Where spaces are allowed, only values that no sentence would contain: `checkout service: slow` mentions a service,
 * but does not state one.
 */
const STATED = new RegExp(
  `(?<!\\S)(?:(severity|sev|env)\\s*[:=]\\s*|(environment|service)[:=])(${VALUE})`,
  'giu',
);

/** Parses `<what is wrong> [severity:high] [env:staging] [service:…]`, in any order. */
export function readInvestigate(input: string): InvestigateWords {
  const words: InvestigateWords = {
    text: '',
    severity: null,
    environment: null,
    service: null,
    unknownSeverity: null,
  };
  const rest = input.replace(STATED, (_whole, spaced?: string, close?: string, quoted = '') => {
    const value = quoted.replace(/^["“”„«]|["“”»]$/gu, '').trim();
    const name = (spaced ?? close ?? '').toLowerCase();
    if (name.startsWith('sev')) {
      const severity = SEVERITIES.find((s) => s === value.toLowerCase());
      if (severity) words.severity = severity;
      else words.unknownSeverity = value;
    } else if (name === 'service') words.service = value || null;
    else words.environment = value || null;
    return ' ';
  });
  words.text = oneLine(rest).replace(/^["“”„](.*)["”“]$/u, '$1');
  return words;
}

/** The create request for a person's own words. */
export function requestForWords(
  words: InvestigateWords,
  origin: { issueId: string; channel: string; at: number; userId: string },
  defaultEnvironment: string,
): IssueCreate {
  return {
    title: cutAtWord(words.text, MAX_TITLE),
    description: withReference(words.text, origin.issueId, null),
    environment: canonicalEnvironment(words.environment ?? defaultEnvironment),
    severity: words.severity ?? 'medium',
    triggeredAt: new Date(origin.at).toISOString(),
    context: {
      ...(words.service ? { service: words.service } : {}),
      metadata: { source: 'slack', channel: origin.channel },
    },
  };
}
