import { factNamed, fromLabels, statedValue } from '../facts.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { attachmentDetails, isSentBy, type MessageContent, urlsOf } from '../message.ts';
import { plainText, toDescription, toErrorMessage, toTitle, withoutMarkup } from '../slack-text.ts';
import { colorState, firstIncidentKind } from '../state.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, emptyAlert } from '../types.ts';

const PORTAL = /^https:\/\/portal\.azure\.(?:com|us|cn)\//u;
const ENDING = /:\s*(Fired|Resolved|Activated|Deactivated)\W*$/iu;
const RESOURCE_ID = /\/resource(\/subscriptions\/[^?|]{1,600})$/iu;

/** Azure Monitor through a logic app: Azure posts nothing itself, each shop has a template of this shape. */
export const azure: Format = { name: 'azure', tool: 'Azure Monitor', extract };

/** `rule: Fired` in the text, and below it the rule, the resource and the severity. */
function extract(content: MessageContent): Alert | null {
  if (content.person) return null;
  const { message, attachments, facts, body } = content;
  const portal = urlsOf(content).find((url) => PORTAL.test(url)) ?? null;
  const heading = withoutMarkup(plainText(message.text)).split('\n', 1)[0] ?? '';
  const ending = ENDING.exec(heading);
  const own = ending !== null && isSentBy(content, /\bazure\b/iu) ? heading.slice(0, ending.index) : null;
  const rule = statedValue(facts, 'alert rule', 'alertrule') ?? own;
  if (rule === null || (portal === null && ending === null)) return null;

  const stated = statedValue(facts, 'monitor condition', 'alert state', 'state', 'status');
  const kind =
    firstIncidentKind([ending?.[1] ?? null, stated]) ??
    attachments.map(({ color }) => colorState(color)).find((state) => state !== null) ??
    'firing';
  const resource = factNamed(facts, 'resource', 'affected resource');
  const alertUrl = resource?.url ?? portal;
  const { fields } = fromLabels(facts);
  const title = toTitle(withoutMarkup(rule));
  const words = statedValue(facts, 'description') ?? statedValue(facts, 'metric');
  const identity = RESOURCE_ID.exec(alertUrl ?? '')?.[1] ?? resource?.value ?? '';
  return {
    ...emptyAlert('azure'),
    ...fields,
    kind,
    title,
    description: toDescription(attachments.map(attachmentDetails).join('\n') || body, title),
    service: resource?.value ?? fields.service,
    triggeredAt: timestampIn(statedValue(facts, 'fired time', 'fired at', 'time') ?? ''),
    alertUrl,
    errorMessage: toErrorMessage(words === null ? null : withoutMarkup(words)),
    fingerprint: fingerprintOf('azure', withoutMarkup(rule).toLowerCase(), identity.toLowerCase()),
  };
}
