import type { PageEvent } from '../../src/page-api.ts';
import type { PageFaults, PagePanel } from '../../src/page-panel.ts';

/** Key of the events that arrive while the panel's state is fetched. */
export const PANEL_KEY = 'stage';

/** The panel's state as fetched, or newer, from an event that arrived meanwhile. */
export function freshPanel(loaded: PagePanel, since: readonly PageEvent[]): PagePanel {
  const newer = since.flatMap((event) => (event.type === 'stage' ? event.stage : []));
  return newer.at(-1) ?? loaded;
}

/** What is degraded now, one line each, as a reminder. */
export function degradations({ sections, faults }: PagePanel): string[] {
  const slack = faultNames(faults);
  return [
    ...sections.flatMap(({ warning }) => warning ?? []),
    ...(slack.length === 0 ? [] : [`Slack: ${slack.join(', ')}`]),
  ];
}

/** Short names of the faults that are on. */
export function faultNames(faults: PageFaults): string[] {
  const names: [boolean, string][] = [
    [faults.latencyMs > 0, 'slow calls'],
    [faults.rateLimited > 0, '429'],
    [faults.serverErrors > 0, '500'],
    [faults.resetsBefore > 0 || faults.resetsAfter > 0, 'resets'],
    [faults.twins, 'duplicate events'],
    [faults.shuffleMs > 0, 'late events'],
    [faults.token !== null, 'token refused'],
    [faults.withheldScopes.length > 0, 'scopes withheld'],
    [faults.refusedBlocks.length > 0, 'blocks refused'],
  ];
  return names.filter(([isOn]) => isOn).map(([, name]) => name);
}

/** Splits typed text at commas and spaces, without duplicates. */
export function listed(typed: string): string[] {
  return [...new Set(typed.split(/[\s,]+/u).filter((word) => word !== ''))];
}

type Amount = 'latencyMs' | 'rateLimited' | 'serverErrors' | 'resetsBefore' | 'resetsAfter' | 'shuffleMs';

/** The faults that there is more or less of. */
export const AMOUNTS: readonly { key: Amount; label: string }[] = [
  { key: 'latencyMs', label: 'Latency added to calls' },
  { key: 'rateLimited', label: 'Rate-limited calls (429)' },
  { key: 'serverErrors', label: 'Failing calls (500)' },
  { key: 'resetsBefore', label: 'Connection reset before the call' },
  { key: 'resetsAfter', label: 'Connection reset after the call' },
  { key: 'shuffleMs', label: 'Events out of order' },
];

/** The faults that are told as a list. */
export const LISTS = [
  { key: 'methods', label: 'Only for these methods', hint: 'All, or e.g. chat.postMessage, chat.update' },
  { key: 'withheldScopes', label: 'Withheld scopes', hint: 'None, or e.g. reactions:write' },
  { key: 'refusedBlocks', label: 'Refused blocks', hint: 'None, or e.g. container, plan' },
] as const;

/** What Slack refuses a token with. */
export const TOKENS = [
  { id: '', name: 'Accepted' },
  ...['token_revoked', 'invalid_auth', 'account_inactive', 'token_expired'].map((id) => ({ id, name: id })),
];

const RATES = [0, 0.1, 0.3, 0.5, 1];
const TIMES = {
  latencyMs: [0, 300, 1_000, 4_000, 15_000],
  shuffleMs: [0, 300, 1_000, 5_000],
};

/** What is offered of a fault; a share of the calls that would be more than all, with the others, is refused. */
export function optionsOf(
  key: Amount,
  faults: PageFaults,
): { id: string; name: string; isDisabled?: boolean }[] {
  if (key === 'latencyMs' || key === 'shuffleMs') {
    return TIMES[key].map((ms) => ({ id: String(ms), name: ms === 0 ? 'No' : timeName(key, ms) }));
  }
  const others = totalShare({ ...faults, [key]: 0 });
  return RATES.map((rate) => ({
    id: String(rate),
    name: rate === 0 ? 'None' : rate === 1 ? 'All' : `${rate * 100}%`,
    // Tenths do not add up to the last digit.
    isDisabled: others + rate > 1.001,
  }));
}

function timeName(key: 'latencyMs' | 'shuffleMs', ms: number): string {
  const time = ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`;
  return key === 'latencyMs' ? `By ${time}` : `Within ${time}`;
}

function totalShare({ rateLimited, serverErrors, resetsBefore, resetsAfter }: PageFaults): number {
  return rateLimited + serverErrors + resetsBefore + resetsAfter;
}
