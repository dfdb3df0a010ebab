import { oneLine } from '../../lib/text.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';

/** A setting in words. Plain text; patterns and environments in it are untrusted. */
export interface SettingInWords {
  name: string;
  value: string;
}

/** Every setting of a channel in words, in the order of the modal. */
export function settingsInWords(settings: ChannelSettings): SettingInWords[] {
  const { mode, people, include, exclude, onRecovery, budget, coolDownMinutes, broadcast } = settings;
  return [
    { name: 'new alerts', value: mode === 'automatic' ? 'automatic' : 'suggest' },
    { name: 'people’s reports', value: people ? 'filed like alerts' : 'offered to their author' },
    { name: 'include', value: list(include, 'everything') },
    { name: 'exclude', value: list(exclude, 'nothing') },
    { name: 'minimum severity', value: settings.minimumSeverity },
    { name: 'environment', value: settings.environment ?? 'the default' },
    { name: 'default severity', value: settings.defaultSeverity },
    { name: 'a recovery', value: onRecovery === 'note' ? 'is noted' : 'resolves the issue' },
    { name: 'budget', value: `${many(budget.issues, 'new issue')} in ${many(budget.minutes, 'minute')}` },
    { name: 'cool-down', value: coolDownMinutes === 0 ? 'none' : many(coolDownMinutes, 'minute') },
    { name: 'results', value: broadcast ? 'in the thread and in the channel' : 'in the thread' },
  ];
}

/** What a change of settings changed, each as `name: new instead of old`; empty if nothing. */
export function changesInWords(before: ChannelSettings, after: ChannelSettings): string[] {
  const old = settingsInWords(before);
  return settingsInWords(after).flatMap(({ name, value }, index) => {
    const was = old[index]?.value;
    return was === value ? [] : [`${name}: ${value} (was ${was})`];
  });
}

function list(patterns: readonly string[], none: string): string {
  return patterns.length === 0 ? none : patterns.map((pattern) => `“${oneLine(pattern)}”`).join(', ');
}

function many(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
