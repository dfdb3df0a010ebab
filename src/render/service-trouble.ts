import { date } from './dates.ts';
import { literal } from './escape.ts';
import { fitMessage } from './fit.ts';
import { type Rendered, section } from './rendered.ts';

/** What a service refuses until somebody mends it; moments in milliseconds. */
export interface ServiceTroubleView {
  /** The operation that the key has no right to; `null` where the key itself is refused. */
  right: string | null;
  /** `401` for a key that is not accepted, `403` for one that may do nothing. */
  reason: string;
  since: number;
  /** `null` while it is not. */
  mendedAt: number | null;
}

const RIGHTS: Record<string, string> = {
  'issues.create': 'file issues',
  'issues.page': 'list issues',
  'issues.get': 'read issues',
  'issues.results': 'read results',
  'issues.update': 'set the status of issues',
  'query.stream': 'ask the agent',
};
const VARIABLE = '`ISSUE_SERVICE_API_KEY`';

/** Tells an admin that the service refuses the key, and what to do; from the moment it is mended, that it is. */
export function renderServiceTrouble(view: ServiceTroubleView): Rendered {
  const { right, since, mendedAt } = view;
  const text =
    mendedAt === null
      ? `${right === null ? ofTheKey(view) : ofTheRight(right, since)} What is mended at the service I notice within a minute, and go on by myself.`
      : `✅ Mended ${date(mendedAt)}: the investigation service takes my API key again${right === null ? '' : ` where I ${rightWords(right)}`}. It did not since ${date(since)}. What waited goes on by itself.`;
  return fitMessage({ text, blocks: [section(text)] });
}

function ofTheKey({ reason, since }: ServiceTroubleView): string {
  const meanwhile =
    'Until it does, nothing is filed, followed or answered. Nothing is lost: alerts wait in their order.';
  return reason === '401'
    ? `🔑 The investigation service has not accepted my API key since ${date(since)}. ${meanwhile}\n*To mend it:* make the key valid again, or set ${VARIABLE} to one that is, and restart me.`
    : `🔑 The investigation service has not let my API key do anything since ${date(since)}. ${meanwhile}\n*To mend it:* give the key its permissions back, or set ${VARIABLE} to one that has them, and restart me.`;
}

function ofTheRight(right: string, since: number): string {
  return `🔑 My API key has not been allowed to ${rightWords(right)} at the investigation service since ${date(since)}. All else goes on; what needs it waits.\n*To mend it:* give the key that permission, or set ${VARIABLE} to one that has it, and restart me.`;
}

function rightWords(right: string): string {
  return (Object.hasOwn(RIGHTS, right) && RIGHTS[right]) || `call ${literal(right)}`;
}
