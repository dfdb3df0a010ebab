import type { LimitReached } from '../../filing/person-limit.ts';
import { filedEnough } from '../../render/notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import type { ListenerDeps } from './deps.ts';

/** What a person hears who has reached their limit; counted among those who were refused. */
export function refusedAtLimit(limit: LimitReached, { metrics }: Pick<ListenerDeps, 'metrics'>): Rendered {
  metrics.count('gumshoe_refused_people_total', { reason: 'filed_enough' });
  return filedEnough(limit);
}
