import { formats } from '../alerts/formats/index.ts';
import type { Alert } from '../alerts/types.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import { matchingPattern } from './patterns.ts';

/**
 * The channel's patterns, over what the message says, who posted it and which tool it is from.
 *
 * @returns the rule that keeps the alert out, as a sentence; `null` where none does.
 */
export function patternAgainst(
  { alert, sender }: { alert: Alert; sender: string | null },
  { include, exclude }: Pick<ChannelSettings, 'include' | 'exclude'>,
): string | null {
  if (include.length === 0 && exclude.length === 0) return null;
  const texts = subjects(alert, sender);
  const excluded = matchingPattern(exclude, texts);
  if (excluded !== null) return `the channel leaves out what matches “${excluded}”`;
  if (include.length === 0 || matchingPattern(include, texts) !== null) return null;
  return 'the channel includes only what matches one of its patterns, and none does';
}

function subjects(alert: Alert, sender: string | null): string[] {
  const tool = formats.find(({ name }) => name === alert.format)?.tool ?? null;
  const { title, description, service, host, region, errorType, errorMessage, environment } = alert;
  const words = [
    title,
    description,
    service,
    host,
    region,
    errorType,
    errorMessage,
    environment,
    sender,
    tool,
  ];
  return [...words, alert.format, ...alert.tags].filter((text) => text !== null);
}
