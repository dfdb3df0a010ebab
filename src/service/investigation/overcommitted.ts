import type { StateFinding } from '../telemetry/model.ts';
import type { View } from '../telemetry/view.ts';
import { amount } from './format.ts';

/** More than it asked for by this factor is no rounding. */
const FAR_MORE = 1.5;
const MOST = 2;

/** What is wrong with the system's state, of a machine short of memory with who uses more of it than they asked for. */
export function withUsers(state: readonly StateFinding[], view: View): StateFinding[] {
  return state.map((finding) => {
    const users = (finding.asked ?? [])
      .flatMap(({ app, bytes }) => {
        const service = view.services().find(({ name, aliases }) => name === app || aliases.includes(app));
        const memory = service && view.seriesOf(service.name, 'memory');
        const used =
          memory?.signal.unit === 'By' ? view.points(memory, view.window).at(-1)?.value : undefined;
        return used === undefined || used < FAR_MORE * bytes ? [] : [{ app, bytes, used }];
      })
      .toSorted((a, b) => b.used - b.bytes - (a.used - a.bytes));
    const [most, next] = users;
    if (most === undefined) return finding;
    // Where one stands out, the others are what suffers from it.
    const isAlone = next === undefined || most.used - most.bytes >= 2 * (next.used - next.bytes);
    const told = users.slice(0, isAlone ? 1 : MOST).map(({ app, bytes, used }) => {
      const asked = bytes === 0 ? 'without a request' : `where it asked for ${amount(bytes, 'By')}`;
      return `\`${app}\` uses ${amount(used, 'By')} ${asked}`;
    });
    return {
      ...finding,
      sentence: `${finding.sentence} ${told.join('; ')}.`,
      explains: (finding.explains ?? []).filter((one) => !users.some(({ app }) => one === `app/${app}`)),
    };
  });
}
