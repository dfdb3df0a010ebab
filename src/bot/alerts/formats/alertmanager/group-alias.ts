import { contentOf } from '../../message-content.ts';
import { type Labels, sortedPairs } from '../../payload.ts';
import { SlackMessage } from '../../schema.ts';
import type { AlertAlias } from '../../webhook-format.ts';
import { alertmanager } from './index.ts';

/** A group of alerts, as Alertmanager's templates see it. */
export interface AlertGroup {
  /** Where its users find Alertmanager, as `--web.external-url` says. */
  externalUrl: string;
  groupLabels: Labels;
  commonLabels: Labels;
}

/** Alertmanager cuts a title of more characters. */
const MAX_TITLE = 1_024;

/**
 * The identity of the message that Alertmanager's default Slack template writes about a group. None for a group that
 * Slack's message would not name.
 */
export function groupAlias({ externalUrl, groupLabels, commonLabels }: AlertGroup): AlertAlias[] {
  const link = `${externalUrl}/#/alerts?receiver=slack`;
  const attachment = {
    color: 'danger',
    title: slackEscaped(titleOf(groupLabels, commonLabels)),
    title_link: link,
  };
  const message = { bot_id: 'B0', username: 'Alertmanager', attachments: [attachment] };
  const parsed = SlackMessage.safeParse(message);
  const alert = parsed.success ? alertmanager.extract(contentOf(parsed.data)) : null;
  return alert?.fingerprint ? [{ fingerprint: alert.fingerprint, environment: alert.environment }] : [];
}

/** `[FIRING:1] ` and the values of the group's labels, then those of the other common labels in parentheses. */
function titleOf(groupLabels: Labels, commonLabels: Labels): string {
  const others = Object.entries(commonLabels).filter(([name]) => !Object.hasOwn(groupLabels, name));
  const more = Object.keys(commonLabels).length > Object.keys(groupLabels).length;
  const common = more ? `(${inOrder(Object.fromEntries(others))})` : '';
  const characters = [...`[FIRING:1] ${inOrder(groupLabels)} ${common}`];
  return characters.length > MAX_TITLE
    ? `${characters.slice(0, MAX_TITLE - 1).join('')}…`
    : characters.join('');
}

/** The values as templates list them: `alertname` first, then by name. */
function inOrder(labels: Labels): string {
  const { alertname, ...others } = labels;
  const values = sortedPairs(others).map(([, value]) => value);
  return (alertname === undefined ? values : [alertname, ...values]).join(' ');
}

/** As Slack delivers a text that a tool sent. */
function slackEscaped(text: string): string {
  return text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/>/gu, '&gt;');
}
