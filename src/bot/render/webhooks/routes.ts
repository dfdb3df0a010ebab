import { oneLine } from '../../../lib/text.ts';
import type { Alert } from '../../alerts/types.ts';
import { channelMention, literal, quoted } from '../escape.ts';
import { fitMessage, notice } from '../fit.ts';
import { code } from '../links.ts';
import { context, type Rendered, section } from '../rendered.ts';

export interface RoutesView {
  sources: readonly { name: string; isOn: boolean }[];
  routes: readonly { text: string; channel: string }[];
}

/** Where an alert of a pasted payload would go. Titles are untrusted. */
export interface TrialView {
  title: string | null;
  kind: Alert['kind'];
  route: { text: string; channel: string } | null;
}

const MAX_TITLE = 150;
const SHOWN = 20;
const KINDS: Record<Alert['kind'], string> = { firing: '🚨', resolved: '💚', not_an_alert: '💬' };

export function renderRoutes({ sources, routes }: RoutesView): Rendered {
  const named = (isOn: boolean) =>
    sources
      .filter((source) => source.isOn === isOn)
      .map(({ name }) => literal(name))
      .join(', ') || 'none';
  const lines = routes.map(
    ({ text, channel }, index) => `${index + 1}. ${code(oneLine(text))} → ${channelMention(channel)}`,
  );
  return fitMessage({
    text: 'Sources and routes of alerts',
    blocks: [
      section(`*Sources that are on:* ${named(true)}\n*Off, without a secret:* ${named(false)}`),
      section(
        `*Routes* (the first that matches wins)\n${lines.join('\n') || 'There are none: set `ALERT_ROUTES`.'}`,
      ),
      context('To try a payload: `/gumshoe routes SOURCE PAYLOAD`. Nothing is posted or filed.'),
    ],
  });
}

export function renderTrial(alerts: readonly TrialView[]): Rendered {
  const lines = alerts.slice(0, SHOWN).map(({ title, kind, route }) => {
    const name = quoted(title ?? 'An alert without a title', MAX_TITLE);
    const where =
      route === null
        ? 'no route: it would be kept'
        : `${channelMention(route.channel)} by ${code(oneLine(route.text))}`;
    return `${KINDS[kind]} ${name} → ${where}`;
  });
  const more = alerts.length > SHOWN ? [`and ${alerts.length - SHOWN} more`] : [];
  return fitMessage({
    text: 'Where these alerts would go',
    blocks: [
      section([...lines, ...more].join('\n')),
      context('This was a test: nothing was posted or filed.'),
    ],
  });
}

/** A payload that cannot be tried; `reason` is a sentence of ours. */
export function unreadablePayload(reason: string, { sources }: Pick<RoutesView, 'sources'>): Rendered {
  const names = sources.map(({ name }) => literal(name)).join(', ');
  return notice(`Nothing to route: ${literal(reason)} The sources are ${names}.`);
}

export function onlyAdminsSeeRoutes(): Rendered {
  return notice('Only admins can see the routes, because they name channels. Ask one of them.');
}
