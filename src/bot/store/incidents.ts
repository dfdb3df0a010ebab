import type { ExpressionBuilder } from 'kysely';
import type { Tables } from './tables.ts';

/** Leaves out issues that are symptoms of one that lives in these channels too: an incident is one line. */
export function isNoSymptomIn(channels: readonly string[]) {
  return (e: ExpressionBuilder<Tables, 'issues'>) =>
    e.or([
      e('issues.symptomOf', 'is', null),
      e(
        'issues.symptomOf',
        'not in',
        e.selectFrom('issues as head').select('head.id').where('head.channel', 'in', channels),
      ),
    ]);
}
