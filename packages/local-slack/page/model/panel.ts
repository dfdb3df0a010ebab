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

/** The options whose names contain every typed word. */
export function matching<T extends { name: string }>(options: readonly T[], typed: string): readonly T[] {
  const words = typed.toLowerCase().split(/\s+/u);
  return options.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

/** Splits typed text at commas and spaces, without duplicates. */
export function listed(typed: string): string[] {
  return [...new Set(typed.split(/[\s,]+/u).filter((word) => word !== ''))];
}
