import { addressesOf, isSentBy } from '../../urls.ts';
import { blank } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Format } from '../../format.ts';
import { firstKind } from '../../incident-state.ts';
import { factNamed, fromLabels, statedValue } from '../../labels.ts';
import { detailsOf, type Reading } from '../../message-content.ts';
import { bare, plain } from '../../slack-text.ts';
import { colorState } from '../../state.ts';
import { timeIn } from '../../timestamps.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../text-fields.ts';

const PORTAL = /^https:\/\/portal\.azure\.(?:com|us|cn)\//u;
const ENDING = /:\s*(Fired|Resolved|Activated|Deactivated)\W*$/iu;
const RESOURCE_ID = /\/resource(\/subscriptions\/[^?|]{1,600})$/iu;

/** Azure Monitor through a logic app: Azure posts nothing itself, each shop has a template of this shape. */
export const azure: Format = { name: 'azure', tool: 'Azure Monitor', extract };

/** `rule: Fired` in the text, and below it the rule, the resource and the severity. */
function extract(reading: Reading): Alert | null {
  if (reading.person) return null;
  const { message, attachments, facts, body } = reading;
  const portal = addressesOf(reading).find((url) => PORTAL.test(url)) ?? null;
  const heading = bare(plain(message.text)).split('\n', 1)[0] ?? '';
  const ending = ENDING.exec(heading);
  const own = ending !== null && isSentBy(reading, /\bazure\b/iu) ? heading.slice(0, ending.index) : null;
  const rule = statedValue(facts, 'alert rule', 'alertrule') ?? own;
  if (rule === null || (portal === null && ending === null)) return null;

  const stated = statedValue(facts, 'monitor condition', 'alert state', 'state', 'status');
  const kind =
    firstKind([ending?.[1] ?? null, stated]) ??
    attachments.map(({ color }) => colorState(color)).find((state) => state !== null) ??
    'firing';
  const resource = factNamed(facts, 'resource', 'affected resource');
  const alertUrl = resource?.url ?? portal;
  const { fields } = fromLabels(facts);
  const title = titleOf(bare(rule));
  const words = statedValue(facts, 'description') ?? statedValue(facts, 'metric');
  const identity = RESOURCE_ID.exec(alertUrl ?? '')?.[1] ?? resource?.value ?? '';
  return {
    ...blank('azure'),
    ...fields,
    kind,
    title,
    description: descriptionOf(attachments.map(detailsOf).join('\n') || body, title),
    service: resource?.value ?? fields.service,
    triggeredAt: timeIn(statedValue(facts, 'fired time', 'fired at', 'time') ?? ''),
    alertUrl,
    errorMessage: messageOf(words === null ? null : bare(words)),
    fingerprint: fingerprintOf('azure', bare(rule).toLowerCase(), identity.toLowerCase()),
  };
}
