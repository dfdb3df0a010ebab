import { date } from '../dates.ts';
import { notice } from '../fit.ts';
import type { Rendered } from '../rendered.ts';

/** Tells an admin that alerts wait because no route names a channel; moments in milliseconds. */
export function renderUnrouted({
  since,
  mendedAt,
}: {
  since: number;
  /** `null` while there are such alerts. */
  mendedAt: number | null;
}): Rendered {
  const text =
    mendedAt === null
      ? `⚠️ Since ${date(since)}, webhooks have delivered alerts for which no route names a channel. I keep them, and post them once there is one.\n*Fix:* add a route to \`ALERT_ROUTES\` and restart me; \`*-&gt;CHANNEL_ID\` at the end covers everything else. \`npm run doctor\` names the sources without a route.`
      : `✅ Fixed ${date(mendedAt)}: every alert that webhooks delivered has a channel now.`;
  return notice(text);
}
