import type { PageEvent } from '../../page-api.ts';
import type { PageFaults, PagePanel } from '../../page-panel.ts';

/** The key under which the events are kept that arrive while the panel is fetched. */
export const PANEL_KEY = 'stage';

/** A freshly fetched panel, or what was told of it while that was under way. */
export function freshPanel(loaded: PagePanel, since: readonly PageEvent[]): PagePanel {
  const told = since.flatMap((event) => (event.type === 'stage' ? event.stage : []));
  return told.at(-1) ?? loaded;
}

/** Why things may not work just now, a line each: for whoever has forgotten what they switched. */
export function degradations({ bot, service, faults }: PagePanel): string[] {
  const slack = faultNames(faults);
  return [
    ...(bot === null || bot.state === 'running' ? [] : [`The bot is ${bot.state}`]),
    ...(service?.down ? ['The service is down'] : []),
    ...(slack.length === 0 ? [] : [`Slack: ${slack.join(', ')}`]),
  ];
}

/** The faults that are on, in a word or two each. */
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
  ];
  return names.filter(([isOn]) => isOn).map(([, name]) => name);
}

/** Those whose names hold each word that was typed. */
export function matching<T extends { name: string }>(options: readonly T[], typed: string): readonly T[] {
  const words = typed.toLowerCase().split(/\s+/u);
  return options.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

/** What was typed as a list: between commas or spaces, each once. */
export function listed(typed: string): string[] {
  return [...new Set(typed.split(/[\s,]+/u).filter((word) => word !== ''))];
}
