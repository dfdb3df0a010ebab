import type { Change } from '../../telemetry/model.ts';
import type { Case } from '../case.ts';
import { cameAndWent } from '../episodes.ts';
import { duration, joinNames, timeOfDay } from '../format.ts';
import type { Hypothesis } from '../hypothesis.ts';
import { affectedCallers, type Incident, ownerOf } from '../place/incident.ts';
import { callGraph } from '../ranking/share-blame.ts';
import { effectOf } from './kinds.ts';
import { lookedAtSentence, sentencesOn } from './looked-at.ts';
import { movement } from './movement.ts';

/** What happened, where it comes from, what else is affected, and what could not be told. */
export function overviewOf(
  { subject: { named }, survey: seen, view, proven: { rival, route } }: Case,
  { symptom, chosen, primary, affected }: Incident,
  { candidate }: Hypothesis,
  { rest, suspects }: { rest: readonly Hypothesis[]; suspects: readonly Change[] },
): string {
  const now = primary.end === null ? 'Ongoing.' : `Over since ${timeOfDay(primary.end)}.`;
  const state = `${now}${cameAndWent(primary.series, view)}`;
  const origin = candidate.node.name;
  const spread = [...affected.keys()].filter((service) => service !== symptom && service !== origin);
  const which = {
    named: '',
    neighbour: `${named} itself looks normal, but its neighbor ${symptom} does not. `,
    worst: 'The issue names no known service; this is the worst anomaly at the time. ',
  }[chosen];
  const via = spread.length > 0 ? ` via ${joinNames(spread)}` : '';
  const two =
    rival === null
      ? ''
      : ` Telemetry does not decide between two causes: ${rival.candidate.node.name} is about as likely.`;
  const isConnected = callGraph(view.snapshot.edges).knows(symptom);
  const where =
    origin !== symptom
      ? `Caused by ${origin}${via}`
      : isConnected
        ? `The problem is in ${symptom} itself`
        : `It shows in ${symptom} itself; what that calls is not known`;
  const callers = affectedCallers(seen, symptom, primary.onset);
  const also = callers.length > 0 ? `; also affected: ${callers.join(', ')}` : '';
  const then = rest.flatMap((other) => {
    const effect = effectOf(other);
    return effect !== null && other.candidate.node.calls.includes(origin) ? [` Then ${effect}.`] : [];
  });
  const missing = sentencesOn(view.gaps);
  return `${which}${movement(ownerOf(primary, symptom), primary)} at ${timeOfDay(primary.onset)}${route === null ? '' : `, on \`${route.route}\` above all`}. ${where}${also}.${then.join('')}${two}${suspectsSentence(suspects, candidate.onset)} ${state}${lookedAtSentence(view)}${missing === '' ? '' : ` Not everything could be checked: ${missing}`}`;
}

/** ` Deployed shortly before, not proven: payments 2.0.0 (3 min before), …`; empty if nothing was. */
function suspectsSentence(suspects: readonly Change[], onset: number): string {
  if (suspects.length === 0) return '';
  const named = suspects.map(({ service, version, title, at }) => {
    const what = service === null || version === null ? `"${title}"` : `${service} ${version}`;
    return `${what} (${at <= onset ? `${duration(onset - at)} before` : `${duration(at - onset)} after`})`;
  });
  return ` Changed shortly before, not proven: ${named.join(', ')}.`;
}
