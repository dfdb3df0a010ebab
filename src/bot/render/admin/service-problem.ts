import type { Organization } from '../../../contract/client/client.ts';
import { date } from '../dates.ts';
import { literal } from '../escape.ts';
import { notice } from '../fit.ts';
import type { Rendered } from '../rendered.ts';

/** A key that the service refuses until somebody fixes it; times in milliseconds. */
export interface ServiceProblemView {
  /** The key's organization; the default one if absent. */
  organization?: Organization;
  /** The operation that the key may not perform; `null` if the key itself is refused. */
  right: string | null;
  /** `401` if the key is not accepted, `403` if it has no permissions. */
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
  'issues.update': 'change issue status',
  'query.stream': 'ask the agent',
};
const KEYS = {
  default: { key: 'my API key', variable: '`ISSUE_SERVICE_API_KEY`' },
  private: { key: 'my API key for private channels', variable: '`ISSUE_SERVICE_PRIVATE_API_KEY`' },
} as const;

/** Tells an admin that the service refuses the key, and what to do; from the moment it is fixed, that it is. */
export function renderServiceProblem(view: ServiceProblemView): Rendered {
  const { right, since, mendedAt, organization = 'default' } = view;
  const { key } = KEYS[organization];
  const text =
    mendedAt === null
      ? `${right === null ? ofTheKey(view) : ofTheRight(right, view)} Once it is fixed, I notice within a minute and carry on.`
      : `✅ Fixed ${date(mendedAt)}: the investigation service ${right === null ? `accepts ${key}` : `allows ${key} to ${rightWords(right)}`} again. It had not since ${date(since)}. Everything that was waiting resumes on its own.`;
  return notice(text);
}

function ofTheKey({ reason, since, organization = 'default' }: ServiceProblemView): string {
  const { key, variable } = KEYS[organization];
  const meanwhile =
    organization === 'private'
      ? 'Until it does, nothing from private channels is filed, tracked or answered. Nothing is lost: alerts are queued in order.'
      : 'Until it does, nothing is filed, tracked or answered. Nothing is lost: alerts are queued in order.';
  return reason === '401'
    ? `🔑 The investigation service has rejected ${key} since ${date(since)}. ${meanwhile}\n*Fix:* make the key valid again, or set ${variable} to a valid one and restart me.`
    : `🔑 M${key.slice(1)} has had no permissions at the investigation service since ${date(since)}. ${meanwhile}\n*Fix:* restore the key’s permissions, or set ${variable} to a key that has them and restart me.`;
}

function ofTheRight(
  right: string,
  { since, organization = 'default' }: Pick<ServiceProblemView, 'since' | 'organization'>,
): string {
  const { key, variable } = KEYS[organization];
  return `🔑 M${key.slice(1)} has not been allowed to ${rightWords(right)} at the investigation service since ${date(since)}. Everything else keeps working; whatever needs that permission waits.\n*Fix:* grant the key that permission, or set ${variable} to a key that has it and restart me.`;
}

function rightWords(right: string): string {
  return (Object.hasOwn(RIGHTS, right) && RIGHTS[right]) || `call ${literal(right)}`;
}
